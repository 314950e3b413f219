/**
 * What a dialect of the streams is: how clients ask and what they receive. The core owns sockets,
 * limits, logins and topics, and knows what happens to an account; a dialect owns messages, public
 * feeds and how an account is written.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { AccountId, Event, InstrumentId, Listings, Refused } from '#domain';
import type { Authenticated, KeyDoor, KeyUse } from '../plugins/auth.ts';
import type { RefusalForm } from '../refusal-form.ts';
import type { AccountWriter } from './account-feeds.ts';
import type { SocketCall } from './call-frames.ts';
import type { ConnectionLimits } from './limits.ts';

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
  /** The id of the request that is refused, as JSON; absent when it had none. */
  readonly requestId?: string | undefined;
  /** Why, in the venue's terms, where its dialect knows it. */
  readonly refused?: Refused;
}

/** What is done for all of its topics or for none, and gets one answer. */
export interface WholeRequest {
  readonly kind: 'request';
  readonly wants: 'subscribe' | 'unsubscribe';
  readonly topics: readonly Topic[];
  /** As JSON, to be repeated by a refusal; undefined when the client gave none. */
  readonly requestId: string | undefined;
  /** Where private topics of changes are to go on: behind the message with this `seq`. */
  readonly since?: number | undefined;
  /**
   * What the client is sent when it is done; `isResumed` says whether what is private goes on where
   * it was asked to, without a snapshot.
   */
  answer(isResumed: boolean): string;
}

/** A login as its dialect has read it. */
export interface LoginAttempt {
  /** The key that is shown, which may be unknown. */
  readonly key: string;
  /** Whose key it is, where that may read. */
  check(
    caller: Pick<KeyUse, 'address' | 'nowMs'>,
    keys: KeyDoor,
  ): Authenticated | Promise<Authenticated>;
}

/** One message of a client. */
export type ClientMessage =
  | { readonly kind: 'ping'; readonly answer: string }
  /** Nothing but a sign of life. */
  | { readonly kind: 'pong' }
  | {
      readonly kind: 'login';
      readonly login: LoginAttempt;
      /** As JSON, to be repeated by the answer; absent where none is given or repeated. */
      readonly requestId?: string | undefined;
    }
  | { readonly kind: 'subscribe'; readonly topics: readonly (Topic | StreamRefusal)[] }
  | { readonly kind: 'unsubscribe'; readonly topics: readonly (Topic | StreamRefusal)[] }
  | WholeRequest
  | SocketCall
  | StreamRefusal;

/** Where clients connect to, as in /spot/v1/stream; one that ends in /* has anything below it. */
export interface StreamPath {
  readonly path: string;
  /** How the Host header begins, of a path that several streams share; absent for all others. */
  readonly hostPrefix?: string;
}

/** Clients log in by a message, at any time. */
export interface MessageLogin {
  readonly by: 'message';
  done(requestId?: string): string;
  /** A refused login; the connection is closed after it. */
  refused(refused: Refused, requestId?: string): string;
}

/** Clients log in by the headers of their handshake, or are refused before the upgrade. */
export interface HeaderLogin {
  readonly by: 'headers';
  read(headers: IncomingHttpHeaders): LoginAttempt;
}

/** A public feed, shared by all its subscribers. Texts are the `data` of a push, as JSON. */
export interface PublicFeed {
  /** The feed is asked for an update after steps that touch this market; without one, any. */
  readonly instrumentId: InstrumentId | undefined;
  /** Least time between two updates, where it is not that of all feeds. */
  readonly updateIntervalMs?: number;
  /** True for a feed that is not held back to the update interval, such as trades. */
  readonly isPrompt: boolean;
  /** All there is to know, as of the last update; undefined while there is nothing to show. */
  snapshot(): string | undefined;
  /** What changed since the last call, with the action to push it under; undefined for nothing. */
  update(): { readonly action: PushAction; readonly data: string } | undefined;
}

/** Where a message of a private topic stands that is numbered by steps. */
export interface StepPlace {
  /** The number of the message before it, or of the snapshot; no change lies in between. */
  readonly previous: number;
  readonly timeMs: number;
}

export interface StreamDialect {
  /** The first one names it among all streams. */
  readonly paths: readonly [StreamPath, ...StreamPath[]];
  /** What fault rules call it, as in spot. */
  readonly stream: string;
  /** Where its bounds are others than STREAM_LIMITS. */
  readonly limits?: Partial<ConnectionLimits>;
  /** Undefined where nothing private is to be had. */
  readonly login: MessageLogin | HeaderLogin | undefined;
  /** The answer to a handshake that is refused; without it, the status of REST and no body. */
  handshakeRefused?(refused: Refused, nowMs: number): RefusalForm;
  /** What a client asks by the target it connects to, as if it were its first message. */
  opened?(target: string): ClientMessage | undefined;
  /** The first message to a client. `connectionId` is one of a kind. */
  greeting?(connectionId: string, nowMs: number): string;
  /** What a client is sent now and then to show that the venue is there. */
  ping?(nowMs: number): string;
  /** Reads a text message. Never throws. */
  read(text: string): ClientMessage;
  /** What becomes of a binary message, read as text; without it, it closes the connection. */
  readBinary?(text: string): ClientMessage;
  /** Confirm a topic of a message that is no whole request. */
  subscribed?(topic: Topic): string;
  unsubscribed?(topic: Topic): string;
  refused(refusal: StreamRefusal): string;
  /** Whether one who subscribes again to what he follows is sent another snapshot. */
  readonly repeatsSnapshots?: boolean;
  /**
   * The text of a push. `seq` counts the messages of its feed: an update follows seq - 1. Where
   * private feeds are of changes only, it counts those of the whole account; where they are
   * resumable, it is the step of the change, and `place` says which message came before.
   */
  push(topic: Topic, action: PushAction, data: string, seq: number, place?: StepPlace): string;
  /** Opens a public feed; called at its first subscription. */
  openFeed(feed: string): PublicFeed;
  /**
   * Private feeds begin with what there is, or send nothing until something changes. Resumable ones
   * begin with what there is unless they can go on where their reader was.
   */
  readonly privateFeeds: 'snapshot_first' | 'changes_only' | 'resumable';
  /** How the private feeds of an account are written, as long as one has a subscriber. */
  openAccount(accountId: AccountId): AccountWriter;
  /**
   * Accounts that an event concerns in this dialect, one perhaps twice; 'many' for what is about no
   * single account: each account's writer then says whether it is touched.
   */
  accountsOf(event: Event, listings: Listings): readonly AccountId[] | 'many';
}
