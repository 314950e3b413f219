/** Public market data of contracts: tickers, order book, trades and candles. Sizes in base coin. */
import type { DataJson, Services } from '#api';
import {
  type CandlePrice,
  type Contract,
  isRefused,
  LIMITS,
  nextOpenTimeMs,
  type Period,
  type Refused,
} from '#domain';
import type { CandleWindow } from '#market-data';
import { candleRows } from '../kit/candle-rows.ts';
import { EncodedMarket } from '../kit/encoded-market.ts';
import { type PublicEndpoint, publicEndpoint } from '../kit/endpoint.ts';
import { optionalChoice } from '../kit/request.ts';
import { columnsOf, jsonList, listOf, row, whole } from '../kit/row.ts';
import { pricesOf } from './contract-prices.ts';
import {
  CONTRACT_BASE,
  CONTRACT_NAME,
  MARKET_CONTRACT,
  MARKET_CONTRACTS,
  type OfContract,
  ONLY_SYMBOL,
  price,
} from './contract-terms.ts';
import { costs } from './costs.ts';
import { DEPTH_LEVELS, INTERVAL } from './intervals.ts';
import { figuresOf } from './market-figures.ts';
import {
  BEST_PRICES,
  CANDLE,
  CLOSE_TIME,
  DAY,
  DEPTH,
  OPEN_TIME,
  PUBLIC_TRADE,
  type ShownTicker,
  withCloseTime,
  writeCandle,
  writeDepth,
} from './market-rows.ts';
import { rowsWanted } from './parameters.ts';
import { TIME_MS } from './spot-terms.ts';
import { END_TIME, rangeOf, START_TIME } from './time-range.ts';

const HISTORY_ROWS_MAX = 100;

/** What market data is read from: the live views and what of them is encoded already. */
export interface ContractMarketContext extends Services {
  readonly encoded: EncodedMarket<Contract>;
}

export function contractMarketContext(services: Services): ContractMarketContext {
  const encoded = new EncodedMarket<Contract>(services.live, {
    tickerFields: (contract, ticker) => {
      const prices = pricesOf(services, contract);
      const shown = { contract, figures: figuresOf(contract), ticker, prices };
      return TICKER_FIELDS.write(shown).slice(1, -1);
    },
    ticker: withCloseTime,
    book: (contract, book) => writeDepth(figuresOf(contract), book),
    bookEnd: () => '',
  });
  return { ...services, encoded };
}

interface ContractTicker extends ShownTicker, OfContract {
  readonly prices: ReturnType<typeof pricesOf>;
}

/** Without the time of the answer, which is put in fresh: the rest stays the same for longer. */
const TICKER_FIELDS = row<ContractTicker>()({
  symbol: CONTRACT_NAME,
  ...columnsOf(DAY, (both: ContractTicker) => both),
  markPrice: price('Mark price', '30002.0', ({ prices }) => prices.markTicks),
  indexPrice: price('Index price', '30001.5', ({ prices }) => prices.indexTicks),
  ...columnsOf(OPEN_TIME, (both: ContractTicker) => both),
});

interface Timed extends ContractTicker {
  readonly nowMs: number;
}

const TICKER = row<Timed>()({
  ...TICKER_FIELDS.columns,
  ...columnsOf(CLOSE_TIME, (both: { readonly nowMs: number }) => both),
});

const BOOK_TICKER = row<ShownTicker & OfContract & { readonly nowMs: number }>()({
  symbol: CONTRACT_NAME,
  ...columnsOf(BEST_PRICES, (both: ShownTicker & OfContract & { readonly nowMs: number }) => both),
  time: whole('Server time', TIME_MS, ({ nowMs }) => nowMs),
});

/** Oldest first, in base coin; they close where the next one opens. */
async function candles(
  context: Services,
  contract: Contract,
  period: Period,
  window: CandleWindow,
  price: CandlePrice = 'last',
): Promise<DataJson> {
  const rows = await candleRows(context, contract.instrumentId, period, window, price);
  return jsonList(rows, (candle) =>
    writeCandle(figuresOf(contract), candle, nextOpenTimeMs(period, candle.openTimeMs)),
  );
}

const CANDLE_PRICES: ReadonlyMap<string, CandlePrice> = new Map([
  ['last', 'last'],
  ['index', 'index'],
  ['mark', 'mark'],
]);

function newestCandles(path: string, summary: string, price: CandlePrice) {
  return publicEndpoint({
    method: 'GET',
    path: `${CONTRACT_BASE}/market/${path}`,
    ...costs(1),
    permission: 'none',
    summary,
    request: {
      symbol: MARKET_CONTRACT,
      interval: INTERVAL,
      limit: rowsWanted(LIMITS.pageRowsDefault, LIMITS.candlePageMax),
    },
    response: listOf(CANDLE),
    example: { request: { ...ONLY_SYMBOL, interval: '1m', limit: '1' } },
    answer: (context: ContractMarketContext, { symbol, interval, limit }, { nowMs }) =>
      candles(context, symbol, interval, { limit, nowMs }, price),
  });
}

export const CONTRACT_MARKET = {
  contractDepth: publicEndpoint({
    method: 'GET',
    path: `${CONTRACT_BASE}/market/depth`,
    ...costs(1),
    permission: 'none',
    summary: 'Order book, best prices first: 15 levels of each side, or 200',
    request: { symbol: MARKET_CONTRACT, limit: DEPTH_LEVELS },
    response: DEPTH,
    example: { request: ONLY_SYMBOL },
    answer: ({ encoded }: ContractMarketContext, { symbol: contract, limit }, { nowMs }) =>
      encoded.depth(contract, 0, limit, nowMs),
  }),
  contractTicker24h: publicEndpoint({
    method: 'GET',
    path: `${CONTRACT_BASE}/market/ticker/24hr`,
    ...costs(40),
    permission: 'none',
    summary: 'Last price, 24 hours, mark and index price of one contract or all',
    request: { symbol: MARKET_CONTRACTS },
    response: listOf(TICKER),
    example: { request: ONLY_SYMBOL },
    answer: ({ encoded }: ContractMarketContext, { symbol: contracts }, { nowMs }) =>
      jsonList(contracts, (contract) => encoded.ticker(contract, nowMs)),
  }),
  contractBookTicker: publicEndpoint({
    method: 'GET',
    path: `${CONTRACT_BASE}/market/ticker/bookTicker`,
    ...costs(1),
    permission: 'none',
    summary: 'Best prices of one contract or all',
    request: { symbol: MARKET_CONTRACTS },
    response: listOf(BOOK_TICKER),
    example: { request: ONLY_SYMBOL },
    answer: ({ live }: ContractMarketContext, { symbol: contracts }, { nowMs }) =>
      jsonList(contracts, (contract) => {
        const ticker = live.ticker(contract.instrumentId, nowMs);
        return BOOK_TICKER.write({ contract, figures: figuresOf(contract), ticker, nowMs });
      }),
  }),
  contractTrades: publicEndpoint({
    method: 'GET',
    path: `${CONTRACT_BASE}/market/trades`,
    ...costs(5),
    permission: 'none',
    summary: 'Recent public trades, newest first',
    request: {
      symbol: MARKET_CONTRACT,
      limit: rowsWanted(LIMITS.pageRowsDefault, LIMITS.candlePageMax),
    },
    response: listOf(PUBLIC_TRADE),
    example: { request: { ...ONLY_SYMBOL, limit: '1' } },
    answer: ({ live }: ContractMarketContext, { symbol: contract, limit }) =>
      jsonList(live.recentTrades(contract.instrumentId, limit), (trade) =>
        PUBLIC_TRADE.write({ figures: figuresOf(contract), trade }),
      ),
  }),
  contractKlines: newestCandles('klines', 'The newest candles, oldest first', 'last'),
  markPriceKlines: newestCandles(
    'markPriceKlines',
    'The newest candles of the mark price, oldest first; they have no volume',
    'mark',
  ),
  indexPriceKlines: newestCandles(
    'indexPriceKlines',
    'The newest candles of the index price, oldest first; they have no volume',
    'index',
  ),
  contractHistoryKlines: publicEndpoint({
    method: 'GET',
    path: `${CONTRACT_BASE}/market/historyKlines`,
    ...costs(5),
    permission: 'none',
    summary: 'Candles of a time, oldest first: from its start on, or the last ones before its end',
    request: {
      symbol: MARKET_CONTRACT,
      interval: INTERVAL,
      startTime: START_TIME,
      endTime: END_TIME,
      limit: rowsWanted(HISTORY_ROWS_MAX, HISTORY_ROWS_MAX),
      priceType: optionalChoice('LAST, the default, INDEX or MARK', CANDLE_PRICES, 'last', [
        'LAST',
        'INDEX',
        'MARK',
      ]),
    },
    response: listOf(CANDLE),
    example: { request: { ...ONLY_SYMBOL, interval: '1m', limit: '1' } },
    answer: (context: ContractMarketContext, asked, { nowMs }): Promise<DataJson> | Refused => {
      const { symbol, interval, startTime, endTime, limit, priceType } = asked;
      const range = rangeOf(startTime, endTime);
      if (isRefused(range)) return range;
      return candles(context, symbol, interval, { ...range, limit, nowMs }, priceType);
    },
  }),
} as const satisfies Record<string, PublicEndpoint<ContractMarketContext>>;
