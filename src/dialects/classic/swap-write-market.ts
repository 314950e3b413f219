/**
 * Encodes public market data of contracts as JSON bodies. Prices have the decimals of tick_size,
 * volumes are trimmed. Rows are put together by hand where there are many.
 */
import type { DataJson } from '#api';
import {
  type Amount,
  type Candle,
  type Contract,
  type ContractPrices,
  formatId,
  type Lots,
  type PublicTrade,
  type Ticker,
  valueFloor,
} from '#domain';
import { assert, formatTrimmed, parseDecimal } from '#kernel';
import { jsonList, type LevelValues } from './spot-write-market.ts';
import { formatFundingRate, formatMoney, formatPrice, formatSize } from './swap-format.ts';

/** More decimals than the value of any contract has. */
const CONTRACT_VALUE_SCALE = 36;
/** Decimal places of a change in percent, cut off and not rounded. */
const PERCENT_SCALE = 4;
const PERCENT_HUNDRED = 1_000_000n;

/** The time in the three forms that clients read. */
export function writeServerTime(nowMs: number): DataJson {
  return JSON.stringify({
    epoch: (nowMs / 1_000).toFixed(3),
    iso: new Date(nowMs).toISOString(),
    timestamp: nowMs,
  });
}

/** True for a contract with margin in the quote coin: what clients call a forward contract. */
export function isForward({ kind }: Contract): boolean {
  return kind === 'linear';
}

/** One contract of the public list. */
export function writeContract(contract: Contract): string {
  return JSON.stringify({
    symbol: contract.symbol,
    underlying_index: contract.baseCode,
    quote_currency: contract.quoteCode,
    coin: contract.margin.code,
    contract_val: contract.contractValue,
    listing: null,
    delivery: contract.fundingMinutes.map(timeOfDay),
    size_increment: String(contract.quantityScale),
    tick_size: String(contract.priceScale),
    priceEndStep: String(contract.priceStepTicks),
    minLeverage: String(contract.leverageMin),
    maxLeverage: String(contract.leverageMax),
    forwardContractFlag: isForward(contract),
  });
}

function timeOfDay(minute: number): string {
  const hours = String(Math.floor(minute / 60)).padStart(2, '0');
  return `${hours}:${String(minute % 60).padStart(2, '0')}:00`;
}

/** A ticker without its time, which writeContractTicker adds. */
export function writeContractTickerFields(contract: Contract, ticker: Ticker): string {
  const json = JSON.stringify({
    symbol: contract.symbol,
    last: formatPrice(contract, ticker.last),
    best_ask: formatPrice(contract, ticker.ask),
    best_bid: formatPrice(contract, ticker.bid),
    high_24h: formatPrice(contract, ticker.high),
    low_24h: formatPrice(contract, ticker.low),
    volume_24h: formatSize(contract, ticker.baseLots),
    base_volume: baseVolume(contract, ticker.baseLots, ticker.quoteAmount),
    priceChangePercent: changePercent(ticker),
  });
  return json.slice(1, -1);
}

/** A ticker from its encoded fields. */
export function writeContractTicker(fields: string, nowMs: number): DataJson {
  return `{${fields},"timestamp":"${nowMs}"}`;
}

/** (last - open) / open in percent, rounded toward zero; zero before the first trade. */
function changePercent({ open, last }: Ticker): string {
  if (open === 0) return '0';
  return formatTrimmed((BigInt(last - open) * PERCENT_HUNDRED) / BigInt(open), PERCENT_SCALE);
}

/**
 * Contracts in underlying coin. Linear ones name it; the value of inverse ones, which is in that
 * coin, depends on the price and comes as an amount.
 */
function baseVolume(contract: Contract, size: Lots, value: Amount): string {
  return contract.kind === 'linear' ? namedValue(contract, size) : formatMoney(contract, value);
}

/** Size times contract_val, exact: base coin (linear) or quote currency (inverse). */
function namedValue({ contractValue, quantityScale }: Contract, size: Lots): string {
  const unit = parseDecimal(contractValue, CONTRACT_VALUE_SCALE);
  assert(typeof unit === 'bigint', 'a listed contract has a value');
  return formatTrimmed(BigInt(size) * unit, CONTRACT_VALUE_SCALE + quantityScale);
}

/** Both sides of a book without the time, which is added later: they stay the same for longer. */
export function writeContractDepthSides(
  contract: Contract,
  asks: readonly LevelValues[],
  bids: readonly LevelValues[],
): string {
  return `"asks":${writeLevels(contract, asks)},"bids":${writeLevels(contract, bids)}`;
}

/** The third column, once a count of orders, is obsolete: clients expect a number there. */
function writeLevels(contract: Contract, levels: readonly LevelValues[]): string {
  return jsonList(levels, ([priceTicks, size]) => {
    return `["${formatPrice(contract, priceTicks)}","${formatSize(contract, size)}",1]`;
  });
}

/** Recent public trades. */
export function writeContractTrades(contract: Contract, trades: readonly PublicTrade[]): DataJson {
  return jsonList(trades, (trade) => {
    const price = formatPrice(contract, trade.priceTicks);
    return (
      `{"symbol":"${contract.symbol}","trade_id":"${formatId(trade.tradeId)}",` +
      `"side":"${trade.takerSide}","price":"${price}",` +
      `"size":"${formatSize(contract, trade.sizeLots)}","timestamp":"${trade.timeMs}"}`
    );
  });
}

/** Candles, oldest first, each an array. */
export function writeContractCandles(contract: Contract, candles: readonly Candle[]): DataJson {
  return jsonList(candles, ({ openTimeMs, open, high, low, close, baseLots, quoteAmount }) => {
    const prices = [open, high, low, close].map((price) => formatPrice(contract, price));
    const volumes = [formatSize(contract, baseLots), baseVolume(contract, baseLots, quoteAmount)];
    return JSON.stringify([String(openTimeMs), ...prices, ...volumes]);
  });
}

/** The index price. */
export function writeIndex(contract: Contract, prices: ContractPrices, nowMs: number): DataJson {
  const index = formatPrice(contract, prices.indexTicks);
  return JSON.stringify({ symbol: contract.symbol, index, timestamp: String(nowMs) });
}

/** The mark price. */
export function writeMarkPrice(
  contract: Contract,
  prices: ContractPrices,
  nowMs: number,
): DataJson {
  const mark = formatPrice(contract, prices.markTicks);
  return JSON.stringify({ symbol: contract.symbol, mark_price: mark, timestamp: String(nowMs) });
}

/** What is held, in contracts, and its value in both coins at the mark price, rounded down. */
export function writeOpenInterest(
  contract: Contract,
  { openInterestLots, markTicks }: ContractPrices,
  nowMs: number,
): DataJson {
  const named = namedValue(contract, openInterestLots);
  const priced = formatMoney(contract, valueFloor(contract, openInterestLots, markTicks));
  const [base, target] = contract.kind === 'linear' ? [named, priced] : [priced, named];
  return JSON.stringify({
    symbol: contract.symbol,
    amount: formatSize(contract, openInterestLots),
    base_volume: base,
    target_volume: target,
    forwardContractFlag: isForward(contract),
    timestamp: String(nowMs),
  });
}

/** The price band. */
export function writePriceLimit(
  contract: Contract,
  prices: ContractPrices,
  nowMs: number,
): DataJson {
  return JSON.stringify({
    symbol: contract.symbol,
    highest: formatPrice(contract, prices.highestTicks),
    lowest: formatPrice(contract, prices.lowestTicks),
    forwardContractFlag: isForward(contract),
    timestamp: String(nowMs),
  });
}

/** The next settlement. */
export function writeFundingTime(contract: Contract, { nextFundingMs }: ContractPrices): DataJson {
  return JSON.stringify({
    symbol: contract.symbol,
    funding_time: String(nextFundingMs),
    forwardContractFlag: isForward(contract),
  });
}

export interface FundingRateValues {
  readonly ratePpb: number;
  readonly fundingTimeMs: number;
}

/** One settlement of a list. */
export function writeFundingRate(contract: Contract, settled: FundingRateValues): string {
  return JSON.stringify({
    symbol: contract.symbol,
    funding_rate: formatFundingRate(settled.ratePpb),
    funding_time: String(settled.fundingTimeMs),
  });
}

/** How many contracts an amount opens. */
export function writeOpenCount(contract: Contract, openable: Lots, isScalar: boolean): DataJson {
  const openCount = formatSize(contract, openable);
  return JSON.stringify(isScalar ? openCount : { openCount });
}
