/** The ledger of an account's contract wallets: what has changed each of them, newest first. */
import type { Services } from '#api';
import { refuseSaying } from '#api';
import { isRefused, type Listings } from '#domain';
import type { LedgerEntry, LedgerKind } from '#history';
import { formatTrimmed, present } from '#kernel';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { shown } from '../kit/fields.ts';
import {
  type Field,
  type Named,
  optionalText,
  readByAnother,
  wholeNumber,
} from '../kit/request.ts';
import {
  decimal,
  encoded,
  listedName,
  nullOr,
  oneOf,
  row,
  rows,
  truth,
  whole,
} from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { rangeWithin } from './contract-orders.ts';
import { CONTRACT_BASE, CONTRACT_OR_ALL, EXAMPLE_SYMBOL } from './contract-terms.ts';
import { costs } from './costs.ts';
import { ownRowsWanted } from './parameters.ts';
import { TIME_MS } from './spot-terms.ts';
import { marketName } from './symbols.ts';
import { END_TIME, START_TIME } from './time-range.ts';

const ROWS_DEFAULT = 20;
const ROWS_MAX = 100;
const DAYS_MAX = 100;

/** Money that comes from another wallet of the account is a deposit here, and the reverse. */
const INCOME_TYPE_OF = {
  open_long: 'position_open_long',
  open_short: 'position_open_short',
  close_long: 'position_close_long',
  close_short: 'position_close_short',
  funding: 'position_funding',
  deposit: 'deposit',
  withdraw: 'withdraw',
  transfer_in: 'deposit',
  transfer_out: 'withdraw',
  liquidation_started: 'start_liquidate',
  liquidation_finished: 'finish_liquidate',
  insurance: 'order_fix_margin_amount',
  margin_added: 'margin_move_in',
  margin_taken: 'margin_move_out',
} as const satisfies Record<LedgerKind, string>;

type IncomeType = (typeof INCOME_TYPE_OF)[LedgerKind];

const INCOME_TYPES = [...new Set(Object.values(INCOME_TYPE_OF))];
/** Types that clients know and no row has. */
const NEVER = [
  'transfer_in',
  'transfer_out',
  'order_fill_fee_income',
  'order_liquidate_fee_income',
] as const;

function kindsOf(type: string): readonly LedgerKind[] {
  const kinds = Object.entries(INCOME_TYPE_OF) as [LedgerKind, IncomeType][];
  return kinds.filter(([, one]) => one === type).map(([kind]) => kind);
}

const KINDS: ReadonlyMap<string, readonly LedgerKind[]> = new Map(
  [...INCOME_TYPES, ...NEVER].map((type) => [type, kindsOf(type)]),
);

interface Entry {
  readonly listings: Listings;
  readonly entry: LedgerEntry;
}

function symbolOf({ listings, entry: { instrumentId } }: Entry): string {
  const contract = instrumentId === undefined ? undefined : listings.contractById(instrumentId);
  return contract === undefined ? '' : marketName(contract.symbol);
}

function amount(description: string, example: string, of: (entry: LedgerEntry) => bigint) {
  return decimal<Entry>(description, example, ({ listings, entry }) => {
    const coin = present(listings.asset(entry.assetId), 'coin of a wallet');
    return formatTrimmed(of(entry), coin.scale);
  });
}

const INCOME = row<Entry>()({
  billId: whole('Rises with time', 41, ({ entry }) => entry.entryId),
  asset: listedName(
    'Margin coin',
    'USDT',
    ({ listings, entry }) => present(listings.asset(entry.assetId), 'coin of a wallet').code,
  ),
  symbol: nullOr(
    'Contract; null for deposits and withdrawals',
    listedName<Entry>('Contract', EXAMPLE_SYMBOL, symbolOf),
    ({ entry }) => entry.instrumentId === undefined,
  ),
  income: amount('Change of the balance, fees taken off', '-0.018006', ({ delta }) => delta),
  incomeType: oneOf(
    INCOME_TYPES,
    'What it was for',
    'position_open_long',
    ({ entry }) => INCOME_TYPE_OF[entry.kind],
  ),
  balance: amount(
    'Balance of the coin after it, over all contracts',
    '999.981994',
    ({ coinBalance }) => coinBalance,
  ),
  fillFee: amount('Fee that the change contains', '0.018006', ({ fee }) => fee),
  time: whole('When it happened', TIME_MS, ({ entry }) => entry.timeMs),
  transferReason: oneOf(
    ['UNKNOWN_TRANSFER_REASON', 'USER_TRANSFER'],
    'USER_TRANSFER for money from another wallet or to one',
    'UNKNOWN_TRANSFER_REASON',
    ({ entry: { kind } }) =>
      kind === 'transfer_in' || kind === 'transfer_out'
        ? 'USER_TRANSFER'
        : 'UNKNOWN_TRANSFER_REASON',
  ),
});

const NEXT_KEY = row<LedgerEntry>()({
  nextKeyId: whole('As nextKeyId of the next page', 41, ({ entryId }) => entryId),
  nextKeyTime: whole('As nextKeyTime of the next page', TIME_MS, ({ timeMs }) => timeMs),
});

interface Page {
  readonly listings: Listings;
  readonly entries: readonly LedgerEntry[];
  readonly isMore: boolean;
}

const INCOME_PAGE = row<Page>()({
  hasNextPage: truth('Whether older rows follow', false, ({ isMore }) => isMore),
  nextKey: nullOr(
    'Where the next page begins; null when there is none',
    encoded<Page, unknown>(NEXT_KEY, ({ entries }) =>
      NEXT_KEY.write(present(entries.at(-1), 'last row of a page')),
    ),
    ({ isMore }) => !isMore,
  ),
  items: rows(INCOME, ({ listings, entries }) => entries.map((entry) => ({ listings, entry }))),
});

/** The coin of this code; undefined when left out. Some clients call it currency. */
const ASSET: Named<string, ReturnType<Listings['assetByCode']>> = {
  ...optionalText('Only this margin coin'),
  read: (fields, name) => fields.text(name, 'currency'),
  find: (code, listings) => {
    if (code === '') return undefined;
    const coin = listings.assetByCode(code.toUpperCase());
    return coin ?? refuseSaying('parameter_invalid', `asset ${shown(code)} is unknown`);
  },
};

/** Its words are too many for the text of a refusal. */
const INCOME_TYPE: Field<readonly LedgerKind[] | undefined> = {
  schema: schema.optional('Only rows of this type', schema.choices(...KINDS.keys())),
  read: (fields, name) => {
    const given = fields.text(name);
    const kinds = KINDS.get(given.toLowerCase());
    if (kinds === undefined && given !== '') {
      fields.refuse('parameter_invalid', `${name} ${shown(given)} is unknown`);
    }
    return kinds;
  },
};

export const CONTRACT_INCOME = {
  income: signedEndpoint({
    method: 'POST',
    path: `${CONTRACT_BASE}/account/income`,
    ...costs(5),
    permission: 'read',
    summary: 'What has changed the balance of contracts, newest first; at most 100 days at once',
    request: {
      asset: ASSET,
      currency: readByAnother(schema.optional('Same as asset, read when that is not given')),
      symbol: CONTRACT_OR_ALL,
      incomeType: INCOME_TYPE,
      startTime: START_TIME,
      endTime: END_TIME,
      limit: ownRowsWanted(ROWS_DEFAULT, ROWS_MAX),
      nextKeyId: wholeNumber('Only rows before this one'),
      nextKeyTime: wholeNumber('Not needed beside nextKeyId'),
    },
    response: INCOME_PAGE,
    example: { request: { asset: 'USDT', limit: 1 } },
    answer: async ({ history, historyReady, live: { listings } }: Services, asked, call) => {
      const { asset, symbol, incomeType: kinds, startTime, endTime, limit } = asked;
      const range = rangeWithin(DAYS_MAX, startTime, endTime, call.nowMs);
      if (isRefused(range)) return range;
      if (kinds?.length === 0) return INCOME_PAGE.write({ listings, entries: [], isMore: false });
      await historyReady();
      const found = await history.ledger({
        accountId: call.accountId,
        assetId: asset?.assetId,
        instrumentId: symbol?.instrumentId,
        kinds,
        before: asked.nextKeyId,
        ...range,
        // One more shows whether another page follows.
        limit: limit + 1,
      });
      const entries = found.slice(0, limit);
      return INCOME_PAGE.write({ listings, entries, isMore: found.length > limit });
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;
