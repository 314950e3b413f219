/** Where what is kept: the keys of one shard of one venue. */
import type { KeyRange, Query } from './store.ts';

const SEQ_DIGITS = 16;
const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

export class KeySpace {
  readonly claim: string;
  readonly heartbeat: string;
  /** Where the log starts. */
  readonly base: string;
  readonly format: string;
  readonly entries: KeyRange;
  readonly members: KeyRange;
  readonly reports: KeyRange;
  readonly holds: KeyRange;
  readonly places: KeyRange;
  readonly holders: KeyRange;
  readonly root: string;

  constructor(venue: string, shard: string) {
    for (const name of [venue, shard]) {
      if (!NAME.test(name)) throw new Error(`"${name}" names no venue or shard: ${NAME.source}`);
    }
    this.root = `/outcry/${venue}`;
    this.claim = `${this.root}/claim/${shard}`;
    this.heartbeat = `${this.root}/heartbeat/${shard}`;
    this.base = `${this.root}/base/${shard}`;
    this.format = `${this.root}/format/${shard}`;
    this.entries = below(`${this.root}/log/${shard}/`);
    this.members = below(`${this.root}/members/`);
    this.reports = below(`${this.root}/reports/${shard}/`);
    this.holds = below(`${this.root}/holds/${shard}/`);
    this.places = below(`${this.root}/places/${shard}/`);
    this.holders = below(`${this.root}/holders/${shard}/`);
  }

  entry(firstSeq: number): string {
    return `${this.entries.from}${String(firstSeq).padStart(SEQ_DIGITS, '0')}`;
  }

  /** Entries that start at `seq` or later. */
  entriesFrom(seq: number): KeyRange {
    return { from: this.entry(seq), end: this.entries.end };
  }

  /** Entries that start before `seq`. */
  entriesBefore(seq: number): KeyRange {
    return { from: this.entries.from, end: this.entry(seq) };
  }

  /** The sequence number that an entry's key says. */
  seqOf(key: string): number {
    return Number(key.slice(this.entries.from.length));
  }

  member(name: string): string {
    return this.members.from + name;
  }

  report(member: string): string {
    return this.reports.from + member;
  }

  hold(name: string): string {
    return this.holds.from + name;
  }

  place(place: number): string {
    return `${this.places.from}${place}`;
  }

  /** Who is there at a place. */
  holder(place: number): string {
    return `${this.holders.from}${place}`;
  }
}

/** Asks for one key. */
export function only(key: string): Query {
  return { from: key, end: `${key}\0` };
}

/** All keys that begin with a path, which ends with a slash. */
function below(path: string): KeyRange {
  return { from: path, end: `${path.slice(0, -1)}0` };
}
