/** Ticker, trades and candles of a pair as streams. */
import Type from 'typebox';
import { type PublicFeed, type PushAction, TradeFeed } from '#api';
import type { Candle, InstrumentId, Period, SpotInstrument } from '#domain';
import { formatTrimmed } from '#kernel';
import type { LiveMarkets } from '#market-data';

import { decimal, encoded, jsonList, row } from '../kit/row.ts';
import { type PairTicker, TICKER_FIELDS } from './spot-market.ts';

/** Candles of a snapshot. */
const SNAPSHOT_CANDLES = 500;

interface Update {
  readonly action: PushAction;
  readonly data: string;
}

export interface MarketFeedOptions {
  readonly live: LiveMarkets;
  readonly pair: SpotInstrument;
  readonly nowMs: () => number;
}

/** Without its time, which is put in fresh. */
const TICKER = row<PairTicker>()({
  instId: TICKER_FIELDS.columns.symbol,
  last: TICKER_FIELDS.columns.close,
  open24h: decimal('First price of 24 hours', '30000', ({ pair, ticker }) =>
    formatTrimmed(ticker.open, pair.priceScale),
  ),
  openUtc: TICKER_FIELDS.columns.openUtc0,
  high24h: TICKER_FIELDS.columns.high24h,
  low24h: TICKER_FIELDS.columns.low24h,
  bestBid: TICKER_FIELDS.columns.buyOne,
  bestAsk: TICKER_FIELDS.columns.sellOne,
  bidSz: TICKER_FIELDS.columns.bidSz,
  askSz: TICKER_FIELDS.columns.askSz,
  baseVolume: TICKER_FIELDS.columns.baseVol,
  quoteVolume: TICKER_FIELDS.columns.quoteVol,
  labeId: encoded({ schema: Type.Literal(0), example: 0 }, () => '0'),
});

/** Every push is the whole ticker. */
export class TickerFeed implements PublicFeed {
  readonly instrumentId: InstrumentId;
  readonly isPrompt = false;
  readonly #options: MarketFeedOptions;
  #published: string;

  constructor(options: MarketFeedOptions) {
    this.#options = options;
    this.instrumentId = options.pair.instrumentId;
    this.#published = this.#fields();
  }

  snapshot(): string {
    return this.#encode(this.#published);
  }

  update(): Update | undefined {
    const fields = this.#fields();
    if (fields === this.#published) return undefined;
    this.#published = fields;
    return { action: 'snapshot', data: this.#encode(fields) };
  }

  #encode(fields: string): string {
    return `[${fields.slice(0, -1)},"ts":${this.#options.nowMs()}}]`;
  }

  #fields(): string {
    const { live, pair, nowMs } = this.#options;
    const ticker = live.ticker(pair.instrumentId, nowMs());
    return TICKER.write({ pair, ticker });
  }
}

/** Newest first in each message. */
export function tradeFeed({ live, pair }: MarketFeedOptions): TradeFeed {
  const { instrumentId, priceScale, quantityScale } = pair;
  return new TradeFeed(live, instrumentId, (newestFirst) =>
    jsonList(newestFirst, ({ timeMs, priceTicks, sizeLots, takerSide }) => {
      const price = formatTrimmed(priceTicks, priceScale);
      return `["${timeMs}","${price}","${formatTrimmed(sizeLots, quantityScale)}","${takerSide}"]`;
    }),
  );
}

/** Candles that are new or have changed, oldest first. */
export class CandleFeed implements PublicFeed {
  readonly instrumentId: InstrumentId;
  readonly isPrompt = false;
  readonly #options: MarketFeedOptions;
  readonly #period: Period;
  /** The last candle published; undefined before the first. */
  #published: Candle | undefined;

  constructor(options: MarketFeedOptions, period: Period) {
    this.#options = options;
    this.#period = period;
    this.instrumentId = options.pair.instrumentId;
    this.#published = this.#newest(1).at(-1);
  }

  snapshot(): string {
    const published = this.#published;
    const candles = this.#newest(SNAPSHOT_CANDLES);
    const known = candles.filter(({ openTimeMs }) => openTimeMs < (published?.openTimeMs ?? 0));
    return this.#encode(published === undefined ? known : [...known, published]);
  }

  update(): Update | undefined {
    const published = this.#published;
    const candles = this.#newest(2).filter((candle) => isNews(candle, published));
    if (candles.length === 0) return undefined;
    this.#published = candles.at(-1);
    return { action: 'update', data: this.#encode(candles) };
  }

  /** As many of the newest as are in memory, ascending. */
  #newest(limit: number): readonly Candle[] {
    const nowMs = this.#options.nowMs();
    const answer = this.#options.live.candles(this.instrumentId, this.#period, { limit, nowMs });
    return answer.kind === 'rows' ? answer.rows : answer.recent;
  }

  #encode(candles: readonly Candle[]): string {
    const { priceScale, quantityScale } = this.#options.pair;
    return jsonList(candles, ({ openTimeMs, open, high, low, close, baseLots }) => {
      const prices = [open, high, low, close].map((price) => formatTrimmed(price, priceScale));
      const texts = [String(openTimeMs), ...prices, formatTrimmed(baseLots, quantityScale)];
      return JSON.stringify(texts);
    });
  }
}

function isNews(candle: Candle, published: Candle | undefined): boolean {
  if (published === undefined || candle.openTimeMs > published.openTimeMs) return true;
  if (candle.openTimeMs < published.openTimeMs) return false;
  return candle.baseLots !== published.baseLots || candle.close !== published.close;
}
