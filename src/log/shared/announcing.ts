/** A process's record under a lease: kept while it lives, written again after a pause. */
import type { Announcement } from '../shared-log.ts';
import { persistent } from './attempts.ts';
import { overwrite } from './overwriting.ts';
import type { Store } from './store.ts';

/** How long a record outlives its process. */
const LEASE_S = 5;
const KEEP_MS = 1_500;

export class Announcer<Content> implements Announcement<Content> {
  readonly #store: Store;
  readonly #key: string;
  readonly #closed: AbortSignal;
  readonly #stop = new AbortController();
  #record: Content;
  #lease = 0;
  /** Writes one after the other, so that a late one does not undo the next. */
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Store, key: string, record: Content, closed: AbortSignal) {
    this.#store = store;
    this.#key = key;
    this.#record = record;
    this.#closed = AbortSignal.any([closed, this.#stop.signal]);
  }

  async start(): Promise<this> {
    await this.#renew();
    this.#keepOn().catch(() => undefined);
    return this;
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
    if (!isAlive) await this.#renew();
    return isAlive;
  }

  async #renew(): Promise<void> {
    const grant = (timeoutMs: number) => this.#store.grant(LEASE_S, timeoutMs);
    this.#lease = await persistent(this.#store, grant, { signal: this.#closed });
    await this.#write();
  }

  async #write(): Promise<void> {
    const value = JSON.stringify(this.#record);
    await overwrite(this.#store, { key: this.#key, value, lease: this.#lease });
  }

  #inTurn(write: () => Promise<unknown>): Promise<void> {
    const turn = this.#writing.then(async () => void (await write()));
    this.#writing = turn.catch(() => undefined);
    return turn;
  }
}
