/**
 * One coin in one wallet of one account; those of spot wallets are in spot-balances.ts. Only the
 * ledger and the order holds change it.
 */

import type { Amount, AssetId, BalanceView } from '#domain';
import { assert } from '#kernel';
import { type AmountPages, AmountRow, fits, LASTING_ROWS } from './amount-row.ts';

/** What a margin wallet must keep besides order freezes, and who cares what it holds. */
export interface Reserve {
  reservedAmount(): Amount;
  /** Money came or went that no trade moved. */
  balanceMoved(): void;
}

/** A balance as a snapshot says it. */
export type BalanceFields = Pick<BalanceView, 'balance' | 'held' | 'locked' | 'updatedTimeMs'>;

/** A balance, in whatever wallet it is. */
export interface Balance extends BalanceView {
  readonly assetId: AssetId;
  /** What is neither held nor locked. */
  readonly free: Amount;
  /** Of a margin wallet that a contract stands on; null for all others. */
  reserve: Reserve | null;
  /** Whether any command ever changed it. */
  readonly touched: boolean;
  /** Takes over what another one was, or what a snapshot says of it. */
  restore(fields: BalanceFields): void;
  /** Money comes, or goes where the amount is below zero. */
  add(amount: Amount, timeMs: number): void;
  /** Reserves part of what is available for an open order. */
  hold(amount: Amount, timeMs: number): void;
  /** Gives back a reservation. */
  release(amount: Amount, timeMs: number): void;
  /** Sets what the operator keeps from being spent: not more than what no order holds. */
  lock(amount: Amount, timeMs: number): void;
}

/** The words of its row. What is held follows from the others. */
const BALANCE = 0;
const FREE = 1;
const LOCKED = 2;
const UPDATED = 3;

/** One of a margin wallet, as a row. */
export class MarginBalance extends AmountRow implements Balance {
  readonly assetId: AssetId;
  reserve: Reserve | null = null;

  constructor(assetId: AssetId, rows: AmountPages = LASTING_ROWS) {
    super(rows);
    this.assetId = assetId;
  }

  get balance(): Amount {
    return this.amounts[this.start + BALANCE] ?? 0n;
  }

  set balance(amount: Amount) {
    if (fits(amount)) this.amounts[this.start + BALANCE] = amount;
    else this.setWide(BALANCE, amount);
  }

  get free(): Amount {
    return this.amounts[this.start + FREE] ?? 0n;
  }

  set free(amount: Amount) {
    if (fits(amount)) this.amounts[this.start + FREE] = amount;
    else this.setWide(FREE, amount);
  }

  get locked(): Amount {
    return this.amounts[this.start + LOCKED] ?? 0n;
  }

  set locked(amount: Amount) {
    if (fits(amount)) this.amounts[this.start + LOCKED] = amount;
    else this.setWide(LOCKED, amount);
  }

  get updatedTimeMs(): number {
    return this.numbers[this.start + UPDATED] ?? 0;
  }

  set updatedTimeMs(timeMs: number) {
    this.numbers[this.start + UPDATED] = timeMs;
  }

  get held(): Amount {
    return this.balance - this.free - this.locked;
  }

  get available(): Amount {
    if (this.reserve === null) return this.free;
    const spendable = this.free - this.reserve.reservedAmount();
    return spendable > 0n ? spendable : 0n;
  }

  get touched(): boolean {
    return this.updatedTimeMs > 0;
  }

  restore({ balance, held, locked, updatedTimeMs }: BalanceFields): void {
    this.balance = balance;
    this.free = balance - held - locked;
    this.locked = locked;
    this.updatedTimeMs = updatedTimeMs;
  }

  add(amount: Amount, timeMs: number): void {
    this.balance += amount;
    this.free += amount;
    this.updatedTimeMs = timeMs;
  }

  hold(amount: Amount, timeMs: number): void {
    const free = this.free - amount;
    assert(free >= 0n, 'a hold is covered by the balance');
    this.free = free;
    this.updatedTimeMs = timeMs;
  }

  release(amount: Amount, timeMs: number): void {
    const free = this.free + amount;
    assert(free + this.locked <= this.balance, 'no more is released than was held');
    this.free = free;
    this.updatedTimeMs = timeMs;
  }

  lock(amount: Amount, timeMs: number): void {
    const free = this.free + this.locked - amount;
    assert(free >= 0n, 'a lock is covered by the balance');
    this.free = free;
    this.locked = amount;
    this.updatedTimeMs = timeMs;
  }
}
