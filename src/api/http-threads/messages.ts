/**
 * What the market thread and its HTTP threads say to each other, in batches of one turn of the
 * event loop. An HTTP thread numbers its connections, and the requests of all of them.
 */
import type { Certificate } from '../listeners.ts';

/** What an HTTP thread is given at its start. */
export interface ThreadTerms {
  readonly tls: Certificate | undefined;
  /** Whether requests take turns, which bounds what one connection asks ahead. */
  readonly hasTurns: boolean;
  /** What may leave HTTP. */
  readonly streamPaths: readonly string[];
  readonly bodyBytesMax: number;
  /** Where it notes every half second how many milliseconds it is behind. */
  readonly lagMs: Int32Array;
}

/** Name, value, name, value of header fields, each on a line of its own. */
type FieldLines = string;

/** What a request asks for. */
export type RequestHead = readonly [method: string, target: string, fields: FieldLines];

/**
 * A request. Names of fields would be most of what it costs to hand over, and of these two kinds
 * there are as many as of all others together.
 */
export type Arrived = [
  connection: number,
  exchange: number,
  head: RequestHead,
  /** One byte a letter; undefined while it has not come. */
  body: string | undefined,
];

/** A whole answer. */
export type Answered = [
  connection: number,
  exchange: number,
  status: number,
  fields: FieldLines,
  body: Payload | undefined,
];

export type FromThread =
  | Arrived
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly error: Error }
  | {
      readonly kind: 'opened';
      readonly connection: number;
      readonly address: string;
      /** False for what a connection carries inside, which was counted before. */
      readonly isOuter: boolean;
    }
  | {
      readonly kind: 'body';
      readonly connection: number;
      readonly exchange: number;
      readonly body: string;
    }
  /** The parts of an answer that went out so far have left. */
  | { readonly kind: 'drained'; readonly connection: number; readonly exchange: number }
  | {
      readonly kind: 'upgrade';
      readonly connection: number;
      readonly head: RequestHead;
      readonly bytes: string;
    }
  /** What a connection carries that has left HTTP, one byte a letter. */
  | { readonly kind: 'bytes'; readonly connection: number; readonly bytes: string }
  | { readonly kind: 'written' | 'ended' | 'closed'; readonly connection: number }
  | { readonly kind: 'broken'; readonly connection: number; readonly code: string }
  | { readonly kind: 'stopped' };

type Payload = string | Uint8Array;

export type ToThread =
  | Answered
  | {
      readonly kind: 'listen';
      readonly host: string;
      readonly port: number;
      /** Whether others listen there, too. */
      readonly isShared: boolean;
    }
  /** The head of an answer whose body comes in parts. */
  | {
      readonly kind: 'begin';
      readonly connection: number;
      readonly exchange: number;
      readonly status: number;
      readonly fields: FieldLines;
    }
  | {
      readonly kind: 'part';
      readonly connection: number;
      readonly exchange: number;
      readonly body: Payload | undefined;
      readonly isLast: boolean;
    }
  | { readonly kind: 'bytes'; readonly connection: number; readonly bytes: Uint8Array }
  /** So many letters of what a connection carries were taken. */
  | { readonly kind: 'taken'; readonly connection: number; readonly count: number }
  | { readonly kind: 'end' | 'destroy'; readonly connection: number }
  | { readonly kind: 'words'; readonly connection: number; readonly text: string }
  | { readonly kind: 'stop' | 'closeAll' };

/** Messages of one turn, which leave together at its end. */
export class Batch<Message> {
  /** Which turn it is: a message that was added in this one has not left. */
  turn = 0;
  #messages: Message[] = [];
  readonly #later: (flush: () => void) => void;
  readonly #post: (messages: readonly Message[]) => void;

  /** `later` is when a turn ends; nothing of it may be lost. */
  constructor(later: (flush: () => void) => void, post: (messages: readonly Message[]) => void) {
    this.#later = later;
    this.#post = post;
  }

  add(message: Message): void {
    if (this.#messages.push(message) === 1) this.#later(this.#flush);
  }

  readonly #flush = (): void => {
    const messages = this.#messages;
    this.#messages = [];
    this.turn += 1;
    this.#post(messages);
  };
}
