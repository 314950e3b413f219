/** A follower's connection to the leader: sends commands on and hears that the leader is there. */
import { WebSocket } from 'ws';
import { introduce } from './handshake.ts';
import {
  type AnswerRow,
  LINK_BYTES_MAX,
  LINK_PATH,
  NOT_LEADING,
  type QuestionRow,
  type RefusedRow,
  type RequestRow,
  readFromLeader,
  type ToLeader,
} from './link-messages.ts';

export type LinkEnd =
  /** Nothing listens there any more. */
  | 'refused'
  /** It does not lead, or not any more, and says so. */
  | 'not leading'
  | 'broken';

export interface LinkClientOptions {
  /** Of the leader: ws://host:port. */
  readonly url: string;
  readonly secret: string;
  /** Which sender this is. */
  readonly sender: string;
  /** The connection is made, and the leader speaks. */
  readonly onOpen: () => void;
  /** It is there, and so long ago it has heard from the log. */
  readonly onBeat: (contactAgeMs: number) => void;
  readonly onRefused: (rows: readonly RefusedRow[]) => void;
  readonly onAnswers: (rows: readonly AnswerRow[]) => void;
  /** It is over; why, as far as that is known. Called once. */
  readonly onEnd: (why: LinkEnd) => void;
}

const HANDSHAKE_TIMEOUT_MS = 1_000;

export class LinkClient {
  readonly #options: LinkClientOptions;
  readonly #closing = new AbortController();
  #socket: WebSocket | undefined;
  #isRefused = false;
  #isOpen = false;

  constructor(options: LinkClientOptions) {
    this.#options = options;
    const { url, secret, sender } = options;
    const target = `${LINK_PATH}?sender=${encodeURIComponent(sender)}`;
    const timeout = AbortSignal.timeout(HANDSHAKE_TIMEOUT_MS);
    const signal = AbortSignal.any([this.#closing.signal, timeout]);
    introduce(url, secret, `GET ${target}`, signal).then(
      (authorization) => this.#connect(`${url}${target}`, authorization),
      (error: unknown) => options.onEnd(isRefusal(error) ? 'refused' : 'broken'),
    );
  }

  #connect(address: string, authorization: string): void {
    const { onEnd } = this.#options;
    if (this.#closing.signal.aborted) {
      onEnd('broken');
      return;
    }
    const socket = new WebSocket(address, {
      headers: { authorization },
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      maxPayload: LINK_BYTES_MAX,
      perMessageDeflate: false,
    });
    socket.on('error', (error) => {
      this.#isRefused = isRefusal(error);
      socket.terminate();
    });
    socket.on('message', (data) => this.#hear(String(data)));
    socket.once('close', (code) => {
      this.#isOpen = false;
      if (this.#isRefused) onEnd('refused');
      else onEnd(code === NOT_LEADING ? 'not leading' : 'broken');
    });
    this.#socket = socket;
  }

  /** Whether what is sent now goes to a leader. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  send(rows: readonly RequestRow[]): void {
    this.#send(['do', rows]);
  }

  ask(rows: readonly QuestionRow[]): void {
    this.#send(['ask', rows]);
  }

  #send(message: ToLeader): void {
    if (this.#isOpen) this.#socket?.send(JSON.stringify(message));
  }

  close(): void {
    this.#closing.abort();
    this.#socket?.terminate();
  }

  #hear(text: string): void {
    const message = readFromLeader(text);
    if (message === undefined) {
      this.#socket?.terminate();
      return;
    }
    if (message[0] === 'refused') this.#options.onRefused(message[1]);
    else if (message[0] === 'answers') this.#options.onAnswers(message[1]);
    else {
      this.#options.onBeat(message[3]);
      // A member that does not lead closes without a word.
      if (!this.#isOpen) {
        this.#isOpen = true;
        this.#options.onOpen();
      }
    }
  }
}

/** Nothing listens there. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}
