/**
 * Encodes public market data as the JSON of `data`. Prices and quantities are trimmed decimals.
 * Rows are put together by hand where there are many: digits need no escaping.
 */
import type { DataJson } from '#api';
import {
  type Asset,
  type Candle,
  type Chain,
  formatId,
  type Lots,
  type PublicTrade,
  type SpotInstrument,
  type Ticker,
  type Ticks,
  type UsdtValue,
} from '#domain';
import { formatTrimmed } from '#kernel';

const PPM_SCALE = 6;
/** Decimal places of a ratio, cut off and not rounded. */
const RATIO_SCALE = 5;
const RATIO_ONE = 100_000n;

/** The public list of coins. */
export function writeCoins(assets: readonly Asset[]): DataJson {
  return JSON.stringify(
    assets.map((asset) => ({
      coinId: String(asset.coinId),
      coinName: asset.code,
      transfer: String(asset.transferable),
      chains: asset.chains.map(chainFields),
    })),
  );
}

function chainFields(chain: Chain) {
  const withdrawable = String(chain.withdrawable);
  const rechargeable = String(chain.rechargeable);
  return {
    chain: chain.chain,
    needTag: String(chain.needTag),
    withdrawAble: withdrawable,
    rechargeAble: rechargeable,
    withdrawable,
    rechargeable,
    withdrawFee: chain.withdrawFee,
    depositConfirm: String(chain.depositConfirm),
    withdrawConfirm: String(chain.withdrawConfirm),
    minDepositAmount: chain.minDepositAmount,
    minWithdrawAmount: chain.minWithdrawAmount,
    browserUrl: chain.browserUrl,
  };
}

/** The public list of pairs. */
export function writeProducts(pairs: readonly SpotInstrument[]): DataJson {
  return JSON.stringify(pairs.map(productFields));
}

function productFields(pair: SpotInstrument) {
  const minimumInUsdt = pair.quoteCode === 'USDT' ? pair.minNotional : 0n;
  return {
    symbol: pair.symbol,
    symbolName: pair.name,
    baseCoin: pair.baseCode,
    quoteCoin: pair.quoteCode,
    minTradeAmount: formatTrimmed(pair.minLots, pair.quantityScale),
    maxTradeAmount: formatTrimmed(pair.maxLots, pair.quantityScale),
    minTradeUSDT: formatTrimmed(minimumInUsdt, pair.quote.scale),
    takerFeeRate: formatTrimmed(pair.takerFeePpm, PPM_SCALE),
    makerFeeRate: formatTrimmed(pair.makerFeePpm, PPM_SCALE),
    ...priceRatios(pair),
    priceScale: String(pair.priceScale),
    quantityScale: String(pair.quantityScale),
    // Clients know three states: for them a suspension is a halt.
    status: pair.status === 'suspended' ? 'halt' : pair.status,
  };
}

/** How far from the last price orders are taken; nothing for a pair that takes any price. */
function priceRatios({ priceBandPpm }: SpotInstrument) {
  if (priceBandPpm === 0) return {};
  const ratio = formatTrimmed(priceBandPpm, PPM_SCALE);
  return { buyLimitPriceRatio: ratio, sellLimitPriceRatio: ratio };
}

/** A ticker without its time, which writeTicker adds: the rest stays the same for longer. */
export function writeTickerFields(pair: SpotInstrument, ticker: Ticker): string {
  const { priceScale, quantityScale } = pair;
  const json = JSON.stringify({
    symbol: pair.name,
    high24h: formatTrimmed(ticker.high, priceScale),
    low24h: formatTrimmed(ticker.low, priceScale),
    close: formatTrimmed(ticker.last, priceScale),
    quoteVol: formatTrimmed(ticker.quoteAmount, pair.quote.scale),
    baseVol: formatTrimmed(ticker.baseLots, quantityScale),
    usdtVol: formatTrimmed(ticker.usdtValue.amount, ticker.usdtValue.scale),
    buyOne: formatTrimmed(ticker.bid, priceScale),
    sellOne: formatTrimmed(ticker.ask, priceScale),
    bidSz: formatTrimmed(ticker.bidLots, quantityScale),
    askSz: formatTrimmed(ticker.askLots, quantityScale),
    openUtc0: formatTrimmed(ticker.openUtc0, priceScale),
    changeUtc: changeRatio(ticker.openUtc0, ticker.last),
    change: changeRatio(ticker.open, ticker.last),
  });
  return json.slice(1, -1);
}

/** A ticker from its encoded fields. */
export function writeTicker(fields: string, nowMs: number): DataJson {
  return `{${fields},"ts":"${nowMs}"}`;
}

/** (last - open) / open with five decimals, rounded toward zero; zero before the first trade. */
function changeRatio(open: Ticks, last: Ticks): string {
  if (open === 0) return '0';
  return formatTrimmed((BigInt(last - open) * RATIO_ONE) / BigInt(open), RATIO_SCALE);
}

/** Recent public trades. */
export function writeTrades(pair: SpotInstrument, trades: readonly PublicTrade[]): DataJson {
  return jsonList(trades, (trade) => {
    const price = formatTrimmed(trade.priceTicks, pair.priceScale);
    const quantity = formatTrimmed(trade.sizeLots, pair.quantityScale);
    return (
      `{"symbol":"${pair.symbol}","tradeId":"${formatId(trade.tradeId)}",` +
      `"side":"${trade.takerSide}","fillPrice":"${price}","fillQuantity":"${quantity}",` +
      `"fillTime":"${trade.timeMs}"}`
    );
  });
}

/** Candles, oldest first. `usdtValue` gives the USDT value of a candle's quote volume. */
export function writeCandles(
  pair: SpotInstrument,
  candles: readonly Candle[],
  usdtValue: (candle: Candle) => UsdtValue,
): DataJson {
  const price = (value: Ticks) => formatTrimmed(value, pair.priceScale);
  return jsonList(candles, (candle) => {
    const usdt = usdtValue(candle);
    return (
      `{"ts":"${candle.openTimeMs}",` +
      `"open":"${price(candle.open)}","high":"${price(candle.high)}",` +
      `"low":"${price(candle.low)}","close":"${price(candle.close)}",` +
      `"baseVol":"${formatTrimmed(candle.baseLots, pair.quantityScale)}",` +
      `"quoteVol":"${formatTrimmed(candle.quoteAmount, pair.quote.scale)}",` +
      `"usdtVol":"${formatTrimmed(usdt.amount, usdt.scale)}"}`
    );
  });
}

export type LevelValues = readonly [priceTicks: Ticks, lots: Lots];

/** Both sides of a book without the time, which writeDepth adds: they stay the same for longer. */
export function writeDepthSides(
  pair: SpotInstrument,
  asks: readonly LevelValues[],
  bids: readonly LevelValues[],
): string {
  return `"asks":${writeLevels(pair, asks)},"bids":${writeLevels(pair, bids)}`;
}

/** An order book from its encoded sides. */
export function writeDepth(sides: string, nowMs: number): DataJson {
  return `{${sides},"timestamp":"${nowMs}"}`;
}

function writeLevels(pair: SpotInstrument, levels: readonly LevelValues[]): string {
  return jsonList(levels, ([priceTicks, lots]) => {
    const price = formatTrimmed(priceTicks, pair.priceScale);
    return `["${price}","${formatTrimmed(lots, pair.quantityScale)}"]`;
  });
}

/** A JSON list of encoded rows. */
export function jsonList<Row>(rows: readonly Row[], encode: (row: Row) => string): string {
  let text = '[';
  for (const row of rows) {
    if (text.length > 1) text += ',';
    text += encode(row);
  }
  return `${text}]`;
}
