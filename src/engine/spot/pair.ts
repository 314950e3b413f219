/** One spot pair as its orders know it: its current terms and how far its prices may go. */
import { PPM, PPM_BIG, type Side, type SpotInstrument, type Ticks, ticks } from '#domain';
import type { BookDepth } from '../book/book.ts';
import type { SpotBalances } from '../ledger/spot-balances.ts';

export interface SpotPair {
  /** Replaced as a whole when the operator changes the terms. */
  instrument: SpotInstrument;
  readonly book: BookDepth;
  readonly baseBalances: SpotBalances;
  readonly quoteBalances: SpotBalances;
  /** Of the last trade; zero before the first, and after the operator set a reference price. */
  lastTicks: Ticks;
}

/** The balances that orders of this side pay from. */
export function paidFrom(market: SpotPair, side: Side): SpotBalances {
  return side === 'buy' ? market.quoteBalances : market.baseBalances;
}

const PRICE_TICKS_MAX = ticks(Number.MAX_SAFE_INTEGER);
const PRICE_TICKS_MIN = ticks(0);

/**
 * The worst price that an order of this side may have: the band around the last price, before it
 * around the reference price, without one around the middle of the book. Any price while there is
 * nothing to go by.
 */
export function worstTicks(market: SpotPair, side: Side): Ticks {
  const { priceBandPpm } = market.instrument;
  const centre = priceBandPpm === 0 ? 0 : centreTicks(market);
  if (centre === 0) return side === 'buy' ? PRICE_TICKS_MAX : PRICE_TICKS_MIN;
  return side === 'buy'
    ? ticks(Math.min(partOf(centre, PPM + priceBandPpm), PRICE_TICKS_MAX))
    : ticks(Math.max(1, centre - partOf(centre, priceBandPpm)));
}

function centreTicks({ instrument, book, lastTicks }: SpotPair): number {
  if (lastTicks > 0) return lastTicks;
  if (instrument.referencePriceTicks > 0) return instrument.referencePriceTicks;
  const bid = book.best('buy')?.priceTicks;
  const ask = book.best('sell')?.priceTicks;
  // Halved first: the sum of two prices may be no safe integer.
  return bid === undefined || ask === undefined ? 0 : bid + Math.floor((ask - bid) / 2);
}

/** Rounded down, which is into the band on both sides. */
function partOf(priceTicks: number, partPpm: number): number {
  return Number((BigInt(priceTicks) * BigInt(partPpm)) / PPM_BIG);
}
