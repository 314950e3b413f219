/** Spot pairs: what is listed, with its bounds. Contracts are in contract.ts. */

import { mulDivCeil } from '#kernel';
import type { Asset } from './asset.ts';
import type { SuspensionReason } from './failure.ts';
import { type Amount, type InstrumentId, type Lots, PPM_BIG, type Ticks } from './units.ts';

/** online trades; halt takes cancels only; offline is delisted and takes cancels only. */
export const MARKET_STATUSES = ['online', 'halt', 'offline'] as const;

/** What the operator sets, or suspended: a fault of the engine took it out of trade altogether. */
export type MarketStatus = (typeof MARKET_STATUSES)[number] | 'suspended';

/** What the operator may change while the market runs. */
export interface SpotTerms {
  readonly minLots: Lots;
  readonly maxLots: Lots;
  /** Smallest order value in the quote coin; zero for none. */
  readonly minNotional: Amount;
  readonly takerFeePpm: number;
  readonly makerFeePpm: number;
  readonly status: MarketStatus;
  /**
   * Where the resident market maker centres its ladder, and the price band until the first trade;
   * zero for nowhere.
   */
  readonly referencePriceTicks: Ticks;
  /** Buys go up to this far above the last price, sells as far below it; zero for any price. */
  readonly priceBandPpm: number;
}

export interface SpotSpec extends SpotTerms {
  /** BTC-USDT of BTC and USDT. */
  readonly symbol: string;
  readonly baseCode: string;
  readonly quoteCode: string;
  readonly priceScale: number;
  readonly quantityScale: number;
}

/**
 * A listed pair. One tick is 10^-priceScale quote coin per base coin, one lot 10^-quantityScale
 * base coin. The unit factors make every notional an exact integer of the quote asset.
 */
export interface SpotInstrument extends SpotSpec {
  readonly instrumentId: InstrumentId;
  /** While it is suspended: the failure that did it. */
  readonly suspendedReason?: SuspensionReason;
  readonly base: Asset;
  readonly quote: Asset;
  /** Quote units of one tick times one lot. */
  readonly quoteUnitsPerTickLot: bigint;
  /** Base units of one lot. */
  readonly baseUnitsPerLot: bigint;
}

/** Value of a size at a price in quote units, exact. */
export function notional(
  instrument: Pick<SpotInstrument, 'quoteUnitsPerTickLot'>,
  price: Ticks,
  size: Lots,
): Amount {
  const product = price * size;
  const tickLots = Number.isSafeInteger(product) ? BigInt(product) : BigInt(price) * BigInt(size);
  return tickLots * instrument.quoteUnitsPerTickLot;
}

/** A size in base units, exact. */
export function baseAmount(
  instrument: Pick<SpotInstrument, 'baseUnitsPerLot'>,
  size: Lots,
): Amount {
  return BigInt(size) * instrument.baseUnitsPerLot;
}

/** The fee on an amount received, in the same coin, rounded up: amount * rate. */
export function feeOn(received: Amount, feePpm: number): Amount {
  return feePpm === 0 ? 0n : mulDivCeil(received, BigInt(feePpm), PPM_BIG);
}

/** The band of a pair whose listing does not say one. */
export const SPOT_BAND_DEFAULT_PPM = 100_000;

/** What a pair has that was listed before this term existed: any price. */
export const UNBOUNDED_PAIR: Pick<SpotTerms, 'priceBandPpm'> = { priceBandPpm: 0 };
