/** The real venue over a real journal in a scratch directory, and the steps it released. */
import type { TestContext } from 'node:test';
import type { Event, Step } from '#domain';
import type { Clock } from '#kernel';
import { type Journal, openJournal } from '#log';
import { recoverEngine, Venue } from '#venue';

export class RealVenue {
  readonly venue: Venue;
  readonly steps: Step[] = [];
  readonly listeners: ((step: Step) => void)[] = [];
  readonly #journal: Journal;
  #closed: Promise<void> | undefined;

  private constructor(journal: Journal, directory: string, clock: Clock) {
    this.#journal = journal;
    this.venue = new Venue({
      engine: recoverEngine({ directory, snapshotSeqMax: Number.MAX_SAFE_INTEGER }),
      journal,
      clock,
      onStep: (step) => {
        this.steps.push(step);
        for (const listener of this.listeners) listener(step);
      },
      onHalt: (reason) => {
        throw reason;
      },
    });
  }

  /** Opens or reopens the venue of a directory; it is closed with the test at the latest. */
  static async open(
    context: TestContext,
    directory: string,
    clock: Clock = { nowMs: () => Date.now() },
  ): Promise<RealVenue> {
    const real = new RealVenue(await openJournal(directory), directory, clock);
    context.after(() => real.close());
    return real;
  }

  eventsCount(kind: Event['kind']): number {
    return this.steps.flatMap(({ events }) => events).filter((event) => event.kind === kind).length;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.venue.close();
    await this.#journal.close();
  }
}
