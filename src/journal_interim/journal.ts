/** The market's side of the journal: queues entries for the writing thread and waits for its word. */
import { Worker } from 'node:worker_threads';
import { assert } from '#kernel';
import { type DirectoryLock, lockDirectory } from './lock.ts';
import { type Journal, JournalFault, type JournalFaultKind } from './port.ts';

export interface WriterData {
  readonly directory: string;
}

export type ToWriter =
  | {
      readonly kind: 'append';
      readonly firstSeq: number;
      readonly count: number;
      readonly payload: string;
    }
  | { readonly kind: 'close' };

export type FromWriter =
  | { readonly kind: 'opened'; readonly id: string; readonly lastSeq: number }
  | { readonly kind: 'durable'; readonly seq: number }
  | { readonly kind: 'fault'; readonly faultKind: JournalFaultKind; readonly message: string }
  | { readonly kind: 'closed' };

interface Waiter {
  readonly lastSeq: number;
  resolve(): void;
  reject(fault: JournalFault): void;
}

/** Entries that may wait for the disk; the venue keeps far fewer in flight. */
const QUEUED_ENTRIES_MAX = 1_024;

/**
 * Opens the journal of a directory and owns the directory from then on. Rejects with JournalFault:
 * 'in_use' when another process owns it, a chain fault when its end is damaged, 'disk' otherwise.
 */
export async function openJournal(directory: string): Promise<Journal> {
  const lock = lockDirectory(directory);
  const journal = new SqliteJournal(directory, lock);
  await journal.opened;
  return journal;
}

class SqliteJournal implements Journal {
  readonly opened: Promise<void>;
  readonly #worker: Worker;
  readonly #lock: DirectoryLock;
  readonly #open = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  readonly #waiters: Waiter[] = [];
  #id = '';
  #queuedSeq = 0;
  #lastSeq = 0;
  #fault: JournalFault | undefined;

  constructor(directory: string, lock: DirectoryLock) {
    this.#lock = lock;
    this.opened = this.#open.promise;
    const workerData: WriterData = { directory };
    this.#worker = new Worker(new URL('./journal-worker.ts', import.meta.url), { workerData });
    this.#worker.on('message', (message: FromWriter) => this.#hear(message));
    this.#worker.on('error', (cause) => this.#fail(new JournalFault('disk', String(cause))));
    this.#worker.on('exit', () => this.#end());
  }

  get id(): string {
    return this.#id;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  append(firstSeq: number, count: number, payload: string): Promise<void> {
    assert(firstSeq === this.#queuedSeq + 1 && count > 0, 'entries are appended without a gap');
    assert(this.#waiters.length < QUEUED_ENTRIES_MAX, 'the caller bounds what is in flight');
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    this.#queuedSeq += count;
    this.#worker.postMessage({ kind: 'append', firstSeq, count, payload } satisfies ToWriter);
    return new Promise((resolve, reject) => {
      this.#waiters.push({ lastSeq: firstSeq + count - 1, resolve, reject });
    });
  }

  async close(): Promise<void> {
    this.#worker.postMessage({ kind: 'close' } satisfies ToWriter);
    await this.#closed.promise;
  }

  #hear(message: FromWriter): void {
    if (message.kind === 'durable') this.#advance(message.seq);
    else if (message.kind === 'fault') {
      this.#fail(new JournalFault(message.faultKind, message.message));
    } else if (message.kind === 'opened') {
      this.#id = message.id;
      this.#lastSeq = message.lastSeq;
      this.#queuedSeq = message.lastSeq;
      this.#open.resolve();
    }
  }

  #advance(seq: number): void {
    this.#lastSeq = seq;
    while (this.#waiters[0] !== undefined && this.#waiters[0].lastSeq <= seq) {
      this.#waiters.shift()?.resolve();
    }
  }

  #fail(fault: JournalFault): void {
    this.#fault ??= fault;
    for (const waiter of this.#waiters.splice(0)) waiter.reject(this.#fault);
    this.#open.reject(this.#fault);
  }

  /** The thread is gone: orderly after close, for a fault otherwise. */
  #end(): void {
    this.#fail(new JournalFault('disk', 'the journal is closed'));
    this.#open.promise.catch(() => undefined);
    this.#lock.release();
    this.#closed.resolve();
  }
}
