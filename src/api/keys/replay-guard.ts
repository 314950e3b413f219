/**
 * Signatures that strict keys have used, so that none is executed twice. They are remembered for as
 * long as a request of that signature would be in time, in two generations, and never more than a
 * bound. They are forgotten with the process: what may have been signed before is refused instead.
 */
import { LIMITS } from '#domain';

/** 'unknown' when nobody could be asked: the signature may be used up, and nothing was done. */
export type ReplayVerdict = 'new' | 'repeated' | 'too_early' | 'too_late' | 'full' | 'unknown';

/** A signature of a strict key that is to be used. */
export interface SignatureUse {
  readonly key: string;
  /** When the key was made. */
  readonly createdMs: number;
  readonly signature: string;
  readonly timestampMs: number;
}

/** From the first moment a request may be taken to the last. */
const WINDOW_MS = LIMITS.requestAgeMaxMs + LIMITS.requestAheadMaxMs;

/** Of one key. */
export class ReplayGuard {
  #older = new Set<string>();
  #newer = new Set<string>();
  #startMs = 0;

  /** Whether a signed request may be executed; from then on its signature is used. */
  take(signature: string, nowMs: number): ReplayVerdict {
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

/** Of all strict keys. */
export class ReplayGuards {
  readonly #guards = new Map<string, ReplayGuard>();
  #takenOverMs = Number.NEGATIVE_INFINITY;

  /** What was executed up to this time is not known here. */
  takeOver(timeMs: number): void {
    this.#takenOverMs = Math.max(this.#takenOverMs, timeMs);
  }

  forget(key: string): void {
    this.#guards.delete(key);
  }

  take({ key, createdMs, signature, timestampMs }: SignatureUse, nowMs: number): ReplayVerdict {
    const aheadMaxMs = LIMITS.requestAheadMaxMs;
    // Whatever its dialect allows: what is signed later than this would have to be known longer.
    if (timestampMs > nowMs + aheadMaxMs) return 'too_late';
    const isKnown = createdMs > this.#takenOverMs;
    if (!isKnown && timestampMs <= this.#takenOverMs + aheadMaxMs) return 'too_early';
    const guard = this.#guards.get(key) ?? new ReplayGuard();
    this.#guards.set(key, guard);
    return guard.take(signature, nowMs);
  }
}
