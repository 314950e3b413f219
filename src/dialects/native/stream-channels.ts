/** The channels of the stream as clients spell them, what:market, and their feeds. */
import type { Topic } from '#api';
import { refuseSaying } from '#api';
import {
  type InstrumentId,
  instrumentId,
  isRefused,
  type Listings,
  type Period,
  type Refused,
} from '#domain';
import { present } from '#kernel';
import { shown } from '../kit/fields.ts';
import { LEVELS_DEFAULT, PERIOD_WORDS } from './market-data.ts';
import { MARKET } from './terms.ts';

/** Levels of each side that a book can be followed with. */
const LEVELS: readonly number[] = [5, 20, LEVELS_DEFAULT, 200, 500];

export const ACCOUNT_CHANNEL = 'account';
const TICKERS = 'tickers';
const MARKET_CHANNELS = ['trades', 'ticker', 'book', 'candles'] as const;
type MarketChannel = (typeof MARKET_CHANNELS)[number];

const KNOWN = `trades:SYMBOL, ticker:SYMBOL, tickers, book:SYMBOL, book:LEVELS:SYMBOL,
candles:PERIOD:SYMBOL, account`.replace('\n', ' ');

/** What a public feed shows. */
export type Shown =
  | { readonly of: 'tickers' }
  | { readonly of: 'trades' | 'ticker'; readonly market: InstrumentId }
  | { readonly of: 'book'; readonly market: InstrumentId; readonly levels: number }
  | { readonly of: 'candles'; readonly market: InstrumentId; readonly period: Period };

/** The topic of a channel, in the spelling that all its messages have. */
export function readChannel(channel: string, listings: Listings): Topic | Refused {
  if (channel === ACCOUNT_CHANNEL) return topic(channel, channel, channel, true);
  if (channel === TICKERS) return topic(channel, channel, channel, false);
  const [what = '', ...rest] = channel.split(':');
  const of = MARKET_CHANNELS.find((one) => one === what);
  const [symbol, choice] = rest.length === 2 ? [rest[1], rest[0]] : [rest[0], undefined];
  if (of === undefined || symbol === undefined || rest.length > 2) return noChannel(channel);
  const feed = feedOf(of, choice);
  if (feed === undefined) return noChoice(of, channel);
  const market = MARKET.find(symbol, listings);
  if (isRefused(market)) return market;
  const spelling = [of, ...(choice === undefined ? [] : [choice]), market.symbol].join(':');
  return topic(spelling, `${feed}/${market.instrumentId}`, of, false);
}

/** What a feed of `readChannel` shows. */
export function readFeed(feed: string): Shown {
  if (feed === TICKERS) return { of: TICKERS };
  const [of, ...rest] = feed.split('/');
  const market = instrumentId(Number(rest.at(-1)));
  const [choice = ''] = rest;
  if (of === 'book') return { of, market, levels: Number(choice) };
  if (of === 'candles') return { of, market, period: periodOf(choice) };
  return { of: of === 'trades' ? 'trades' : 'ticker', market };
}

function topic(spelling: string, feed: string, channel: string, isPrivate: boolean): Topic {
  return { spelling, feed, channel, isPrivate };
}

/** Without the market; undefined where the channel takes no such choice. */
function feedOf(of: MarketChannel, choice: string | undefined): string | undefined {
  switch (of) {
    case 'book': {
      const levels = LEVELS.find((one) => String(one) === (choice ?? String(LEVELS_DEFAULT)));
      return levels === undefined ? undefined : `book/${levels}`;
    }
    case 'candles':
      return PERIOD_WORDS.some((period) => period === choice) ? `candles/${choice}` : undefined;
    case 'trades':
    case 'ticker':
      return choice === undefined ? of : undefined;
  }
}

function periodOf(word: string): Period {
  return present(
    PERIOD_WORDS.find((period) => period === word),
    'period of a feed',
  );
}

function noChannel(channel: string): Refused {
  return refuseSaying('parameter_invalid', `no channel ${shown(channel)}, there is ${KNOWN}`);
}

function noChoice(of: MarketChannel, channel: string): Refused {
  const words = of === 'book' ? LEVELS : of === 'candles' ? PERIOD_WORDS : [];
  if (words.length === 0) return noChannel(channel);
  return refuseSaying('parameter_invalid', `no ${shown(channel)}, takes ${words.join(', ')}`);
}
