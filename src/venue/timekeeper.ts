/**
 * The timekeeper: submits once a second of the venue's time that time has passed, as a
 * command like all others. Only contracts depend on it, so it is silent until one is listed, and
 * while the clock stands still.
 */
import type { Event, VenuePort } from '#domain';
import type { VenueClock } from './clock.ts';

/** Index, mark and liquidations follow prices at this pace. */
const TICK_INTERVAL_MS = 1_000;
/** A fast clock makes larger steps, not more of them. */
const INTERVAL_MIN_MS = 50;

export class Timekeeper {
  readonly #venue: VenuePort;
  readonly #clock: Pick<VenueClock, 'speedPermille'>;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<readonly Event[]> | undefined;

  constructor(venue: VenuePort, clock: Pick<VenueClock, 'speedPermille'>) {
    this.#venue = venue;
    this.#clock = clock;
  }

  /** Starts the ticks; resolves after the first tick, if there is a contract. */
  async start(): Promise<void> {
    await this.#tick();
    this.paceChanged();
  }

  /** The clock runs faster or slower now. */
  paceChanged(): void {
    clearInterval(this.#timer);
    const { speedPermille } = this.#clock;
    if (speedPermille === 0) return;
    const intervalMs = Math.max((TICK_INTERVAL_MS * 1_000) / speedPermille, INTERVAL_MIN_MS);
    this.#timer = setInterval(() => void this.#tick(), intervalMs);
    this.#timer.unref();
  }

  /** Stops, and resolves when no tick is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#underWay;
  }

  /** A venue that is too busy for the last tick gets no further one on top of it. */
  async #tick(): Promise<void> {
    if (this.#underWay !== undefined) return;
    this.#underWay = this.#submit();
    await this.#underWay;
    this.#underWay = undefined;
  }

  async #submit(): Promise<readonly Event[]> {
    const hasContracts = await this.#venue
      .read(({ listings }) => listings.contracts.size > 0)
      .catch(() => false);
    return hasContracts ? this.#venue.submit({ kind: 'tick' }) : [];
  }
}
