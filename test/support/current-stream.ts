/** A client of the current dialect's streams over a real socket, which keeps all it is sent. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { type Clock, present } from '#kernel';
import type { House } from './house.ts';
import { type Credentials, signature } from './signer.ts';

export type Product = 'spot' | 'contract';
export type Message = Readonly<Record<string, unknown>>;
export type Row = Readonly<Record<string, unknown>>;

/** How long a test waits for a message before it says what came instead. */
const PATIENCE_MS = 10_000;
const SIGNED_PATH = '/v3/ws/private';

/** A handshake that was refused. */
export interface Refusal {
  readonly status: number;
  readonly body: string;
}

export class CurrentStream {
  readonly socket: WebSocket;
  readonly texts: string[] = [];
  readonly messages: Message[] = [];
  readonly gone: Promise<{ readonly code: number; readonly reason: string }>;
  /** Messages before this one have been waited for. */
  #at = 0;
  #requestId = 0;
  #arrived: (() => void)[] = [];

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.gone = new Promise((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
    });
    socket.on('message', (data, isBinary) => {
      assert.equal(isBinary, false, 'text messages only');
      this.texts.push(String(data));
      this.messages.push(JSON.parse(String(data)));
      for (const wake of this.#arrived.splice(0)) wake();
    });
  }

  static async open(
    port: number,
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<CurrentStream> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    const stream = new CurrentStream(socket);
    await once(socket, 'open');
    return stream;
  }

  static async public(house: House, product: Product): Promise<CurrentStream> {
    return CurrentStream.open(await house.port(), `/${product}/v3/ws/public`);
  }

  static async private(house: House, product: Product, who: Credentials): Promise<CurrentStream> {
    const headers = loginHeaders(house, who);
    return CurrentStream.open(await house.port(), `/${product}/v3/ws/private`, headers);
  }

  send(message: object | string | Buffer): void {
    const isRaw = typeof message === 'string' || Buffer.isBuffer(message);
    this.socket.send(isRaw ? message : JSON.stringify(message));
  }

  /** Sends a request and resolves with its answer. */
  request(method: string, ...params: readonly string[]): Promise<Message> {
    this.#requestId += 1;
    // No test that sends anything at all happens upon one of these.
    const id = `request-${this.#requestId}-of-the-client`;
    this.send({ id, method, params });
    return this.next(`the answer to ${method} ${params}`, (message) => message.id === id);
  }

  async subscribe(...params: readonly string[]): Promise<void> {
    const { result, msg } = await this.request('SUBSCRIBE', ...params);
    assert.equal(result, true, String(msg));
  }

  /** The first message from here on that fits; those before it are passed over. */
  async next(what: string, fits: (message: Message) => boolean): Promise<Message> {
    const deadlineMs = performance.now() + PATIENCE_MS;
    for (;;) {
      while (this.#at < this.messages.length) {
        const message = present(this.messages[this.#at], 'message');
        this.#at += 1;
        if (fits(message)) return message;
      }
      await this.#arrival(deadlineMs, what);
    }
  }

  /** The next message of an event. */
  event(name: string): Promise<Message> {
    return this.next(name, ({ e }) => e === name);
  }

  /** Waits until the condition holds; looked at whenever a message arrives. */
  async until(what: string, holds: () => boolean): Promise<void> {
    const deadlineMs = performance.now() + PATIENCE_MS;
    while (!holds()) await this.#arrival(deadlineMs, what);
  }

  /** Every row of an event so far, oldest first. */
  rows(name: string): Row[] {
    return this.messages.filter(({ e }) => e === name).flatMap(({ d }) => d as Row[]);
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.gone;
  }

  #arrival(deadlineMs: number, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const last = this.texts.slice(-3).join('\n').slice(0, 800);
        reject(new Error(`waited in vain for ${what}; last came\n${last}`));
      }, deadlineMs - performance.now());
      this.#arrived.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/** The headers that log a private stream in, with changes to make them wrong. */
export function loginHeaders(
  house: { readonly clock: Clock },
  { key, secret, passphrase }: Credentials,
  changes: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const timestamp = String(house.clock.nowMs());
  return {
    'ACCESS-KEY': key,
    'ACCESS-PASSPHRASE': passphrase,
    'ACCESS-TIMESTAMP': timestamp,
    'ACCESS-SIGN': signature(secret, timestamp + SIGNED_PATH),
    ...changes,
  };
}

/** What a handshake is answered that must be refused. */
export async function refusedHandshake(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Refusal> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  socket.on('error', () => undefined);
  const [, response]: [unknown, IncomingMessage] = await new Promise((resolve, reject) => {
    socket.once('unexpected-response', (...answer) => resolve(answer));
    socket.once('open', () => reject(new Error(`${path} let a client in`)));
  });
  let body = '';
  for await (const part of response) body += part;
  return { status: present(response.statusCode, 'status'), body };
}
