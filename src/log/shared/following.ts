/**
 * Following: entries in order, without gaps, first from what is stored and then as they come. The
 * store may show an entry before the one in front of it; it waits here until its turn.
 */
import { type ChainLink, endOf, prove } from '../chain.ts';
import { JournalFault } from '../port.ts';
import { type FollowFrom, type SharedEntry, SharedLogFault } from '../shared-log.ts';
import { asSharedLogFault, isFault } from './attempts.ts';
import type { Entries } from './entries.ts';
import type { Change } from './store.ts';
import { readTail, type Tail } from './tail.ts';

/** Up to the end as of the call. */
export async function* readEntries(
  entries: Entries,
  fromSeq: number,
): AsyncGenerator<readonly SharedEntry[], void> {
  const tail = await readTail(entries);
  let link = await startLink(entries, tail, { fromSeq });
  while (link.nextSeq < tail.head.nextSeq) {
    const page = await entries.page(link.nextSeq);
    requireThere(link, page.base);
    const before = page.entries.filter(({ firstSeq }) => firstSeq < tail.head.nextSeq);
    const proven = prove(link, before, undefined, entries.store.place);
    if (proven.entries.length > 0) yield proven.entries;
    if (proven.fault !== undefined) throw proven.fault;
    if (proven.link === link) throw lost(entries.store.place, link.nextSeq);
    link = proven.link;
  }
}

/** See follow of the port. */
export async function* followEntries(
  entries: Entries,
  from: FollowFrom,
): AsyncGenerator<readonly SharedEntry[], void> {
  try {
    const tail = await readTail(entries);
    const link = await startLink(entries, tail, from);
    for await (const chunk of new Following(entries, link, from.signal)) {
      const wanted = chunk.filter((entry) => endOf(entry) >= from.fromSeq);
      if (wanted.length > 0) yield wanted;
    }
  } catch (error) {
    if (!from.signal.aborted) throw asSharedLogFault(error);
  }
}

/** The link before the entry that contains `fromSeq`, or before the next one to come. */
async function startLink(
  entries: Entries,
  { head, base }: Tail,
  { fromSeq, previousHash }: Omit<FollowFrom, 'signal'>,
): Promise<ChainLink> {
  if (fromSeq < base.nextSeq) throw trimmed(base, fromSeq);
  if (fromSeq > head.nextSeq && previousHash !== undefined) {
    throw lost(entries.store.place, head.nextSeq);
  }
  const link = fromSeq < head.nextSeq ? await linkBefore(entries, base, fromSeq) : head;
  if (previousHash === undefined) return link;
  if (link.nextSeq === fromSeq && link.hash === previousHash) return link;
  const reason = 'the log goes on after another entry than the one known here';
  const file = entries.store.place;
  throw new JournalFault({ kind: 'hash_mismatch', file, seq: fromSeq, reason });
}

/** For a command that is in the log: what its entry continues. */
async function linkBefore(entries: Entries, base: ChainLink, seq: number): Promise<ChainLink> {
  const entry = await entries.covering(seq);
  if (entry !== undefined && entry.firstSeq === base.nextSeq) return base;
  const before = entry && (await entries.covering(entry.firstSeq - 1));
  if (before !== undefined) return { nextSeq: endOf(before) + 1, hash: before.hash };
  const { base: later } = await entries.marks();
  if (entry !== undefined && later.nextSeq === entry.firstSeq) return later;
  throw later.nextSeq > seq ? trimmed(later, seq) : lost(entries.store.place, seq);
}

class Following {
  readonly #entries: Entries;
  readonly #signal: AbortSignal;
  #link: ChainLink;
  /** What is stored behind a gap, by its first number. */
  readonly #ahead = new Map<number, SharedEntry>();

  constructor(entries: Entries, link: ChainLink, signal: AbortSignal) {
    this.#entries = entries;
    this.#link = link;
    this.#signal = signal;
  }

  /** Starts over from what is stored when the changes since then are compacted. */
  async *[Symbol.asyncIterator](): AsyncGenerator<readonly SharedEntry[], void> {
    while (!this.#signal.aborted) {
      try {
        yield* this.#watched(yield* this.#stored());
        return;
      } catch (error) {
        if (!isFault(error, 'compacted')) throw error;
      }
    }
  }

  /** Gives what is there, and the revision up to which it is. */
  async *#stored(): AsyncGenerator<readonly SharedEntry[], number> {
    for (;;) {
      this.#ahead.clear();
      const patience = { limitMs: Number.POSITIVE_INFINITY, signal: this.#signal };
      const page = await this.#entries.page(this.#link.nextSeq, patience);
      requireThere(this.#link, page.base);
      for (const entry of page.entries) this.#ahead.set(entry.firstSeq, entry);
      yield* this.#drain();
      if (page.isLast) return page.revision;
    }
  }

  async *#watched(revision: number): AsyncGenerator<readonly SharedEntry[], void> {
    const { store, keys } = this.#entries;
    const watch = store.watch({
      range: keys.entries,
      revision: revision + 1,
      signal: this.#signal,
      expected: () => keys.entriesFrom(this.#link.nextSeq),
    });
    for await (const changes of watch) {
      for (const change of changes) this.#note(change);
      yield* this.#drain();
    }
  }

  #note(change: Change): void {
    if (change.kind === 'delete') this.#ahead.delete(this.#entries.keys.seqOf(change.key));
    else {
      const entry = this.#entries.entry(change.stored);
      if (entry.firstSeq >= this.#link.nextSeq) this.#ahead.set(entry.firstSeq, entry);
    }
  }

  *#drain(): Generator<readonly SharedEntry[], void> {
    const next: SharedEntry[] = [];
    let { nextSeq } = this.#link;
    for (;;) {
      const entry = this.#ahead.get(nextSeq);
      if (entry === undefined) break;
      this.#ahead.delete(nextSeq);
      next.push(entry);
      nextSeq = endOf(entry) + 1;
    }
    const { entries, link, fault } = prove(this.#link, next, undefined, this.#entries.store.place);
    this.#link = link;
    for (const entry of entries.slice(-1)) this.#entries.saw(entry);
    if (entries.length > 0) yield entries;
    if (fault !== undefined) throw fault;
  }
}

function requireThere(link: ChainLink, base: ChainLink): void {
  if (base.nextSeq > link.nextSeq) throw trimmed(base, link.nextSeq);
}

function trimmed({ nextSeq }: ChainLink, seq: number): SharedLogFault {
  const reason = `${seq} is no longer in the log, which starts at ${nextSeq}`;
  return new SharedLogFault({ kind: 'trimmed', reason, firstSeq: nextSeq });
}

function lost(file: string, seq: number): JournalFault {
  const reason = 'the log ends, and more of it is known here';
  return new JournalFault({ kind: 'torn_tail', file, seq, reason });
}
