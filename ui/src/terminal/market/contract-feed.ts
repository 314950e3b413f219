/** What only contracts have: mark and index price, funding, open interest. */
import { publicGet } from '../../wire/rest.ts';
import { swapStream } from '../../wire/streams.ts';
import { createFeed } from './feed.ts';

export interface ContractFacts {
  /** Each is undefined until it was received. */
  readonly mark: string | undefined;
  readonly index: string | undefined;
  /** A ratio, as it would be charged now. */
  readonly fundingRate: string | undefined;
  readonly fundingMs: number | undefined;
  /** In contracts, and in the quote currency. */
  readonly openContracts: string | undefined;
  readonly openValue: string | undefined;
}

const UNKNOWN: ContractFacts = {
  mark: undefined,
  index: undefined,
  fundingRate: undefined,
  fundingMs: undefined,
  openContracts: undefined,
  openValue: undefined,
};

/** No stream has the index and the open interest. */
const READ_EVERY_MS = 3_000;

interface MarkRow {
  readonly mark_price: string;
}

interface FundingRow {
  readonly funding_rate: string;
  readonly funding_time: string;
}

interface IndexAnswer {
  readonly index: string;
}

interface OpenInterestAnswer {
  readonly amount: string;
  readonly target_volume: string;
}

export const useContractFacts = createFeed<ContractFacts>(({ kind, symbol }, put) => {
  let facts = UNKNOWN;
  const learn = (news: Partial<ContractFacts>): void => {
    facts = { ...facts, ...news };
    put(facts);
  };
  if (kind === 'spot') return () => undefined;
  const ends = [
    swapStream.follow<MarkRow>({ channel: 'mark_price', symbol }, ({ rows: [row] }) => {
      if (row !== undefined) learn({ mark: row.mark_price });
    }),
    swapStream.follow<FundingRow>({ channel: 'funding_rate', symbol }, ({ rows: [row] }) => {
      if (row === undefined) return;
      learn({ fundingRate: row.funding_rate, fundingMs: Number(row.funding_time) });
    }),
    whileVisible(() => void readFacts(symbol).then(learn)),
  ];
  return () => {
    for (const end of ends) end();
  };
});

async function readFacts(symbol: string): Promise<Partial<ContractFacts>> {
  try {
    const [{ index }, { amount, target_volume }] = await Promise.all([
      publicGet<IndexAnswer>('/api/swap/v3/market/index', { symbol }),
      publicGet<OpenInterestAnswer>('/api/swap/v3/market/open_interest', { symbol }),
    ]);
    return { index, openContracts: amount, openValue: target_volume };
  } catch {
    return {}; // The old ones stay: the connection says that the venue is away.
  }
}

function whileVisible(read: () => void): () => void {
  const readIfVisible = (): void => {
    if (document.visibilityState === 'visible') read();
  };
  readIfVisible();
  const timer = setInterval(readIfVisible, READ_EVERY_MS);
  return () => clearInterval(timer);
}
