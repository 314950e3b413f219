/** The contract stream: its messages joined with its public feeds and its private rows. */
import type { Clock } from '#kernel';
import type { LiveMarkets } from '#market-data';
import type { Dialect } from '../streams/dialect.ts';
import { ContractAccountWriter } from './account-writer.ts';
import { SWAP_STREAM_PATH, tableOf } from './channels.ts';
import { openFeed } from './feeds.ts';
import {
  readMessage,
  writeAck,
  writeLoggedIn,
  writeLoginRefused,
  writePush,
  writeRefused,
} from './messages.ts';
import { contractAccountsOf } from './touched.ts';

export interface SwapDialectOptions {
  readonly live: LiveMarkets;
  readonly clock: Clock;
}

export function swapDialect(options: SwapDialectOptions): Dialect {
  const { listings } = options.live;
  return {
    path: SWAP_STREAM_PATH,
    stream: 'swap',
    read: (text) => readMessage(text, listings),
    subscribed: ({ spelling }) => writeAck('subscribe', spelling),
    unsubscribed: ({ spelling }) => writeAck('unsubscribe', spelling),
    loggedIn: writeLoggedIn,
    loginRefused: writeLoginRefused,
    refused: writeRefused,
    push: (topic, action, data, seq) => writePush(tableOf(topic), action, data, seq),
    openFeed: (feed) => openFeed(options, feed),
    openAccount: (accountId) => new ContractAccountWriter(listings, accountId),
    accountsOf: contractAccountsOf,
  };
}
