/** The channels of the spot stream, and the messages in which clients ask for them. */

import {
  type ClientMessage,
  type JsonObject,
  jsonFault,
  parseJsonObject,
  type StreamFault,
  type StreamRefusal,
  type Topic,
} from '#api';
import type { Listings, Period, Refused, RejectKind } from '#domain';
import { present } from '#kernel';
import { type Credentials, loginOf } from '../kit/access-headers.ts';
import { rejectText } from './rejects.ts';
import { STREAM_LOGIN } from './stream-login.ts';
import { pairOfName } from './symbols.ts';

export const SPOT_STREAM_PATH = '/spot/v1/stream';

/** Levels of each side that a book channel shows; the whole book is as deep as REST shows it. */
export const BOOK_LEVELS: Readonly<Record<string, number>> = {
  books: 200,
  books5: 5,
  books15: 15,
};

/** The one channel of a book that sends changes; the others send what they show, whole. */
export const FULL_BOOK = 'books';

const CANDLES: readonly (readonly [suffix: string, period: Period])[] = [
  ['1m', '1min'],
  ['3m', '3min'],
  ['5m', '5min'],
  ['15m', '15min'],
  ['30m', '30min'],
  ['1H', '1h'],
  ['2H', '2h'],
  ['4H', '4h'],
  ['6H', '6h'],
  ['12H', '12h'],
  ['1D', '1d'],
  ['3D', '3d'],
  ['1W', '1w'],
  ['1M', '1M'],
];

/** The period of a candle channel. Hours, days and weeks may be in lower case; candles are UTC. */
const PERIOD_BY_CHANNEL: ReadonlyMap<string, Period> = new Map(
  CANDLES.flatMap(([suffix, period]) => {
    const spellings = suffix === '1M' ? [suffix] : [suffix, suffix.toLowerCase(), `${suffix}utc`];
    return spellings.map((spelling) => [`candle${spelling}`, period] as const);
  }),
);

/** The candle channel of a period as it is documented, as in candle1m. */
function candleChannel(period: Period): string {
  const row = CANDLES.find(([, one]) => one === period);
  return `candle${present(row, 'candle channel')[0]}`;
}

const PRIVATE_CHANNELS: readonly string[] = ['account', 'orders'];
export const TICKER = 'ticker';
export const TRADES = 'trade';

const INSTRUMENT_TYPES: readonly string[] = ['sp', 'spbl'];
const WHOLE_ACCOUNT = 'default';
/** Characters of one word of a subscription. */
const WORD_LENGTH_MAX = 64;
const PONG = 'pong';

const FAULTS: Record<StreamFault, { readonly code: number; readonly text: string }> = {
  channel_unknown: { code: 30001, text: 'Channel does not exist' },
  message_invalid: { code: 30002, text: 'Message cannot be read' },
  operation_unknown: { code: 30003, text: 'Operation is unknown' },
  login_needed: { code: 30004, text: 'Log in first' },
  subscriptions_exceeded: { code: 30006, text: 'Too many subscriptions in one hour' },
  maintenance: { code: 40200, text: 'The venue is under maintenance' },
};
const LOGIN_FAILED_CODE = 30005;
/** What REST calls headers are fields here. */
const MISSING: Partial<Record<RejectKind, string>> = {
  key_missing: 'apiKey is missing',
  signature_missing: 'sign is missing',
  timestamp_missing: 'timestamp is missing',
  passphrase_missing: 'passphrase is missing',
};

/** Reads a text message of a client. */
export function readSpotMessage(text: string, listings: Listings): ClientMessage {
  if (text === 'ping') return { kind: 'ping', answer: PONG };
  const message = parseJsonObject(text);
  if (message === undefined) return refusal('message_invalid', jsonFault(text));
  const { op } = message;
  switch (op) {
    case 'ping':
      return { kind: 'ping', answer: PONG };
    case 'login':
      return readLogin(message);
    case 'subscribe':
    case 'unsubscribe':
      return readTopics(op, message, listings);
    default:
      return refusal('operation_unknown', textOf(op).slice(0, WORD_LENGTH_MAX));
  }
}

function readLogin({ args }: JsonObject): ClientMessage {
  const fields = Array.isArray(args) ? objectOf(args[0]) : undefined;
  if (fields === undefined) return refusal('message_invalid', 'args of a login');
  const login: Credentials = {
    key: textOf(fields.apiKey ?? fields.api_key),
    passphrase: textOf(fields.passphrase),
    timestamp: textOf(fields.timestamp),
    signature: textOf(fields.sign).trim(),
  };
  return { kind: 'login', login: loginOf(login, STREAM_LOGIN) };
}

function readTopics(
  kind: 'subscribe' | 'unsubscribe',
  { args }: JsonObject,
  listings: Listings,
): ClientMessage {
  if (!Array.isArray(args) || args.length === 0) return refusal('message_invalid', 'args');
  return { kind, topics: args.map((argument: unknown) => readTopic(argument, listings)) };
}

/** A subscription is echoed in the spelling it came in, its names in camel case. */
function readTopic(argument: unknown, listings: Listings): Topic | StreamRefusal {
  const fields = objectOf(argument);
  if (fields === undefined) return refusal('message_invalid', 'an argument is no object');
  const instType = textOf(fields.instType ?? fields.inst_type);
  const channel = textOf(fields.channel);
  const instId = textOf(fields.instId ?? fields.inst_id);
  if ([instType, channel, instId].some((word) => word.length > WORD_LENGTH_MAX)) {
    return refusal('message_invalid', 'a word is too long');
  }
  const spelling = JSON.stringify({ instType, channel, instId });
  if (!INSTRUMENT_TYPES.includes(instType.toLowerCase())) {
    return refusal('channel_unknown', spelling);
  }
  const isPrivate = PRIVATE_CHANNELS.includes(channel);
  const found = isPrivate
    ? privateFeed(channel, instId, listings)
    : publicFeed(channel, instId, listings);
  if (found === undefined) return refusal('channel_unknown', spelling);
  return { spelling, ...found, isPrivate };
}

/** The whole account, or what of it is about one pair, as in orders/3. */
function privateFeed(
  channel: string,
  instId: string,
  listings: Listings,
): Pick<Topic, 'feed' | 'channel'> | undefined {
  if (instId.toLowerCase() === WHOLE_ACCOUNT) return { feed: channel, channel };
  const pair = pairOfName(listings, instId);
  return pair && { feed: `${channel}/${pair.instrumentId}`, channel };
}

/** The name of a public feed, as in books/3, and its channel; undefined when there is none such. */
function publicFeed(
  channel: string,
  instId: string,
  listings: Listings,
): Pick<Topic, 'feed' | 'channel'> | undefined {
  const pair = pairOfName(listings, instId);
  if (pair === undefined) return undefined;
  const period = PERIOD_BY_CHANNEL.get(channel);
  if (period !== undefined) {
    return { feed: `${period}/${pair.instrumentId}`, channel: candleChannel(period) };
  }
  const isKnown = channel === TICKER || channel === TRADES || Object.hasOwn(BOOK_LEVELS, channel);
  return isKnown ? { feed: `${channel}/${pair.instrumentId}`, channel } : undefined;
}

/** Confirms a subscription, or its end, in the client's own spelling. */
export function writeEcho(event: 'subscribe' | 'unsubscribe', topic: Topic): string {
  return `{"event":"${event}","arg":${topic.spelling}}`;
}

export function writeLoggedIn(): string {
  return '{"event":"login","code":0}';
}

export function writeLoginRefused(refused: Refused): string {
  const msg = `Login failed: ${MISSING[refused.reject] ?? rejectText(refused)}`;
  return JSON.stringify({ event: 'error', code: LOGIN_FAILED_CODE, msg });
}

export function writeRefusal({ fault, detail }: StreamRefusal): string {
  const { code, text } = FAULTS[fault];
  const msg = detail === '' ? text : `${text}: ${detail}`;
  return JSON.stringify({ event: 'error', code, msg });
}

function objectOf(value: unknown): JsonObject | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return { ...value };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function refusal(fault: StreamFault, detail: string): StreamRefusal {
  return { kind: 'refusal', fault, detail };
}
