/** What the files of the contract endpoints share: the contract, pages, limits, example values. */
import { type Answer, type RateLimit, refuseSaying } from '#api';
import {
  type Amount,
  type Contract,
  type HoldSide,
  LIMITS,
  type Listings,
  type Lots,
  type MarginMode,
  type Refused,
  refuse,
  type Ticks,
} from '#domain';
import { formatMoney, formatPrice, formatSize } from '../kit/contract-figures.ts';
import { ABOVE_ZERO, type Fields, shown } from '../kit/fields.ts';
import { type Field, type Named, readByAnother, requiredText } from '../kit/request.ts';
import { type Column, decimal, text, truth } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { contractName, contractOfName } from './symbols.ts';

export const BASE = '/api/swap/v3';
export const SYMBOL = 'cmt_btcusdt';
export const ONLY_SYMBOL = { symbol: SYMBOL };

/** 10 calls of an order endpoint in one second. */
export const ORDER_RATE: RateLimit = { limit: 10, windowMs: 1_000 };

/** What the public endpoints have in common. */
export const MARKET = {
  method: 'GET',
  rate: { limit: 20, windowMs: 2_000 },
  permission: 'none',
  bare: true,
} as const;

/** What the signed endpoints have in common: reads, and calls that change something. */
export const READING = { method: 'GET', permission: 'read', bare: true } as const;
export const CHANGING = { method: 'POST', permission: 'trade', bare: true } as const;

/** A row about a contract. */
export interface OfContract {
  readonly contract: Contract;
}

export function contractColumn(description: string): Column<OfContract, string> {
  return text(description, SYMBOL, ({ contract }) => contractName(contract.symbol));
}

export const NAME = contractColumn('Contract name');

/** A price with the decimals of tick_size. */
export function price<V extends OfContract>(
  description: string,
  example: string,
  of: (value: V) => Ticks,
): Column<V, string> {
  return decimal(description, example, (value) => formatPrice(value.contract, of(value)));
}

/** A size in contracts. */
export function size<V extends OfContract>(
  description: string,
  example: string,
  of: (value: V) => Lots,
): Column<V, string> {
  return decimal(description, example, (value) => formatSize(value.contract, of(value)));
}

/** Money in the margin coin, trimmed. */
export function money<V extends OfContract>(
  description: string,
  example: string,
  of: (value: V) => Amount,
): Column<V, string> {
  return decimal(description, example, (value) => formatMoney(value.contract, of(value)));
}

/** What clients call the margin modes. */
export const MARGIN_MODE_WORDS = { isolated: 'fixed', cross: 'crossed' } as const satisfies Record<
  MarginMode,
  string
>;

export const FORWARD: Column<OfContract, boolean> = truth(
  'True for a contract with margin in the quote coin',
  true,
  ({ contract }) => contract.kind === 'linear',
);

/** The contract a request is about. Older clients leave the prefix out, as in BTCUSD. */
export function contractNamed(symbol: string, listings: Listings): Contract | Refused {
  return contractOfName(listings, symbol) ?? refuseSaying('contract_unknown', shown(symbol));
}

/** 1 long, 2 short; neither where it is left out. */
export const HOLD_SIDES: ReadonlyMap<string, HoldSide | undefined> = new Map([
  ['1', 'long'],
  ['2', 'short'],
]);

export const CONTRACT: Named<string, Contract> = {
  ...requiredText('Contract, in any case'),
  find: contractNamed,
};

/** Rows of a list, counted from its first. */
export interface PageOfRows {
  readonly offset: number;
  readonly limit: number;
}

const PAGE_SIZE_DEFAULT = 20;

/** As many rows as the last of the largest pages of plan orders ends with. */
const ROWS_MAX = LIMITS.contractPageIndexMax * LIMITS.contractPageRowsMax;

/**
 * The page that pageIndex (1 to 200) and pageSize name. A larger page counts as the largest one; an
 * index beyond the last page served is refused.
 */
export const PAGE: Field<PageOfRows> = {
  schema: schema.optional('Page, 1 to 200; the first one by default', schema.whole(1)),
  read: (fields, name) => {
    const index = fields.wholeNumber(name, ABOVE_ZERO) ?? 1;
    const limit = pageSize(fields);
    const most = LIMITS.contractPageIndexMax;
    if (index > most) {
      fields.refuse('page_window_exceeded', `pageIndex ${index}, at most ${most} of ${limit} rows`);
    }
    return { offset: (index - 1) * limit, limit };
  },
};

/** A page of a list whose pages are not counted. */
export interface LongPage extends PageOfRows {
  /** Begins further back than rows are served: offset and limit name the row after those. */
  readonly isBeyond: boolean;
}

/**
 * As PAGE, of a list whose pages are not counted: small pages go as far back as large ones, and one
 * beyond that is refused only when there is anything.
 */
export const LONG_PAGE: Field<LongPage> = {
  schema: schema.optional('Page, from 1 (default); pages end at 20000 rows', schema.whole(1)),
  read: (fields, name) => {
    const index = fields.wholeNumber(name, ABOVE_ZERO) ?? 1;
    const limit = pageSize(fields);
    const isBeyond = index > Math.floor(ROWS_MAX / limit);
    return isBeyond
      ? { offset: ROWS_MAX, limit: 1, isBeyond }
      : { offset: (index - 1) * limit, limit, isBeyond };
  },
};

function pageSize(fields: Fields): number {
  return Math.min(
    fields.wholeNumber('pageSize', ABOVE_ZERO) ?? PAGE_SIZE_DEFAULT,
    LIMITS.contractPageRowsMax,
  );
}

export const PAGE_SIZE = readByAnother(
  schema.optional('Rows of a page, up to 100; 20 by default', schema.whole(1)),
);

/** A page further back than rows are served is empty, or a client would miss what is there. */
export function nothingBeyond(rows: readonly unknown[]): Answer {
  return rows.length === 0 ? '[]' : refuse('page_window_exceeded');
}
