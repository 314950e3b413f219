/** The contract stream: its messages joined with its public feeds and its private rows. */

import type { StreamDialect } from '#api';
import type { Clock } from '#kernel';
import type { LiveMarkets } from '#market-data';
import { contractAccountsOf } from '../kit/account-events.ts';
import { ContractAccountWriter } from './swap-stream-account-writer.ts';
import { SWAP_STREAM_PATH, tableOf } from './swap-stream-channels.ts';
import { openFeed } from './swap-stream-feeds.ts';
import {
  readMessage,
  writeAck,
  writeLoggedIn,
  writeLoginRefused,
  writePush,
  writeRefused,
} from './swap-stream-messages.ts';

export interface SwapDialectOptions {
  readonly live: LiveMarkets;
  readonly clock: Clock;
}

export function swapDialect(options: SwapDialectOptions): StreamDialect {
  const { listings } = options.live;
  return {
    paths: [{ path: SWAP_STREAM_PATH }],
    stream: 'swap',
    login: {
      by: 'message',
      done: writeLoggedIn,
      refused: writeLoginRefused,
    },
    read: (text) => readMessage(text, listings),
    subscribed: ({ spelling }) => writeAck('subscribe', spelling),
    unsubscribed: ({ spelling }) => writeAck('unsubscribe', spelling),
    refused: writeRefused,
    push: (topic, action, data, seq) => writePush(tableOf(topic), action, data, seq),
    openFeed: (feed) => openFeed(options, feed),
    privateFeeds: 'snapshot_first',
    openAccount: (accountId) => new ContractAccountWriter(listings, accountId),
    accountsOf: contractAccountsOf,
  };
}
