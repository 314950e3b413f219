/**
 * Liquidation, one routine for every risk unit at or below its threshold, all of it inside one
 * command: replenish, cancel, net, reduce by tier, take over at the bankruptcy price with the
 * insurance fund behind it, deleverage. Its orders are the account's own, marked with their cause.
 * No position changes hands to the venue: what finds no counterparty stays where it is until the
 * next price.
 */
import {
  bankruptcyTicks,
  type HoldSide,
  isBreached,
  type Liquidated,
  lots,
  marginRatio,
  PPM_BIG,
  replenishment,
  type Ticks,
  ticks,
  tierOf,
} from '#domain';
import { mulDivCeil, mulDivFloor, present } from '#kernel';
import type { MatchEnd } from '../book/match.ts';
import { forcedFeePpm } from '../margin/fee-rate.ts';
import type { LiquidationUnit } from '../margin/liquidation-index.ts';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Position } from '../margin/position.ts';
import { isUnitBreached, riskOf, type UnitSide } from '../margin/risk.ts';
import type { State } from '../state.ts';
import { cancelAll } from '../swap/close.ts';
import type { SwapMarket } from '../swap/market.ts';
import type { ContractOrder } from '../swap/order.ts';
import { match, settleRemainder } from '../swap/place.ts';
import { Deleveraging, netOwnSides } from './deleverage.ts';
import { beginSpending, endSpending, payable } from './insurance-budget.ts';
import { netHedge, nettingOf } from './netting.ts';
import { forcedOrder } from './off-book.ts';

/** Decimal places of the ratios by which the worst unit is found. */
const RATIO_ORDER_SCALE = 15;
/** How far past the mark price the insurance fund still pays: 2 %. */
const FUND_REACH_PARTS = 50;
/** Positions of this tier and above are first reduced, two tiers at a time. */
const REDUCED_FROM_TIER = 3;
/** A unit without a counterparty is tried again after the others. */
const TRIES_MAX = 3;

/** Deals with every unit that the mark price breaches, the worst ratio first. */
export function liquidateBreached(state: State, market: SwapMarket): void {
  const others = new Deleveraging(market);
  const tries = new Map<LiquidationUnit, number>();
  for (;;) {
    const due = market.liquidationIndex
      .breached(market.markTicks)
      .filter(
        (unit) => (tries.get(unit) ?? 0) < TRIES_MAX && isUnitBreached(unit.margin, unit.side),
      );
    if (due.length === 0) break;
    for (const unit of worstFirst(due)) {
      if (!isUnitBreached(unit.margin, unit.side)) continue;
      const isPutOff = liquidate(state, unit, others);
      tries.set(unit, isPutOff ? TRIES_MAX : (tries.get(unit) ?? 0) + 1);
    }
  }
  others.end();
}

function worstFirst(units: readonly LiquidationUnit[]): LiquidationUnit[] {
  const ratios = new Map(units.map((unit) => [unit, ratioOf(unit)]));
  return units.toSorted((one, other) => {
    const [a, b] = [ratios.get(one) ?? 0n, ratios.get(other) ?? 0n];
    if (a !== b) return a < b ? -1 : 1;
    return one.margin.accountId - other.margin.accountId || (one.side === 'long' ? -1 : 1);
  });
}

function ratioOf({ margin, side }: LiquidationUnit): bigint {
  const { contract, markTicks } = margin.market;
  const risk = present(riskOf(margin, side), 'a breached unit holds something');
  return marginRatio(contract, risk, markTicks, RATIO_ORDER_SCALE);
}

/** Whether the rest is put off until the next price. */
function liquidate(state: State, { margin, side }: LiquidationUnit, others: Deleveraging): boolean {
  if (side !== 'both' && isReplenished(state, margin, side)) return false;
  cancelAll(state, margin, side === 'both' ? undefined : side, 'liquidation');
  if (side !== 'both' && isReplenished(state, margin, side)) return false;
  netHedge(state, margin);
  if (!isUnitBreached(margin, side)) return false;
  reduceByTiers(state, margin, side);
  if (!isUnitBreached(margin, side)) return false;
  return takeOver(state, margin, side, others);
}

/** Step 1: automatic margin, when it is on and there is money for it. */
function isReplenished(state: State, margin: MarginAccount, side: HoldSide): boolean {
  const position = margin.position(side);
  if (!position.autoAppend) return false;
  const { contract, markTicks } = margin.market;
  const pnl = margin.unrealizedPnlOf(position);
  const { leverage } = position;
  const delta = replenishment(contract, position, leverage, pnl, markTicks, margin.spendable);
  if (delta === 0n) return false;
  position.margin += delta;
  position.updatedTimeMs = state.timeMs;
  margin.touch(state.timeMs);
  state.emit({
    kind: 'margin_adjusted',
    accountId: margin.accountId,
    instrumentId: contract.instrumentId,
    side,
    delta,
    cause: 'automatic',
    adjustmentId: state.takeIds(1),
  });
  return !isUnitBreached(margin, side);
}

/** The side that loses: the one named, or the larger one of a crossed account. */
function losingSide(margin: MarginAccount, side: UnitSide): Position {
  if (side !== 'both') return margin.position(side);
  return margin.long.lots >= margin.short.lots ? margin.long : margin.short;
}

/** Step 4: while the tier is high, closes down to two tiers below, at the bankruptcy price. */
function reduceByTiers(state: State, margin: MarginAccount, side: UnitSide): void {
  const { contract } = margin.market;
  for (;;) {
    const position = losingSide(margin, side);
    const isHedged = side === 'both' && margin.long.lots > 0 && margin.short.lots > 0;
    const tier = contract.tiers.indexOf(tierOf(contract, position.lots)) + 1;
    if (isHedged || tier < REDUCED_FROM_TIER || isPastFirstTier(margin, side)) return;
    const target = present(contract.tiers[tier - REDUCED_FROM_TIER], 'tier').contractsMax;
    const limit = bankruptcyOf(margin, side, position);
    if (limit === undefined) return;
    const size = position.lots - target;
    const terms = { side: position.side, cause: 'reduction', size, priceTicks: limit } as const;
    const order = forcedOrder(state, margin, terms);
    settleRemainder(state, order, match(state, order, limit));
    if (order.filledLots < order.sizeLots || !isUnitBreached(margin, side)) return;
  }
}

/** Whether not even the lowest tier's rate would save the position. */
function isPastFirstTier(margin: MarginAccount, side: UnitSide): boolean {
  const { contract, markTicks } = margin.market;
  const risk = riskOf(margin, side);
  if (risk === undefined) return true;
  const first = present(contract.tiers[0], 'first tier').maintenanceRatePpm;
  return isBreached(contract, { ...risk, thresholdPpm: first + contract.takerFeePpm }, markTicks);
}

/** The price at which the unit is worth nothing, closing fee paid; undefined when there is none. */
function bankruptcyOf(
  margin: MarginAccount,
  side: UnitSide,
  position: Position,
): Ticks | undefined {
  const { contract } = margin.market;
  const netted = nettingOf(margin);
  const money = side === 'both' ? margin.balance.balance + (netted?.pnl ?? 0n) : position.margin;
  const left = { lots: position.lots, open: position.open, money };
  if (netted !== undefined) {
    const own = position.side === 'long' ? netted.long : netted.short;
    left.lots = lots(position.lots - netted.size);
    left.open = position.open - own.share;
    // Filled lot by lot, each profit and each fee rounds a unit away before the rest is netted.
    left.money -= 2n * BigInt(left.lots) + 1n;
  }
  if (left.lots === 0) return undefined;
  const step = contract.priceStepTicks;
  const found = bankruptcyTicks(contract, position.side, left, forcedFeePpm(margin), step);
  return found === undefined ? undefined : ticks(Math.max(step, found));
}

/** The result of a take-over. */
type Taken = Pick<Liquidated, 'side' | 'sizeLots' | 'deleveragedLots' | 'bankruptcyTicks'> & {
  /** The book has more to take than one order may meet: the next price goes on with it. */
  readonly isPutOff: boolean;
};

/** Steps 5 to 8: all of the unit goes, and what it leaves belongs to the fund. */
function takeOver(
  state: State,
  margin: MarginAccount,
  side: UnitSide,
  others: Deleveraging,
): boolean {
  const { market } = margin;
  const position = losingSide(margin, side);
  const hedgedLots = nettingOf(margin)?.size ?? 0;
  const fundBefore = beginSpending(market);
  const taken =
    position.lots > hedgedLots
      ? takeOverSide(state, margin, side, others)
      : takeOverHedge(state, margin, others);
  const fundDelta = endSpending(market, fundBefore);
  if (taken.sizeLots === 0) return taken.isPutOff;
  state.emit({
    kind: 'liquidated',
    accountId: margin.accountId,
    instrumentId: market.contract.instrumentId,
    mode: margin.mode,
    side: taken.side,
    markTicks: ticks(market.markTicks),
    sizeLots: taken.sizeLots,
    deleveragedLots: taken.deleveragedLots,
    bankruptcyTicks: taken.bankruptcyTicks,
    fundDelta,
  });
  return taken.isPutOff;
}

/** The losing side, as far as it is no hedge: at the bankruptcy price or better. */
function takeOverSide(
  state: State,
  margin: MarginAccount,
  side: UnitSide,
  others: Deleveraging,
): Taken {
  const { market } = margin;
  const position = losingSide(margin, side);
  const size = position.lots - (nettingOf(margin)?.size ?? 0);
  const limit = bankruptcyOf(margin, side, position);
  // One that owes more than any price pays is closed against others at the mark price.
  const priceTicks = limit ?? ticks(market.markTicks);
  const terms = { side: position.side, cause: 'liquidation', size, priceTicks } as const;
  const order = forcedOrder(state, margin, terms);
  let end: MatchEnd = 'exhausted';
  if (limit !== undefined) end = match(state, order, limit);
  // While the book has more to take, nothing else is tried: the next price goes on with the rest.
  if (end !== 'match_limit') netOwnSides(state, order, priceTicks);
  const isFunded = limit !== undefined && order.openLots > 0 && payable(market) > 0n;
  if (isFunded && end !== 'match_limit') {
    order.spendsFund = true;
    end = match(state, order, fundedLimit(order, limit));
    order.spendsFund = false;
  }
  const isPutOff = order.openLots > 0 && end === 'match_limit';
  const deleveragedLots = lots(isPutOff ? 0 : others.run(state, order, priceTicks));
  settleRemainder(state, order, end);
  windUp(state, margin);
  const sizeLots = order.filledLots;
  return { side: position.side, sizeLots, deleveragedLots, bankruptcyTicks: priceTicks, isPutOff };
}

/**
 * An even hedge is closed within itself. If no money covers what that is short of, its sides go one
 * after the other: now the one that gains more, at the mark price, the other as any position.
 */
function takeOverHedge(state: State, margin: MarginAccount, others: Deleveraging): Taken {
  const { market, long, short } = margin;
  const { side } = losingSide(margin, 'both');
  const none = { side, deleveragedLots: lots(0), bankruptcyTicks: ticks(0), isPutOff: false };
  const hedgedLots = long.lots;
  windUp(state, margin);
  if (margin.isFlat) return { ...none, sizeLots: hedgedLots };
  const first = margin.finePnlOf(long) < margin.finePnlOf(short) ? short : long;
  const mark = ticks(market.markTicks);
  const terms = { cause: 'liquidation', size: hedgedLots, priceTicks: mark } as const;
  const order = forcedOrder(state, margin, { side: first.side, ...terms });
  const deleveragedLots = lots(others.run(state, order, mark));
  settleRemainder(state, order, 'exhausted');
  const sizeLots = order.filledLots;
  return { ...none, side: first.side, sizeLots, deleveragedLots, bankruptcyTicks: mark };
}

/**
 * What a crossed account is left with: an even hedge is closed within itself, the fund paying what
 * that is short of, and money without a position belongs to the fund.
 */
function windUp(state: State, margin: MarginAccount): void {
  if (margin.mode === 'fixed') return;
  const { long, short, balance, market } = margin;
  const missing = -(balance.balance + (nettingOf(margin)?.pnl ?? 0n));
  const isPaid = missing > 0n && missing <= payable(market);
  if (isPaid && long.lots === short.lots) state.ledger.insure(balance, -missing, state.timeMs);
  netHedge(state, margin);
  if (margin.isFlat) state.ledger.insure(balance, balance.balance, state.timeMs);
}

/** How much worse than the bankruptcy price the fund can pay for, and not past the mark +- 2 %. */
function fundedLimit(order: ContractOrder, limit: Ticks): Ticks {
  const { contract, markTicks } = order.market;
  const isLinear = contract.kind === 'linear';
  const sells = order.side === 'sell';
  const bound = Math.trunc(markTicks / FUND_REACH_PARTS);
  const reach = sells ? markTicks - bound : markTicks + bound;
  const fund = spendable(order);
  const size = BigInt(order.openLots) * contract.valueFactor;
  const paid = isLinear
    ? BigInt(limit) + (sells ? -fund / size : fund / size)
    : inverseReach(size, BigInt(limit), fund, sells);
  const paidTicks = paid === undefined ? reach : Number(paid);
  const found = sells ? Math.max(reach, paidTicks) : Math.min(reach, paidTicks);
  const isWorse = sells ? found < limit : found > limit;
  return isWorse && found > 0 ? ticks(found) : limit;
}

/** What the fund has for a worse price: where that makes the fill dearer, its fee grows, too. */
function spendable({ market, side, frozenFeePpm }: ContractOrder): bigint {
  const fund = payable(market);
  const isDearer = (side === 'buy') === (market.contract.kind === 'linear');
  return isDearer ? mulDivFloor(fund, PPM_BIG, PPM_BIG + BigInt(frozenFeePpm)) : fund;
}

/** The price whose value differs from that of the limit by the fund; undefined for any price. */
function inverseReach(
  size: bigint,
  limit: bigint,
  fund: bigint,
  sells: boolean,
): bigint | undefined {
  if (sells) return mulDivCeil(size, limit, size + fund * limit);
  const denominator = size - fund * limit;
  return denominator <= 0n ? undefined : mulDivFloor(size, limit, denominator);
}
