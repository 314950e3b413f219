/**
 * Work for people that is done after the answer, at a moment that nobody can foresee: neither the
 * answer nor the next one shows how much there was to do, and so whether somebody is known. What
 * still waits when the venue stops is done then.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const WAITING_MAX = 1_000;
const DELAY_MIN_MS = 20;
const DELAY_MAX_MS = 220;

export class LaterWork {
  readonly #onFault: (error: unknown) => void;
  readonly #hurry = new AbortController();
  readonly #pending = new Set<Promise<void>>();

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  /** Beyond the bound it is dropped, and that is reported: whoever asked may ask again. */
  add(work: () => Promise<void>): void {
    if (this.#pending.size >= WAITING_MAX) {
      this.#onFault(new Error('too much waits to be done for people: a piece was dropped'));
      return;
    }
    const done = this.#carryOut(work).finally(() => this.#pending.delete(done));
    this.#pending.add(done);
  }

  /** Resolves once all of it is done. */
  async close(): Promise<void> {
    this.#hurry.abort();
    await Promise.all(this.#pending);
  }

  async #carryOut(work: () => Promise<void>): Promise<void> {
    const { signal } = this.#hurry;
    const delayMs = randomInt(DELAY_MIN_MS, DELAY_MAX_MS);
    await pause(delayMs, undefined, { signal }).catch(() => undefined);
    await work().catch(this.#onFault);
  }
}
