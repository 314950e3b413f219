/**
 * The thread that writes. Everything queued goes into one transaction and one sync, and is then
 * acknowledged by its last number. After a fault it writes no more: what is on disk is a prefix.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { assert, present } from '#kernel';
import { checkFollows, entryHash, GENESIS_HASH } from './chain.ts';
import { type EntryRow, journalId, openForWriting, withDiskFault } from './file.ts';
import type { FromWriter, ToWriter, WriterData } from './journal.ts';
import { JournalFault } from './port.ts';

/** Entries whose hashes are checked at start; `outcry verify-journal` checks all. */
const TAIL_ENTRIES = 64;

const port = present(parentPort, 'parent port of the journal');
const data: WriterData = workerData;

function tell(message: FromWriter): void {
  port.postMessage(message);
}

class Writer {
  readonly #db = openForWriting(data.directory);
  readonly #insert = this.#db.prepare<[number, number, string, string]>(
    'insert into entries (first_seq, count, hash, payload) values (?, ?, ?, ?)',
  );
  readonly #begin = this.#db.prepare('begin immediate');
  readonly #commit = this.#db.prepare('commit');
  #lastSeq = 0;
  #lastHash = GENESIS_HASH;

  /** Checks the end of what is there and returns the last number. */
  open(): number {
    const tail = this.#db
      .prepare<[number], EntryRow>('select * from entries order by first_seq desc limit ?')
      .all(TAIL_ENTRIES + 1)
      .reverse();
    for (const [at, row] of tail.entries()) {
      const isWhole = at > 0 || tail.length <= TAIL_ENTRIES;
      const entry = { ...row, firstSeq: row.first_seq };
      if (isWhole) checkFollows(entry, this.#lastSeq + 1, this.#lastHash);
      this.#lastSeq = row.first_seq + row.count - 1;
      this.#lastHash = row.hash;
    }
    return this.#lastSeq;
  }

  get id(): string {
    return journalId(this.#db);
  }

  /** Writes these entries all or nothing and returns the last number. */
  write(entries: readonly ToWriter[]): number {
    let seq = this.#lastSeq;
    let hash = this.#lastHash;
    this.#begin.run();
    for (const entry of entries) {
      if (entry.kind !== 'append') continue;
      assert(entry.firstSeq === seq + 1, 'entries are appended without a gap');
      hash = entryHash(hash, entry.firstSeq, entry.count, entry.payload);
      this.#insert.run(entry.firstSeq, entry.count, hash, entry.payload);
      seq += entry.count;
    }
    this.#commit.run();
    this.#lastSeq = seq;
    this.#lastHash = hash;
    return seq;
  }

  /** Undoes an unfinished transaction and lets go of the file. */
  close(): void {
    if (this.#db.inTransaction) this.#db.exec('rollback');
    this.#db.close();
  }
}

function asFault(error: unknown): { faultKind: JournalFault['kind']; message: string } {
  if (error instanceof JournalFault) return { faultKind: error.kind, message: error.message };
  return { faultKind: 'disk', message: error instanceof Error ? error.message : String(error) };
}

function serve(writer: Writer): void {
  let faulty = false;
  port.on('message', (first: ToWriter) => {
    const queue = [first];
    for (;;) {
      const next = receiveMessageOnPort(port);
      if (next === undefined) break;
      queue.push(next.message);
    }
    if (!faulty) {
      try {
        const appends = queue.filter(({ kind }) => kind === 'append');
        if (appends.length > 0) tell({ kind: 'durable', seq: writer.write(appends) });
      } catch (error) {
        faulty = true;
        tell({ kind: 'fault', ...asFault(error) });
      }
    }
    if (queue.some(({ kind }) => kind === 'close')) {
      writer.close();
      tell({ kind: 'closed' });
      port.close();
    }
  });
}

try {
  const writer = withDiskFault(data.directory, () => new Writer());
  tell({ kind: 'opened', id: writer.id, lastSeq: writer.open() });
  serve(writer);
} catch (error) {
  tell({ kind: 'fault', ...asFault(error) });
  port.close();
}
