/**
 * Pairs as the estimates need them. The public list has all but the ledger decimals of the two
 * coins, to which fees are rounded: those are in /ui/terms.
 */
import { lots, type MarketStatus, type SpotInstrument } from '#domain';
import { scaled, scaledNumber } from './numbers.ts';

/** public/products. */
export interface ProductRow {
  readonly symbol: string;
  readonly symbolName: string;
  readonly baseCoin: string;
  readonly quoteCoin: string;
  readonly minTradeAmount: string;
  readonly maxTradeAmount: string;
  /** Zero for a pair that is not quoted in USDT, even where it has a least order value. */
  readonly minTradeUSDT: string;
  readonly takerFeeRate: string;
  readonly makerFeeRate: string;
  readonly priceScale: string;
  readonly quantityScale: string;
  readonly status: MarketStatus;
}

/** Decimal places of a coin in the ledger, by its code. */
export type CoinScales = Readonly<Record<string, number>>;

/** All that cost, fee and what is received are worked out from. */
export interface TradedPair
  extends Pick<
    SpotInstrument,
    | 'baseCode'
    | 'quoteCode'
    | 'priceScale'
    | 'quantityScale'
    | 'minLots'
    | 'maxLots'
    | 'minNotional'
    | 'takerFeePpm'
    | 'makerFeePpm'
    | 'status'
    | 'quoteUnitsPerTickLot'
    | 'baseUnitsPerLot'
  > {
  readonly symbol: string;
  readonly name: string;
  readonly baseScale: number;
  readonly quoteScale: number;
}

const PPM_SCALE = 6;
/** The usual ledger decimals; for a coin whose own are not known, if they suffice. */
const COIN_SCALE = 8;

export function tradedPair(row: ProductRow, coinScales: CoinScales): TradedPair {
  const priceScale = Number(row.priceScale);
  const quantityScale = Number(row.quantityScale);
  const baseScale = coinScales[row.baseCoin] ?? Math.max(COIN_SCALE, quantityScale);
  const quoteScale = coinScales[row.quoteCoin] ?? Math.max(COIN_SCALE, priceScale + quantityScale);
  return {
    symbol: row.symbol,
    name: row.symbolName,
    baseCode: row.baseCoin,
    quoteCode: row.quoteCoin,
    ...{ priceScale, quantityScale, baseScale, quoteScale },
    minLots: lots(scaledNumber(row.minTradeAmount, quantityScale)),
    maxLots: lots(scaledNumber(row.maxTradeAmount, quantityScale)),
    minNotional: scaled(row.minTradeUSDT, quoteScale),
    takerFeePpm: scaledNumber(row.takerFeeRate, PPM_SCALE),
    makerFeePpm: scaledNumber(row.makerFeeRate, PPM_SCALE),
    status: row.status,
    quoteUnitsPerTickLot: 10n ** BigInt(quoteScale - priceScale - quantityScale),
    baseUnitsPerLot: 10n ** BigInt(baseScale - quantityScale),
  };
}
