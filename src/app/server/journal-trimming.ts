/**
 * Trims the journal as far as the projector no longer needs it, and neither do the reports of a
 * cluster, which are written from the same journal by a thread of their own.
 */
import type { Logger } from 'pino';
import type { OwnJournal } from '#log';
import type { Projection } from '#venue';

export class JournalTrimming {
  readonly #opening: Promise<OwnJournal>;
  readonly #log: Logger;
  #reports: Projection | undefined;

  constructor(opening: Promise<OwnJournal>, log: Logger) {
    this.#opening = opening;
    this.#log = log;
  }

  /** What these have not written yet is kept. */
  spare(reports: Projection | undefined): void {
    this.#reports = reports;
  }

  /** A journal that cannot be trimmed grows on; a fault of it ends the venue where it appends. */
  async trim(beforeSeq: number): Promise<void> {
    const neededSeq = (this.#reports?.projectedSeq ?? Infinity) + 1;
    try {
      const journal = await this.#opening;
      const before = journal.firstSeq;
      const firstSeq = await journal.trim(Math.min(beforeSeq, neededSeq));
      if (firstSeq === before) return;
      this.#log.info({ firstSeq }, 'the journal was trimmed: it begins with this command');
    } catch (error) {
      this.#log.error({ err: error }, 'the journal is not trimmed');
    }
  }
}
