/**
 * What the leader does for the desk while nobody asks: maintenance windows begin and end. What is
 * planned is looked up every second; nothing is looked up where nothing was ever kept.
 */
import type { Logger } from 'pino';
import type { VenuePort } from '#domain';
import { maintain, type PeopleContext } from '#people';

const LOOK_EVERY_MS = 1_000;

interface DeskParts {
  readonly people: PeopleContext;
  readonly venue: VenuePort;
}

export class DeskDuties {
  readonly #parts: DeskParts;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> | undefined;

  constructor(parts: DeskParts, log: Logger) {
    this.#parts = parts;
    this.#log = log;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#underWay;
  }

  #look(): void {
    this.#underWay ??= this.#work().finally(() => {
      this.#underWay = undefined;
    });
  }

  async #work(): Promise<void> {
    const { people, venue } = this.#parts;
    if (!people.people.mayHold) return;
    try {
      await maintain({ people: people.people, nowMs: people.nowMs, venue });
    } catch (error) {
      this.#log.warn({ err: error }, 'maintenance is tried again');
    }
  }
}
