/** Single looks at the entries of the store: a page of them, the one that covers a command. */
import { LIMITS } from '#domain';
import { type ChainLink, endOf, GENESIS } from '../chain.ts';
import type { Heartbeat, SharedEntry } from '../shared-log.ts';
import { type Patience, settled } from './attempts.ts';
import { type KeySpace, only } from './keys.ts';
import { decode, decodeEntry, HEARTBEAT, LINK_RECORD } from './records.ts';
import type { Query, Store, Stored } from './store.ts';

/** More than a leader leaves behind a gap, so that one page holds all of it. */
const PAGE_ENTRIES = 32;

export interface Marks {
  readonly base: ChainLink;
  /** Of the base's last write; 0 without one. */
  readonly baseRevision: number;
  readonly beat: Heartbeat | undefined;
}

export interface Page {
  readonly base: ChainLink;
  readonly beat: Heartbeat | undefined;
  /** Each starts at or after what was asked for; there may be gaps. */
  readonly entries: readonly SharedEntry[];
  readonly isLast: boolean;
  /** What it shows is what was there after this revision. */
  readonly revision: number;
}

type SeenEntry = Pick<SharedEntry, 'firstSeq' | 'hash'>;

export class Entries {
  readonly store: Store;
  readonly keys: KeySpace;
  #lastSeen: SeenEntry | undefined;

  constructor(store: Store, keys: KeySpace) {
    this.store = store;
    this.keys = keys;
  }

  /**
   * The last entry that this process has seen without a gap before it: a good place to look for the
   * end, once it has been found to be there still.
   */
  get lastSeen(): SeenEntry | undefined {
    return this.#lastSeen;
  }

  saw({ firstSeq, hash }: SeenEntry): void {
    if (firstSeq > (this.#lastSeen?.firstSeq ?? 0)) this.#lastSeen = { firstSeq, hash };
  }

  forgetLastSeen(): void {
    this.#lastSeen = undefined;
  }

  async marks(): Promise<Marks> {
    const { keys } = this;
    const [bases, beats] = (await this.#look([only(keys.base), only(keys.heartbeat)])).found;
    return {
      base: linkIn(bases),
      baseRevision: bases?.[0]?.modRevision ?? 0,
      beat: beatIn(beats),
    };
  }

  /** The first entries that start at `seq` or later. */
  async page(seq: number, patience?: Patience): Promise<Page> {
    const { keys } = this;
    const first = { ...keys.entriesFrom(seq), limit: PAGE_ENTRIES };
    const queries = [only(keys.base), only(keys.heartbeat), first];
    const { found, revision } = await this.#look(queries, patience);
    const [bases, beats, entries = []] = found;
    return {
      base: linkIn(bases),
      beat: beatIn(beats),
      entries: entries.map((stored) => this.entry(stored)),
      isLast: entries.length < PAGE_ENTRIES,
      revision,
    };
  }

  /** The entry that covers `seq`, if it is there. */
  async covering(seq: number): Promise<SharedEntry | undefined> {
    const [entry] = await this.startingBefore(seq + 1, 1);
    return entry !== undefined && endOf(entry) >= seq ? entry : undefined;
  }

  /** The last entries that start before `seq`, newest first, if they are not far from it. */
  async startingBefore(seq: number, limit: number): Promise<readonly SharedEntry[]> {
    const from = this.keys.entry(Math.max(1, seq - limit * LIMITS.entryCommandsMax));
    const query = { from, end: this.keys.entry(seq), limit, isReversed: true };
    const [entries = []] = (await this.#look([query])).found;
    return entries.map((stored) => this.entry(stored));
  }

  entry({ key, value }: Stored): SharedEntry {
    return decodeEntry(this.keys.seqOf(key), value, key);
  }

  #look(queries: readonly Query[], patience?: Patience): ReturnType<typeof settled> {
    const write = queries.map((query) => ({ kind: 'get', query }) as const);
    return settled(this.store, { when: [], write }, patience);
  }
}

function linkIn(found: readonly Stored[] | undefined): ChainLink {
  const stored = found?.[0];
  return stored === undefined ? GENESIS : decode(LINK_RECORD, stored.value, stored.key);
}

function beatIn(found: readonly Stored[] | undefined): Heartbeat | undefined {
  const stored = found?.[0];
  return stored && decode(HEARTBEAT, stored.value, stored.key);
}
