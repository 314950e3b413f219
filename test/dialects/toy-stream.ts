/**
 * The socket of the toy dialect: trades by the name in its path or query, the orders of who has
 * logged in, and calls of its endpoints in frames.
 */
import {
  type AccountWriter,
  type CallOutcome,
  type ClientMessage,
  type JsonObject,
  parseJsonObject,
  type StreamDialect,
  type StreamRefusal,
  type StreamServices,
  spotOrdersOf,
  type Topic,
  TradeFeed,
} from '#api';
import { detailText, formatId } from '#dialects';
import { spotAccountsOf } from '#dialects/testing';
import { type AccountId, instrumentId, isRefused, type Listings } from '#domain';
import { signerOf } from './toy-door.ts';

const TRADES = /^trades@([a-z0-9]+)$/;

export function toyStream({ live }: StreamServices): StreamDialect {
  const { listings } = live;
  return {
    paths: [{ path: '/stream' }, { path: '/ws' }, { path: '/ws/*' }],
    stream: 'toy',
    limits: { messagesPerSecondMax: 1_000 },
    login: { by: 'message', done: () => '{"login":"done"}', refused: () => '{"login":"refused"}' },
    opened: (target) => subscribed(namesOf(target), listings),
    read: (text) => read(text, listings),
    refused: ({ fault, detail }) => JSON.stringify({ fault, about: detail }),
    push: ({ spelling }, _action, data) => `{"what":"${spelling}","data":${data}}`,
    openFeed: (feed) =>
      new TradeFeed(live, instrumentId(Number(feed.split('/')[1])), (trades) =>
        JSON.stringify(trades.map(({ tradeId }) => formatId(tradeId))),
      ),
    privateFeeds: 'changes_only',
    openAccount,
    accountsOf: spotAccountsOf,
  };
}

/** Of /ws/trades@btcusdt, or of /stream?streams=trades@btcusdt/trades@ethusdt. */
function namesOf(target: string): readonly string[] {
  const { pathname, searchParams } = new URL(target, 'http://toy.example');
  const named = /\/ws\/(.+)$/.exec(pathname)?.[1] ?? searchParams.get('streams') ?? '';
  return named === '' ? [] : named.split('/');
}

function subscribed(names: readonly string[], listings: Listings): ClientMessage | undefined {
  if (names.length === 0) return undefined;
  return { kind: 'subscribe', topics: names.map((name) => topicOf(name, listings)) };
}

function topicOf(name: string, listings: Listings): Topic | StreamRefusal {
  if (name === 'orders') return { spelling: name, feed: name, channel: name, isPrivate: true };
  const pair = listings.spotBySymbol((TRADES.exec(name)?.[1] ?? '').toUpperCase());
  if (pair === undefined) return refusal('channel_unknown', name);
  const feed = `trades/${pair.instrumentId}`;
  return { spelling: name, feed, channel: 'trades', isPrivate: false };
}

function refusal(fault: StreamRefusal['fault'], detail: string): StreamRefusal {
  return { kind: 'refusal', fault, detail };
}

function read(text: string, listings: Listings): ClientMessage {
  const message = parseJsonObject(text);
  const { wants } = message ?? {};
  if (message === undefined) return refusal('message_invalid', text.slice(0, 20));
  if (wants === 'login') return { kind: 'login', login: loginOf(message) };
  if (wants === 'follow') {
    return { kind: 'subscribe', topics: [topicOf(String(message.what), listings)] };
  }
  if (wants === 'place' || wants === 'cancel' || wants === 'orders') return callOf(wants, message);
  return refusal('operation_unknown', String(wants));
}

function loginOf({ key, time, mark }: JsonObject) {
  const given = { key: String(key), time: String(time), mark: String(mark) };
  return {
    key: given.key,
    check: (caller: { address: string; nowMs: number }, keys: Parameters<typeof signerOf>[3]) =>
      signerOf(given, `time=${given.time}`, { permission: 'read', ...caller }, keys),
  };
}

const METHODS = { place: 'POST', cancel: 'DELETE', orders: 'GET' } as const;

/** A frame with a mark is signed for itself, over its `of` as text. */
function callOf(wants: keyof typeof METHODS, message: JsonObject): ClientMessage {
  const { id, of, key, time, mark } = message;
  const given = { key: String(key), time: String(time), mark: String(mark) };
  return {
    kind: 'call',
    method: METHODS[wants],
    path: '/orders',
    input: parseJsonObject(JSON.stringify(of ?? {})) ?? {},
    key: mark === undefined ? '' : given.key,
    ...(mark === undefined
      ? {}
      : {
          signer: (use, keys) =>
            signerOf(given, `time=${given.time}${JSON.stringify(of ?? {})}`, use, keys),
        }),
    write: (outcome) => written(id, outcome),
  };
}

function written(id: unknown, { answer, head }: CallOutcome): string {
  const again = head.get('retry-after');
  const front = JSON.stringify({ id, ...(again === undefined ? {} : { again }) }).slice(0, -1);
  if (!isRefused(answer)) return `${front},"result":${answer}}`;
  const { reject, detail } = answer;
  return `${front},"why":${JSON.stringify(reject)},"about":${JSON.stringify(detailText(detail))}}`;
}

function openAccount(accountId: AccountId): AccountWriter {
  return {
    orders: (state) => spotOrdersOf(state, accountId),
    orderRows: ({ order }) => [
      { feed: 'orders', write: () => JSON.stringify(formatId(order.orderId)) },
    ],
    showsOrder: () => true,
    stateRows: () => [],
    changedRows: () => [],
  };
}
