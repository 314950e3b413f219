/**
 * The channels of the contract stream, as clients spell them: swap/<channel>:<contract>. The
 * contract may be in any case; the answers repeat the client's own spelling.
 */
import type { StreamRefusal, Topic } from '#api';
import {
  type Contract,
  type InstrumentId,
  instrumentId,
  type Listings,
  type Period,
} from '#domain';
import { assert } from '#kernel';

import { shown } from '../kit/fields.ts';
import { GRANULARITIES } from './swap-market.ts';
import { contractOfName } from './symbols.ts';

export const SWAP_STREAM_PATH = '/ws/v1';

const PRIVATE_CHANNELS = ['account', 'position', 'order', 'currentPlan', 'historyPlan'] as const;
export type PrivateChannel = (typeof PRIVATE_CHANNELS)[number];

const PUBLIC_CHANNELS = [
  'ticker',
  'trade',
  'depth',
  'depth5',
  'funding_rate',
  'price_range',
  'mark_price',
] as const;
export type PublicChannel = (typeof PUBLIC_CHANNELS)[number];

/** Words of other clients for the same. */
const ALIASES: ReadonlyMap<string, PrivateChannel> = new Map([
  ['current_plans', 'currentPlan'],
  ['history_plans', 'historyPlan'],
]);

/** A public feed: candles of a period, or one of the other channels. */
export type PublicName =
  | { readonly channel: PublicChannel; readonly instrumentId: InstrumentId }
  | { readonly channel: 'candle'; readonly period: Period; readonly instrumentId: InstrumentId };

const SPELLING = /^swap\/([A-Za-z0-9_]+):([A-Za-z0-9_]+)$/;
const CANDLE = /^candle([0-9]+)s$/;
const FEED = /^([A-Za-z0-9_]+)\/([0-9]+)$/;

/** What a client asks to follow, or why there is no such thing. */
export function readTopic(spelling: string, listings: Listings): Topic | StreamRefusal {
  const [, word = '', symbol = ''] = SPELLING.exec(spelling) ?? [];
  const channel = ALIASES.get(word) ?? word;
  const contract = contractOfName(listings, symbol);
  const isPrivate = isPrivateChannel(channel);
  if (contract === undefined || !(isPrivate || isPublic(channel))) {
    return { kind: 'refusal', fault: 'channel_unknown', detail: shown(spelling) };
  }
  return { spelling, feed: feedName(channel, contract), channel, isPrivate };
}

/** The table that a topic's pushes name: its spelling without the contract. */
export function tableOf({ spelling }: Topic): string {
  return spelling.slice(0, spelling.indexOf(':'));
}

/** What is followed, apart from how it is spelled. */
export function feedName(channel: string, { instrumentId }: Pick<Contract, 'instrumentId'>) {
  return `${channel}/${instrumentId}`;
}

export function readPublicFeed(feed: string): PublicName {
  const { channel, id } = partsOf(feed);
  const period = periodOf(channel);
  if (period !== undefined) return { channel: 'candle', period, instrumentId: id };
  const found = PUBLIC_CHANNELS.find((name) => name === channel);
  assert(found !== undefined, `${feed} is a public feed`);
  return { channel: found, instrumentId: id };
}

function partsOf(feed: string): { readonly channel: string; readonly id: InstrumentId } {
  const [, channel = '', id = ''] = FEED.exec(feed) ?? [];
  return { channel, id: instrumentId(Number(id)) };
}

function isPrivateChannel(channel: string): boolean {
  return PRIVATE_CHANNELS.some((name) => name === channel);
}

function isPublic(channel: string): boolean {
  return PUBLIC_CHANNELS.some((name) => name === channel) || periodOf(channel) !== undefined;
}

function periodOf(channel: string): Period | undefined {
  const [, seconds = ''] = CANDLE.exec(channel) ?? [];
  return GRANULARITIES.get(seconds);
}
