/**
 * The scrub: reads the whole journal again and again, a little at a time on the projector's thread,
 * and proves its chain, so that a bit that rots in an old entry is heard of while copies still
 * have it. One pass after the other; it repairs nothing.
 */
import { type JournalEntry, JournalFault, type JournalReader } from '#log';

/** Entries read in one go: some milliseconds of a thread that has a lower priority. */
const ENTRIES_PER_STEP = 64;

export class JournalScrub {
  readonly #reader: JournalReader;
  #nextSeq = 1;

  constructor(reader: JournalReader) {
    this.#reader = reader;
  }

  /** Proves the next few entries. Gives what is wrong with them, if anything is. */
  step(): string | undefined {
    try {
      this.#prove();
      return undefined;
    } catch (error) {
      if (!(error instanceof JournalFault)) throw error;
      this.#nextSeq = 1;
      return error.message;
    }
  }

  #prove(): void {
    let left = ENTRIES_PER_STEP;
    let last: JournalEntry | undefined;
    for (const entry of this.#reader.entries(this.#nextSeq)) {
      last = entry;
      left -= 1;
      if (left === 0) break;
    }
    this.#nextSeq = last === undefined || left > 0 ? 1 : last.firstSeq + last.count;
  }
}
