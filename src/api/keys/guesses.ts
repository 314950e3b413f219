/**
 * Slow hashes with a bound: a passphrase seen for the first time costs tens of milliseconds of one
 * core, so only a few may run or wait, over all keys and per key. Beyond that callers hear 'busy'.
 */
import { matchesHash } from './passphrase.ts';
import type { PassphraseVerdict } from './port.ts';

const RUNNING_MAX = 2;
const WAITING_MAX = 64;
/** Different guesses of one key at once, so that one attacked key does not take every place. */
const PER_KEY_MAX = 4;

export class Guesses {
  readonly #perKey = new Map<string, number>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** Checks a guess when its turn comes, or answers 'busy' at once. */
  check(key: string, guess: string, hashText: string): 'busy' | Promise<PassphraseVerdict> {
    const ofKey = this.#perKey.get(key) ?? 0;
    if (ofKey >= PER_KEY_MAX || this.#waiting.length >= WAITING_MAX) return 'busy';
    this.#perKey.set(key, ofKey + 1);
    return this.#run(key, guess, hashText);
  }

  async #run(key: string, guess: string, hashText: string): Promise<PassphraseVerdict> {
    await this.#enter();
    try {
      return (await matchesHash(guess, hashText)) ? 'right' : 'wrong';
    } finally {
      this.#leave(key);
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < RUNNING_MAX) {
      this.#running += 1;
      return;
    }
    // The place is handed over by #leave, so that no other call takes it.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(key: string): void {
    const ofKey = this.#perKey.get(key) ?? 1;
    if (ofKey > 1) this.#perKey.set(key, ofKey - 1);
    else this.#perKey.delete(key);
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
