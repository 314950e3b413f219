/**
 * What a dialect of the streams is: how clients ask and what they receive. The core owns sockets,
 * limits, logins and topics, and knows what happens to an account; a dialect owns messages, public
 * feeds and how an account is written.
 */
import type { AccountId, Event, InstrumentId, Listings, Refused } from '#domain';
import type { StreamName } from '../faults/armed-rule.ts';
import type { Credentials } from '../plugins/auth.ts';
import type { AccountWriter } from './account-feeds.ts';

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

export interface StreamDialect {
  /** Where clients connect to, as in /spot/v1/stream. */
  readonly path: string;
  readonly stream: StreamName;
  /** What a client signs to log in, as if it had called it with GET. */
  readonly loginTarget: string;
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
  /** How the private feeds of an account are written, as long as one has a subscriber. */
  openAccount(accountId: AccountId): AccountWriter;
  /**
   * Accounts that an event concerns in this dialect, one perhaps twice; 'many' for what is about no
   * single account: each account's writer then says whether it is touched.
   */
  accountsOf(event: Event, listings: Listings): readonly AccountId[] | 'many';
}
