/**
 * The timekeeper: tells the engine once a second that time has passed, as a command like all
 * others. Only contracts depend on it, so it is silent until one is listed.
 */
import type { Event, VenuePort } from '#domain';

/** Index, mark and liquidations follow prices at this pace. */
const PULSE_INTERVAL_MS = 1_000;

export class Timekeeper {
  readonly #venue: VenuePort;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<readonly Event[]> | undefined;

  constructor(venue: VenuePort) {
    this.#venue = venue;
  }

  /** Begins to tell the time; resolves after the first pulse, if there is a contract. */
  async start(): Promise<void> {
    await this.#pulse();
    this.#timer = setInterval(() => void this.#pulse(), PULSE_INTERVAL_MS);
    this.#timer.unref();
  }

  /** Stops, and resolves when no pulse is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#underWay;
  }

  /** A venue that is too busy for the last pulse gets no further one on top of it. */
  async #pulse(): Promise<void> {
    if (this.#underWay !== undefined) return;
    this.#underWay = this.#submit();
    await this.#underWay;
    this.#underWay = undefined;
  }

  async #submit(): Promise<readonly Event[]> {
    const hasContracts = await this.#venue
      .read(({ listings }) => listings.contracts.size > 0)
      .catch(() => false);
    return hasContracts ? this.#venue.submit({ kind: 'pulse' }) : [];
  }
}
