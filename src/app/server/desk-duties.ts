/**
 * What the leader does for the desk while nobody asks: maintenance windows begin and end. What is
 * planned is looked up every second; nothing is looked up where nothing was ever kept. Imports of
 * accounts are carried out, and a new day brings new fee levels.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { VenuePort } from '#domain';
import type { HistoryReader } from '#history';
import {
  carryOutImports,
  type FeeLevelSettings,
  FeeLevels,
  maintain,
  type PeopleContext,
} from '#people';

const LOOK_EVERY_MS = 1_000;

/** How long announcements, windows and imports that are over are kept. */
const KEPT_MS = 90 * 86_400_000;
const PRUNE_EVERY_LOOKS = 3_600;
/** Between two pages of trades. */
const PAUSE_MS = 5;

export interface DeskParts {
  readonly people: PeopleContext;
  readonly venue: VenuePort;
  readonly history: Pick<HistoryReader, 'countedTrades'>;
  historyReady(): Promise<void>;
  readonly feeLevels: FeeLevelSettings | undefined;
}

export class DeskDuties {
  readonly #parts: DeskParts;
  readonly #log: Logger;
  readonly #levels: FeeLevels;
  #timer: NodeJS.Timeout | undefined;
  /** By what it is: a long import or count does not keep a window from its time. */
  readonly #underWay = new Map<string, Promise<void>>();
  #isOver = false;
  #looks = 0;

  constructor(parts: DeskParts, log: Logger) {
    this.#parts = parts;
    this.#log = log;
    const { people, venue, history, historyReady, feeLevels } = parts;
    this.#levels = new FeeLevels({
      people: people.people,
      nowMs: people.nowMs,
      venue,
      settings: feeLevels,
      readTrades: async (page) => {
        await historyReady();
        return history.countedTrades(page);
      },
      pause: () => delay(PAUSE_MS),
    });
  }

  /** The venue has gone back to a checkpoint. */
  reset(): void {
    this.#levels.forget();
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#timer);
    await Promise.all(this.#underWay.values());
  }

  #look(): void {
    const { people, feeLevels } = this.#parts;
    if (this.#isOver || !(people.people.mayHold || feeLevels !== undefined)) return;
    const { venue } = this.#parts;
    const { people: store, nowMs } = people;
    const isOver = () => this.#isOver;
    this.#begin('maintenance', () => maintain({ people: store, nowMs, venue }));
    this.#begin('imports', () => carryOutImports({ people, venue }, isOver));
    this.#begin('fee levels', () => this.#levels.run(isOver));
    if (this.#looks % PRUNE_EVERY_LOOKS === 0) this.#begin('pruning', () => this.#prune());
    this.#looks += 1;
  }

  /** Unless it is still at it. */
  #begin(what: string, work: () => Promise<void>): void {
    if (this.#underWay.has(what)) return;
    const done = this.#tried(what, work).finally(() => this.#underWay.delete(what));
    this.#underWay.set(what, done);
  }

  async #prune(): Promise<void> {
    const { people } = this.#parts;
    const store = await people.people.get();
    const beforeMs = people.nowMs() - KEPT_MS;
    await store.pruneNotices(beforeMs);
    await store.pruneImports(beforeMs);
  }

  async #tried(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#log.warn({ err: error }, `${what}: tried again`);
    }
  }
}
