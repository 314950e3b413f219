/**
 * The journal's port: a durable log of opaque text entries, each covering a run of sequence
 * numbers. Numbers start at 1, or where it was trimmed or a copy of a shared log began, and have no
 * gap. It stores and proves; it does not understand.
 */

/** Where a chain of entries stands. */
export interface ChainLink {
  /** The sequence number that the next entry starts with. */
  readonly nextSeq: number;
  readonly hash: string;
}

/** One stored entry, as it was appended, with the hash that ties it to every entry before it. */
export interface JournalEntry {
  readonly firstSeq: number;
  /** How many sequence numbers it covers: firstSeq to firstSeq + count - 1. */
  readonly count: number;
  /** The version of what its commands do. */
  readonly rules: number;
  readonly payload: string;
  /** In lower-case hex; chain.ts has its byte layout. */
  readonly hash: string;
}

/** The writing side. There is one per data directory. */
export interface Journal {
  /** Random, given once: shows whether a file beside the journal belongs to it. */
  readonly id: string;
  /** Last durable sequence number, 0 when empty. */
  readonly lastSeq: number;
  /** What its opening found that does not stop it, for the log. */
  readonly notices: readonly string[];
  /**
   * Queues an entry and resolves once it is on disk; entries become durable in the order of the
   * calls. Asserts that `firstSeq` is the next number, `count` is above zero and the queue is not
   * full: a thousand entries fit, or 32 MiB of text. Rejects with a JournalFault 'disk', and so
   * does every later append: only a new process recovers. Without `rules` it is written under this
   * program's.
   */
  append(firstSeq: number, count: number, payload: string, rules?: number): Promise<void>;
  /** Waits for the queued appends, then gives up the directory. Further appends assert. */
  close(): Promise<void>;
}

/** A journal that is this process's alone to shorten. */
export interface OwnJournal extends Journal {
  /** The command that it begins with: above 1 when what was before is gone. */
  readonly firstSeq: number;
  /**
   * Removes the entries that end before `seq`, a few at a time between appends, and never the last
   * one. Resolves with the command that the journal then begins with, which is the same as before
   * where an entry does not continue the chain: nothing that is damaged is removed. A close
   * ends it where it is.
   */
  trim(beforeSeq: number): Promise<number>;
}

/** The reading side: any number of them, in any thread or process, also while it is written. */
export interface JournalReader {
  readonly id: string;
  /** The first command that the chain is keyed from; 0 when it is not. */
  readonly keyedFromSeq: number;
  /** Where it is read from, for messages about what is wrong in it. */
  readonly file: string;
  /**
   * What its first entry follows: the genesis, unless it is a copy that began at a snapshot, or was
   * trimmed. It rises while the journal is trimmed.
   */
  readonly base: ChainLink;
  /** Last durable sequence number as of this call, 0 when empty. */
  lastSeq(): Promise<number>;
  /**
   * Every entry from the one that contains `fromSeq` up to the end, in chunks of one entry or more
   * and bounded in number. `fromSeq` is not below the base. Ends with a JournalFault at the first
   * entry that does not continue the chain; what is before it has been given. Any number of
   * readings may be under way.
   */
  chunks(fromSeq: number): AsyncIterable<readonly JournalEntry[]>;
  /** Rejects with a JournalFault when it lacks what was known as durable at the opening. */
  proveEnd(): Promise<void>;
  /** What the next entry would follow. */
  end(): Promise<ChainLink>;
  close(): Promise<void>;
}

export type JournalFaultKind =
  /** Sequence numbers are missing before an entry. */
  | 'gap'
  /** An entry repeats sequence numbers of the one before it. */
  | 'out_of_order'
  /** An entry, or one before it, is not what was written. */
  | 'hash_mismatch'
  /** The file is cut off or damaged below the level of entries, or ends before a snapshot. */
  | 'torn_tail'
  /** The file cannot be read or written: missing, full, failing, or of another format. */
  | 'disk'
  /** An entry holds what this program cannot read or apply, though it is what was written. */
  | 'not_understood'
  /** The chain is keyed, and the key is missing or another one. */
  | 'key'
  /** Another process, or another part of this one, has the directory open for writing. */
  | 'in_use';

export interface FaultDetail {
  readonly kind: JournalFaultKind;
  readonly file: string;
  /** The sequence number at which the fault shows, where it has one. */
  readonly seq?: number | undefined;
  readonly reason: string;
}

export class JournalFault extends Error {
  override readonly name = 'JournalFault';
  readonly detail: FaultDetail;

  constructor(detail: FaultDetail, options?: ErrorOptions) {
    const place = detail.seq === undefined ? '' : ` at seq ${detail.seq}`;
    super(`${detail.kind}${place} in ${detail.file}: ${detail.reason}`, options);
    this.detail = detail;
  }

  get kind(): JournalFaultKind {
    return this.detail.kind;
  }

  get seq(): number | undefined {
    return this.detail.seq;
  }
}
