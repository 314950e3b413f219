/**
 * Bills of spot and entries of contract wallets as one kind of row. The two are numbered apart, so
 * the id of a row says when it was, which of them it is, and its number there. The order of ids as
 * text is that of the list: at one time bills of spot come before entries of contracts.
 */
import type { Amount, Asset, Listings, OrderId, TradeId, Wallet } from '#domain';
import {
  type Bill,
  type BillBiz,
  LEDGER_KINDS,
  type LedgerEntry,
  type LedgerKind,
  netOfBill,
} from '#history';
import { formatTrimmed } from '#kernel';
import { coinOf } from '../kit/coins.ts';
import { TIME_MS } from '../kit/examples.ts';
import { shown } from '../kit/fields.ts';
import { formatId, parseId } from '../kit/ids.ts';
import { type Field, optionalText } from '../kit/request.ts';
import { decimal, listedName, nullOr, oneOf, orNull, row, whole } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { type Market, marketById } from './terms.ts';

export const REASONS = [...LEDGER_KINDS, 'buy', 'sell'] as const satisfies readonly (
  | LedgerKind
  | BillBiz
)[];
export type Reason = (typeof REASONS)[number];

/** Which list a row is of; their order at one time is that of the alphabet, backwards. */
type Part = 'spot' | 'contract';

/** Where a row stands in the list. */
export interface Place {
  readonly timeMs: number;
  readonly part: Part;
  readonly number: number;
}

export interface LedgerRow extends Place {
  readonly wallet: Wallet;
  readonly market: Market | undefined;
  readonly coin: Asset;
  readonly reason: Reason;
  readonly change: Amount;
  readonly fee: Amount;
  readonly balance: Amount;
  readonly orderId: OrderId | undefined;
  readonly tradeId: TradeId | undefined;
}

export function ofBill(listings: Listings, bill: Bill): LedgerRow {
  const { billId: number, timeMs, wallet, biz: reason, fee, traded } = bill;
  const change = netOfBill(bill);
  return {
    ...{ part: 'spot', number, timeMs, wallet, reason, change, fee },
    market: traded && marketById(listings, traded.instrumentId),
    coin: coinOf(listings, bill),
    balance: bill.balanceBefore + change,
    orderId: traded?.orderId,
    tradeId: traded?.tradeId,
  };
}

export function ofEntry(listings: Listings, entry: LedgerEntry): LedgerRow {
  const { entryId: number, instrumentId, kind: reason, delta: change, ...facts } = entry;
  const { timeMs, wallet, fee, balance, orderId, tradeId } = facts;
  return {
    ...{ part: 'contract', number, timeMs, wallet, reason, change, fee, balance, orderId, tradeId },
    market: instrumentId === undefined ? undefined : marketById(listings, instrumentId),
    coin: coinOf(listings, entry),
  };
}

export function placeText({ timeMs, part, number }: Place): string {
  return `${timeMs}-${part}-${formatId(number)}`;
}

const PLACE = /^([0-9]{13})-(spot|contract)-([0-9]{16})$/;

/** The row that a page begins before. */
export const BEFORE_ROW: Field<Place | undefined> = {
  schema: optionalText('Only rows before this one, by its id').schema,
  read: (fields, name) => {
    const given = fields.text(name);
    if (given === '') return undefined;
    const [, time, part, id = ''] = PLACE.exec(given) ?? [];
    const number = parseId(id);
    if (number !== undefined) {
      return { timeMs: Number(time), part: part === 'spot' ? 'spot' : 'contract', number };
    }
    fields.refuse('parameter_invalid', `${name} ${shown(given)} is no id of this list`);
    return undefined;
  },
};

const ID = placeText({ timeMs: TIME_MS, part: 'contract', number: 42 });

/** Newest first. */
export function inOrder(one: LedgerRow, other: LedgerRow): number {
  if (one.timeMs !== other.timeMs) return other.timeMs - one.timeMs;
  if (one.part !== other.part) return one.part === 'spot' ? -1 : 1;
  return other.number - one.number;
}

function amount(description: string, example: string, of: (row: LedgerRow) => Amount) {
  return decimal<LedgerRow>(description, example, (row) => formatTrimmed(of(row), row.coin.scale));
}

function idOrNull(description: string, of: (row: LedgerRow) => number | undefined) {
  const found = (row: LedgerRow) => {
    const id = of(row);
    return id === undefined ? null : formatId(id);
  };
  return orNull(schema.id('Id'), description, formatId(28), found);
}

export const LEDGER = row<LedgerRow>()({
  id: listedName('Of the row: the order of ids is that of the list', ID, placeText),
  time: whole('When, in Unix milliseconds', TIME_MS, ({ timeMs }) => timeMs),
  wallet: listedName(
    'spot, margin, or the contract whose wallet it is',
    'margin',
    ({ wallet }) => wallet,
  ),
  coin: listedName('Coin', 'USDT', ({ coin }) => coin.code),
  reason: oneOf(
    REASONS,
    'What it was for: buy and sell of pairs, the fill of a contract, funding, a move of money, a ' +
      'step of a liquidation; moves of margin and its start change no balance',
    'close_long',
    ({ reason }) => reason,
  ),
  symbol: nullOr(
    'Market; null where money came, went or moved between wallets',
    listedName<LedgerRow>('Market', 'BTC-USDT-PERP', ({ market }) => market?.symbol ?? ''),
    ({ market }) => market === undefined,
  ),
  change: amount('Change of the balance, its fee taken off', '0.8194', ({ change }) => change),
  fee: amount('Fee paid, contained in the change', '0.1806', ({ fee }) => fee),
  balance: amount('Of the wallet after it', '1000.8194', ({ balance }) => balance),
  order: idOrNull('Order of a trade; else null', ({ orderId }) => orderId),
  trade: idOrNull('Trade; else null', ({ tradeId }) => tradeId),
});

export const NEXT_ROW = schema.text('Id of a row');
