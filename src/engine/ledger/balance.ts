/** One coin in one wallet of one account. Only the ledger and the order holds change it. */

import type { Amount, AssetId, BalanceView } from '#domain';
import { assert } from '#kernel';

export class Balance implements BalanceView {
  readonly assetId: AssetId;
  balance: Amount = 0n;
  held: Amount = 0n;
  locked: Amount = 0n;
  updatedTimeMs = 0;

  constructor(assetId: AssetId) {
    this.assetId = assetId;
  }

  get available(): Amount {
    return this.balance - this.held - this.locked;
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

  /** Gives back a reservation. */
  release(amount: Amount, timeMs: number): void {
    this.held -= amount;
    this.updatedTimeMs = timeMs;
    assert(this.held >= 0n, 'no more is released than was held');
  }
}
