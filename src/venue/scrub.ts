/**
 * The scrub: reads the whole journal again and again, a little at a time on the projector's thread,
 * and proves its chain, so that a bit that rots in an old entry is heard of while copies still
 * have it. One pass after the other; it repairs nothing.
 */
import { present } from '#kernel';
import { JournalFault, type JournalReader } from '#log';

export class JournalScrub {
  readonly #reader: JournalReader;
  #nextSeq: number;

  constructor(reader: JournalReader) {
    this.#reader = reader;
    this.#nextSeq = reader.base.nextSeq;
  }

  /** Proves the next few entries. Gives what is wrong with them, if anything is. */
  async step(): Promise<string | undefined> {
    try {
      this.#nextSeq = await this.#prove();
      return undefined;
    } catch (error) {
      if (!(error instanceof JournalFault)) throw error;
      const wasTrimmed = this.#nextSeq < this.#reader.base.nextSeq;
      this.#nextSeq = this.#reader.base.nextSeq;
      return wasTrimmed ? undefined : error.message;
    }
  }

  /** Reads one chunk: some milliseconds of a thread that has a lower priority. */
  async #prove(): Promise<number> {
    for await (const chunk of this.#reader.chunks(this.#nextSeq)) {
      const last = present(chunk.at(-1), 'entry of a chunk');
      const nextSeq = last.firstSeq + last.count;
      // A journal that grows must not keep the scrub at its end.
      return nextSeq > (await this.#reader.lastSeq()) ? this.#reader.base.nextSeq : nextSeq;
    }
    return this.#reader.base.nextSeq;
  }
}
