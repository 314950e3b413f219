/**
 * Calls that wait: for their late answer, or for a client to give up on one that never comes. No
 * more wait than a bound, and none once the server stops.
 */
import type { EventEmitter } from 'node:events';

/** What is there until the client has left, and says so. */
export type Client = Pick<EventEmitter, 'once' | 'off'> & { readonly destroyed: boolean };

/** Each is an open connection of a client; one more does not wait. */
const CALLS_HELD_MAX = 10_000;

export class HeldCalls {
  readonly #ends = new Set<() => void>();
  #isClosing = false;

  /** Goes on with a call after a time of the system's clock, unless its client leaves before. */
  hold(client: Client, waitMs: number, goOn: () => void): void {
    if (this.#isClosing || this.#ends.size >= CALLS_HELD_MAX || client.destroyed) {
      goOn();
      return;
    }
    const forget = (): void => {
      clearTimeout(timer);
      this.#ends.delete(end);
    };
    const end = (): void => {
      client.off('close', forget);
      forget();
      goOn();
    };
    const timer = setTimeout(end, waitMs);
    client.once('close', forget);
    this.#ends.add(end);
  }

  /** Releases every held call now, and holds no further one. */
  close(): void {
    this.#isClosing = true;
    for (const end of [...this.#ends]) end();
  }
}
