/**
 * The spot balances of one coin, of all accounts: a row of whole numbers for each, in pages. A
 * trade touches four balances of two accounts among many. As objects with bigints those are some
 * twenty places in memory and each change leaves garbage, as rows they are four: moving a resting
 * order takes three quarters of the time. What 64 bits do not hold is kept as bigints.
 */
import type { AccountId, Amount, AssetId } from '#domain';
import { assert } from '#kernel';
import type { Balance, BalanceFields } from './balance.ts';

/** A row: the balance, what is free of it, what is locked, and when it was changed last. */
const ROW = 4;
const BALANCE = 0;
const FREE = 1;
const LOCKED = 2;
const CHANGED = 3;

/** A page has the rows of so many accounts: whoever has a coin as the only one costs one page. */
const PAGE_BITS = 7;
const PAGE_ROWS = 1 << PAGE_BITS;

interface Page {
  readonly amounts: BigInt64Array;
  /** The same rows as numbers: times are read here. */
  readonly times: Float64Array;
}

export class SpotBalances {
  readonly assetId: AssetId;
  readonly #pages: (Page | undefined)[] = [];
  /** Balance, free and locked of accounts that once had more than a row holds. */
  readonly #wide = new Map<AccountId, Amount[]>();

  constructor(assetId: AssetId) {
    this.assetId = assetId;
  }

  balance(id: AccountId): Amount {
    return this.#amount(id, BALANCE);
  }

  /** What is neither held by open orders nor locked. */
  free(id: AccountId): Amount {
    return this.#amount(id, FREE);
  }

  locked(id: AccountId): Amount {
    return this.#amount(id, LOCKED);
  }

  /** When a command changed it last; zero if none ever did. */
  updatedTimeMs(id: AccountId): number {
    return this.#pages[id >> PAGE_BITS]?.times[rowOf(id) + CHANGED] ?? 0;
  }

  /** Money comes, or goes where the amount is below zero. */
  add(id: AccountId, amount: Amount, timeMs: number): void {
    this.#set(id, BALANCE, this.#amount(id, BALANCE) + amount);
    this.#set(id, FREE, this.#amount(id, FREE) + amount);
    this.#touch(id, timeMs);
  }

  /** Reserves part of what is free for an open order. */
  hold(id: AccountId, amount: Amount, timeMs: number): void {
    const free = this.#amount(id, FREE) - amount;
    assert(free >= 0n, 'a hold is covered by the balance');
    this.#set(id, FREE, free);
    this.#touch(id, timeMs);
  }

  /** Money goes for which an order held so much. */
  spendHeld(id: AccountId, amount: Amount, timeMs: number): void {
    const balance = this.#amount(id, BALANCE) - amount;
    const least = this.#amount(id, FREE) + this.#amount(id, LOCKED);
    assert(balance >= least, 'no more is spent than was held');
    this.#set(id, BALANCE, balance);
    this.#touch(id, timeMs);
  }

  /** Changes a reservation by so much; below zero it gives back. */
  holdMore(id: AccountId, amount: Amount, timeMs: number): void {
    if (amount > 0n) this.hold(id, amount, timeMs);
    else if (amount < 0n) this.release(id, -amount, timeMs);
    else this.#touch(id, timeMs);
  }

  /** Gives back a reservation. */
  release(id: AccountId, amount: Amount, timeMs: number): void {
    const free = this.#amount(id, FREE) + amount;
    const most = this.#amount(id, BALANCE) - this.#amount(id, LOCKED);
    assert(free <= most, 'no more is released than was held');
    this.#set(id, FREE, free);
    this.#touch(id, timeMs);
  }

  /** Sets what the operator keeps from being spent: not more than what no order holds. */
  lock(id: AccountId, amount: Amount, timeMs: number): void {
    const free = this.#amount(id, FREE) + this.#amount(id, LOCKED) - amount;
    assert(free >= 0n, 'a lock is covered by the balance');
    this.#set(id, FREE, free);
    this.#set(id, LOCKED, amount);
    this.#touch(id, timeMs);
  }

  /** What a snapshot says of it. */
  restore(id: AccountId, { balance, held, locked, updatedTimeMs }: BalanceFields): void {
    this.#set(id, BALANCE, balance);
    this.#set(id, LOCKED, locked);
    this.#set(id, FREE, balance - held - locked);
    this.#touch(id, updatedTimeMs);
  }

  #amount(id: AccountId, field: number): Amount {
    const wide = this.#wide.size === 0 ? undefined : this.#wide.get(id);
    if (wide !== undefined) return wide[field] ?? 0n;
    return this.#pages[id >> PAGE_BITS]?.amounts[rowOf(id) + field] ?? 0n;
  }

  #set(id: AccountId, field: number, value: Amount): void {
    if (this.#wide.size > 0 || !fits(value)) this.#setWide(id, field, value);
    else this.#page(id).amounts[rowOf(id) + field] = value;
  }

  #touch(id: AccountId, timeMs: number): void {
    this.#page(id).times[rowOf(id) + CHANGED] = timeMs;
  }

  #page(id: AccountId): Page {
    return this.#pages[id >> PAGE_BITS] ?? this.#addPage(id);
  }
  #addPage(id: AccountId): Page {
    const at = id >> PAGE_BITS;
    // Dense from the start: a hole would turn the array into a slow dictionary.
    while (this.#pages.length <= at) this.#pages.push(undefined);
    const bytes = new ArrayBuffer(PAGE_ROWS * ROW * BigInt64Array.BYTES_PER_ELEMENT);
    const page = { amounts: new BigInt64Array(bytes), times: new Float64Array(bytes) };
    this.#pages[at] = page;
    return page;
  }

  #setWide(id: AccountId, field: number, value: Amount): void {
    let wide = this.#wide.get(id);
    if (wide === undefined) {
      if (fits(value)) {
        this.#page(id).amounts[rowOf(id) + field] = value;
        return;
      }
      wide = [this.balance(id), this.free(id), this.locked(id)];
      this.#wide.set(id, wide);
    }
    wide[field] = value;
  }
}

/** One of them, for those who ask for a balance in whatever wallet it is. */
export class SpotBalance implements Balance {
  readonly reserve = null;
  readonly #table: SpotBalances;
  readonly #id: AccountId;

  constructor(table: SpotBalances, id: AccountId) {
    this.#table = table;
    this.#id = id;
  }

  get assetId(): AssetId {
    return this.#table.assetId;
  }

  get balance(): Amount {
    return this.#table.balance(this.#id);
  }

  get free(): Amount {
    return this.#table.free(this.#id);
  }

  get locked(): Amount {
    return this.#table.locked(this.#id);
  }

  get held(): Amount {
    return this.balance - this.free - this.locked;
  }

  get available(): Amount {
    return this.free;
  }

  get updatedTimeMs(): number {
    return this.#table.updatedTimeMs(this.#id);
  }

  get touched(): boolean {
    return this.updatedTimeMs > 0;
  }

  restore(fields: BalanceFields): void {
    this.#table.restore(this.#id, fields);
  }

  add(amount: Amount, timeMs: number): void {
    this.#table.add(this.#id, amount, timeMs);
  }

  hold(amount: Amount, timeMs: number): void {
    this.#table.hold(this.#id, amount, timeMs);
  }

  release(amount: Amount, timeMs: number): void {
    this.#table.release(this.#id, amount, timeMs);
  }

  lock(amount: Amount, timeMs: number): void {
    this.#table.lock(this.#id, amount, timeMs);
  }
}

function rowOf(id: AccountId): number {
  return (id & (PAGE_ROWS - 1)) * ROW;
}

function fits(value: Amount): boolean {
  return BigInt.asIntN(64, value) === value;
}
