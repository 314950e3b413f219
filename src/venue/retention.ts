/**
 * How far the journal may be trimmed: what is older than it has to be kept, as long as verified
 * snapshots have it. The oldest snapshot that is used is read back into an engine first, and a
 * second one has to be sound, so that no single file is all that is left of the past.
 */
import { entryTimeMs } from '#domain';
import { Engine } from '#engine';
import type { CommandLog, JournalReader } from '#log';
import { hashRows } from './offline.ts';

/** So many have to prove to be whole before anything goes. */
const SNAPSHOTS_MIN = 2;

export interface RetentionOptions {
  readonly log: CommandLog;
  readonly reader: JournalReader;
  readonly keepMs: number;
}

export class Retention {
  readonly #options: RetentionOptions;
  /** The snapshot that was read back last. */
  #verifiedSeq = 0;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /**
   * The command before which nothing is needed any more at a time of the venue; undefined while
   * nothing may go. Throws the reason when a snapshot that is whole does not lead to its state.
   */
  async trimmableBefore(timeMs: number): Promise<number | undefined> {
    const { log, reader, keepMs } = this.#options;
    const soundSeqs = log.snapshots.soundSeqs();
    const oldestSeq = soundSeqs.at(-1) ?? 0;
    if (soundSeqs.length < SNAPSHOTS_MIN || oldestSeq < reader.base.nextSeq) return undefined;
    const keptSeq = await firstSince(timeMs - keepMs, reader);
    const beforeSeq = Math.min(keptSeq, oldestSeq + 1);
    if (beforeSeq <= reader.base.nextSeq) return undefined;
    this.#verify(oldestSeq);
    return beforeSeq;
  }

  #verify(seq: number): void {
    if (this.#verifiedSeq === seq) return;
    const found = this.#options.log.snapshots.newest(seq, () => undefined);
    if (found?.seq !== seq) throw new Error(`the snapshot of command ${seq} is gone`);
    const restored = hashRows(Engine.restore(found.rows).dump());
    if (restored !== hashRows(found.rows)) {
      throw new Error(`snapshot ${found.file} does not lead back to the state it was made of`);
    }
    this.#verifiedSeq = seq;
  }
}

/** The first command of the first entry that begins at or after a time; at the end the last one. */
async function firstSince(sinceMs: number, reader: JournalReader): Promise<number> {
  let [from, to] = [reader.base.nextSeq, await reader.lastSeq()];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const { endSeq, timeMs } = await entryAt(middle, reader);
    if (timeMs < sinceMs) from = endSeq + 1;
    else to = middle;
  }
  return from;
}

/** The entry that contains a command, and the time of its first. */
async function entryAt(seq: number, reader: JournalReader) {
  for await (const [entry] of reader.chunks(seq)) {
    if (entry === undefined) break;
    return { endSeq: entry.firstSeq + entry.count - 1, timeMs: entryTimeMs(entry.payload) };
  }
  throw new Error(`the journal has no command ${seq}`);
}
