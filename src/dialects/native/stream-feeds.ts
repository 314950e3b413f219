/** The public feeds of the stream: rows as REST answers them, and books level by level. */
import {
  BookFeed,
  CandleFeed,
  type PublicFeed,
  StateFeed,
  type StreamServices,
  TradeFeed,
} from '#api';
import type { InstrumentId, Period } from '#domain';
import { jsonList } from '../kit/row.ts';
import { CANDLE, CANDLES_DEFAULT, levelTexts, TRADE, tickerText } from './market-data.ts';
import { readFeed } from './stream-channels.ts';
import { type Market, marketById, marketsOf } from './terms.ts';

type Source = Pick<StreamServices, 'live' | 'clock'>;

/** Of the tickers of all markets: each is written for it. */
const TICKERS_INTERVAL_MS = 1_000;

export function openFeed(source: Source, feed: string): PublicFeed {
  const shown = readFeed(feed);
  switch (shown.of) {
    case 'tickers':
      return new TickersFeed(source);
    case 'ticker':
      return tickerFeed(source, shown.market);
    case 'trades':
      return tradeFeed(source, shown.market);
    case 'book':
      return bookFeed(source, shown.market, shown.levels);
    case 'candles':
      return candleFeed(source, shown.market, shown.period);
  }
}

/** Terms of a market change while it is followed: it is looked up for every message. */
function marketOf({ live }: Source, id: InstrumentId): Market {
  return marketById(live.listings, id);
}

function tickerFeed(source: Source, id: InstrumentId): StateFeed {
  const { live, clock } = source;
  return new StateFeed(clock, id, {
    content: () => tickerText(live, marketOf(source, id), clock.nowMs()),
    write: (content) => content,
  });
}

function tradeFeed(source: Source, id: InstrumentId): TradeFeed {
  return new TradeFeed(source.live, id, (newestFirst) => {
    const market = marketOf(source, id);
    return jsonList(newestFirst, (trade) => TRADE.write({ market, trade }));
  });
}

function bookFeed(source: Source, id: InstrumentId, levelsMax: number): BookFeed {
  return new BookFeed(source, id, {
    levelsMax,
    sendsChanges: true,
    texts: (levels) => levelTexts(levels, marketOf(source, id)),
    write: ({ asks, bids, updateId, checksum }) => {
      const sides = `"bids":${JSON.stringify(bids)},"asks":${JSON.stringify(asks)}`;
      const { symbol } = marketOf(source, id);
      return `{"symbol":"${symbol}","version":${updateId},"checksum":${checksum()},${sides}}`;
    },
  });
}

function candleFeed(source: Source, id: InstrumentId, period: Period): CandleFeed {
  const { live, clock } = source;
  return new CandleFeed(id, {
    shownMax: CANDLES_DEFAULT,
    read: (limit, fromMs) => {
      const answer = live.candles(id, period, { limit, fromMs, nowMs: clock.nowMs() });
      return answer.kind === 'rows' ? answer.rows : answer.recent;
    },
    row: (candle) => CANDLE.write({ market: marketOf(source, id), candle }),
    write: (rows) => `[${rows.join(',')}]`,
  });
}

/** The tickers of all markets: whole at first, then those that have changed. */
class TickersFeed implements PublicFeed {
  readonly instrumentId = undefined;
  readonly isPrompt = false;
  readonly updateIntervalMs = TICKERS_INTERVAL_MS;
  readonly #source: Source;
  /** As last sent. */
  readonly #rows = new Map<InstrumentId, string>();

  constructor(source: Source) {
    this.#source = source;
    this.update();
  }

  snapshot(): string {
    return `[${[...this.#rows.values()].join(',')}]`;
  }

  update() {
    const { live, clock } = this.#source;
    const nowMs = clock.nowMs();
    const changed: string[] = [];
    for (const market of marketsOf(live.listings)) {
      const text = tickerText(live, market, nowMs);
      if (this.#rows.get(market.instrumentId) === text) continue;
      this.#rows.set(market.instrumentId, text);
      changed.push(text);
    }
    if (changed.length === 0) return undefined;
    return { action: 'update', data: `[${changed.join(',')}]` } as const;
  }
}
