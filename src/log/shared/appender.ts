/**
 * Appending under one claim. Several entries are on their way at once, and the store may take them
 * in any order; each is acknowledged when it and all before it are stored.
 */
import { LIMITS } from '#domain';
import { assert } from '#kernel';
import { type ChainLink, entryHash, linkAfter } from '../chain.ts';
import { JournalFault } from '../port.ts';
import {
  type Leadership,
  type NewEntry,
  SHARED_APPENDS_MAX,
  SHARED_ENTRY_BYTES_MAX,
  type SharedEntry,
  SharedLogFault,
} from '../shared-log.ts';
import { deposed, settled } from './attempts.ts';
import type { Entries } from './entries.ts';
import { only } from './keys.ts';
import { encodeEntry } from './records.ts';
import type { Transaction } from './store.ts';

/** Entries on their way, counted from the first that is not acknowledged; fewer than a page has. */
const WINDOW_ENTRIES = 16;

interface Pending {
  readonly entry: SharedEntry;
  readonly text: string;
  readonly done: PromiseWithResolvers<void>;
  state: 'queued' | 'sent' | 'stored';
}

export class Appender {
  readonly #entries: Entries;
  readonly #leadership: Leadership;
  readonly #signal: AbortSignal;
  /** In order; the first one is the next to be acknowledged. */
  readonly #pending: Pending[] = [];
  #queuedLink: ChainLink;
  #acknowledged: ChainLink;
  #fault: unknown;

  constructor(entries: Entries, leadership: Leadership, signal: AbortSignal) {
    this.#entries = entries;
    this.#leadership = leadership;
    this.#signal = signal;
    this.#queuedLink = leadership.head;
    this.#acknowledged = leadership.head;
    signal.addEventListener('abort', () => this.#fail(closedFault()), { once: true });
  }

  get acknowledged(): ChainLink {
    return this.#acknowledged;
  }

  /** Before the first append: the log goes on elsewhere. */
  goOnAfter(link: ChainLink): void {
    assert(this.#queuedLink.nextSeq === 1, 'only an empty log is seeded');
    this.#queuedLink = link;
    this.#acknowledged = link;
  }

  /** Its claim was given up, or replaced, by the same member. */
  depose(): void {
    this.#fail(deposed(this.#leadership.claim.number));
  }

  append(given: NewEntry): Promise<void> {
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    this.#check(given);
    const hash = entryHash(this.#queuedLink.hash, given, undefined);
    const { firstSeq, count, rules, format, payload } = given;
    const { number: claim } = this.#leadership.claim;
    const entry: SharedEntry = { firstSeq, count, rules, claim, format, payload, hash };
    const text = encodeEntry(entry);
    assert(Buffer.byteLength(text) <= SHARED_ENTRY_BYTES_MAX, 'an entry is at most 1 MiB');
    this.#queuedLink = linkAfter(entry);
    const pending: Pending = { entry, text, done: Promise.withResolvers(), state: 'queued' };
    this.#pending.push(pending);
    if (this.#pending.length <= WINDOW_ENTRIES) this.#send(pending);
    return pending.done.promise;
  }

  #check({ firstSeq, count, payload }: NewEntry): void {
    const { nextSeq } = this.#queuedLink;
    assert(firstSeq === nextSeq, `an entry starts at ${nextSeq}, not at ${firstSeq}`);
    const isWhole = Number.isSafeInteger(count) && Number.isSafeInteger(firstSeq + count);
    assert(isWhole && count > 0, 'an entry covers a whole number of commands');
    assert(count <= LIMITS.entryCommandsMax, 'an entry covers not too many commands');
    assert(payload.isWellFormed(), 'a payload has no lone surrogates: UTF-8 cannot store them');
    assert(this.#pending.length < SHARED_APPENDS_MAX, 'too many appends wait');
  }

  #send(pending: Pending): void {
    pending.state = 'sent';
    this.#store(pending).then(
      () => {
        pending.state = 'stored';
        this.#acknowledge();
      },
      (error: unknown) => this.#fail(error),
    );
  }

  /** Resolves when it is in the store for sure; an attempt without an answer is repeated. */
  async #store({ entry, text }: Pending): Promise<void> {
    const { keys, store } = this.#entries;
    const key = keys.entry(entry.firstSeq);
    const patience = { limitMs: Number.POSITIVE_INFINITY, signal: this.#signal };
    const outcome = await settled(store, this.#transaction(key, text), patience);
    if (outcome.held) return;
    const [claims, there] = outcome.found;
    const { claim } = this.#leadership;
    if (String(claims?.[0]?.modRevision) !== claim.token) throw deposed(claim.number);
    if (there?.[0]?.value === text) return;
    const reason = 'another entry than the leader’s stands in its place';
    throw new JournalFault({ kind: 'out_of_order', file: key, seq: entry.firstSeq, reason });
  }

  #transaction(key: string, value: string): Transaction {
    const { claim } = this.#entries.keys;
    const revision = Number(this.#leadership.claim.token);
    return {
      when: [
        { key: claim, of: 'mod', revision },
        { key, of: 'create', revision: 0 },
      ],
      write: [{ kind: 'put', key, value }],
      otherwise: [
        { kind: 'get', query: only(claim) },
        { kind: 'get', query: only(key) },
      ],
    };
  }

  #acknowledge(): void {
    if (this.#fault !== undefined) return;
    const open = this.#pending.findIndex(({ state }) => state !== 'stored');
    const done = this.#pending.splice(0, open === -1 ? this.#pending.length : open);
    for (const { entry, done: answer } of done) {
      this.#acknowledged = linkAfter(entry);
      this.#entries.saw(entry);
      answer.resolve();
    }
    for (const next of this.#pending.slice(0, WINDOW_ENTRIES)) {
      if (next.state === 'queued') this.#send(next);
    }
  }

  /** The first fault is final: nothing is acknowledged after it. */
  #fail(fault: unknown): void {
    if (this.#fault !== undefined) return;
    this.#fault = fault;
    for (const { done } of this.#pending.splice(0)) done.reject(fault);
  }
}

function closedFault(): SharedLogFault {
  return new SharedLogFault({ kind: 'closed', reason: 'the log was closed' });
}
