/** The real venue over a real journal in a scratch directory, and the steps it released. */
import type { Event, Step } from '#domain';
import { openJournal } from '#journal';
import { recoverEngine, Venue } from '#venue';

export class RealVenue {
  readonly venue: Venue;
  readonly steps: Step[] = [];
  readonly listeners: ((step: Step) => void)[] = [];

  private constructor(open: (onStep: (step: Step) => void) => Venue) {
    this.venue = open((step) => {
      this.steps.push(step);
      for (const listener of this.listeners) listener(step);
    });
  }

  /** Opens or reopens the venue of a directory. */
  static async open(directory: string): Promise<RealVenue> {
    const journal = await openJournal(directory);
    const engine = recoverEngine({ directory, snapshotSeqMax: Number.MAX_SAFE_INTEGER });
    return new RealVenue(
      (onStep) =>
        new Venue({
          engine,
          journal,
          clock: { nowMs: () => Date.now() },
          onStep,
          onHalt: (reason) => {
            throw reason;
          },
        }),
    );
  }

  events<K extends Event['kind']>(kind: K): Extract<Event, { readonly kind: K }>[] {
    return this.steps
      .flatMap((step) => step.events)
      .filter((event): event is Extract<Event, { readonly kind: K }> => event.kind === kind);
  }

  close(): Promise<void> {
    return this.venue.close();
  }
}
