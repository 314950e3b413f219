/**
 * What a dialect of the streams is: how clients ask and what they receive. The core owns sockets,
 * limits, logins and topics; a dialect owns messages, public feeds and the private folds.
 */
import type { AccountId, Event, InstrumentId, Refused, StateReader, Step } from '#domain';
import { present } from '#kernel';
import type { StreamName } from '../faults/armed-rule.ts';
import type { Credentials } from '../plugins/auth.ts';

/** A snapshot says all there is to know now; an update says what changed since the last message. */
export type PushAction = 'snapshot' | 'update';

/**
 * What a subscriber asked for, in his own spelling. Every message of one spelling is encoded once,
 * however many follow it.
 */
export interface Topic {
  /** As the dialect echoes it: subscriptions with the same text are the same. */
  readonly spelling: string;
  /** Names what is followed, without spelling, as in books/3 or orders. */
  readonly feed: string;
  /** The channel as it is documented, whatever the market and the spelling. */
  readonly channel: string;
  readonly isPrivate: boolean;
}

/** Why the connection refuses a message or a part of it. */
export type StreamFault =
  | 'message_invalid'
  | 'operation_unknown'
  | 'channel_unknown'
  | 'login_needed'
  | 'subscriptions_exceeded'
  | 'maintenance';

export interface StreamRefusal {
  readonly kind: 'refusal';
  readonly fault: StreamFault;
  /** What was wrong with it, for a person. */
  readonly detail: string;
}

/** One text message of a client. */
export type ClientMessage =
  | { readonly kind: 'ping'; readonly answer: string }
  | { readonly kind: 'login'; readonly login: Credentials }
  | { readonly kind: 'subscribe'; readonly topics: readonly (Topic | StreamRefusal)[] }
  | { readonly kind: 'unsubscribe'; readonly topics: readonly (Topic | StreamRefusal)[] }
  | StreamRefusal;

/** A public feed, shared by all its subscribers. Texts are the `data` of a push, as JSON. */
export interface PublicFeed {
  /** The feed is asked for an update after steps that touch this market. */
  readonly instrumentId: InstrumentId;
  /** True for a feed that is not held back to the update interval, such as trades. */
  readonly isPrompt: boolean;
  /** All there is to know, as of the last update; undefined while there is nothing to show. */
  snapshot(): string | undefined;
  /** What changed since the last call, with the action to push it under; undefined for nothing. */
  update(): { readonly action: PushAction; readonly data: string } | undefined;
}

/** Rows of a private snapshot, to be encoded one by one; their content is fixed. */
export interface SnapshotRows {
  readonly count: number;
  /** The JSON of a row, counted from zero. */
  readonly row: (at: number) => string;
}

/** The rows of items that do not change any more. */
export function rowsOf<T>(items: readonly T[], write: (item: T) => string): SnapshotRows {
  return { count: items.length, row: (at) => write(present(items[at], 'row of a snapshot')) };
}

/** Publishes to the subscribers of a private feed of the account: at once, never conflated. */
export type PublishPrivate = (feed: string, action: PushAction, data: string) => void;

/**
 * One account as its owner follows it, folded from released steps. It exists while a client is
 * subscribed to a private feed of the account in the dialect.
 */
export interface AccountFold {
  /** The snapshot of a private feed as of the last event applied; undefined for none. */
  snapshot(feed: string): SnapshotRows | undefined;
  /** Takes in the next event of the account and publishes what it changed. */
  apply(event: Event, step: Step): void;
  /** After the last event of a step that had one of the account. */
  endStep(step: Step): void;
  /** The account has no subscriber any more: this is the last call. */
  close?(): void;
}

export interface Dialect {
  /** Where clients connect to, as in /spot/v1/stream. */
  readonly path: string;
  readonly stream: StreamName;
  /** Reads a text message. Never throws. */
  read(text: string): ClientMessage;
  subscribed(topic: Topic): string;
  unsubscribed(topic: Topic): string;
  loggedIn(): string;
  /** A refused login; the connection is closed after it. `reject` is that of REST. */
  loginRefused(refused: Refused): string;
  refused(refusal: StreamRefusal): string;
  /** The text of a push. `seq` counts the messages of its feed: an update follows seq - 1. */
  push(topic: Topic, action: PushAction, data: string, seq: number): string;
  /** Opens a public feed; called at its first subscription. */
  openFeed(feed: string): PublicFeed;
  /**
   * Starts the fold of an account from the venue's state. It must take what it needs inside the
   * call; the core applies every step after `state.seq`, each once and in order.
   */
  openAccount(accountId: AccountId, state: StateReader, publish: PublishPrivate): AccountFold;
  /** Accounts that an event concerns in this dialect; the same one twice is applied once. */
  accountsOf(event: Event): readonly AccountId[];
}
