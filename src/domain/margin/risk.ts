/**
 * When a position is liquidated, and at which price it is worth nothing. A risk unit is what
 * stands or falls as one: one side of an isolated account, or what is cross in a wallet. The rule
 *   money + unrealised profit <= sum over contracts of value x (keepMarginRate + taker fee)
 * with money = the side's margin (isolated) or the wallet less all isolated margins (cross) and
 * value = that of the larger side is decided in whole numbers, never by a rounded price.
 */
import type { HoldSide } from '../contract.ts';
import { PPM, PPM_BIG } from '../units.ts';
import { numberTerms, type ValueTerms } from './number-terms.ts';
import { type FineAmount, fineValue } from './value.ts';

/** A side that is not held has zero lots and zero open value. */
export interface RiskUnit {
  /** Margin units. */
  readonly money: bigint;
  readonly longLots: number;
  readonly longOpen: FineAmount;
  readonly shortLots: number;
  readonly shortOpen: FineAmount;
  readonly thresholdPpm: number;
  /** What else stands or falls with it at the marks of now; absent when nothing does. */
  readonly others?: OtherContracts | undefined;
}

/** The other contracts of a cross wallet, all linear ones of one coin, at their mark prices. */
export interface OtherContracts {
  /** Unrealised profit. */
  readonly pnl: FineAmount;
  /** Of the larger sides. */
  readonly value: FineAmount;
  /** Each value times its threshold, in PPM parts of fine units. */
  readonly kept: bigint;
}

/**
 * Both contract kinds as one inequality. With v = tick price (linear) or its inverse (inverse) the
 * unit's equity is base + slope * v and its value is larger * v, all over a common factor:
 *   PPM * (base + slope v) <= thresholdPpm * larger * v
 */
interface Line {
  /** Fine units. */
  readonly base: bigint;
  /** Fine units per v: signed net lots, times the contract's factor. */
  readonly slope: bigint;
  readonly larger: bigint;
}

function lineOf(contract: ValueTerms, unit: RiskUnit): Line {
  const isLinear = contract.kind === 'linear';
  const net = unit.longLots - unit.shortLots;
  const factor = contract.valueFactor * contract.fineFactor;
  const larger = BigInt(Math.max(unit.longLots, unit.shortLots)) * factor;
  const isOneSided = unit.longLots === 0 || unit.shortLots === 0;
  // Of one side alone the slope is its size: saves a product of every check of an order.
  const slope = isOneSided ? larger : BigInt(Math.abs(net)) * factor;
  return {
    base: baseOf(contract, unit),
    slope: isLinear === net > 0 ? slope : -slope,
    larger,
  };
}

/** The part of a unit's equity that its contract's price does not move. */
function baseOf({ kind, fineFactor }: ValueTerms, unit: RiskUnit): FineAmount {
  const { money, longOpen, shortOpen, others } = unit;
  const paid = kind === 'linear' ? longOpen - shortOpen : shortOpen - longOpen;
  const own = money * fineFactor - paid;
  return others === undefined ? own : own + others.pnl;
}

/** So far above its threshold, as a part of all that is added up, that rounding has no say. */
export const CLEAR_PART = 1e-6;

/** One side on its own as an opening would leave it, in rounded numbers; amounts in fine units. */
export interface RoundedSide {
  readonly side: HoldSide;
  readonly lots: number;
  readonly open: number;
  readonly money: number;
  readonly thresholdPpm: number;
}

/**
 * Whether a side on its own is above its threshold by far, in rounded numbers. Each is within
 * 10^-14 of what it stands for, so a yes is never wrong; after a no whole numbers decide. What an
 * order or a fill would leave need not be worked out exactly first, which takes most of the time.
 */
export function isSideClearlySafe(
  contract: ValueTerms,
  side: RoundedSide,
  markTicks: number,
): boolean {
  return sideStanding(contract, side, markTicks) > 0;
}

/** Above zero where a side is above its threshold by far, below where it is below; else zero. */
export function sideStanding(
  contract: ValueTerms,
  { side, lots, open, money, thresholdPpm }: RoundedSide,
  markTicks: number,
): number {
  const value = lots * roundedLotValue(contract, markTicks);
  const isLinear = contract.kind === 'linear';
  const gain = isLinear === (side === 'long') ? value - open : open - value;
  const spare = money + gain - (value * thresholdPpm) / PPM;
  const clear = CLEAR_PART * (Math.abs(money) + open + value);
  return spare > clear ? 1 : spare < -clear ? -1 : 0;
}

/** What a lot is worth at a price in fine units, within 10^-14 of it. */
export function roundedLotValue(contract: ValueTerms, priceTicks: number): number {
  const { lotFactor } = numberTerms(contract);
  return contract.kind === 'linear' ? lotFactor * priceTicks : lotFactor / priceTicks;
}

/** Whether the unit is at or below its threshold at this mark price. */
export function isBreached(contract: ValueTerms, unit: RiskUnit, markTicks: number): boolean {
  const threshold = BigInt(unit.thresholdPpm);
  if (contract.kind === 'linear') {
    const { longLots, shortLots, others } = unit;
    const value = fineValue(contract, Math.max(longLots, shortLots), markTicks);
    const net =
      longLots === 0 || shortLots === 0
        ? value
        : fineValue(contract, Math.abs(longLots - shortLots), markTicks);
    const kept = threshold * value;
    const equity = baseOf(contract, unit) + (longLots > shortLots ? net : -net);
    return PPM_BIG * equity <= (others === undefined ? kept : kept + others.kept);
  }
  const { base, slope, larger } = lineOf(contract, unit);
  return PPM_BIG * (base * BigInt(markTicks) + slope) <= threshold * larger;
}

/**
 * What a linear unit has above its threshold at a mark price, and what of that a tick of the price
 * gives or takes: the first plus the second for every tick is exact. PPM parts of fine units.
 */
export function slackOf(
  contract: ValueTerms,
  unit: RiskUnit,
  markTicks: number,
): { readonly slack: bigint; readonly perTick: bigint } {
  const terms = breachTerms(contract, unit);
  if (terms === undefined) return { slack: 1n, perTick: 0n };
  return { slack: terms.money + terms.k * BigInt(markTicks), perTick: terms.k };
}

/** A price from which on a unit is liquidated: when mark <= or >= atTicks. */
export interface BreachPrice {
  readonly direction: 'fall' | 'rise';
  readonly atTicks: bigint;
}

/**
 * The exact bound: mark prices at or beyond it breach, all others do not. Undefined when no
 * positive price does; a bound of direction 'rise' and zero ticks is breached at every price.
 */
export function breachPrice(contract: ValueTerms, unit: RiskUnit): BreachPrice | undefined {
  return breachOf(contract, breachTerms(contract, unit));
}

/** A unit is breached where money + k v <= 0; k = PPM slope - threshold larger. */
interface BreachTerms {
  readonly money: bigint;
  readonly k: bigint;
}

function breachTerms(contract: ValueTerms, unit: RiskUnit): BreachTerms | undefined {
  const { base, slope, larger } = lineOf(contract, unit);
  if (larger === 0n) return undefined;
  const money = PPM_BIG * base - (unit.others?.kept ?? 0n);
  return { money, k: PPM_BIG * slope - BigInt(unit.thresholdPpm) * larger };
}

function breachOf(contract: ValueTerms, terms: BreachTerms | undefined): BreachPrice | undefined {
  if (terms === undefined) return undefined;
  const { money, k } = terms;
  return contract.kind === 'linear' ? linearBreach(money, k) : inverseBreach(money, k);
}

/** money + k M <= 0 for M > 0. */
function linearBreach(money: bigint, k: bigint): BreachPrice | undefined {
  if (k > 0n) {
    if (money > -k) return undefined;
    return { direction: 'fall', atTicks: -money / k };
  }
  if (k === 0n) return money <= 0n ? { direction: 'rise', atTicks: 0n } : undefined;
  if (money <= 0n) return { direction: 'rise', atTicks: 0n };
  return { direction: 'rise', atTicks: divideCeil(money, -k) };
}

/** money M + k <= 0 for M > 0. */
function inverseBreach(money: bigint, k: bigint): BreachPrice | undefined {
  if (money > 0n) {
    if (k > -money) return undefined;
    return { direction: 'fall', atTicks: -k / money };
  }
  if (money === 0n) return k <= 0n ? { direction: 'rise', atTicks: 0n } : undefined;
  if (k <= 0n) return { direction: 'rise', atTicks: 0n };
  return { direction: 'rise', atTicks: divideCeil(k, -money) };
}

function divideCeil(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}

/** Equity at a mark price in fine units, rounded down. */
export function fineEquity(contract: ValueTerms, unit: RiskUnit, markTicks: number): FineAmount {
  const { base, slope } = lineOf(contract, unit);
  const mark = BigInt(markTicks);
  if (contract.kind === 'linear') return base + slope * mark;
  const scaled = slope / mark;
  return base + (slope < 0n && scaled * mark !== slope ? scaled - 1n : scaled);
}

/** Equity over value at a mark price in 10^-scale, rounded down; zero when nothing is held. */
export function marginRatio(
  contract: ValueTerms,
  unit: RiskUnit,
  markTicks: number,
  scale: number,
): bigint {
  const { base, slope, larger } = lineOf(contract, unit);
  if (larger === 0n) return 0n;
  const mark = BigInt(markTicks);
  const linear = contract.kind === 'linear';
  const equity = linear ? base + slope * mark : base * mark + slope;
  const value = linear ? larger * mark + (unit.others?.value ?? 0n) : larger;
  const scaled = equity * 10n ** BigInt(scale);
  const ratio = scaled / value;
  return scaled < 0n && ratio * value !== scaled ? ratio - 1n : ratio;
}

/**
 * Estimated liquidation price in whole ticks, rounded away from safety: up when a fall liquidates,
 * down when a rise does. Zero when no price liquidates, or only one on the impossible side: a net
 * long is in danger when the price falls, a net short when it rises, an even hedge when its value
 * outgrows the money behind it.
 */
export function liquidationTicks(contract: ValueTerms, unit: RiskUnit): number {
  const terms = breachTerms(contract, unit);
  const found = breachOf(contract, terms);
  if (terms === undefined || found === undefined || found.atTicks === 0n) return 0;
  const { money, k } = terms;
  const net = unit.longLots - unit.shortLots;
  if (net !== 0 && found.direction !== (net > 0 ? 'fall' : 'rise')) return 0;
  // What rounding took off a margin is no danger: only an absurd price would reach it.
  if (contract.kind === 'inverse' && magnitude(money) < PPM_BIG * contract.fineFactor) return 0;
  const [numerator, denominator] = contract.kind === 'linear' ? [money, k] : [k, money];
  const [above, below] = [magnitude(numerator), magnitude(denominator)];
  const exact = found.direction === 'fall' ? divideCeil(above, below) : above / below;
  const ticks = Number(exact);
  return Number.isSafeInteger(ticks) ? ticks : 0;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/**
 * The price at which closing one side leaves exactly nothing, its fee paid: linear
 * (open -+ money) / (lots (1 -+ fee)), inverse lots (1 +- fee) / (open +- money). A long's price is
 * rounded up and a short's down, to whole price steps, so that one fill there never costs more than
 * there is. A position whose open value is not whole units, and any inverse one worth more than a
 * unit, keeps a unit of money back, because its profit and its fee are rounded one by one. Zero for
 * a linear long that cannot be emptied; undefined for an inverse short that cannot, and for what
 * owes more than any price pays (linear short, inverse long).
 */
export function bankruptcyTicks(
  contract: ValueTerms,
  side: 'long' | 'short',
  position: { readonly lots: number; readonly open: FineAmount; readonly money: bigint },
  feePpm: number,
  stepTicks: number,
): number | undefined {
  const isLong = side === 'long';
  const isLinear = contract.kind === 'linear';
  const { fineFactor } = contract;
  const isRounded = isLinear ? position.open % fineFactor !== 0n : position.open > fineFactor;
  const money = (isRounded ? position.money - 1n : position.money) * fineFactor;
  const fee = BigInt(feePpm);
  const size = BigInt(position.lots);
  const step = BigInt(stepTicks);
  const factor = contract.valueFactor * fineFactor;
  // What closing must pay (long linear, short inverse) or may cost (short linear, long inverse).
  const owed = isLong === isLinear ? position.open - money : position.open + money;
  const rate = isLong === isLinear ? PPM_BIG - fee : PPM_BIG + fee;
  if (owed <= 0n) return isLong && isLinear ? 0 : undefined;
  const numerator = isLinear ? owed * PPM_BIG : size * factor * rate;
  const denominator = (isLinear ? size * factor * rate : owed * PPM_BIG) * step;
  const steps = isLong ? divideCeil(numerator, denominator) : numerator / denominator;
  const ticks = Number(steps * step);
  return Number.isSafeInteger(ticks) ? ticks : undefined;
}
