/**
 * What a store keeps of values that were overwritten: forgotten by and by, as heartbeats are
 * written, so that a cluster without orders fills nothing. Trimming does the same for entries.
 *
 * The store is compacted at the revision of an earlier heartbeat: one that wrote, that is not the
 * newest, and behind which no watch is that keeps up. A watch that does not reads anew.
 */
import { SharedLogFault } from '../shared-log.ts';
import { persistent } from './attempts.ts';
import type { Store } from './store.ts';

/** A quiet cluster of five processes writes about 80 kB in this time. */
const COMPACTED_EVERY_MS = 60_000;
/** Under load sooner, and no more often than so. */
const REVISIONS_MAX = 50_000;
const COMPACTED_AT_MOST_EVERY_MS = 5_000;

interface Mark {
  readonly revision: number;
  readonly atMs: number;
}

export class Past {
  readonly #store: Store;
  #mark: Mark | undefined;
  #isCompacting = false;
  /** The store leaves it to its operator. */
  #isDenied = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** A heartbeat was written at this revision. */
  note(revision: number): void {
    const atMs = this.#store.timing.monotonicMs();
    const mark = this.#mark;
    this.#mark ??= { revision, atMs };
    if (mark === undefined || this.#isCompacting || this.#isDenied) return;
    const passedMs = atMs - mark.atMs;
    const isMuch = revision - mark.revision >= REVISIONS_MAX;
    if (passedMs < (isMuch ? COMPACTED_AT_MOST_EVERY_MS : COMPACTED_EVERY_MS)) return;
    this.#mark = { revision, atMs };
    void this.#compact(mark.revision);
  }

  /** What cannot be compacted now is with the next mark. */
  async #compact(revision: number): Promise<void> {
    const store = this.#store;
    this.#isCompacting = true;
    try {
      await persistent(store, (timeoutMs) => store.compact(revision, timeoutMs));
    } catch (error) {
      this.#isDenied = error instanceof SharedLogFault && error.kind === 'denied';
    } finally {
      this.#isCompacting = false;
    }
  }
}
