/** Spot pairs: what is listed, with its bounds. Contracts are in contract.ts. */

import type { Coin } from './asset.ts';
import type { EngineFailure } from './failure.ts';
import { type Amount, type InstrumentId, type Lots, PPM, PPM_BIG, type Ticks } from './units.ts';

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
  readonly suspendedReason?: EngineFailure;
  readonly base: Coin;
  readonly quote: Coin;
  /** Quote units of one tick times one lot. */
  readonly quoteUnitsPerTickLot: bigint;
  /** Base units of one lot. */
  readonly baseUnitsPerLot: bigint;
}

type UnitFactors = Pick<SpotInstrument, 'quoteUnitsPerTickLot' | 'baseUnitsPerLot'>;

/** Value of a size at a price in quote units, exact. */
export function notional(pair: UnitFactors, price: Ticks, size: Lots): Amount {
  return BigInt(price) * BigInt(size) * pair.quoteUnitsPerTickLot;
}

/** A size in base units, exact; below zero for less than before. */
export function baseAmount(pair: UnitFactors, size: number): Amount {
  return BigInt(size) * pair.baseUnitsPerLot;
}

/** The fee of one piece of an order, and how far the fees so far are ahead of their exact sum. */
interface PieceFee {
  readonly fee: Amount;
  /** In PPM parts of a unit: less than one. */
  readonly feeAhead: number;
}

/**
 * The fee on an amount that an order receives, in the same coin: amount * rate, so that the fees of
 * all its pieces are rounded up once.
 */
export function spotPieceFee(received: Amount, feePpm: number, feeAhead: number): PieceFee {
  if (feePpm === 0) return { fee: 0n, feeAhead };
  const due = received * BigInt(feePpm);
  const rest = Number(due % PPM_BIG);
  const fee = due / PPM_BIG;
  return rest > feeAhead
    ? { fee: fee + 1n, feeAhead: feeAhead + PPM - rest }
    : { fee, feeAhead: feeAhead - rest };
}

/** The band of a pair whose listing does not say one. */
export const SPOT_BAND_DEFAULT_PPM = 100_000;
