/**
 * What an order in a contract would cost and do, before it is sent, by the venue's own formulas.
 * Amounts are in units of the margin coin, prices in ticks, sizes in lots. All of it assumes that
 * the mark price stays where it is.
 */
import {
  type Amount,
  AVERAGE_EXTRA_SCALE,
  affordableLots,
  closeOf,
  entryMargin,
  type FineAmount,
  feeOnFine,
  finePnl,
  fineToFloor,
  fineValue,
  type HoldSide,
  leveragedLotsMax,
  openableLots,
  openingCost,
  openOf,
  openShare,
  partOf,
  pieceFee,
  sideOf as sideOfAction,
  type TradeValue,
  ticks,
  tradeValue,
  valueFloor,
} from '#domain';
import type { TradedContract } from './contract.ts';
import {
  averageTicks,
  type ExpectedFill,
  expectedFills,
  type Opposite,
  type OrderWish,
  reaches,
  restingLots,
} from './expected.ts';
import { liquidationOf, type MarginState, sideOf, withSide } from './margin-account.ts';

/** An average price here is in 10^-AVERAGE_EXTRA_SCALE ticks. */
interface Traded {
  /** Of the fills, each rounded up. */
  readonly fee: Amount;
  /** Zero when nothing would trade. */
  readonly averageTicks: bigint;
  /** The part that finds no counterparty and does not rest. */
  readonly unfilledLots: number;
  /** What rests in the book; counted as filled at its limit one day. */
  readonly restingLots: number;
  /** Of the side once all of it has filled; zero when no price liquidates it. */
  readonly liquidationTicks: number;
}

export interface OpeningEstimate extends Traded {
  /** Of the order at the price that sets its margin, rounded down. */
  readonly value: Amount;
  /** What must be available: margin and taker fee at that price, rounded up once. */
  readonly cost: Amount;
  /** What the fills add to the margin of the side. */
  readonly margin: Amount;
}

/**
 * The price that sets the margin of an opening order: its own, unless it would trade at once at one
 * that needs more; a market order's is the best one, or the last it needs when it is fill-or-kill.
 * Zero for a market order without a counterparty.
 */
export function costTicks(
  { kind }: Pick<TradedContract, 'kind'>,
  side: HoldSide,
  wish: OrderWish,
  opposite: Opposite,
): number {
  const best = opposite[0]?.priceTicks;
  const taking = sideOfAction(openOf(side));
  const isOutside = wish.type === 'market' && best !== undefined && !reaches(taking, wish, best);
  if (best === undefined || isOutside) return wish.priceTicks;
  const isBuy = taking === 'buy';
  const isLinear = kind === 'linear';
  if (wish.type === 'market') {
    const needsMore = wish.force === 'fok' && isBuy === isLinear;
    return needsMore ? lastTicks(opposite, wish.sizeLots) : best;
  }
  if (!isBuy && isLinear) return Math.max(best, wish.priceTicks);
  return isBuy && !isLinear ? Math.min(best, wish.priceTicks) : wish.priceTicks;
}

function lastTicks(opposite: Opposite, size: number): number {
  let missing = size;
  let found = 0;
  for (const level of opposite) {
    found = level.priceTicks;
    missing -= level.lots;
    if (missing <= 0) break;
  }
  return found;
}

/** The answer of open_count: what an amount opens at a price and leverage, for any account. */
export function openCount(
  contract: TradedContract,
  amount: Amount,
  priceTicks: number,
  leverage: number,
): number {
  return openableLots(contract, amount, ticks(priceTicks), leverage);
}

/**
 * The largest size that the venue would take from this account at a price: what is available pays
 * for it, the tiers allow it with all that is held and resting, and one order may have it. None
 * when that is less than the smallest order.
 */
export function openableNow(
  contract: TradedContract,
  state: MarginState,
  side: HoldSide,
  priceTicks: number,
): number {
  const { leverage } = sideOf(state, side);
  if (priceTicks <= 0 || leverage > contract.leverageMax) return 0;
  const paid = affordableLots(
    contract,
    state.available,
    priceTicks,
    leverage,
    contract.feeRates.takerPpm,
  );
  const sides = state.mode === 'isolated' ? [sideOf(state, side)] : [state.long, state.short];
  const counted = sides.reduce((sum, { lots, pendingLots }) => sum + lots + pendingLots, 0);
  const allowed = leveragedLotsMax(contract, leverage) - counted;
  const found = Math.min(paid, allowed, contract.maxLots);
  return found < contract.minLots ? 0 : found;
}

/** A part of what is openable or closable, for a slider: whole lots, rounded down. */
export function lotsAtPercent(lotsMax: number, percent: number): number {
  return Number((BigInt(lotsMax) * BigInt(Math.round(percent * 100))) / 10_000n);
}

/** An order that opens. Undefined for a market order without a counterparty. */
export function openingEstimate(
  contract: TradedContract,
  state: MarginState,
  side: HoldSide,
  wish: OrderWish,
  opposite: Opposite,
): OpeningEstimate | undefined {
  const priceTicks = costTicks(contract, side, wish, opposite);
  if (priceTicks <= 0 || wish.sizeLots <= 0) return undefined;
  const before = sideOf(state, side);
  const { leverage, open } = before;
  const fills = expectedFills(sideOfAction(openOf(side)), wish, opposite);
  let [added, filled]: [FineAmount, number] = [0n, 0];
  let fees = NO_FEES;
  for (const fill of fills) {
    const value = tradeValue(contract, fill.lots, fill.priceTicks);
    fees = withFee(contract, fees, fill, value);
    added += value.fine;
    filled += fill.lots;
  }
  const { fee } = fees;
  const margin =
    entryMargin(contract, open + added, leverage) - entryMargin(contract, open, leverage);
  const after = withSide({ ...state, balance: state.balance - fee }, side, {
    ...before,
    lots: before.lots + filled,
    open: open + added,
    margin: before.margin + margin,
  });
  return {
    value: valueFloor(contract, wish.sizeLots, priceTicks),
    cost: openingCost(contract, wish.sizeLots, priceTicks, leverage, contract.feeRates.takerPpm),
    margin,
    fee,
    averageTicks: averageTicks(fills, AVERAGE_EXTRA_SCALE, contract.kind),
    unfilledLots: wish.sizeLots - filled,
    restingLots: restingLots(fills),
    liquidationTicks: liquidationOf(contract, after, side),
  };
}

function feePpmOf({ feeRates }: TradedContract, { role }: ExpectedFill): number {
  return role === 'taker' ? feeRates.takerPpm : feeRates.makerPpm;
}

/** The fees of an order so far: rounded up once for all its fills. */
interface Fees {
  readonly fee: Amount;
  readonly feeAhead: bigint;
}

const NO_FEES: Fees = { fee: 0n, feeAhead: 0n };

function withFee(
  contract: TradedContract,
  { fee, feeAhead }: Fees,
  fill: ExpectedFill,
  value: TradeValue,
): Fees {
  const next = pieceFee(contract, value, feePpmOf(contract, fill), feeAhead);
  return { fee: fee + next.fee, feeAhead: next.feeAhead };
}

export interface ClosingEstimate extends Traded {
  /** Profit or loss against the average entry, rounded down for each fill; fees not taken off. */
  readonly pnl: Amount;
  /** Fixed margin that is set free. */
  readonly released: Amount;
}

/** An order that closes, of no more than is held. */
export function closingEstimate(
  contract: TradedContract,
  state: MarginState,
  side: HoldSide,
  wish: OrderWish,
  opposite: Opposite,
): ClosingEstimate {
  const before = sideOf(state, side);
  const sizeLots = Math.min(wish.sizeLots, before.lots);
  const fills = expectedFills(sideOfAction(closeOf(side)), { ...wish, sizeLots }, opposite);
  let [lots, open, margin] = [before.lots, before.open, before.margin];
  let [pnl, fees] = [0n, NO_FEES];
  for (const fill of fills) {
    const value = tradeValue(contract, fill.lots, fill.priceTicks);
    const share = openShare(contract, side, open, fill.lots, lots);
    pnl += fineToFloor(contract, finePnl(contract, side, share, value.fine));
    fees = withFee(contract, fees, fill, value);
    margin -= partOf(margin, fill.lots, lots);
    open -= share;
    lots -= fill.lots;
  }
  const { fee } = fees;
  const left = { ...before, lots, open, margin };
  const after = withSide({ ...state, balance: state.balance + pnl - fee }, side, left);
  return {
    pnl,
    fee,
    released: state.mode === 'isolated' ? before.margin - margin : 0n,
    averageTicks: averageTicks(fills, AVERAGE_EXTRA_SCALE, contract.kind),
    unfilledLots: sizeLots - (before.lots - lots),
    restingLots: restingLots(fills),
    liquidationTicks: liquidationOf(contract, after, side),
  };
}

export interface ExitEstimate {
  /** Fees not taken off. */
  readonly pnl: Amount;
  /** Of closing, as a taker. */
  readonly fee: Amount;
}

/**
 * What take-profit or stop-loss would bring if all of a size with this open value closed exactly at
 * the trigger. The open value is that of a position, or fineValue(contract, size, price) of a wish.
 */
export function exitEstimate(
  contract: TradedContract,
  side: HoldSide,
  size: number,
  open: FineAmount,
  exitTicks: number,
): ExitEstimate {
  const value = fineValue(contract, size, exitTicks);
  const pnl = fineToFloor(contract, finePnl(contract, side, open, value));
  return { pnl, fee: feeOnFine(contract, value, contract.feeRates.takerPpm) };
}
