/**
 * What the shared log needs of a replicated store: keys in order, one revision per write, a
 * transaction that compares before it writes, watches, and keys that expire. All it does with it
 * is in this folder; a store is an adapter.
 */
import type { LogRoom } from '../shared-log.ts';

export interface Stored {
  readonly key: string;
  readonly value: string;
  /** The revision of the write that made the key, and of the last one. */
  readonly createRevision: number;
  readonly modRevision: number;
}

/** Keys from `from` up to but not including `end`, in the order of their characters. */
export interface KeyRange {
  readonly from: string;
  readonly end: string;
}

export interface Query extends KeyRange {
  /** All without it. */
  readonly limit?: number | undefined;
  /** The last ones of the range first. The store looks at all of it: only for short ranges. */
  readonly isReversed?: boolean | undefined;
  /** The values come back empty. */
  readonly isKeysOnly?: boolean | undefined;
  /** Only what was written at this revision or later. */
  readonly minRevision?: number | undefined;
}

/** Holds when the key's last write, or the one that made it, is this; 0 when there is no key. */
export interface Comparison {
  readonly key: string;
  readonly of: 'mod' | 'create';
  readonly revision: number;
}

export type Operation =
  | {
      readonly kind: 'put';
      readonly key: string;
      readonly value: string;
      readonly lease?: number | undefined;
    }
  | { readonly kind: 'delete'; readonly range: KeyRange }
  | { readonly kind: 'get'; readonly query: Query };

/** At least one operation: etcd answers one without from what a member happens to know. */
export interface Transaction {
  /** Empty: it holds. */
  readonly when: readonly Comparison[];
  /** What is done when all of it holds. */
  readonly write: readonly Operation[];
  /** What is read when it does not. */
  readonly otherwise?: readonly Operation[];
}

export interface Outcome {
  /** Whether all comparisons held. */
  readonly held: boolean;
  /** The store's revision after it. */
  readonly revision: number;
  /** What each `get` of the branch has found, in order. */
  readonly found: readonly (readonly Stored[])[];
}

export type Change =
  | { readonly kind: 'put'; readonly stored: Stored }
  | { readonly kind: 'delete'; readonly key: string };

export interface WatchFrom {
  readonly range: KeyRange;
  /** The first revision whose changes are wanted. */
  readonly revision: number;
  readonly signal: AbortSignal;
  /** Where news is looked for when the watch has been silent: the range, or what is left of it. */
  readonly expected: () => KeyRange;
}

/**
 * Every method but `watch` makes one attempt and rejects with a StoreFault; the next attempt may
 * be sent elsewhere. Reads are linearizable.
 */
export interface Store {
  readonly place: string;
  /** As contactMs of the shared log. */
  readonly contactMs: number;
  readonly timing: Timing;
  transact(transaction: Transaction, timeoutMs: number): Promise<Outcome>;
  /**
   * The changes of a range, a revision never split, in order. Goes on by itself after a lost or
   * stalled connection; what was given once may come again then. Rejects with `compacted` when the
   * changes asked for are gone; ends when the signal says so.
   */
  watch(from: WatchFrom): AsyncIterable<readonly Change[]>;
  /** Forgets what keys were before this revision. Nothing happens when that is done already. */
  compact(revision: number, timeoutMs: number): Promise<void>;
  /** Rejects with `denied` where the store does not tell. */
  room(timeoutMs: number): Promise<LogRoom>;
  /** A lease that ends in so many seconds unless it is kept. Gives its id. */
  grant(seconds: number, timeoutMs: number): Promise<number>;
  /** False when it has ended, and its keys with it. */
  keep(lease: number, timeoutMs: number): Promise<boolean>;
  revoke(lease: number, timeoutMs: number): Promise<void>;
  close(): void;
}

/** Time as a store's owner has it; a simulation has another one. */
export interface Timing {
  monotonicMs(): number;
  /** Resolves early, and without a fault, when the signal is given. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export type StoreFaultKind =
  /** It may have happened or not: no answer, or one that does not say. Worth another attempt. */
  | 'unknown'
  /** It has not happened, and would not at another attempt: no room. */
  | 'full'
  /** It has not happened, and would not: not accepted. */
  | 'denied'
  | 'compacted'
  | 'closed';

export class StoreFault extends Error {
  override readonly name = 'StoreFault';
  readonly kind: StoreFaultKind;

  constructor(kind: StoreFaultKind, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.kind = kind;
  }
}
