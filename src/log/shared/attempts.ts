/**
 * Attempts at the store: what may have happened is tried again until it is known, and how a fault
 * of the store reads to the users of the log.
 */
import { SharedLogFault } from '../shared-log.ts';
import { type Outcome, type Store, StoreFault, type Transaction } from './store.ts';

/**
 * What a server sends on to a leader that has crashed is lost without a word, so the first attempts
 * are short; the later ones give a slow store time.
 */
const ATTEMPT_MS: readonly number[] = [200, 200, 200, 300, 500, 1_000, 2_000];
/** From the sending of one attempt to the next: one that fails at once is not repeated at once. */
const PAUSE_MS: readonly number[] = [10, 20, 50, 100, 200];
/** How long a call is tried whose caller does not say. */
const CALL_MS = 5_000;

export interface Patience {
  /** How long it is tried; Infinity where nothing else can go on before it is known. */
  readonly limitMs?: number | undefined;
  /** Ends it like a closed store. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * One transaction, tried until its outcome is known. To be repeated, a write has to compare
 * something that its own success changes, and to tell its own success in the other branch.
 */
export function settled(
  store: Store,
  transaction: Transaction,
  patience: Patience = {},
): Promise<Outcome> {
  return persistent(store, (timeoutMs) => store.transact(transaction, timeoutMs), patience);
}

/** Any call that may be repeated without harm. Rejects with a SharedLogFault. */
export async function persistent<T>(
  { timing }: Store,
  call: (timeoutMs: number) => Promise<T>,
  { limitMs = CALL_MS, signal }: Patience = {},
): Promise<T> {
  const endMs = timing.monotonicMs() + limitMs;
  for (let attempt = 0; ; attempt += 1) {
    const sentMs = timing.monotonicMs();
    const leftMs = Math.max(1, endMs - sentMs);
    try {
      if (signal?.aborted) throw new StoreFault('closed', 'no longer wanted');
      return await call(Math.min(stepOf(ATTEMPT_MS, attempt), leftMs));
    } catch (error) {
      const nowMs = timing.monotonicMs();
      const nextMs = Math.max(nowMs, sentMs + stepOf(PAUSE_MS, attempt));
      // Whoever waits for as long as it takes waits for room, too.
      const isWorthIt =
        isFault(error, 'unknown') ||
        (isFault(error, 'full') && limitMs === Number.POSITIVE_INFINITY);
      if (!isWorthIt || nextMs >= endMs) throw asSharedLogFault(error);
      await timing.sleep(nextMs - nowMs, signal);
    }
  }
}

export function isFault(error: unknown, kind: StoreFault['kind']): boolean {
  return error instanceof StoreFault && error.kind === kind;
}

/** Anything but a fault of the store is a bug, or a fault of the log already. */
export function asSharedLogFault(error: unknown): unknown {
  if (!(error instanceof StoreFault)) return error;
  const { kind, message } = error;
  const read = kind === 'unknown' || kind === 'compacted' ? 'unavailable' : kind;
  return new SharedLogFault({ kind: read, reason: message }, { cause: error });
}

export function deposed(claimNumber: number): SharedLogFault {
  const reason = `claim ${claimNumber} is no longer in force`;
  return new SharedLogFault({ kind: 'deposed', reason });
}

function stepOf(steps: readonly number[], at: number): number {
  return steps[Math.min(at, steps.length - 1)] ?? 0;
}
