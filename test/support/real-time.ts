/** The time of this machine for a log in memory, where connections are real. */
import { setTimeout as delay } from 'node:timers/promises';

/** A long wait keeps no process alive. */
export const REAL_TIME = {
  monotonicMs: () => performance.now(),
  sleep: (ms: number, signal?: AbortSignal): Promise<void> =>
    delay(ms, undefined, { ref: ms < 1_000, ...(signal && { signal }) }).catch(() => undefined),
};
