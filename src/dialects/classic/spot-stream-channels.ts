/** The channels of the spot stream and what each shows. */
import type { Period } from '#domain';
import { present } from '#kernel';

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
export const PERIOD_BY_CHANNEL: ReadonlyMap<string, Period> = new Map(
  CANDLES.flatMap(([suffix, period]) => {
    const spellings = suffix === '1M' ? [suffix] : [suffix, suffix.toLowerCase(), `${suffix}utc`];
    return spellings.map((spelling) => [`candle${spelling}`, period] as const);
  }),
);

/** The candle channel of a period as it is documented, as in candle1m. */
export function candleChannel(period: Period): string {
  const row = CANDLES.find(([, one]) => one === period);
  return `candle${present(row, 'candle channel')[0]}`;
}

export const PRIVATE_CHANNELS: readonly string[] = ['account', 'orders'];
export const TICKER = 'ticker';
export const TRADES = 'trade';
