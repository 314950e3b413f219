/** The spot stream: its messages joined with its public feeds and its private rows. */

import {
  type BookChoices,
  BookFeed,
  type PublicFeed,
  type Services,
  type StreamDialect,
} from '#api';
import { type InstrumentId, instrumentId, PERIODS, type SpotInstrument } from '#domain';
import { assert, formatTrimmed, present } from '#kernel';
import { spotAccountsOf } from '../kit/account-events.ts';
import { SpotAccountWriter } from './spot-stream-account.ts';
import { CandleFeed, TickerFeed, tradeFeed } from './spot-stream-feeds.ts';
import {
  BOOK_LEVELS,
  FULL_BOOK,
  readSpotMessage,
  SPOT_STREAM_PATH,
  TICKER,
  TRADES,
  writeEcho,
  writeLoggedIn,
  writeLoginRefused,
  writeRefusal,
} from './spot-stream-messages.ts';

export function spotDialect(options: Pick<Services, 'live' | 'clock'>): StreamDialect {
  const { listings } = options.live;
  return {
    paths: [{ path: SPOT_STREAM_PATH }],
    stream: 'spot',
    login: {
      by: 'message',
      done: writeLoggedIn,
      refused: writeLoginRefused,
    },
    read: (text) => readSpotMessage(text, listings),
    subscribed: (topic) => writeEcho('subscribe', topic),
    unsubscribed: (topic) => writeEcho('unsubscribe', topic),
    refused: writeRefusal,
    push: ({ spelling }, action, data, seq) =>
      `{"action":"${action}","arg":${spelling},"data":${data},"seq":${seq}}`,
    openFeed: (feed) => openFeed(options, feed),
    privateFeeds: 'snapshot_first',
    openAccount: (accountId) => new SpotAccountWriter(listings, accountId),
    accountsOf: spotAccountsOf,
  };
}

function openFeed({ live, clock }: Pick<Services, 'live' | 'clock'>, feed: string): PublicFeed {
  const [channel, id] = splitFeed(feed);
  const pair = present(live.listings.spotById(id), 'pair of a feed');
  const nowMs = () => clock.nowMs();
  const options = { live, pair, nowMs };
  if (channel === TICKER) return new TickerFeed(options);
  if (channel === TRADES) return tradeFeed(options);
  const levelsMax = BOOK_LEVELS[channel];
  if (levelsMax !== undefined) {
    const sendsChanges = channel === FULL_BOOK;
    return new BookFeed({ live, clock }, id, { levelsMax, sendsChanges, ...bookOf(pair, nowMs) });
  }
  const row = PERIODS.find(({ period }) => period === channel);
  return new CandleFeed(options, present(row, 'period of a feed').period);
}

/** Sizes and prices without trailing zeros; the time is that of the message. */
function bookOf(
  { priceScale, quantityScale }: SpotInstrument,
  nowMs: () => number,
): Pick<BookChoices, 'texts' | 'write'> {
  return {
    texts: (levels) =>
      levels.map(([priceTicks, lots]) => [
        formatTrimmed(priceTicks, priceScale),
        formatTrimmed(lots, quantityScale),
      ]),
    write: ({ asks, bids, checksum }) =>
      `[${JSON.stringify({ asks, bids, checksum: checksum(), ts: String(nowMs()) })}]`,
  };
}

function splitFeed(feed: string): readonly [channel: string, id: InstrumentId] {
  const slash = feed.indexOf('/');
  assert(slash > 0, 'a public feed names a channel and a market');
  return [feed.slice(0, slash), instrumentId(Number(feed.slice(slash + 1)))];
}
