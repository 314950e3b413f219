/** Pairs as the estimates need them: what the public list says, and their coins' decimals. */
import type { native } from '#client';
import { lots, type SpotInstrument } from '#domain';
import { scaled, scaledNumber } from './numbers.ts';

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
  readonly baseScale: number;
  readonly quoteScale: number;
}

const PPM_SCALE = 6;
/** The usual ledger decimals, while a coin's own are not known. */
export const COIN_SCALE = 8;

/** A row of the public list; undefined of a contract. */
export function tradedPair(row: native.MarketsRow, coinScales: CoinScales): TradedPair | undefined {
  const { symbol, kind, base, quote, priceDecimals, sizeDecimals, status } = row;
  if (kind !== 'pair') return undefined;
  const baseScale = coinScales[base] ?? Math.max(COIN_SCALE, sizeDecimals);
  const quoteScale = coinScales[quote] ?? Math.max(COIN_SCALE, priceDecimals + sizeDecimals);
  return {
    ...{ symbol, baseCode: base, quoteCode: quote, status },
    ...{ priceScale: priceDecimals, quantityScale: sizeDecimals, baseScale, quoteScale },
    minLots: lots(scaledNumber(row.sizeMin, sizeDecimals)),
    maxLots: lots(scaledNumber(row.sizeMax, sizeDecimals)),
    minNotional: scaled(row.valueMin, quoteScale),
    takerFeePpm: scaledNumber(row.takerFee, PPM_SCALE),
    makerFeePpm: scaledNumber(row.makerFee, PPM_SCALE),
    quoteUnitsPerTickLot: 10n ** BigInt(quoteScale - priceDecimals - sizeDecimals),
    baseUnitsPerLot: 10n ** BigInt(baseScale - sizeDecimals),
  };
}
