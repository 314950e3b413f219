/** The operator's handler for the clock: the one who knows whether a step of it was meant. */
import type { Clock } from '#kernel';

import type { OperatorHandler } from '../handlers.ts';

/** A clock that does not take every step for the time. */
export interface ConfirmableClock extends Clock {
  confirm(): void;
}

export function clockHandlers(clock: ConfirmableClock) {
  return {
    confirmClock: async () => {
      const beforeMs = clock.nowMs();
      clock.confirm();
      const nowMs = clock.nowMs();
      return { time: String(nowMs), stepMs: nowMs - beforeMs };
    },
  } as const satisfies Record<string, OperatorHandler>;
}
