/**
 * What the leader does for the desk while nobody asks: maintenance windows begin and end. What is
 * planned is looked up every second; nothing is looked up where nothing was ever kept. Imports of
 * accounts are carried out.
 */
import type { Logger } from 'pino';
import type { VenuePort } from '#domain';
import { carryOutImports, maintain, type PeopleContext } from '#people';

const LOOK_EVERY_MS = 1_000;

interface DeskParts {
  readonly people: PeopleContext;
  readonly venue: VenuePort;
}

export class DeskDuties {
  readonly #parts: DeskParts;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<unknown> | undefined;
  #isOver = false;

  constructor(parts: DeskParts, log: Logger) {
    this.#parts = parts;
    this.#log = log;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#timer);
    await this.#underWay;
  }

  #look(): void {
    if (this.#isOver || !this.#parts.people.people.mayHold) return;
    this.#underWay ??= this.#work().finally(() => {
      this.#underWay = undefined;
    });
  }

  /** One does not wait for the other to be possible. */
  async #work(): Promise<void> {
    const { people, venue } = this.#parts;
    const { people: store, nowMs } = people;
    await this.#tried('maintenance', () => maintain({ people: store, nowMs, venue }));
    await this.#tried('imports', () => carryOutImports({ people, venue }, () => this.#isOver));
  }

  async #tried(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#log.warn({ err: error }, `${what}: tried again`);
    }
  }
}
