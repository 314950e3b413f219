/** Reading a journal, from any thread or process, also while it is being written. */
import type Database from 'better-sqlite3';
import { checkFollows, GENESIS_HASH } from './chain.ts';
import { type EntryRow, journalId, openForReading, withDiskFault } from './file.ts';
import { type JournalEntry, JournalFault, type JournalReader } from './port.ts';

/** Entries fetched at a time: enough to share the cost of a query, few enough to hold in memory. */
const PAGE_ENTRIES = 256;

/** Opens the journal of a directory read-only. Throws JournalFault 'disk' when there is none. */
export function openJournalReader(directory: string): JournalReader & { readonly id: string } {
  return new SqliteReader(openForReading(directory));
}

class SqliteReader implements JournalReader {
  readonly #db: Database.Database;
  readonly #page: Database.Statement<[number, number], EntryRow>;
  readonly #before: Database.Statement<[number], EntryRow>;
  readonly #last: Database.Statement<[], EntryRow>;

  constructor(db: Database.Database) {
    this.#db = db;
    const rows = 'select first_seq, count, hash, payload from entries';
    this.#page = db.prepare(`${rows} where first_seq >= ? order by first_seq limit ?`);
    this.#before = db.prepare(`${rows} where first_seq < ? order by first_seq desc limit 1`);
    this.#last = db.prepare(`${rows} order by first_seq desc limit 1`);
  }

  get id(): string {
    return journalId(this.#db);
  }

  get lastSeq(): number {
    const row = withDiskFault(this.#db.name, () => this.#last.get());
    return row === undefined ? 0 : lastSeqOf(row);
  }

  *entries(fromSeq: number): Generator<JournalEntry> {
    const file = this.#db.name;
    let previous = withDiskFault(file, () => this.#entryBefore(fromSeq));
    for (;;) {
      const nextSeq = previous === undefined ? 1 : lastSeqOf(previous) + 1;
      const page = withDiskFault(file, () => this.#page.all(startOf(previous), PAGE_ENTRIES));
      let expectedSeq = nextSeq;
      let previousHash = previous?.hash ?? GENESIS_HASH;
      for (const row of page) {
        const { first_seq: firstSeq, count, payload, hash } = row;
        const entry = { firstSeq, count, payload, hash };
        checkFollows(entry, expectedSeq, previousHash);
        expectedSeq = firstSeq + count;
        previousHash = hash;
        yield entry;
      }
      if (page.length < PAGE_ENTRIES) return;
      previous = page.at(-1);
    }
  }

  close(): void {
    this.#db.close();
  }

  /** The last entry that ends before this number: what the one containing it must follow. */
  #entryBefore(seq: number): EntryRow | undefined {
    const containing = this.#before.get(seq + 1);
    if (containing === undefined) return undefined;
    if (lastSeqOf(containing) < seq) return containing;
    const before = this.#before.get(containing.first_seq);
    if (before === undefined && containing.first_seq > 1) {
      const missing = `commands 1 to ${containing.first_seq - 1} are missing`;
      throw new JournalFault('gap', missing);
    }
    return before;
  }
}

function lastSeqOf(row: EntryRow): number {
  return row.first_seq + row.count - 1;
}

/** Everything after an entry; an entry that overlaps it is found too and then refused. */
function startOf(previous: EntryRow | undefined): number {
  return previous === undefined ? Number.MIN_SAFE_INTEGER : previous.first_seq + 1;
}
