/** A pair or a contract in one shape, made from what either area of the API says of it. */

import type { SpotProduct, SpotTicker, SwapContract, SwapTicker } from '#dialects';
import { formatDecimal } from '#kernel';
import { exact } from '../model/numbers.ts';

interface Terms {
  /** What the market is called where it is traded. */
  readonly symbol: string;
  /** As in BTC/USDT. */
  readonly title: string;
  readonly base: string;
  readonly quote: string;
  /** Decimal places of a price and of a quantity. */
  readonly priceScale: number;
  readonly quantityScale: number;
  /** Decimal text: prices and quantities are multiples of it. */
  readonly priceStep: string;
  readonly quantityStep: string;
  /** What a quantity counts, as in BTC; empty for contracts: each language has a word for them. */
  readonly quantityUnit: string;
}

export interface SpotInstrument extends Terms {
  readonly kind: 'spot';
  readonly minQuantity: string;
  readonly maxQuantity: string;
  readonly takerFeeRate: string;
  readonly makerFeeRate: string;
  readonly isOnline: boolean;
}

export interface ContractInstrument extends Terms {
  readonly kind: 'contract';
  /** What one contract stands for: base coin, quote currency when inverse. */
  readonly contractValue: string;
  readonly isInverse: boolean;
  readonly marginCoin: string;
  readonly minLeverage: number;
  readonly maxLeverage: number;
}

export type Instrument = SpotInstrument | ContractInstrument;

/** The last 24 hours of an instrument, as texts. */
export interface Ticker {
  /** 0 while nothing was ever traded. */
  readonly last: string;
  /** A fraction: 0.01 is one per cent. */
  readonly change: string;
  readonly high: string;
  readonly low: string;
  readonly baseVolume: string;
  /** Undefined for contracts. */
  readonly quoteVolume: string | undefined;
  readonly bid: string;
  readonly ask: string;
}

export function spotInstrument(product: SpotProduct): SpotInstrument {
  const priceScale = Number(product.priceScale);
  const quantityScale = Number(product.quantityScale);
  return {
    kind: 'spot',
    symbol: product.symbol,
    title: `${product.baseCoin}/${product.quoteCoin}`,
    base: product.baseCoin,
    quote: product.quoteCoin,
    priceScale,
    quantityScale,
    priceStep: stepText('1', priceScale),
    quantityStep: stepText('1', quantityScale),
    quantityUnit: product.baseCoin,
    minQuantity: product.minTradeAmount,
    maxQuantity: product.maxTradeAmount,
    takerFeeRate: product.takerFeeRate,
    makerFeeRate: product.makerFeeRate,
    isOnline: product.status === 'online',
  };
}

export function contractInstrument(contract: SwapContract): ContractInstrument {
  const priceScale = Number(contract.tick_size);
  const quantityScale = Number(contract.size_increment);
  return {
    kind: 'contract',
    symbol: contract.symbol,
    title: `${contract.underlying_index}/${contract.quote_currency}`,
    base: contract.underlying_index,
    quote: contract.quote_currency,
    priceScale,
    quantityScale,
    priceStep: stepText(contract.priceEndStep, priceScale),
    quantityStep: stepText('1', quantityScale),
    quantityUnit: '',
    contractValue: contract.contract_val,
    isInverse: !contract.forwardContractFlag,
    marginCoin: contract.coin,
    minLeverage: Number(contract.minLeverage),
    maxLeverage: Number(contract.maxLeverage),
  };
}

export function spotTicker(row: SpotTicker): Ticker {
  return {
    last: row.close,
    change: row.change,
    high: row.high24h,
    low: row.low24h,
    baseVolume: row.baseVol,
    quoteVolume: row.quoteVol,
    bid: row.buyOne,
    ask: row.sellOne,
  };
}

export function swapTicker(row: SwapTicker): Ticker {
  return {
    last: row.last,
    change: ratioOfPercent(row.priceChangePercent),
    high: row.high_24h,
    low: row.low_24h,
    baseVolume: row.base_volume,
    quoteVolume: undefined,
    bid: row.best_bid,
    ask: row.best_ask,
  };
}

/** "1.5" is "0.015". */
function ratioOfPercent(percent: string): string {
  const { value, scale } = exact(percent);
  return formatDecimal(value, scale + 2);
}

/** So many units of the last decimal place: 5 at scale 1 is 0.5. */
function stepText(units: string, scale: number): string {
  if (scale === 0) return units;
  const digits = units.padStart(scale + 1, '0');
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
