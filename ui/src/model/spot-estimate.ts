/** What a spot order would cost and bring, before it is sent. Amounts: units of their coin. */
import { type Amount, baseAmount, lots, notional, type Side, spotPieceFee, ticks } from '#domain';
import {
  averageTicks,
  type ExpectedFill,
  expectedFills,
  type Opposite,
  type OrderWish,
  restingLots,
} from './expected.ts';
import type { TradedPair } from './pair.ts';

/** Extra decimal places of an estimated average price beyond the pair's. */
export const ESTIMATE_EXTRA_SCALE = 4;

export interface SpotEstimate {
  /** What the account must have: of the quote coin for a buy, of the base coin for a sell. */
  readonly needed: Amount;
  /** What the fills take of the same coin, at their own prices. */
  readonly paid: Amount;
  /** In the coin received, rounded up for each fill. */
  readonly fee: Amount;
  /** Base coin for a buy, quote coin for a sell, the fee taken off. */
  readonly received: Amount;
  readonly filledLots: number;
  /** In 10^-ESTIMATE_EXTRA_SCALE ticks; zero when nothing would trade. */
  readonly averageTicks: bigint;
  /** The part that finds no counterparty and does not rest. */
  readonly unfilledLots: number;
  /** What rests in the book; counted as filled at its limit one day. */
  readonly restingLots: number;
}

/** A limit order, or a market sell: sizes in base coin. */
export function spotEstimate(
  pair: TradedPair,
  side: Side,
  wish: OrderWish,
  opposite: Opposite,
): SpotEstimate {
  const fills = expectedFills(side, wish, opposite);
  const size = lots(wish.sizeLots);
  const needed =
    side === 'sell' ? baseAmount(pair, size) : notional(pair, ticks(wish.priceTicks), size);
  return summed(pair, side, fills, needed, wish.sizeLots);
}

/**
 * A market buy, which names what it may spend: each level is taken as far as the money goes, in
 * whole lots. What is left over is not spent.
 */
export function marketBuyEstimate(
  pair: TradedPair,
  budget: Amount,
  opposite: Opposite,
): SpotEstimate {
  const fills: ExpectedFill[] = [];
  let left = budget;
  for (const level of opposite) {
    const price = notional(pair, ticks(level.priceTicks), lots(1));
    const affordable = left / price;
    const size = affordable < BigInt(level.lots) ? Number(affordable) : level.lots;
    if (size === 0) break;
    fills.push({ priceTicks: level.priceTicks, lots: size, role: 'taker' });
    left -= price * BigInt(size);
    if (size < level.lots) break;
  }
  return summed(pair, 'buy', fills, budget, 0);
}

function summed(
  pair: TradedPair,
  side: Side,
  fills: readonly ExpectedFill[],
  needed: Amount,
  wantedLots: number,
): SpotEstimate {
  let [quote, base, fee, feeAhead, filled] = [0n, 0n, 0n, 0, 0];
  for (const fill of fills) {
    const size = lots(fill.lots);
    const value = notional(pair, ticks(fill.priceTicks), size);
    const amount = baseAmount(pair, size);
    const feePpm = fill.role === 'taker' ? pair.takerFeePpm : pair.makerFeePpm;
    const piece = spotPieceFee(side === 'buy' ? amount : value, feePpm, feeAhead);
    fee += piece.fee;
    feeAhead = piece.feeAhead;
    quote += value;
    base += amount;
    filled += fill.lots;
  }
  const [paid, gross] = side === 'buy' ? [quote, base] : [base, quote];
  return {
    needed,
    paid,
    fee,
    received: gross - fee,
    filledLots: filled,
    averageTicks: averageTicks(fills, ESTIMATE_EXTRA_SCALE),
    unfilledLots: Math.max(0, wantedLots - filled),
    restingLots: restingLots(fills),
  };
}

/** The largest size that an available amount pays for: quote coin for a buy, base for a sell. */
export function spotLotsMax(
  pair: TradedPair,
  side: Side,
  available: Amount,
  priceTicks: number,
): number {
  if (available <= 0n || (side === 'buy' && priceTicks <= 0)) return 0;
  const one =
    side === 'sell' ? baseAmount(pair, lots(1)) : notional(pair, ticks(priceTicks), lots(1));
  return Number(minimum(available / one, BigInt(pair.maxLots)));
}

/** Whole lots that an amount of quote coin is worth at a price, rounded down. */
export function spotLotsOf(pair: TradedPair, amount: Amount, priceTicks: number): number {
  if (priceTicks <= 0) return 0;
  return Number(amount / notional(pair, ticks(priceTicks), lots(1)));
}

function minimum(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
