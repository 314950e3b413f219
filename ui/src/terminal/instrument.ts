/** A pair or a contract as the parts of the terminal know it. */
import type { native } from '#client';

interface Terms {
  /** As in BTC-USDT or BTC-USDT-PERP. */
  readonly symbol: string;
  /** As in BTC/USDT. */
  readonly title: string;
  readonly base: string;
  readonly quote: string;
  /** What turnover, fees and profit are in. */
  readonly money: string;
  /** Decimal places of a price and of a quantity. */
  readonly priceScale: number;
  readonly quantityScale: number;
  /** Decimal text: prices are multiples of it. */
  readonly priceStep: string;
  /** What a quantity counts, as in BTC; empty for contracts: each language has a word for them. */
  readonly quantityUnit: string;
}

export interface SpotInstrument extends Terms {
  readonly kind: 'spot';
}

export interface ContractInstrument extends Terms {
  readonly kind: 'contract';
  readonly isInverse: boolean;
  readonly marginCoin: string;
}

export type Instrument = SpotInstrument | ContractInstrument;

/** Prices and the last 24 hours of a market. */
export type Ticker = native.TickersRow;

export function instrumentOf(row: native.MarketsRow): Instrument {
  const { symbol, kind, base, quote, money, priceStep } = row;
  const terms = {
    ...{ symbol, base, quote, money, priceStep },
    title: `${base}/${quote}`,
    priceScale: row.priceDecimals,
    quantityScale: row.sizeDecimals,
  };
  if (kind === 'pair') return { ...terms, kind: 'spot', quantityUnit: base };
  const isInverse = kind === 'inverse';
  return { ...terms, kind: 'contract', quantityUnit: '', isInverse, marginCoin: money };
}
