/** A client of the streams on a real socket, which remembers everything it is told. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type Clock, present } from '#kernel';
import type { House } from './house.ts';
import { type Credentials, signature } from './signer.ts';

/** Long enough for a busy machine; a test that waits this long has failed. */
const PATIENCE_MS = 10_000;

export interface Argument {
  readonly instType: string;
  readonly channel: string;
  readonly instId: string;
}

export interface Message {
  readonly event?: string;
  readonly code?: number;
  readonly msg?: string;
  readonly action?: 'snapshot' | 'update';
  readonly arg?: Argument;
  readonly data?: readonly unknown[];
  readonly seq?: number;
}

export interface Goodbye {
  readonly code: number;
  readonly reason: string;
}

export class StreamClient {
  readonly socket: WebSocket;
  /** Every message in order; one that is not JSON as { event: its text }. */
  readonly messages: Message[] = [];
  readonly gone: Promise<Goodbye>;
  #arrived: (() => void)[] = [];
  #read = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.gone = new Promise((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    socket.on('message', (data, isBinary) => {
      assert.equal(isBinary, false, 'text messages only');
      const text = data.toString();
      this.messages.push(text.startsWith('{') ? JSON.parse(text) : { event: text });
      for (const wake of this.#arrived.splice(0)) wake();
    });
  }

  static async connect(url: string, path = '/spot/v1/stream'): Promise<StreamClient> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`);
    const client = new StreamClient(socket);
    await once(socket, 'open');
    return client;
  }

  /** Connects to a house, which listens from now on. */
  static async at(house: House): Promise<StreamClient> {
    return StreamClient.connect(await urlOf(house));
  }

  send(message: object | string | Buffer): void {
    const isRaw = typeof message === 'string' || Buffer.isBuffer(message);
    this.socket.send(isRaw ? message : JSON.stringify(message));
  }

  subscribe(...args: readonly Argument[]): void {
    this.send({ op: 'subscribe', args });
  }

  /** The first message from here on that fits; earlier ones are passed over. */
  async next(fits: (message: Message) => boolean, what: string): Promise<Message> {
    const deadlineMs = performance.now() + PATIENCE_MS;
    for (;;) {
      while (this.#read < this.messages.length) {
        const message = present(this.messages[this.#read], 'message');
        this.#read += 1;
        if (fits(message)) return message;
      }
      await this.#arrival(deadlineMs, what);
    }
  }

  /** The next message, whatever it is. */
  any(): Promise<Message> {
    return this.next(() => true, 'a message');
  }

  /** The next push of a channel. */
  push(channel: string): Promise<Message> {
    const fits = (message: Message) =>
      message.action !== undefined && message.arg?.channel === channel;
    return this.next(fits, `a push of ${channel}`);
  }

  /** Waits until the condition holds; looked at whenever a message arrives. */
  async until(holds: () => boolean, what: string): Promise<void> {
    const deadlineMs = performance.now() + PATIENCE_MS;
    while (!holds()) await this.#arrival(deadlineMs, what);
  }

  /** Logs in and waits for the confirmation. */
  async login(house: { readonly clock: Clock }, who: Credentials): Promise<void> {
    this.send(loginMessage(house, who));
    const answer = await this.next(({ event }) => event === 'login' || event === 'error', 'login');
    assert.deepEqual(answer, { event: 'login', code: 0 });
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.gone;
  }

  #arrival(deadlineMs: number, what: string): Promise<void> {
    const leftMs = deadlineMs - performance.now();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const last = JSON.stringify(this.messages.slice(-3)).slice(0, 500);
        reject(new Error(`waited in vain for ${what}; last heard: ${last}`));
      }, leftMs);
      this.#arrived.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/** A right login, with changes to make it a wrong one. */
export function loginMessage(
  { clock }: { readonly clock: Clock },
  who: Credentials,
  changes: object = {},
): object {
  const timestamp = String(clock.nowMs() / 1_000);
  const sign = signature(who.secret, `${timestamp}GET/user/verify`);
  const { key: apiKey, passphrase } = who;
  return { op: 'login', args: [{ apiKey, passphrase, timestamp, sign, ...changes }] };
}

/** Where a house is reached; it listens from now on. */
export async function urlOf(house: House): Promise<string> {
  return `http://127.0.0.1:${await house.port()}`;
}

export function topic(channel: string, instId = 'BTCUSDT', instType = 'SP'): Argument {
  return { instType, channel, instId };
}
