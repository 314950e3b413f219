/** The real venue over a real journal in a directory, and the steps it released. */
import type { Event, Step } from '#domain';
import type { Engine } from '#engine';
import type { Clock } from '#kernel';
import type { Journal } from '#log';
import { recoverEngine, Venue } from '#venue';
import { logOf } from './logs.ts';

interface Choices {
  /** The system's without it. */
  readonly clock?: Clock;
  readonly turnMs?: number | undefined;
  /** Without it no venue may halt. */
  readonly onHalt?: (reason: Error) => void;
}

function neverHalts(reason: Error): never {
  throw reason;
}

export class RealVenue {
  readonly venue: Venue;
  readonly steps: Step[] = [];
  readonly listeners: ((step: Step) => void)[] = [];
  readonly #journal: Journal;
  #closed: Promise<void> | undefined;

  private constructor(journal: Journal, engine: Engine, choices: Choices) {
    const { clock = { nowMs: () => Date.now() }, turnMs, onHalt = neverHalts } = choices;
    this.#journal = journal;
    this.venue = new Venue({
      engine,
      journal,
      clock,
      onStep: (step) => {
        this.steps.push(step);
        for (const listener of this.listeners) listener(step);
      },
      onHalt,
      ...(turnMs !== undefined && { turnMs }),
    });
  }

  /** Opens or reopens the venue of a directory; it is closed with the test at the latest. */
  static async open(
    scope: { after(close: () => Promise<void>): void },
    directory: string,
    choices: Choices = {},
  ): Promise<RealVenue> {
    const log = logOf(directory);
    const journal = await log.openWriter();
    const engine = await recoverEngine({ log, snapshotSeqMax: Number.MAX_SAFE_INTEGER });
    const real = new RealVenue(journal, engine, choices);
    scope.after(real.close);
    return real;
  }

  eventsCount(kind: Event['kind']): number {
    return this.steps.flatMap(({ events }) => events).filter((event) => event.kind === kind).length;
  }

  readonly close = (): Promise<void> => {
    this.#closed ??= this.#close();
    return this.#closed;
  };

  async #close(): Promise<void> {
    await this.venue.close();
    await this.#journal.close();
  }
}
