/** The stream of the house's own API: market data, the account and calls, all over one socket. */
import type { ConnectionLimits, StreamDialect, StreamServices } from '#api';
import { FRAME } from './frame.ts';
import { accountsOf, NativeAccountWriter } from './stream-account.ts';
import { openFeed } from './stream-feeds.ts';
import { readFrame, writeAnswer, writeError, writePush, writeRefusal } from './stream-words.ts';
import { STREAM_PATH } from './terms.ts';

/**
 * Calls are bounded by the rates of their endpoints, and other frames of a caller over all its
 * connections: a connection alone may say much.
 */
const LIMITS: Partial<ConnectionLimits> = {
  messagesPerSecondMax: 400,
  subscriptionsPerHourMax: 1_200,
  topicsMax: 1_000,
  // A client may be here to call alone.
  withoutTopicMaxMs: Number.POSITIVE_INFINITY,
};

export function nativeStream(services: StreamServices): StreamDialect {
  const { live, clock } = services;
  const nowMs = () => clock.nowMs();
  return {
    paths: [{ path: STREAM_PATH }],
    stream: 'native',
    limits: LIMITS,
    login: {
      by: 'message',
      done: (id) => writeAnswer(id, `{"time":${nowMs()}}`),
      refused: (refused, id) => writeError(id, refused, nowMs()),
    },
    handshakeRefused: (refused, atMs) => FRAME.refusal(refused, atMs),
    read: (text) => readFrame(text, live.listings, nowMs()),
    refused: (refusal) => writeRefusal(refusal, nowMs()),
    push: (topic, action, data, seq, place) =>
      writePush(topic, action, data, { seq, place, timeMs: place?.timeMs ?? nowMs() }),
    openFeed: (feed) => openFeed(services, feed),
    privateFeeds: 'resumable',
    openAccount: (accountId) => new NativeAccountWriter(live.listings, accountId),
    accountsOf,
  };
}
