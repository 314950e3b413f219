/**
 * Signatures a strict key has used, so that none is executed twice. They are remembered for as long
 * as a request of that signature would be in time, in two generations, and never more than a bound.
 * It forgets with the process: what was signed before the venue's last command is refused instead.
 */
import { LIMITS } from '#domain';

export type ReplayVerdict = 'new' | 'repeated' | 'too_early' | 'full';

/** From the first moment a request may be taken to the last. */
const WINDOW_MS = LIMITS.requestAgeMaxMs + LIMITS.requestAheadMaxMs;

export class ReplayGuard {
  readonly #afterMs: number;
  #older = new Set<string>();
  #newer = new Set<string>();
  #startMs = 0;

  /** Takes only requests signed after this time. */
  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  /** Whether a signed request may be executed; from then on its signature is used. */
  take(signature: string, timestampMs: number, nowMs: number): ReplayVerdict {
    if (timestampMs <= this.#afterMs) return 'too_early';
    if (nowMs - this.#startMs > WINDOW_MS) this.#turn(nowMs);
    if (this.#newer.has(signature) || this.#older.has(signature)) return 'repeated';
    if (this.#newer.size + this.#older.size >= LIMITS.strictSignaturesMax) return 'full';
    this.#newer.add(signature);
    return 'new';
  }

  #turn(nowMs: number): void {
    const isRecent = nowMs - this.#startMs <= 2 * WINDOW_MS;
    this.#older = isRecent ? this.#newer : new Set();
    this.#newer = new Set();
    this.#startMs = nowMs;
  }
}
