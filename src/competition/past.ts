/**
 * What happened between the last sample that was kept and the moment at which a process takes a
 * round up: trades as the history has them. It is read once, after a crash or on the
 * next leader; from then on steps are counted as they come.
 */
import type { AccountId } from '#domain';

/** Ids above afterId up to throughId, in their order. */
export interface PastPage {
  readonly afterId: number;
  readonly throughId: number;
  readonly limit: number;
}

export interface PastTrade {
  readonly tradeId: number;
  readonly parties: readonly [AccountId, AccountId];
}

/** Where the past is read; what was released before the call is in it. */
export interface Past {
  tradeParties(product: 'spot' | 'contract', page: PastPage): Promise<readonly PastTrade[]>;
}

/** From the last sample to when the round was taken up. */
export type PastSpan = Omit<PastPage, 'limit'>;

/** How many are to be added to those of each account. */
export type PastTrades = ReadonlyMap<AccountId, number>;

const PAGE_ROWS = 500;

/** Of these accounts. Others come in between two pages. */
export async function tradesIn(
  past: Past,
  span: PastSpan,
  accounts: ReadonlySet<AccountId>,
): Promise<PastTrades> {
  const trades = new Map<AccountId, number>();
  for (const product of ['spot', 'contract'] as const) {
    const pages = pagesOf(span, (page) => past.tradeParties(product, page));
    for await (const { parties } of pages) {
      for (const account of new Set(parties)) {
        if (accounts.has(account)) trades.set(account, (trades.get(account) ?? 0) + 1);
      }
    }
  }
  return trades;
}

async function* pagesOf(
  { afterId, throughId }: PastSpan,
  read: (page: PastPage) => Promise<readonly PastTrade[]>,
): AsyncIterable<PastTrade> {
  let from = afterId;
  for (;;) {
    const rows = await read({ afterId: from, throughId, limit: PAGE_ROWS });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    from = last.tradeId;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
