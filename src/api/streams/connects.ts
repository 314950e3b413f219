/**
 * How often and how many at once an address connects, in dialects that bound it. One who is
 * refused is counted as well: a client that tries on and on has to pause.
 */
import { Tally } from '../bounds/tally.ts';
import { networkOf } from '../plugins/network.ts';
import { Budget } from './budget.ts';
import type { ConnectionLimits } from './limits.ts';

export class Connects {
  readonly #begun: Budget;
  readonly #limits: ConnectionLimits;
  readonly #open = new Tally();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
    this.#begun = new Budget(limits.connectsMax, limits.connectsWindowMs);
  }

  /** Lets one more in, who leaves later; false when it is one too many. */
  enter(address: string, nowMs: number): boolean {
    const network = networkOf(address);
    if (!this.#begun.take([network], nowMs)) return false;
    return this.#open.enter(network, this.#limits.connectionsPerAddressMax);
  }

  leave(address: string): void {
    this.#open.leave(networkOf(address));
  }
}
