/** The two dialects of the streams in one form, so that a fault is tried in both. */
import { strict as assert } from 'node:assert/strict';
import type { Trader } from '../support/house.ts';
import type { Credentials } from '../support/signer.ts';
import { loginMessage, StreamClient, topic } from '../support/streams-client.ts';
import { loginArgs } from '../support/swap-stream.ts';
import type { FaultyHouse } from './faults-house.ts';

/** A message in the words of either dialect. */
export interface SideMessage {
  readonly event?: string;
  readonly code?: number;
  readonly errorCode?: number;
  readonly action?: string;
  readonly seq?: number;
  readonly arg?: { readonly channel: string };
  readonly table?: string;
}

export interface Side {
  readonly stream: 'spot' | 'swap';
  readonly path: string;
  /** Channels: the book with its changes, the best levels, the orders of an account. */
  readonly book: string;
  readonly best: string;
  readonly orders: string;
  argument(channel: string): unknown;
  login(desk: FaultyHouse, who: Credentials): object;
  /** The channel of a push; undefined for what is none. */
  channelOf(message: SideMessage): string | undefined;
  /** An order that rests: one more level in the book, one more message to its owner. */
  order(desk: FaultyHouse, who: Trader, number: number): Promise<unknown>;
}

export const SIDES: readonly Side[] = [
  {
    stream: 'spot',
    path: '/spot/v1/stream',
    book: 'books',
    best: 'books5',
    orders: 'orders',
    argument: (channel) => topic(channel, channel === 'orders' ? 'default' : 'BTCUSDT', 'SP'),
    login: (desk, who) => loginMessage(desk.house, who),
    channelOf: ({ action, arg }) => (action === undefined ? undefined : arg?.channel),
    order: (desk, who, number) => desk.moveBook(who, 2_000_000 + number),
  },
  {
    stream: 'swap',
    path: '/ws/v1',
    book: 'depth',
    best: 'depth5',
    orders: 'order',
    argument: (channel) => `swap/${channel}:cmt_btcusdt`,
    login: (desk, who) => ({ op: 'login', args: loginArgs(desk.house, who) }),
    channelOf: ({ table }) => table?.slice('swap/'.length),
    order: async (desk, who, number) => {
      const { status } = await desk.openLong(who, String(20_000 + number / 2));
      assert.equal(status, 200);
    },
  },
];

/** A client of a stream of the desk. */
export class SideClient {
  readonly client: StreamClient;
  readonly #side: Side;
  readonly #desk: FaultyHouse;

  private constructor(client: StreamClient, side: Side, desk: FaultyHouse) {
    this.client = client;
    this.#side = side;
    this.#desk = desk;
  }

  static async connect(desk: FaultyHouse, side: Side): Promise<SideClient> {
    const url = `http://127.0.0.1:${await desk.house.port()}`;
    return new SideClient(await StreamClient.connect(url, side.path), side, desk);
  }

  get messages(): readonly SideMessage[] {
    return this.client.messages;
  }

  /** Logs in; gives the answer. */
  login(who: Credentials): Promise<SideMessage> {
    this.client.send(this.#side.login(this.#desk, who));
    return this.client.next(({ event }) => event === 'login' || event === 'error', 'login');
  }

  /** Asks to follow a channel; gives the answer. */
  /** A topic that is followed already brings no snapshot. */
  leave(channel: string): void {
    this.client.send({ op: 'unsubscribe', args: [this.#side.argument(channel)] });
  }

  subscribe(channel: string): Promise<SideMessage> {
    this.client.send({ op: 'subscribe', args: [this.#side.argument(channel)] });
    const fits = ({ event }: SideMessage) => event === 'subscribe' || event === 'error';
    return this.client.next(fits, `an answer about ${channel}`);
  }

  /** Follows a channel, from its first push on; gives the number of that. */
  async follow(channel: string): Promise<number> {
    const answer = await this.subscribe(channel);
    assert.equal(answer.event, 'subscribe');
    const first = await this.push(channel);
    return Number(first.seq);
  }

  push(channel: string): Promise<SideMessage> {
    const fits = (message: SideMessage) => this.#side.channelOf(message) === channel;
    return this.client.next(fits, `a push of ${channel}`);
  }

  /** Numbers of the pushes of a channel so far, counted from another number. */
  numbers(channel: string, from = 0): number[] {
    const pushes = this.messages.filter((message) => this.#side.channelOf(message) === channel);
    return pushes.map(({ seq }) => Number(seq) - from);
  }

  /** Waits until a push of the channel has this number. */
  async heard(channel: string, number: number): Promise<void> {
    await this.client.until(() => this.numbers(channel).includes(number), `number ${number}`);
  }

  async ping(): Promise<void> {
    this.client.send('ping');
    await this.client.next(({ event }) => event === 'pong', 'pong');
  }
}

/** The code of a refusal. */
export function codeOf({ event, code, errorCode }: SideMessage): number | undefined {
  return event === 'error' ? (code ?? errorCode) : undefined;
}
