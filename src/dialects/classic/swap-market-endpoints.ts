/** The public endpoints of contracts: one row each, in the order of the documentation. */

import Type from 'typebox';
import type { Endpoint, RateLimit } from '#api';
import { choices, optional, required, whole } from '../schema.ts';
import * as example from './swap-market-examples.ts';
import {
  ContractCandleSchema,
  ContractDepthSchema,
  ContractSchema,
  ContractTickerSchema,
  ContractTradeSchema,
  FundingRateSchema,
  FundingTimeSchema,
  IndexSchema,
  MarkPriceSchema,
  OpenCountSchema,
  OpenInterestSchema,
  PriceLimitSchema,
  ServerTimeSchema,
} from './swap-market-resources.ts';
import { CONTRACT_GRANULARITIES } from './swap-read-market.ts';

const BASE = '/api/swap/v3/market';

const RATE: RateLimit = { limit: 20, windowMs: 2_000 };

const symbol = required('Contract, in any case');
const nothing = Type.Object({});
const onlySymbol = Type.Object({ symbol });
const symbolExample = { symbol: example.SYMBOL };

/** What every public endpoint of contracts has in common. */
const row = { method: 'GET', rate: RATE, permission: 'none', bare: true } as const;

export const SWAP_MARKET_ENDPOINTS = {
  time: {
    ...row,
    path: `${BASE}/time`,
    summary: 'Server time',
    request: nothing,
    response: ServerTimeSchema,
    example: { request: {}, data: example.SERVER_TIME },
  },
  contracts: {
    ...row,
    path: `${BASE}/contracts`,
    summary: 'Every contract',
    request: nothing,
    response: Type.Array(ContractSchema),
    example: { request: {}, data: [example.CONTRACT] },
  },
  depth: {
    ...row,
    path: `${BASE}/depth`,
    summary: 'Order book by price, best first (100 levels by default, up to 200)',
    request: Type.Object({
      symbol,
      limit: optional('Levels wanted; above the maximum counts as the maximum', whole(1)),
    }),
    response: ContractDepthSchema,
    example: { request: { ...symbolExample, limit: '1' }, data: example.DEPTH },
  },
  tickers: {
    ...row,
    path: `${BASE}/tickers`,
    summary: 'Last price and 24 hours of every contract',
    request: nothing,
    response: Type.Array(ContractTickerSchema),
    example: { request: {}, data: [example.TICKER] },
  },
  ticker: {
    ...row,
    path: `${BASE}/ticker`,
    summary: 'Last price and 24 hours of one contract',
    request: onlySymbol,
    response: ContractTickerSchema,
    example: { request: symbolExample, data: example.TICKER },
  },
  trades: {
    ...row,
    path: `${BASE}/trades`,
    summary: 'Recent public trades, newest first (100 by default and at most)',
    request: Type.Object({
      symbol,
      limit: optional('Rows wanted; above the maximum counts as the maximum', whole(1)),
    }),
    response: Type.Array(ContractTradeSchema),
    example: { request: { ...symbolExample, limit: '1' }, data: [example.TRADE] },
  },
  candles: {
    ...row,
    path: `${BASE}/candles`,
    summary: 'Candles, oldest first: the last 100, or the newest 1000 from a start time on',
    request: Type.Object({
      symbol,
      granularity: optional(
        'Seconds: 60 (default) 180 300 900 1800 3600 7200 14400 21600 43200 86400 604800',
        choices(...CONTRACT_GRANULARITIES.keys()),
      ),
      startTime: optional(
        'Candles that open at this time or later; milliseconds or seconds',
        whole(),
      ),
      endTime: optional(
        'Candles that open at this time or earlier; milliseconds or seconds',
        whole(),
      ),
      start: optional('As startTime, as UTC text; read when there is no startTime'),
      end: optional('As endTime, as UTC text; read when there is no endTime'),
    }),
    response: Type.Array(ContractCandleSchema),
    example: {
      request: { ...symbolExample, granularity: '60', startTime: '1795235640000' },
      data: [example.CANDLE],
    },
  },
  index: {
    ...row,
    path: `${BASE}/index`,
    summary: 'Index price',
    request: onlySymbol,
    response: IndexSchema,
    example: { request: symbolExample, data: example.INDEX },
  },
  openInterest: {
    ...row,
    path: `${BASE}/open_interest`,
    summary: 'Contracts that are held, and their value at the mark price',
    request: onlySymbol,
    response: OpenInterestSchema,
    example: { request: symbolExample, data: example.OPEN_INTEREST },
  },
  priceLimit: {
    ...row,
    path: `${BASE}/price_limit`,
    summary: 'Highest buy price and lowest sell price',
    request: onlySymbol,
    response: PriceLimitSchema,
    example: { request: symbolExample, data: example.PRICE_LIMIT },
  },
  fundingTime: {
    ...row,
    path: `${BASE}/funding_time`,
    summary: 'When funding is settled next',
    request: onlySymbol,
    response: FundingTimeSchema,
    example: { request: symbolExample, data: example.FUNDING_TIME },
  },
  fundingHistory: {
    ...row,
    path: `${BASE}/historyFundRate`,
    summary: 'Funding rates that were settled, newest first (20 a page by default, up to 100)',
    request: Type.Object({
      symbol,
      pageIndex: optional('Page, from 1 (default); pages end at 20000 rows', whole(1)),
      pageSize: optional('Rows of a page; above the maximum counts as the maximum', whole(1)),
    }),
    response: Type.Array(FundingRateSchema),
    example: {
      request: { ...symbolExample, pageIndex: '1', pageSize: '1' },
      data: [example.FUNDING_RATE],
    },
  },
  markPrice: {
    ...row,
    path: `${BASE}/mark_price`,
    summary: 'Mark price',
    request: onlySymbol,
    response: MarkPriceSchema,
    example: { request: symbolExample, data: example.MARK_PRICE },
  },
  openCount: {
    ...row,
    path: `${BASE}/open_count`,
    summary: 'How many contracts an amount can open, the taker fee included',
    request: Type.Object({
      symbol,
      amount: required('Margin coin to use'),
      openPrice: required('Price of the order'),
      leverage: optional('Leverage; 20 by default, as far as the contract allows it'),
    }),
    response: OpenCountSchema,
    example: {
      request: { ...symbolExample, amount: '1000', openPrice: '30000', leverage: '20' },
      data: example.OPEN_COUNT,
    },
  },
} as const satisfies Record<string, Endpoint>;
