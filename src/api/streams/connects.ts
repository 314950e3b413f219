/**
 * How often and how many at once an address connects, in dialects that bound it. One who is
 * refused is counted as well: a client that tries on and on has to pause.
 */
import { networkOf } from '../plugins/network.ts';
import { Budget } from './budget.ts';
import type { ConnectionLimits } from './limits.ts';

export class Connects {
  readonly #begun: Budget;
  readonly #limits: ConnectionLimits;
  readonly #open = new Map<string, number>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
    this.#begun = new Budget(limits.connectsMax, limits.connectsWindowMs);
  }

  /** Lets one more in, who leaves later; false when it is one too many. */
  enter(address: string, nowMs: number): boolean {
    const network = networkOf(address);
    if (!this.#begun.take([network], nowMs)) return false;
    const count = this.#open.get(network) ?? 0;
    if (count >= this.#limits.connectionsPerAddressMax) return false;
    this.#open.set(network, count + 1);
    return true;
  }

  leave(address: string): void {
    const network = networkOf(address);
    const count = (this.#open.get(network) ?? 0) - 1;
    if (count > 0) this.#open.set(network, count);
    else this.#open.delete(network);
  }
}
