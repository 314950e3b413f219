/**
 * The journal's writer thread: owns the data directory and the write connection. Everything that
 * is queued goes into one transaction, so that it costs one sync of the disk, however much it is.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { assert, present } from '#kernel';
import { type ChainLink, entryHash } from './chain.ts';
import {
  asFault,
  createDirectory,
  journalFile,
  journalId,
  lockDirectory,
  openForWriting,
} from './database.ts';
import type { AppendMessage, FromWriter, ToWriter, WriterData } from './messages.ts';
import { type FaultDetail, JournalFault } from './port.ts';
import { checkTail } from './tail.ts';

const port = present(parentPort, 'parent port of the journal writer');
const { directory, synced }: WriterData = workerData;
const file = journalFile(directory);

function tell(message: FromWriter): void {
  port.postMessage(message);
}

/** Reports a fault of the disk; anything else is a bug and ends the thread. */
function tellFault(error: unknown): void {
  const fault = asFault(file, error);
  if (!(fault instanceof JournalFault)) throw fault;
  tell({ kind: 'fault', fault: advised(fault.detail) });
}

/** What is damaged can be looked at; a disk or a second process is another matter. */
function advised(detail: FaultDetail): FaultDetail {
  if (detail.kind === 'disk' || detail.kind === 'in_use') return detail;
  const reason = `${detail.reason}; \`outcry verify-journal\` checks the whole journal`;
  return { ...detail, reason };
}

class Writer {
  readonly #lock: Database.Database;
  readonly #database: Database.Database;
  readonly #insert: Database.Statement<[number, number, string, string]>;
  readonly #commit: (group: readonly AppendMessage[]) => ChainLink;
  #link: ChainLink;
  #faulted = false;

  constructor(lock: Database.Database) {
    this.#lock = lock;
    this.#database = openForWriting(directory, synced);
    this.#link = checkTail(directory, this.#database);
    this.#insert = this.#database.prepare(
      'INSERT INTO entries (first_seq, count, payload, hash) VALUES (?, ?, ?, ?)',
    );
    this.#commit = this.#database.transaction((group) => this.#insertAll(group)).immediate;
  }

  get id(): string {
    return journalId(this.#database);
  }

  get lastSeq(): number {
    return this.#link.nextSeq - 1;
  }

  /** Makes a group durable with one sync. After a fault nothing is written any more. */
  append(group: readonly AppendMessage[]): void {
    if (this.#faulted || group.length === 0) return;
    try {
      this.#link = this.#commit(group);
      tell({ kind: 'durable', lastSeq: this.lastSeq });
    } catch (error) {
      this.#faulted = true;
      tellFault(error);
    }
  }

  close(): void {
    this.#database.close();
    this.#lock.close();
  }

  #insertAll(group: readonly AppendMessage[]): ChainLink {
    let { nextSeq, hash } = this.#link;
    for (const { firstSeq, count, payload } of group) {
      assert(firstSeq === nextSeq, `the journal goes on at ${nextSeq}, not at ${firstSeq}`);
      hash = entryHash(hash, firstSeq, count, payload);
      this.#insert.run(firstSeq, count, payload, hash);
      nextSeq = firstSeq + count;
    }
    return { nextSeq, hash };
  }
}

/** The message that woke us and every other one that is already there. */
function drain(first: ToWriter): ToWriter[] {
  const messages = [first];
  for (;;) {
    const next: { message: ToWriter } | undefined = receiveMessageOnPort(port);
    if (next === undefined) return messages;
    messages.push(next.message);
  }
}

function serve(writer: Writer): void {
  port.on('message', (first: ToWriter) => {
    const messages = drain(first);
    writer.append(messages.filter((message) => message.kind === 'append'));
    if (messages.at(-1)?.kind !== 'close') return;
    writer.close();
    tell({ kind: 'closed' });
    port.close();
  });
}

try {
  createDirectory(directory);
  const lock = lockDirectory(directory);
  const writer = new Writer(lock);
  tell({ kind: 'opened', id: writer.id, lastSeq: writer.lastSeq });
  serve(writer);
} catch (error) {
  tellFault(error);
}
