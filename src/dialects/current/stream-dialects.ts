/**
 * The streams of the current dialect: a public and a private one for pairs, and the same for
 * contracts. A client of a private one logs in by the headers of its handshake.
 */
import type { ConnectionLimits, HeaderLogin, StreamDialect, StreamServices, Topic } from '#api';
import type { Refused } from '#domain';
import { loginOf, readCredentials, type SignedLogin } from '../kit/access-headers.ts';
import { contractAccountsOf, spotAccountsOf } from '../kit/account-events.ts';
import { SIGNING } from './access.ts';
import { ContractAccountWriter } from './contract-stream-account.ts';
import { FRAME } from './frame.ts';
import { SpotAccountWriter } from './spot-stream-account.ts';
import { marketOf, type Product, readPrivateTopic, readPublicTopic } from './stream-channels.ts';
import { openFeed } from './stream-feeds.ts';
import {
  type EventWord,
  readBinary,
  readMessage,
  writeGreeting,
  writePing,
  writeRefused,
} from './stream-words.ts';

const MINUTE_MS = 60_000;
/** Pings that may go without an answer. */
const UNANSWERED_MAX = 10;

/** All four streams count connections together: they have one object of limits. */
const LIMITS: Partial<ConnectionLimits> = {
  messagesPerSecondMax: 100,
  subscriptionsPerHourMax: 240,
  topicsMax: 100,
  refusalsMax: 6,
  withoutTopicMaxMs: MINUTE_MS,
  silenceMaxMs: (UNANSWERED_MAX + 1) * MINUTE_MS,
  pingIntervalMs: MINUTE_MS,
  updateIntervalMs: 100,
  connectsMax: 300,
  connectsWindowMs: 5 * MINUTE_MS,
  connectionsPerAddressMax: 20,
};

/** The path is signed without what tells pairs and contracts apart. */
const SIGNED: SignedLogin = {
  method: '',
  target: '/v3/ws/private',
  unit: 'milliseconds',
  rules: SIGNING,
};

const LOGIN: HeaderLogin = {
  by: 'headers',
  read: (headers) => loginOf(readCredentials(headers), SIGNED),
};

/** Contracts of the shared path are those of a host of their own. */
const CONTRACT_HOST = 'ws-contract';

const UNAUTHORIZED = 401;
const BAD_REQUEST = 400;

export function currentStreams(services: StreamServices): readonly StreamDialect[] {
  return (['spot', 'contract'] as const).flatMap((product) => [
    publicStream(services, product),
    privateStream(services, product),
  ]);
}

function publicStream(services: StreamServices, product: Product): StreamDialect {
  const { clock } = services;
  const { listings } = services.live;
  return {
    ...streamOf(services, product, 'public'),
    ...wordsWith('event'),
    login: undefined,
    read: (text) => readMessage(text, (words) => readPublicTopic(words, product, listings)),
    repeatsSnapshots: true,
    push: (topic, action, data) =>
      `{"e":"${eventOf(topic, action === 'snapshot')}","E":${clock.nowMs()},` +
      `"s":"${marketOf(topic)}",${data}}`,
  };
}

function privateStream(services: StreamServices, product: Product): StreamDialect {
  const { clock } = services;
  return {
    ...streamOf(services, product, 'private'),
    ...wordsWith('type'),
    login: LOGIN,
    read: (text) => readMessage(text, (words) => readPrivateTopic(words, product)),
    push: ({ channel }, _action, data, seq) =>
      `{"e":"${channel}","E":${clock.nowMs()},"v":${seq},${data}}`,
  };
}

function streamOf(services: StreamServices, product: Product, access: 'public' | 'private') {
  const isSpot = product === 'spot';
  const shared = { path: `/v3/ws/${access}` };
  return {
    paths: [
      { path: `/${product}/v3/ws/${access}` },
      isSpot ? shared : { ...shared, hostPrefix: CONTRACT_HOST },
    ],
    stream: isSpot ? 'spot' : 'swap',
    limits: LIMITS,
    handshakeRefused: (refused, nowMs) => handshakeRefused(refused, nowMs, product),
    readBinary,
    refused: writeRefused,
    openFeed: (feed) => openFeed(services, product, feed),
    privateFeeds: 'changes_only',
    openAccount: (accountId) =>
      isSpot
        ? new SpotAccountWriter(services, accountId)
        : new ContractAccountWriter(services, accountId),
    accountsOf: isSpot ? spotAccountsOf : contractAccountsOf,
  } as const satisfies Partial<StreamDialect>;
}

function wordsWith(word: EventWord): Pick<StreamDialect, 'greeting' | 'ping'> {
  return {
    greeting: (connectionId, nowMs) => writeGreeting(word, connectionId, nowMs),
    ping: (nowMs) => writePing(word, nowMs),
  };
}

/** A snapshot of what has changes, too, is an event of its own. */
function eventOf({ channel }: Topic, isSnapshot: boolean): string {
  const kind = channel.startsWith('depth') ? 'depth' : channel;
  const hasChanges = kind === 'depth' || kind === 'trade' || kind === 'kline';
  return hasChanges && isSnapshot ? `${kind}Snapshot` : kind;
}

/** As REST answers, but that a caller who is not let in is unauthorized. */
function handshakeRefused(refused: Refused, nowMs: number, product: Product) {
  const { status, body } = FRAME.refusal(refused, nowMs, `/${product}/`);
  return { status: status === BAD_REQUEST ? UNAUTHORIZED : status, body };
}
