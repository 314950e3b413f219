/**
 * A process's record under a lease: kept while it lives, written again after a pause, unless it has
 * become somebody else's.
 */
import type { Announcement } from '../shared-log.ts';
import { persistent } from './attempts.ts';
import type { Store } from './store.ts';

/** How long a record outlives its process. */
export const LEASE_S = 5;
const KEEP_MS = 1_500;

/** Writes the record's text under a lease; false when it may not be there any more. */
type Write = (value: string, lease: number) => Promise<boolean>;

export class Announcer<Content> implements Announcement<Content> {
  readonly #store: Store;
  readonly #writeUnder: Write;
  readonly #onLost: () => void;
  readonly #closed: AbortSignal;
  readonly #stop = new AbortController();
  #record: Content;
  #lease = 0;
  /** Writes one after the other, so that a late one does not undo the next. */
  #writing: Promise<void> = Promise.resolve();

  constructor(
    store: Store,
    writeUnder: Write,
    record: Content,
    closed: AbortSignal,
    onLost: () => void = () => undefined,
  ) {
    this.#store = store;
    this.#writeUnder = writeUnder;
    this.#onLost = onLost;
    this.#record = record;
    this.#closed = AbortSignal.any([closed, this.#stop.signal]);
  }

  /** False when the record may not be written now; then it may be tried again. */
  async start(): Promise<boolean> {
    if (!(await this.#renew())) return false;
    this.#keepOn().catch(() => undefined);
    return true;
  }

  update(record: Content): Promise<void> {
    this.#record = record;
    return this.#inTurn(async () => {
      if (await this.#keep()) await this.#write();
    });
  }

  async withdraw(): Promise<void> {
    this.#stop.abort();
    await this.#inTurn(() =>
      persistent(this.#store, (timeoutMs) => this.#store.revoke(this.#lease, timeoutMs)),
    );
  }

  /** A lease that could not be kept in time is replaced; no fault ends this. */
  async #keepOn(): Promise<void> {
    while (!this.#closed.aborted) {
      await this.#store.timing.sleep(KEEP_MS, this.#closed);
      if (this.#closed.aborted) return;
      await this.#inTurn(() => this.#keep()).catch(() => undefined);
    }
  }

  /** False when the lease had ended: then the record has been written under another one. */
  async #keep(): Promise<boolean> {
    if (this.#closed.aborted) return false;
    const isAlive = await this.#store.keep(this.#lease, KEEP_MS);
    if (!isAlive && !(await this.#renew())) {
      this.#stop.abort();
      this.#onLost();
    }
    return isAlive;
  }

  async #renew(): Promise<boolean> {
    const grant = (timeoutMs: number) => this.#store.grant(LEASE_S, timeoutMs);
    this.#lease = await persistent(this.#store, grant, { signal: this.#closed });
    return this.#write();
  }

  #write(): Promise<boolean> {
    return this.#writeUnder(JSON.stringify(this.#record), this.#lease);
  }

  #inTurn(write: () => Promise<unknown>): Promise<void> {
    const turn = this.#writing.then(async () => void (await write()));
    this.#writing = turn.catch(() => undefined);
    return turn;
  }
}
