/** How far the system clock is from the time of the venue, and what the log says about it. */
import type { Logger } from 'pino';
import type { Recovered } from './recovered.ts';

type Clocks = Pick<Recovered, 'venue' | 'clock' | 'watched'>;

/** Less is no news: commands of one moment, and what the clock is slewed by. */
const SKEW_TOLD_MS = 5_000;
const LOOK_EVERY_MS = 1_000;
const CONFIRM = 'POST /admin/v1/clock/confirm';

/**
 * The system's time less the venue's: above zero the venue does not believe a step forward, below
 * zero its time stands still. A clock that a sandbox has set goes its own way.
 */
export function clockSkewMs({ venue, clock, watched }: Clocks): number {
  const { heldMs, systemMs } = watched;
  if (clock.isControlled) return heldMs;
  const venueMs = Math.max(systemMs - heldMs, venue.timeMs);
  return systemMs - venueMs;
}

/** What is wrong with the system clock, for a person; undefined when nothing is. */
export function clockTrouble(clocks: Clocks): string | undefined {
  const skewMs = clockSkewMs(clocks);
  if (Math.abs(skewMs) <= SKEW_TOLD_MS) return undefined;
  if (skewMs > 0) {
    const until = `until ${CONFIRM} or until it comes back`;
    return `the system clock is ${skewMs} ms ahead: the venue runs on without it ${until}`;
  }
  return `the system clock is ${-skewMs} ms behind: the time of the venue stands still until then`;
}

/** Looks once a second, so that no step is missed, and logs what begins and what ends. */
export function watchClock(clocks: Clocks, log: Logger): NodeJS.Timeout {
  let wasWrong = false;
  const look = (): void => {
    const trouble = clockTrouble(clocks);
    const isWrong = trouble !== undefined;
    if (isWrong && !wasWrong) log.warn({ skewMs: clockSkewMs(clocks) }, trouble);
    if (!isWrong && wasWrong) log.info('the venue follows the system clock again');
    wasWrong = isWrong;
  };
  look();
  return setInterval(look, LOOK_EVERY_MS).unref();
}
