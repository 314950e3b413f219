/** The channels of the streams as clients spell them, SYMBOL@channel or a word, and their feeds. */
import type { Topic } from '#api';
import {
  type CandlePrice,
  type InstrumentId,
  instrumentId,
  type Listings,
  type Period,
} from '#domain';
import { present } from '#kernel';
import { periodOf } from './intervals.ts';
import { invalidEvent, repeated } from './stream-words.ts';
import { contractOfName, marketName, pairOfName } from './symbols.ts';

export type Product = 'spot' | 'contract';

export const BOOK_LEVELS = [15, 200] as const;
export type BookLevels = (typeof BOOK_LEVELS)[number];

/** Whose candles: of trades, or of the mark price. */
const PRICES: ReadonlyMap<string, CandlePrice> = new Map([
  ['LAST_PRICE', 'last'],
  ['MARK_PRICE', 'mark'],
]);

/** What is followed of a market. */
export type Channel =
  | { readonly kind: 'ticker' | 'trade' | 'bookTicker' }
  | { readonly kind: 'depth'; readonly levels: BookLevels }
  | {
      readonly kind: 'kline';
      readonly interval: string;
      readonly period: Period;
      readonly price: CandlePrice;
      /** Its name. */
      readonly of: string;
    };

const DEPTH = /^depth([0-9]*)$/;
const KLINE = /^kline_([0-9]{1,2}[a-zA-Z])(?:_(LAST_PRICE|MARK_PRICE))?$/;
const DEFAULT_LEVELS = '15';

const PRIVATE_CHANNELS: Readonly<Record<Product, readonly string[]>> = {
  spot: ['account', 'orders', 'fill'],
  contract: ['account', 'orders', 'fill', 'positions'],
};

/** Words of other clients for the same. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['order', 'orders'],
  ['position', 'positions'],
]);

/** What a client of the public path asks to follow, or what is wrong with it. */
export function readPublicTopic(
  words: string,
  product: Product,
  listings: Listings,
): Topic | string {
  const at = words.indexOf('@');
  if (at < 0) return invalidEvent(words.toLowerCase());
  const name = words.slice(0, at);
  const market = (product === 'spot' ? pairOfName : contractOfName)(listings, name);
  if (market === undefined) return `invalid symbol : ${longName(name, product)}`;
  const channel = readChannel(words.slice(at + 1), product);
  if (typeof channel === 'string') return channel;
  const spelled = spellingOf(channel);
  return {
    spelling: `${marketName(market.symbol)}@${spelled}`,
    feed: `${spelled}/${market.instrumentId}`,
    channel: channel.kind === 'depth' ? spelled : channel.kind,
    isPrivate: false,
  };
}

/** What a client of the private path asks to follow, or what is wrong with it. */
export function readPrivateTopic(words: string, product: Product): Topic | string {
  const channel = ALIASES.get(words) ?? words;
  if (PRIVATE_CHANNELS[product].includes(channel)) {
    return { spelling: channel, feed: channel, channel, isPrivate: true };
  }
  return invalidEvent(words.slice(words.indexOf('@') + 1).toLowerCase());
}

/** What a public feed is about. */
export function readFeed(feed: string, product: Product): readonly [Channel, InstrumentId] {
  const [spelled = '', id = ''] = feed.split('/');
  const channel = readChannel(spelled, product);
  return [
    present(typeof channel === 'string' ? undefined : channel, feed),
    instrumentId(Number(id)),
  ];
}

/** The market of a topic, as its messages name it. */
export function marketOf({ spelling }: Topic): string {
  return spelling.slice(0, spelling.indexOf('@'));
}

function readChannel(words: string, product: Product): Channel | string {
  if (words === 'ticker' || words === 'trade') return { kind: words };
  if (words === 'bookTicker' && product === 'spot') return { kind: words };
  const [, digits] = DEPTH.exec(words) ?? [];
  if (digits !== undefined) return readDepth(digits === '' ? DEFAULT_LEVELS : digits);
  return readKline(words, product) ?? invalidEvent(words.toLowerCase());
}

function readDepth(digits: string): Channel | string {
  const levels = BOOK_LEVELS.find((count) => String(count) === digits);
  if (levels === undefined) return `invalid depth level : ${repeated(digits)}`;
  return { kind: 'depth', levels };
}

function readKline(words: string, product: Product): Channel | undefined {
  const [, interval = '', of = 'LAST_PRICE'] = KLINE.exec(words) ?? [];
  const period = periodOf(interval);
  const price = PRICES.get(of);
  if (period === undefined || price === undefined) return undefined;
  if (price === 'mark' && product === 'spot') return undefined;
  return { kind: 'kline', interval, period, price, of };
}

/** One spelling for all that mean the same: they are one subscription. */
function spellingOf(channel: Channel): string {
  if (channel.kind === 'depth') return `depth${channel.levels}`;
  if (channel.kind === 'kline') return `kline_${channel.interval}_${channel.of}`;
  return channel.kind;
}

/** Refusals name markets as the older interface does. */
function longName(name: string, product: Product): string {
  const shown = repeated(name);
  return product === 'spot' ? `${shown.toUpperCase()}_SPBL` : `cmt_${shown.toLowerCase()}`;
}
