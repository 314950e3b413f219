/** A private stream that stays open: rows are handed on, and a gap in its numbers is counted. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

const PING_INTERVAL_MS = 20_000;

export type Row = Readonly<Record<string, unknown>>;

interface Message {
  readonly event?: string;
  readonly table?: string;
  readonly arg?: { readonly channel: string };
  readonly action?: string;
  readonly data?: readonly Row[];
  readonly seq?: number;
}

export interface StreamPlan {
  /** As in http://127.0.0.1:8787. */
  readonly url: string;
  readonly path: string;
  readonly login: object;
  readonly topics: readonly unknown[];
  /** Told the rows of every push with the name of their topic. */
  onRows(topic: string, rows: readonly Row[]): void;
}

export class PrivateStream {
  readonly #socket: WebSocket;
  readonly #plan: StreamPlan;
  readonly #seqs = new Map<string, number>();
  readonly #following = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #ping: NodeJS.Timeout;
  #closing = false;
  messagesCount = 0;
  gapsCount = 0;
  /** Why it ended although nobody asked for it. */
  fault: string | undefined;

  private constructor(plan: StreamPlan) {
    this.#plan = plan;
    this.#socket = new WebSocket(`${plan.url.replace('http', 'ws')}${plan.path}`);
    this.#socket.on('message', (data) => this.#hear(String(data)));
    this.#socket.on('error', (error) => this.#fail(String(error)));
    this.#socket.on('close', (code, reason) => {
      this.#ended.resolve();
      if (!this.#closing) this.#fail(`closed: ${code} ${reason}`);
    });
    this.#ping = setInterval(() => this.#socket.send('ping'), PING_INTERVAL_MS);
  }

  /**
   * Resolves when each topic has begun with a snapshot: what REST says from then on has its changes
   * in the stream. The confirmation of a subscription comes before that.
   */
  static async open(plan: StreamPlan): Promise<PrivateStream> {
    const stream = new PrivateStream(plan);
    await Promise.race([once(stream.#socket, 'open'), stream.#following.promise]);
    stream.#socket.send(JSON.stringify(plan.login));
    stream.#socket.send(JSON.stringify({ op: 'subscribe', args: plan.topics }));
    await stream.#following.promise;
    return stream;
  }

  /** Resolves when the connection is over, whoever has ended it. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#ping);
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  #fail(reason: string): void {
    clearInterval(this.#ping);
    this.fault ??= `${this.#plan.path} ${reason}`;
    this.#following.reject(new Error(this.fault));
  }

  #hear(text: string): void {
    if (text === 'pong') return;
    const message: Message = JSON.parse(text);
    if (message.event === 'error') this.#fail(text);
    if (message.data !== undefined) this.#push(message, message.data);
  }

  #push({ table, arg, action, seq }: Message, rows: readonly Row[]): void {
    this.messagesCount += 1;
    const topic = table ?? arg?.channel ?? '';
    const before = this.#seqs.get(topic);
    const follows = action === 'update' ? before !== undefined && seq === before + 1 : !before;
    if (!follows || seq === undefined) this.gapsCount += 1;
    this.#seqs.set(topic, seq ?? 0);
    this.#plan.onRows(topic, rows);
    if (this.#seqs.size === this.#plan.topics.length) this.#following.resolve();
  }
}
