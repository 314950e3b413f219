/** Handlers of the public contract endpoints: from the live views, and the history for the past. */
import type { Answer, DataJson, JsonObject, Services } from '#api';
import { type Contract, type ContractPrices, isRefused, LIMITS, openableLots } from '#domain';
import { present } from '#kernel';
import type { LiveMarkets } from '#market-data';

import { candleRows } from '../candle-rows.ts';
import { EncodedMarket } from '../encoded-market.ts';
import type { PublicHandler } from '../handlers.ts';
import { jsonList } from './spot-write-market.ts';
import { nothingBeyond } from './swap-orders.ts';
import { readContractQuery } from './swap-read-contract.ts';
import {
  type ContractCandlesQuery,
  readContractCandles,
  readContractDepth,
  readContractTrades,
  readFundingHistory,
  readOpenCount,
} from './swap-read-market.ts';
import {
  writeContract,
  writeContractCandles,
  writeContractDepthSides,
  writeContractTicker,
  writeContractTickerFields,
  writeContractTrades,
  writeFundingRate,
  writeFundingTime,
  writeIndex,
  writeMarkPrice,
  writeOpenCount,
  writeOpenInterest,
  writePriceLimit,
  writeServerTime,
} from './swap-write-market.ts';

type MarketOptions = Pick<Services, 'live' | 'history' | 'historyReady' | 'compatibility'>;

/** One handler per public endpoint, by its name in the table. */
export function swapMarketHandlers(options: MarketOptions) {
  const { live } = options;
  return {
    time: (_input, nowMs) => writeServerTime(nowMs),
    contracts: () => jsonList(contractsOf(live), writeContract),
    trades: (input) => trades(live, input),
    candles: (input, nowMs) => candles(options, input, nowMs),
    fundingHistory: (input) => fundingHistory(options, input),
    openCount: (input) => openCount(options, input),
    ...encodedHandlers(live),
    ...priceHandlers(live),
  } as const satisfies Record<string, PublicHandler>;
}

function contractsOf({ listings }: LiveMarkets): Contract[] {
  return [...listings.contracts.values()];
}

/** Tickers and books, which are encoded once per change. */
function encodedHandlers(live: LiveMarkets) {
  const encoded = new EncodedMarket<Contract>(live, {
    tickerFields: writeContractTickerFields,
    ticker: writeContractTicker,
    depthSides: writeContractDepthSides,
  });
  return {
    ticker: (input, nowMs) =>
      onContract(live, input, (contract) => encoded.ticker(contract, nowMs)),
    tickers: (_input, nowMs) =>
      jsonList(contractsOf(live), (contract) => encoded.ticker(contract, nowMs)),
    depth: (input, nowMs) => {
      const query = readContractDepth(input, live.listings);
      return isRefused(query) ? query : encoded.depth(query.contract, 0, query.limit, nowMs);
    },
  } as const satisfies Record<string, PublicHandler>;
}

/** A contract's prices as of the last tick, and what is held in it now. */
function priceHandlers(live: LiveMarkets) {
  type Write = (contract: Contract, prices: ContractPrices, nowMs: number) => DataJson;
  const shown =
    (write: Write): PublicHandler =>
    (input, nowMs) =>
      onContract(live, input, (contract) => {
        const prices = live.contractPrices(contract.instrumentId);
        return write(contract, present(prices, 'prices of a contract'), nowMs);
      });
  return {
    index: shown(writeIndex),
    markPrice: shown(writeMarkPrice),
    openInterest: shown(writeOpenInterest),
    priceLimit: shown(writePriceLimit),
    fundingTime: shown(writeFundingTime),
  } as const satisfies Record<string, PublicHandler>;
}

function onContract(
  live: LiveMarkets,
  input: JsonObject,
  answer: (contract: Contract) => DataJson,
): Answer {
  const query = readContractQuery(input, live.listings);
  return isRefused(query) ? query : answer(query.contract);
}

function trades(live: LiveMarkets, input: JsonObject): Answer {
  const query = readContractTrades(input, live.listings);
  if (isRefused(query)) return query;
  const { contract, limit } = query;
  return writeContractTrades(contract, live.recentTrades(contract.instrumentId, limit));
}

async function candles(options: MarketOptions, input: JsonObject, nowMs: number): Promise<Answer> {
  const query = readContractCandles(input, options.live.listings);
  if (isRefused(query)) return query;
  const { contract, period } = query;
  const window = candleWindow(query, nowMs);
  const rows = await candleRows(options, contract.instrumentId, period, window);
  return writeContractCandles(contract, rows);
}

/** Without a start the last rows; with one, the newest that a page holds from there on. */
function candleWindow({ fromMs, toMs, periodMs }: ContractCandlesQuery, nowMs: number) {
  if (fromMs === undefined) return { toMs, limit: LIMITS.pageRowsDefault, nowMs };
  const lastMs = Math.min(toMs ?? nowMs, nowMs);
  const earliestMs = lastMs - LIMITS.candlePageMax * periodMs + 1;
  return { fromMs: Math.max(fromMs, earliestMs), toMs, limit: LIMITS.candlePageMax, nowMs };
}

async function fundingHistory(
  { live, history, historyReady }: MarketOptions,
  input: JsonObject,
): Promise<Answer> {
  const query = readFundingHistory(input, live.listings);
  if (isRefused(query)) return query;
  const { contract, isBeyond, ...page } = query;
  await historyReady();
  const settled = await history.fundingRates({ ...page, instrumentId: contract.instrumentId });
  if (isBeyond) return nothingBeyond(settled);
  return jsonList(settled, (rate) => writeFundingRate(contract, rate));
}

function openCount({ live, compatibility }: MarketOptions, input: JsonObject): Answer {
  const query = readOpenCount(input, live.listings);
  if (isRefused(query)) return query;
  const { contract, amount, priceTicks, leverage } = query;
  const isScalar = compatibility?.openCount === 'scalar';
  const openable = openableLots(contract, amount, priceTicks, leverage);
  return writeOpenCount(contract, openable, isScalar);
}
