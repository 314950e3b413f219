/** What a stream client needs of a dialect of docs/STREAMS.md: words to say and words to read. */
import type { Credential } from './signing.ts';

/** Whose private topics a stream follows: by a message that a key signs, or by a session. */
export type Login =
  | { readonly by: 'key'; readonly credential: Credential }
  | {
      readonly by: 'session';
      readonly accountId: string;
      /** The venue ended the connection, or did not open it: the session may be over. */
      readonly onClosed: () => void;
    };

export interface Topic {
  /** As in books, candle1m, depth, order. */
  readonly channel: string;
  /** Pair or contract as REST names it; 'default' for the private channels of spot. */
  readonly symbol: string;
}

export type Incoming =
  | { readonly kind: 'pong' | 'logged_in' | 'ended' | 'too_many_subscriptions' }
  | { readonly kind: 'confirmed'; readonly key: string }
  | { readonly kind: 'login_refused' | 'refused'; readonly code: string; readonly text: string }
  | Pushed;

export interface Pushed {
  readonly kind: 'push';
  /** The channel alone where no row says of which contract it is: keyOf names the rest. */
  readonly key: string;
  readonly isSnapshot: boolean;
  readonly rows: readonly unknown[];
  readonly seq: number;
}

export interface Dialect {
  readonly path: string;
  isPrivate(topic: Topic): boolean;
  /** One name per topic: channel:symbol as pushes spell it. */
  keyOf(topic: Topic): string;
  write(op: 'subscribe' | 'unsubscribe', topics: readonly Topic[]): string;
  writeLogin(credential: Credential, timestampS: string, signature: string): string;
  read(text: string): Incoming;
}

export const TOO_MANY_SUBSCRIPTIONS = 30006;
