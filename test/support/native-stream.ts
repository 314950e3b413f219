/** A client of the house's own stream over a real socket, which keeps all it is sent. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type Clock, present } from '#kernel';
import type { House } from './house.ts';
import { type Credentials, signature } from './signer.ts';

export type Row = Readonly<Record<string, string | null>>;

export interface Message {
  readonly id?: string | number;
  /** Of an answer, or of a push. */
  readonly data?: unknown;
  readonly error?: { readonly kind: string; readonly message: string; readonly hint: string };
  readonly retryAfter?: number;
  readonly channel?: string;
  readonly type?: 'snapshot' | 'update';
  readonly seq?: number;
  readonly previous?: number;
  readonly time?: number;
}

/** What the account channel sends. */
export interface AccountData {
  readonly balances: readonly Row[];
  readonly settings: readonly Row[];
  readonly positions: readonly Row[];
  readonly orders: readonly Row[];
  readonly triggers: readonly Row[];
  readonly fills: readonly Row[];
}

/** How long a test waits for a message before it says what came instead. */
const PATIENCE_MS = 15_000;

const NATIVE_PATH = '/v1/ws';

export class NativeStream {
  readonly socket: WebSocket;
  readonly messages: Message[] = [];
  readonly gone: Promise<{ readonly code: number; readonly reason: string }>;
  /** Messages before this one have been waited for. */
  #at = 0;
  #lastId = 0;
  #arrived: (() => void)[] = [];

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.gone = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        resolve({ code, reason: String(reason) });
        this.#wake();
      });
    });
    socket.on('message', (data, isBinary) => {
      assert.equal(isBinary, false, 'text messages only');
      this.messages.push(JSON.parse(String(data)));
      this.#wake();
    });
  }

  /** Rejects where the handshake is refused. */
  static async open(
    port: number,
    headers: Readonly<Record<string, string>> = {},
    query = '',
  ): Promise<NativeStream> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${NATIVE_PATH}${query}`, { headers });
    const stream = new NativeStream(socket);
    await once(socket, 'open');
    return stream;
  }

  static async at(house: House): Promise<NativeStream> {
    return NativeStream.open(await house.port());
  }

  send(message: object | string | Buffer): void {
    const isRaw = typeof message === 'string' || Buffer.isBuffer(message);
    this.socket.send(isRaw ? message : JSON.stringify(message));
  }

  /** Sends a frame under an id of its own and resolves with its answer. */
  ask(op: string, fields: object = {}): Promise<Message> {
    this.#lastId += 1;
    const id = `ask-${this.#lastId}`;
    this.send({ id, op, ...fields });
    return this.until(`the answer to ${op}`, () => this.messages.find((one) => one.id === id));
  }

  /** As ask, of what must be done: its data. */
  async done<T = Record<string, unknown>>(op: string, fields: object = {}): Promise<T> {
    const answer = await this.ask(op, fields);
    assert.equal(answer.error, undefined, JSON.stringify(answer.error));
    return answer.data as T;
  }

  /** As ask, of what must be refused: the kind. */
  async refused(op: string, fields: object = {}): Promise<string> {
    const { data, error } = await this.ask(op, fields);
    assert.equal(data, undefined, JSON.stringify(data));
    return present(error, 'error').kind;
  }

  /** A call of an endpoint. */
  call(method: string, path: string, input: object = {}): Promise<Message> {
    return this.ask('call', { method, path, input });
  }

  login(house: { readonly clock: Pick<Clock, 'nowMs'> }, who: Credentials): Promise<Message> {
    return this.ask('login', loginFields(house, who));
  }

  /** Logs in and follows the account; with the answer to the subscription. */
  async follow(house: House, who: Credentials, since?: number): Promise<{ resumed?: boolean }> {
    assert.equal((await this.login(house, who)).error, undefined);
    return this.done('subscribe', {
      channels: ['account'],
      ...(since === undefined ? {} : { since }),
    });
  }

  /** The next message of a channel. */
  async push(channel: string): Promise<Message> {
    return this.until(`a message of ${channel}`, () => {
      while (this.#at < this.messages.length) {
        const message = present(this.messages[this.#at], 'message');
        this.#at += 1;
        if (message.channel === channel) return message;
      }
      return undefined;
    });
  }

  pushes(channel: string): readonly Message[] {
    return this.messages.filter((message) => message.channel === channel);
  }

  /** Resolves with what is found, looked for whenever a message arrives. */
  async until<T>(what: string, find: () => T | undefined): Promise<T> {
    const deadlineMs = performance.now() + PATIENCE_MS;
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (this.socket.readyState === WebSocket.CLOSED) throw this.#vain(what);
      await this.#arrival(deadlineMs, what);
    }
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.gone;
  }

  #wake(): void {
    for (const wake of this.#arrived.splice(0)) wake();
  }

  #vain(what: string): Error {
    const last = JSON.stringify(this.messages.slice(-3)).slice(0, 600);
    return new Error(`waited in vain for ${what}; last heard: ${last}`);
  }

  #arrival(deadlineMs: number, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const leftMs = Math.max(0, deadlineMs - performance.now());
      const timer = setTimeout(() => reject(this.#vain(what)), leftMs);
      this.#arrived.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/** The fields of a right login. */
export function loginFields(
  { clock }: { readonly clock: Pick<Clock, 'nowMs'> },
  { key, secret, passphrase }: Credentials,
) {
  const time = String(clock.nowMs());
  return { key, passphrase, time, signature: signature(secret, `${time}LOGIN${NATIVE_PATH}`) };
}

/** A copy of an account, kept by what its channel says. */
export class AccountCopy {
  readonly orders = new Map<string, Row>();
  readonly triggers = new Map<string, Row>();
  readonly ended: Row[] = [];
  readonly fills: Row[] = [];
  seq = -1;
  /** Positions of the last message. */
  lastPositions: readonly Row[] = [];
  #balances = new Map<string, Row>();
  #settings = new Map<string, Row>();
  #positions = new Map<string, Row>();

  /** Takes in a message; asserts that none is missing before it. */
  take({ type, seq = -1, previous, data }: Message): void {
    if (type === 'snapshot') this.#clear();
    else assert.equal(previous, this.seq, 'a message is missing');
    assert.ok(type === 'snapshot' || seq > this.seq);
    this.seq = seq;
    const { balances, settings, positions, orders, triggers, fills } = data as AccountData;
    for (const row of settings) this.#settings.set(present(row.symbol, 'symbol'), row);
    this.lastPositions = positions;
    for (const row of balances) this.#balances.set(`${row.wallet} ${row.coin}`, row);
    for (const row of positions) this.#position(row);
    for (const row of orders) this.#order(row);
    for (const row of triggers) {
      const id = present(row.id, 'id');
      if (row.closedTime === null) this.triggers.set(id, row);
      else this.triggers.delete(id);
    }
    this.fills.push(...fills);
  }

  get balances(): readonly Row[] {
    return sorted(this.#balances.values());
  }

  get settings(): readonly Row[] {
    return sorted(this.#settings.values());
  }

  get positions(): readonly Row[] {
    return sorted(this.#positions.values());
  }

  get openOrders(): readonly Row[] {
    return sorted(this.orders.values());
  }

  #clear(): void {
    const maps = [this.orders, this.triggers, this.#balances, this.#settings, this.#positions];
    for (const map of maps) map.clear();
  }

  #position(row: Row): void {
    const key = `${row.symbol} ${row.side}`;
    if (row.size === '0') this.#positions.delete(key);
    else this.#positions.set(key, row);
  }

  #order(row: Row): void {
    const id = present(row.id, 'id');
    if (row.closedTime === null) {
      this.orders.set(id, row);
      return;
    }
    this.orders.delete(id);
    this.ended.push(row);
  }
}

/** In an order that does not depend on where they came from. */
export function sorted(rows: Iterable<Row>): readonly Row[] {
  const texts = [...rows].map((row) => JSON.stringify(row)).sort();
  return texts.map((text) => JSON.parse(text));
}
