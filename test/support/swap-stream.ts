/** A client of the contract stream over a real socket, which keeps everything it is told. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { House } from './house.ts';
import { type Credentials, signature } from './signer.ts';

/** A message as it came; which fields it has depends on what it is. */
export interface Message {
  readonly event?: string;
  readonly channel?: string;
  readonly message?: string;
  readonly errorCode?: number;
  readonly table?: string;
  readonly action?: 'partial' | 'update';
  readonly data?: readonly StreamRow[];
  readonly seq?: number;
}

export type StreamRow = Readonly<Record<string, unknown>>;

/** How long a test waits for a message before it says what came instead. */
const PATIENCE_MS = 5_000;

export class SwapStream {
  readonly #socket: WebSocket;
  /** Texts of all messages, oldest first. */
  readonly texts: string[] = [];
  readonly messages: Message[] = [];
  /** Messages before this one have been waited for. */
  #at = 0;
  #heard: () => void = () => undefined;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data, isBinary) => {
      assert.equal(isBinary, false, 'clients inflate whatever is binary');
      const text = String(data);
      this.texts.push(text);
      this.messages.push(text.startsWith('{') ? JSON.parse(text) : { event: text });
      this.#heard();
    });
    this.closed = once(socket, 'close').then(([code, reason]) => {
      this.#heard();
      return { code: Number(code), reason: String(reason) };
    });
  }

  static async open(port: number): Promise<SwapStream> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/v1`);
    const stream = new SwapStream(socket);
    await once(socket, 'open');
    return stream;
  }

  send(message: unknown): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  sendBinary(bytes: Buffer): void {
    this.#socket.send(bytes, { binary: true });
  }

  /** Stops reading, as a client does that is busy with something else. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Ends the connection without a word. */
  breakOff(): void {
    this.#socket.terminate();
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.closed;
  }

  /** The first message from here on that fits; later calls go on after it. */
  async next(what: string, fits: (message: Message) => boolean): Promise<Message> {
    const deadlineMs = performance.now() + PATIENCE_MS;
    for (;;) {
      while (this.#at < this.messages.length) {
        const message = this.messages[this.#at];
        this.#at += 1;
        if (message !== undefined && fits(message)) return message;
      }
      await this.#more(deadlineMs, what);
    }
  }

  /** Waits until a condition holds, looking again whenever a message has come. */
  async until(what: string, holds: () => boolean): Promise<void> {
    const deadlineMs = performance.now() + PATIENCE_MS;
    while (!holds()) await this.#more(deadlineMs, what);
  }

  async #more(deadlineMs: number, what: string): Promise<void> {
    const leftMs = deadlineMs - performance.now();
    const last = this.texts.slice(-5).join('\n');
    assert.ok(leftMs > 0, `waited for ${what}; last came\n${last}`);
    const open = this.#socket.readyState === WebSocket.OPEN;
    assert.ok(open, `closed while waiting for ${what}; last came\n${last}`);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, leftMs);
      this.#heard = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Logs in the way clients do; resolves with the answer. */
  login(house: House, who: Credentials): Promise<Message> {
    this.send({ op: 'login', args: loginArgs(house, who) });
    return this.next('login', ({ event }) => event === 'login' || event === 'error');
  }

  /** Follows channels; resolves once each is acknowledged. */
  async subscribe(...channels: readonly string[]): Promise<void> {
    this.send({ op: 'subscribe', args: channels });
    for (const channel of channels) {
      await this.next(`subscribe ${channel}`, (message) => {
        return message.event === 'subscribe' && message.channel === channel;
      });
    }
  }

  /** The next push of a table. */
  push(table: string): Promise<Message> {
    return this.next(table, (message) => message.table === table);
  }

  /** Every row of a table so far, oldest first. */
  rows(table: string, from = 0): StreamRow[] {
    const pushes = this.messages.slice(from).filter((message) => message.table === table);
    return pushes.flatMap(({ data = [] }) => data);
  }
}

/** Key, passphrase, seconds and signature. */
export function loginArgs(house: House, who: Credentials): string[] {
  const seconds = String(house.clock.nowMs() / 1_000);
  const sign = signature(who.secret, `${seconds}GET/user/verify`);
  return [who.key, who.passphrase, seconds, sign];
}
