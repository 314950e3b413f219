/** The market's side of the SQLite journal: queues entries for the writer thread and hears back. */
import { Worker } from 'node:worker_threads';
import { RULES_VERSION } from '#domain';
import { assert } from '#kernel';
import { JournalFault, type OwnJournal } from '../port.ts';
import { journalFile } from './database.ts';
import type { FromWriter, ToWriter, WriterData } from './messages.ts';

/** Bounds of what may be queued. The caller keeps far below them, or it has a bug. */
const QUEUED_ENTRIES_MAX = 16_384;
const QUEUED_CHARACTERS_MAX = 64 * 1024 * 1024;

type Trimmed = Extract<FromWriter, { readonly kind: 'trimmed' }>;

interface Pending {
  readonly lastSeq: number;
  readonly characters: number;
  resolve(): void;
  reject(error: JournalFault): void;
}

export interface JournalOptions {
  /** True without it; else a crash of the machine loses entries, one of the process does not. */
  readonly synced?: boolean | undefined;
  /**
   * Keys the chain. One that was not keyed is from its next entry on: the copy of a shared log, by
   * a venue that leaves its cluster.
   */
  readonly masterKey?: Uint8Array | undefined;
  /** What entries are written under: this program's, but for tests of other releases. */
  readonly rules?: number | undefined;
}

/** Opens the journal of a data directory for writing, creating both when missing. */
export function openJournal(directory: string, options: JournalOptions): Promise<OwnJournal> {
  const { synced = true, masterKey, rules = RULES_VERSION } = options;
  const workerData: WriterData = { directory, synced, masterKey, rules };
  const worker = new Worker(new URL('./writer-worker.ts', import.meta.url), {
    workerData,
    name: 'journal',
  });
  return new SqliteJournal(directory, worker).opened();
}

class SqliteJournal implements OwnJournal {
  readonly #file: string;
  readonly #worker: Worker;
  readonly #opening = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<void>();
  #id = '';
  #notices: readonly string[] = [];
  #pending: Pending[] = [];
  #pendingCharacters = 0;
  #queuedSeq = 0;
  #durableSeq = 0;
  #firstSeq = 1;
  #trimming: PromiseWithResolvers<number> | undefined;
  #fault: JournalFault | undefined;
  #closing = false;

  constructor(directory: string, worker: Worker) {
    this.#file = journalFile(directory);
    this.#worker = worker;
    worker.on('message', (message: FromWriter) => this.#hear(message));
    worker.on('error', (error) => this.#fail(this.#threadFault('has crashed', error)));
    worker.on('exit', () => {
      this.#fail(this.#threadFault('has ended'));
      this.#exited.resolve();
    });
  }

  get id(): string {
    return this.#id;
  }

  get notices(): readonly string[] {
    return this.#notices;
  }

  get lastSeq(): number {
    return this.#durableSeq;
  }

  get firstSeq(): number {
    return this.#firstSeq;
  }

  /** On failure the directory is free again by the time the caller hears of it. */
  async opened(): Promise<OwnJournal> {
    try {
      await this.#opening.promise;
    } catch (error) {
      await this.#exited.promise;
      throw error;
    }
    return this;
  }

  append(firstSeq: number, count: number, payload: string, rules?: number): Promise<void> {
    assert(!this.#closing, 'a closed journal takes no entries');
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    this.#checkEntry(firstSeq, count, payload);
    const lastSeq = firstSeq + count - 1;
    this.#queuedSeq = lastSeq;
    this.#pendingCharacters += payload.length;
    this.#post({ kind: 'append', firstSeq, count, payload, rules });
    return new Promise((resolve, reject) => {
      this.#pending.push({ lastSeq, characters: payload.length, resolve, reject });
    });
  }

  trim(beforeSeq: number): Promise<number> {
    assert(beforeSeq <= this.#durableSeq + 1, 'only what is durable is trimmed');
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    if (this.#closing) return Promise.resolve(this.#firstSeq);
    this.#trimming ??= Promise.withResolvers();
    this.#post({ kind: 'trim', beforeSeq });
    return this.#trimming.promise;
  }

  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      // The next one that is asked for takes away what this one has left.
      this.#trimming?.resolve(this.#firstSeq);
      this.#trimming = undefined;
      this.#post({ kind: 'close' });
    }
    await this.#exited.promise;
  }

  #checkEntry(firstSeq: number, count: number, payload: string): void {
    assert(firstSeq === this.#queuedSeq + 1, `entry starts at ${firstSeq}, not where it should`);
    assert(Number.isSafeInteger(count) && count > 0, 'an entry covers a whole number of commands');
    assert(Number.isSafeInteger(firstSeq + count), 'sequence numbers are safe integers');
    assert(payload.isWellFormed(), 'a payload has no lone surrogates: UTF-8 cannot store them');
    assert(this.#pending.length < QUEUED_ENTRIES_MAX, 'too many entries are queued');
    const characters = this.#pendingCharacters + payload.length;
    assert(characters <= QUEUED_CHARACTERS_MAX, 'too much text is queued');
  }

  #post(message: ToWriter): void {
    this.#worker.postMessage(message);
  }

  #hear(message: FromWriter): void {
    if (message.kind === 'durable') this.#acknowledge(message.lastSeq);
    else if (message.kind === 'fault') this.#fail(new JournalFault(message.fault));
    else if (message.kind === 'trimmed') this.#noteTrimmed(message);
    else if (message.kind === 'opened') {
      this.#id = message.id;
      this.#notices = message.notices;
      this.#firstSeq = message.firstSeq;
      this.#queuedSeq = message.lastSeq;
      this.#durableSeq = message.lastSeq;
      this.#opening.resolve();
    }
  }

  /** A trimming that was not possible is no fault of the journal: it goes on as it was. */
  #noteTrimmed({ firstSeq, fault }: Trimmed): void {
    this.#firstSeq = firstSeq;
    const trimming = this.#trimming;
    this.#trimming = undefined;
    if (fault === undefined) trimming?.resolve(firstSeq);
    else trimming?.reject(new JournalFault(fault));
  }

  #acknowledge(lastSeq: number): void {
    assert(lastSeq > this.#durableSeq, 'what is durable only grows');
    this.#durableSeq = lastSeq;
    const open = this.#pending.findIndex((entry) => entry.lastSeq > lastSeq);
    const done = this.#pending.splice(0, open === -1 ? this.#pending.length : open);
    for (const entry of done) {
      this.#pendingCharacters -= entry.characters;
      entry.resolve();
    }
  }

  /** The first fault is final: it rejects everything queued and everything to come. */
  #fail(fault: JournalFault): void {
    if (this.#fault !== undefined) return;
    this.#fault = fault;
    this.#opening.reject(fault);
    this.#trimming?.reject(fault);
    this.#trimming = undefined;
    for (const entry of this.#pending) entry.reject(fault);
    this.#pending = [];
  }

  #threadFault(what: string, cause?: unknown): JournalFault {
    const reason = `the journal's writer thread ${what}`;
    return new JournalFault({ kind: 'disk', file: this.#file, reason }, { cause });
  }
}
