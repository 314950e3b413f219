/**
 * One coin in one wallet of one account; those of spot wallets are in spot-balances.ts. Only the
 * ledger and the order holds change it.
 */

import type { Amount, AssetId, BalanceView } from '#domain';
import { assert } from '#kernel';

/** What a margin wallet must keep besides order freezes, and who cares what it holds. */
export interface Reserve {
  reservedAmount(): Amount;
  /** Money came or went that no trade moved. */
  balanceMoved(): void;
}

/** A balance as a snapshot says it. */
export type BalanceFields = Pick<BalanceView, 'balance' | 'held' | 'locked' | 'updatedTimeMs'>;

export class Balance implements BalanceView {
  readonly assetId: AssetId;
  balance: Amount = 0n;
  /**
   * What is neither held nor locked. It is kept, and what is held follows from it: nearly every
   * order asks what is free, and each bigint is an object somewhere else in memory.
   */
  free: Amount = 0n;
  locked: Amount = 0n;
  updatedTimeMs = 0;
  /** Of a margin wallet that a contract stands on; null for all others. */
  reserve: Reserve | null = null;

  constructor(assetId: AssetId) {
    this.assetId = assetId;
  }

  get held(): Amount {
    return this.balance - this.free - this.locked;
  }

  get available(): Amount {
    if (this.reserve === null) return this.free;
    const spendable = this.free - this.reserve.reservedAmount();
    return spendable > 0n ? spendable : 0n;
  }

  /** Whether any command ever changed it. */
  get touched(): boolean {
    return this.updatedTimeMs > 0;
  }

  /** Takes over what another one was, or what a snapshot says of it. */
  restore({ balance, held, locked, updatedTimeMs }: BalanceFields): void {
    this.balance = balance;
    this.free = balance - held - locked;
    this.locked = locked;
    this.updatedTimeMs = updatedTimeMs;
  }

  /** Money comes, or goes where the amount is below zero. */
  add(amount: Amount, timeMs: number): void {
    this.balance += amount;
    this.free += amount;
    this.updatedTimeMs = timeMs;
  }

  /** Reserves part of what is available for an open order. */
  hold(amount: Amount, timeMs: number): void {
    this.free -= amount;
    this.updatedTimeMs = timeMs;
    assert(this.free >= 0n, 'a hold is covered by the balance');
  }

  /** Gives back a reservation. */
  release(amount: Amount, timeMs: number): void {
    this.free += amount;
    this.updatedTimeMs = timeMs;
    assert(this.free + this.locked <= this.balance, 'no more is released than was held');
  }

  /** Sets what the operator keeps from being spent: not more than what no order holds. */
  lock(amount: Amount, timeMs: number): void {
    this.free += this.locked - amount;
    this.locked = amount;
    this.updatedTimeMs = timeMs;
    assert(this.free >= 0n, 'a lock is covered by the balance');
  }
}
