/** One coin in one wallet of one account. Only the ledger and the order holds change it. */

import type { Amount, AssetId, BalanceView } from '#domain';
import { assert } from '#kernel';

/** What a margin wallet must keep besides order freezes, and who cares what it holds. */
export interface Reserve {
  reservedAmount(): Amount;
  /** Money came or went that no trade moved. */
  balanceMoved(): void;
}

export class Balance implements BalanceView {
  readonly assetId: AssetId;
  balance: Amount = 0n;
  held: Amount = 0n;
  locked: Amount = 0n;
  updatedTimeMs = 0;
  /** Of a margin wallet that a contract stands on; null for all others. */
  reserve: Reserve | null = null;

  constructor(assetId: AssetId) {
    this.assetId = assetId;
  }

  get available(): Amount {
    const free = this.balance - this.held - this.locked;
    if (this.reserve === null) return free;
    const spendable = free - this.reserve.reservedAmount();
    return spendable > 0n ? spendable : 0n;
  }

  /** Whether any command ever changed it. */
  get touched(): boolean {
    return this.updatedTimeMs > 0;
  }

  /** Reserves part of what is available for an open order. */
  hold(amount: Amount, timeMs: number): void {
    this.held += amount;
    this.updatedTimeMs = timeMs;
    assert(this.held + this.locked <= this.balance, 'a hold is covered by the balance');
  }

  /** Changes a reservation by so much; below zero it gives back. */
  holdMore(amount: Amount, timeMs: number): void {
    if (amount > 0n) this.hold(amount, timeMs);
    else if (amount < 0n) this.release(-amount, timeMs);
    else this.updatedTimeMs = timeMs;
  }

  /** Gives back a reservation. */
  release(amount: Amount, timeMs: number): void {
    this.held -= amount;
    this.updatedTimeMs = timeMs;
    assert(this.held >= 0n, 'no more is released than was held');
  }
}
