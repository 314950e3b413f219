/** One connection of a private stream: rows are handed on, and a gap in its numbers is counted. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

const PING_INTERVAL_MS = 20_000;
const OPEN_WITHIN_MS = 20_000;

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
  /** Called with the rows of every push; those of a snapshot are what is there now. */
  onRows(topic: string, rows: readonly Row[], isSnapshot: boolean): void;
}

export class PrivateStream {
  readonly #socket: WebSocket;
  readonly #plan: StreamPlan;
  readonly #seqs = new Map<string, number>();
  readonly #following = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #ping: NodeJS.Timeout;
  #closing = false;
  #isSilent = false;
  messagesCount = 0;
  gapsCount = 0;
  /** Why it ended although nobody asked for it; without its address. */
  fault: string | undefined;

  private constructor(plan: StreamPlan) {
    this.#plan = plan;
    this.#socket = new WebSocket(`${plan.url.replace('http', 'ws')}${plan.path}`);
    this.#following.promise.catch(() => undefined);
    this.#socket.on('open', () => {
      this.#socket.send(JSON.stringify(plan.login));
      this.#socket.send(JSON.stringify({ op: 'subscribe', args: plan.topics }));
    });
    this.#socket.on('message', (data) => this.#hear(String(data)));
    this.#socket.on('error', (error) => this.#fail(String(error)));
    this.#socket.on('close', (code, reason) => {
      if (!this.#closing) this.#fail(`closed: ${code} ${reason}`);
      this.#ended.resolve();
    });
    this.#ping = setInterval(() => this.#askForLife(), PING_INTERVAL_MS);
  }

  /**
   * Resolves when each topic has begun with a snapshot: what REST says from then on has its changes
   * in the stream. The confirmation of a subscription comes before that.
   */
  static async open(plan: StreamPlan): Promise<PrivateStream> {
    const stream = new PrivateStream(plan);
    const late = setTimeout(() => stream.#fail('does not begin'), OPEN_WITHIN_MS);
    try {
      await stream.#following.promise;
      return stream;
    } finally {
      clearTimeout(late);
    }
  }

  get url(): string {
    return this.#plan.url;
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
    this.#socket.terminate();
  }

  /** What has been silent since it was asked is not there any more. */
  #askForLife(): void {
    if (this.#isSilent) this.#fail('is silent');
    this.#isSilent = true;
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send('ping');
  }

  #hear(text: string): void {
    this.#isSilent = false;
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
    this.#plan.onRows(topic, rows, action !== 'update');
    if (this.#seqs.size === this.#plan.topics.length) this.#following.resolve();
  }
}
