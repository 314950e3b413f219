/**
 * The journal's writer thread: owns the data directory and the write connection. Everything that
 * is queued goes into one transaction, so that it costs one sync of the disk, however much it is.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { assert, present } from '#kernel';
import { type ChainLink, entryHash, type Keying } from '../chain.ts';
import { createDirectory } from '../files.ts';
import { type FaultDetail, JournalFault } from '../port.ts';
import {
  asFault,
  baseOf,
  journalFile,
  journalId,
  lockDirectory,
  openForWriting,
} from './database.ts';
import { HeadWriter, headFile, readHead } from './head.ts';
import { beginKeying, keyingOf } from './keying.ts';
import type { AppendMessage, FromWriter, ToWriter, WriterData } from './messages.ts';
import { SqliteReader } from './reader.ts';
import { knownEnd } from './tail.ts';
import { trimSome } from './trimming.ts';

const port = present(parentPort, 'parent port of the journal writer');
const { directory, synced, masterKey, rules }: WriterData = workerData;
const file = journalFile(directory);
/** A power cut may take the head back by so much; the journal itself is synced each time. */
const HEAD_SYNC_MS = 1_000;
/** Between two pieces of a trimming: appends have most of the thread. */
const TRIM_EVERY_MS = 20;

function post(message: FromWriter): void {
  port.postMessage(message);
}

/** Reports a fault of the disk; anything else is a bug and ends the thread. */
function tellFault(error: unknown): void {
  const fault = asFault(file, error);
  if (!(fault instanceof JournalFault)) throw fault;
  post({ kind: 'fault', fault: advised(fault.detail) });
}

/** What is damaged can be looked at; a disk or a second process is another matter. */
function advised(detail: FaultDetail): FaultDetail {
  if (['disk', 'in_use', 'key'].includes(detail.kind)) return detail;
  const reason = `${detail.reason}; \`outcry verify-journal\` checks the whole journal`;
  return { ...detail, reason };
}

class Writer {
  readonly #lock: Database.Database;
  readonly #database: Database.Database;
  readonly #insert: Database.Statement<[number, number, number, string, string]>;
  readonly #commit: (group: readonly AppendMessage[]) => ChainLink;
  readonly #keying: Keying | undefined;
  readonly #head: HeadWriter;
  readonly #headTimer: NodeJS.Timeout;
  readonly notices: string[] = [];
  #link: ChainLink;
  #faulted = false;
  #trimBeforeSeq = 0;
  #trimTimer: NodeJS.Timeout | undefined;

  constructor(lock: Database.Database) {
    this.#lock = lock;
    const { database, isNew } = openForWriting(directory, synced);
    this.#database = database;
    this.#keying = keyingOf(database, masterKey);
    this.#link = new SqliteReader(knownEnd(directory), database, this.#keying).proveTail();
    if (!isNew && this.lastSeq > 0) this.#noticeLostHead();
    if (this.#keying === undefined && masterKey !== undefined) this.#keying = this.#beginKeying();
    this.#head = new HeadWriter(directory, this.#link);
    this.#headTimer = setInterval(() => this.#head.sync(), HEAD_SYNC_MS).unref();
    this.#insert = database.prepare(
      'INSERT INTO entries (first_seq, count, rules, payload, hash) VALUES (?, ?, ?, ?, ?)',
    );
    this.#commit = this.#database.transaction((group) => this.#insertAll(group)).immediate;
  }

  get id(): string {
    return journalId(this.#database);
  }

  get firstSeq(): number {
    return baseOf(this.#database).nextSeq;
  }

  get lastSeq(): number {
    return this.#link.nextSeq - 1;
  }

  /** Makes a group durable with one sync. After a fault nothing is written any more. */
  append(group: readonly AppendMessage[]): void {
    if (this.#faulted || group.length === 0) return;
    try {
      this.#link = this.#commit(group);
      this.#head.write(this.#link);
      post({ kind: 'durable', lastSeq: this.lastSeq });
    } catch (error) {
      this.#faulted = true;
      tellFault(error);
    }
  }

  /** Begins it, or has the one that is under way go on to here. */
  trim(beforeSeq: number): void {
    this.#trimBeforeSeq = Math.max(this.#trimBeforeSeq, beforeSeq);
    this.#trimTimer ??= setTimeout(() => this.#trimSome(), TRIM_EVERY_MS);
  }

  #trimSome(): void {
    this.#trimTimer = undefined;
    try {
      const { firstSeq, isDone } = trimSome(this.#database, this.#keying, this.#trimBeforeSeq);
      if (isDone || this.#faulted) post({ kind: 'trimmed', firstSeq, fault: undefined });
      else this.trim(this.#trimBeforeSeq);
    } catch (error) {
      const fault = asFault(file, error);
      if (!(fault instanceof JournalFault)) throw fault;
      post({ kind: 'trimmed', firstSeq: this.firstSeq, fault: advised(fault.detail) });
    }
  }

  close(): void {
    clearTimeout(this.#trimTimer);
    clearInterval(this.#headTimer);
    this.#head.close();
    this.#database.close();
    this.#lock.close();
  }

  #noticeLostHead(): void {
    if (readHead(directory) !== undefined) return;
    this.notices.push(
      `${headFile(directory)} is missing or damaged: whether the end of the journal is whole ` +
        `cannot be told by it; it goes on after command ${this.lastSeq}`,
    );
  }

  #beginKeying(): Keying {
    const { nextSeq } = this.#link;
    if (nextSeq > 1) {
      this.notices.push(
        `the journal up to command ${nextSeq - 1} was written without a key, as the copy of a ` +
          `shared log is: its chain is keyed from command ${nextSeq} on`,
      );
    }
    return beginKeying(this.#database, present(masterKey, 'master key'), nextSeq);
  }

  #insertAll(group: readonly AppendMessage[]): ChainLink {
    let { nextSeq, hash } = this.#link;
    for (const { firstSeq, count, payload, rules: writtenUnder = rules } of group) {
      assert(firstSeq === nextSeq, `the journal goes on at ${nextSeq}, not at ${firstSeq}`);
      const entry = { firstSeq, count, rules: writtenUnder, payload };
      hash = entryHash(hash, entry, this.#keying);
      this.#insert.run(firstSeq, count, writtenUnder, payload, hash);
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
    for (const message of messages) if (message.kind === 'trim') writer.trim(message.beforeSeq);
    if (messages.at(-1)?.kind !== 'close') return;
    writer.close();
    post({ kind: 'closed' });
    port.close();
  });
}

try {
  createDirectory(directory);
  const lock = lockDirectory(directory);
  const writer = new Writer(lock);
  const { id, firstSeq, lastSeq, notices } = writer;
  post({ kind: 'opened', id, firstSeq, lastSeq, notices });
  serve(writer);
} catch (error) {
  tellFault(error);
}
