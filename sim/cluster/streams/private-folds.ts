/** Orders, fills, balances and positions as clients of the private streams keep them. */

import { formatId } from '#dialects';
import type { AccountId, InstrumentId } from '#domain';
import { COINS } from '../../workload/listings.ts';
import { credentials } from '../keys.ts';
import { type Comparison, type Fold, type FoldParts, Numbers, type Row, rowsOf } from './fold.ts';
import { FOLLOWED, type FollowedMarket, unitsOf } from './markets.ts';
import type { Published } from './published.ts';
import { Slice } from './slice.ts';

type Product = FollowedMarket['product'];

const ENDED: ReadonlySet<string> = new Set(['full-fill', 'cancelled', '-1', '2']);

/** Balances and fills, whatever the dialect. */
class Money {
  readonly #parts: FoldParts;
  readonly #coins = new Map<string, { readonly slice: Slice; last: string }>();
  readonly #fills: Slice;

  constructor(parts: FoldParts, product: Product) {
    this.#parts = parts;
    this.#fills = new Slice(parts.published.fills(parts.accountId, product));
  }

  /** Free and bound, as texts. */
  balance(coin: string, free: unknown, ...bound: readonly unknown[]): void {
    const { published, accountId, check, count } = this.#parts;
    const scale = COINS.find(({ code }) => code === coin)?.scale ?? 0;
    const units = (text: unknown) => unitsOf(String(text), scale);
    const text = `${units(free)} ${bound.reduce<bigint>((sum, one) => sum + units(one), 0n)}`;
    const known = this.#coins.get(coin);
    const kept = known ?? { slice: new Slice(published.balances(accountId, coin)), last: '' };
    this.#coins.set(coin, kept);
    count('stream: balance');
    if (kept.last === text) return;
    kept.last = text;
    const what = () => `${coin} of ${accountId}: ${text} is none, or not the next one`;
    check(kept.slice.take(text), 'balances of a stream', what);
  }

  fill(tradeId: unknown, orderId: unknown): void {
    const { accountId, check, count } = this.#parts;
    count('stream: fill');
    const what = () => `${tradeId} ${orderId} of ${accountId} is none, or not the next one`;
    check(this.#fills.take(`${tradeId} ${orderId}`), 'fills of a stream', what);
  }

  get isAtEnd(): boolean {
    const areCoins = [...this.#coins.values()].every(({ slice }) => slice.isAtEnd);
    return areCoins && (!this.#fills.hasBegun || this.#fills.isAtEnd);
  }

  has(coin: string): boolean {
    return this.#coins.has(coin);
  }
}

/** Open orders, with what each has been filled. */
class OpenOrders {
  readonly #parts: FoldParts;
  readonly #filled = new Map<string, number>();

  constructor(parts: FoldParts) {
    this.#parts = parts;
  }

  begin(): void {
    this.#filled.clear();
  }

  open(id: string, filled: number): void {
    const before = this.#filled.get(id) ?? 0;
    const what = () => `order ${id} is filled ${filled} after ${before}`;
    this.#parts.check(filled >= before, 'orders of a stream', what);
    this.#filled.set(id, filled);
    this.#parts.count('stream: order');
  }

  end(id: string): void {
    this.#filled.delete(id);
    this.#parts.count('stream: order ended');
  }

  /** In the order of their ids. */
  get texts(): string {
    return [...this.#filled]
      .map(([id, filled]) => `${id} ${filled}`)
      .toSorted()
      .join();
  }
}

/** As the engine has them that reads the log. */
function spotOrders({ state }: Published, accountId: AccountId): string {
  return Array.from(state?.openOrders(accountId) ?? [], (order) => {
    const lot = FOLLOWED.find(({ instrumentId }) => instrumentId === order.instrumentId)?.lot ?? 1;
    return `${formatId(order.orderId)} ${sizeOf(order.filledLots * lot)}`;
  })
    .toSorted()
    .join();
}

function contractOrders({ state }: Published, accountId: AccountId, lots: boolean): string {
  return Array.from(state?.openContractOrders(accountId) ?? [], (order) => {
    const market = FOLLOWED.find(({ instrumentId }) => instrumentId === order.instrumentId);
    const lot = lots ? 1 : (market?.lot ?? 1);
    return `${formatId(order.orderId)} ${sizeOf(order.filledLots * lot)}`;
  })
    .toSorted()
    .join();
}

function sizeOf(size: number): number {
  return Math.round(size * 1e9) / 1e9;
}

function login(accountId: AccountId, timeMs: number) {
  const seconds = String(Math.floor(timeMs / 1_000));
  return credentials(accountId, seconds, 'GET/user/verify');
}

/** Begins with everything, then what each command changed. */
export class ClassicSpotAccount implements Fold {
  readonly requests: readonly string[];
  readonly #parts: FoldParts;
  readonly #numbers: Numbers;
  readonly #orders: OpenOrders;
  readonly #money: Money;

  constructor(parts: FoldParts, timeMs: number) {
    this.#parts = parts;
    this.#numbers = new Numbers(parts);
    this.#orders = new OpenOrders(parts);
    this.#money = new Money(parts, 'spot');
    const { key, passphrase, time, sign } = login(parts.accountId, timeMs);
    const args = ['orders', 'account'].map((channel) => {
      return { instType: 'SPBL', channel, instId: 'default' };
    });
    this.requests = [
      JSON.stringify({ op: 'login', args: [{ apiKey: key, passphrase, timestamp: time, sign }] }),
      JSON.stringify({ op: 'subscribe', args }),
    ];
  }

  take({ action, arg, data, seq }: Row): void {
    if (data === undefined) return;
    const channel = String((arg as Row).channel);
    const isBegin = action === 'snapshot';
    if (isBegin) this.#numbers.begin(channel, Number(seq));
    else this.#numbers.follow(channel, Number(seq));
    if (channel === 'orders' && isBegin) this.#orders.begin();
    for (const row of rowsOf(data)) {
      if (channel === 'orders') this.#takeOrder(row);
      else this.#money.balance(String(row.coinName), row.available, row.frozen, row.lock);
    }
  }

  isCurrent(): boolean {
    const { published, accountId } = this.#parts;
    const areOrders = this.#orders.texts === spotOrders(published, accountId);
    return areOrders && this.#numbers.has('orders') && this.#money.isAtEnd;
  }

  comparisons(): readonly Comparison[] {
    return [];
  }

  #takeOrder(row: Row): void {
    const id = String(row.ordId);
    if (String(row.tradeId).length > 1) this.#money.fill(row.tradeId, id);
    if (ENDED.has(String(row.status))) this.#orders.end(id);
    else this.#orders.open(id, Number(row.accFillSz));
  }
}

/** Orders, and the account and both positions of each contract as a read shows them. */
export class ClassicContractAccount implements Fold {
  readonly requests: readonly string[];
  readonly #parts: FoldParts;
  readonly #numbers: Numbers;
  readonly #orders: OpenOrders;
  /** The last row of each channel that is shown whole, without the name in front. */
  readonly #whole = new Map<string, string>();
  readonly #followed = FOLLOWED.filter(({ product }) => product === 'contract');

  constructor(parts: FoldParts, timeMs: number) {
    this.#parts = parts;
    this.#numbers = new Numbers(parts);
    this.#orders = new OpenOrders(parts);
    const { key, passphrase, time, sign } = login(parts.accountId, timeMs);
    const args = this.#followed.flatMap(({ name }) =>
      ['order', 'account', 'position'].map((one) => `swap/${one}:cmt_${name.toLowerCase()}`),
    );
    this.requests = [
      JSON.stringify({ op: 'login', args: [key, passphrase, time, sign] }),
      JSON.stringify({ op: 'subscribe', args }),
    ];
  }

  take({ table, action, data, seq }: Row): void {
    if (table === undefined) return;
    const rows = rowsOf(data);
    const [first] = rows;
    if (first === undefined) {
      this.#numbers.beginSomewhere(Number(seq));
      return;
    }
    const name = `${table}:${first.instrument_id}`;
    if (action === 'partial') this.#numbers.begin(name, Number(seq));
    else this.#numbers.follow(name, Number(seq));
    for (const row of rows) {
      const { instrument_id: _, ...fields } = row;
      if (table === 'swap/order') this.#takeOrder(fields);
      else this.#whole.set(name, JSON.stringify(fields));
    }
    this.#parts.count(`stream: ${table}`);
  }

  isCurrent(): boolean {
    const { published, accountId } = this.#parts;
    return this.#orders.texts === contractOrders(published, accountId, true);
  }

  comparisons(): readonly Comparison[] {
    return this.#followed.flatMap(({ name }) => {
      const symbol = `cmt_${name.toLowerCase()}`;
      return [
        this.#comparison(`account/account?symbol=${symbol}`, `swap/account:${symbol}`),
        this.#comparison(`position/singlePosition?symbol=${symbol}`, `swap/position:${symbol}`),
      ];
    });
  }

  #comparison(path: string, channel: string): Comparison {
    return {
      target: `/api/swap/v3/${path}`,
      isEqual: (body) => body === this.#whole.get(channel),
    };
  }

  #takeOrder(row: Row): void {
    const id = String(row.order_id);
    if (ENDED.has(String(row.status))) this.#orders.end(id);
    else this.#orders.open(id, Number(row.filled_qty));
  }
}

/** Begins with nothing: what is there is asked for, and messages are numbered over all channels. */
export class CurrentAccount implements Fold {
  readonly requests: readonly string[];
  readonly #parts: FoldParts;
  readonly #numbers: Numbers;
  readonly #money: Money;
  readonly #product: Product;
  /** By order, whether it is open. */
  readonly #orders = new Map<string, boolean>();
  /** By contract and side, as last sent. */
  readonly #positions = new Map<string, number>();

  constructor(parts: FoldParts, product: Product) {
    this.#parts = parts;
    this.#product = product;
    this.#numbers = new Numbers(parts);
    this.#money = new Money(parts, product);
    const params = ['orders', 'fill', 'account', ...(product === 'spot' ? [] : ['positions'])];
    this.requests = [JSON.stringify({ id: 1, method: 'SUBSCRIBE', params })];
  }

  take({ e, v, d }: Row): void {
    if (v === undefined) return;
    const number = Number(v);
    if (this.#numbers.has('account')) this.#numbers.follow('account', number);
    else this.#numbers.begin('account', number);
    for (const row of rowsOf(d)) this.#takeRow(String(e), row);
    this.#parts.count(`stream: ${this.#product} ${e}`);
  }

  isCurrent(): boolean {
    const { state } = this.#parts.published;
    if (state === undefined || !this.#money.isAtEnd) return false;
    const areOrders = [...this.#orders].every(([id, isOpen]) => isOpen === this.#isOpen(id));
    return areOrders && [...this.#positions].every(([key, size]) => size === this.#sizeOf(key));
  }

  comparisons(): readonly Comparison[] {
    return [];
  }

  #takeRow(channel: string, row: Row): void {
    if (channel === 'fill') this.#money.fill(row.id, row.orderId);
    else if (channel === 'orders') {
      this.#orders.set(String(row.id), row.status === 'NEW');
      if (row.status === 'UNTRIGGERED') this.#orders.delete(String(row.id));
    } else if (channel === 'positions') {
      this.#positions.set(`${row.symbol} ${row.side}`, Number(row.size));
    } else if (this.#product === 'spot') {
      this.#money.balance(String(row.coin), row.available, row.frozen);
    }
  }

  #isOpen(id: string): boolean {
    const { state } = this.#parts.published;
    const { accountId } = this.#parts;
    const all =
      this.#product === 'spot'
        ? state?.openOrders(accountId)
        : state?.openContractOrders(accountId);
    return [...(all ?? [])].some(({ orderId }) => formatId(orderId) === id);
  }

  #sizeOf(key: string): number {
    const [name, side] = key.split(' ');
    const market = FOLLOWED.find((one) => one.name === name && one.product === 'contract');
    const { state } = this.#parts.published;
    const { accountId } = this.#parts;
    const view = state?.marginAccount(accountId, market?.instrumentId ?? (0 as InstrumentId));
    const held = side === 'LONG' ? view?.long.lots : view?.short.lots;
    return sizeOf((held ?? 0) * (market?.lot ?? 1));
  }
}
