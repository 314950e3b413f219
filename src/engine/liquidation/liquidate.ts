/**
 * Liquidation, one routine for every risk unit at or below its threshold, begun by the command that
 * set the price and gone on with by the next ones where it is much. Its orders are the account's
 * own, marked with their cause. No position changes hands to the venue: what finds no counterparty
 * stays where it is until the next price.
 */
import { HOLD_SIDES, isBreached, LIMITS, replenishment, tierOf } from '#domain';
import { assert, present } from '#kernel';
import type { LiquidationUnit, MarginAccount } from '../margin/margin-account.ts';
import type { MarginWallet } from '../margin/margin-wallet.ts';
import type { Position, UnitSide } from '../margin/position.ts';
import { isUnitBreached, riskOf } from '../margin/risk.ts';
import type { LiquidationsWork } from '../pending-work.ts';
import type { State } from '../state.ts';
import { cancelAll, cancelOpenings } from '../swap/close.ts';
import type { SwapMarket } from '../swap/market.ts';
import { match, settleRemainder } from '../swap/place.ts';
import { bankruptcyOf, losingSide } from './bankruptcy.ts';
import { closableOf, gainFirst, isGainBegun } from './cross-order.ts';
import { netHedge } from './netting.ts';
import { forcedOrder } from './off-book.ts';
import { takeOver } from './take-over.ts';
import { Wave } from './wave.ts';
import { worstFirst } from './worst-first.ts';

/** Positions of this tier and above are first reduced, two tiers at a time. */
const REDUCED_FROM_TIER = 3;
/** Whether a unit is above its threshold again, or the next command has to go on. */
type RescueEnd = 'saved' | 'not_saved' | 'unfinished';
type Rescue = (state: State, unit: LiquidationUnit, wave: Wave) => RescueEnd;

/** The steps before a take-over, in order. What the cancelled orders free is added once more. */
const RESCUES: readonly Rescue[] = [replenish, cancelOrders, replenish, netSides, reduceByTiers];

/**
 * Deals with every unit that the mark price breaches, the worst ratio first. What is more than a
 * command should do waits, in front of all other work; a new price begins anew, behind the
 * liquidations that have begun.
 */
export function liquidateBreached(state: State, market: SwapMarket): void {
  const earlier = endEarlierWave(state, market);
  const wave = new Wave(market);
  if (earlier !== undefined) wave.goOnWith(earlier);
  if (!doPiece(state, wave)) return;
  const { work } = state;
  const { instrumentId } = market.contract;
  const place = work.findLastIndex(({ kind }) => kind === 'liquidations') + 1;
  work.splice(place, 0, { kind: 'liquidations', instrumentId, wave });
}

function endEarlierWave({ work }: State, { contract }: SwapMarket): Wave | undefined {
  const at = work.findIndex(
    (one) => one.kind === 'liquidations' && one.instrumentId === contract.instrumentId,
  );
  const [earlier] = at === -1 ? [] : work.splice(at, 1);
  if (earlier?.kind !== 'liquidations') return undefined;
  const wave = waveOf(earlier);
  wave.end();
  return wave;
}

/** Does a piece of what waits; false when nothing more of it does. */
export function goOnLiquidating(state: State, work: LiquidationsWork): boolean {
  const wave = waveOf(work);
  const { market } = wave;
  state.instrumentInWork = work.instrumentId;
  // Then the next fresh price finds what is left.
  if (market.contract.status === 'suspended' || market.isIndexStale(state.timeMs)) {
    wave.end();
    return false;
  }
  wave.resume();
  return doPiece(state, wave);
}

function waveOf({ wave }: LiquidationsWork): Wave {
  assert(wave instanceof Wave, 'what waits is a wave');
  return wave;
}

/** Goes on as far as one command should; false when the wave is over. */
function doPiece(state: State, wave: Wave): boolean {
  for (;;) {
    if (wave.isRoundOver) {
      const due = dueNow(wave);
      wave.beginRound(due);
      // To find so many is as much as a command should do: ranking the others takes as long.
      if (due.length >= LIMITS.commandEventsMax) state.spend();
    }
    if (wave.isRoundOver) break;
    while (!wave.isRoundOver && !state.isSpent) {
      const unit = present(wave.take(), 'unit whose turn it is');
      if (isUnitBreached(unit.margin, unit.side)) liquidate(state, unit, wave);
      else wave.leave(unit);
    }
    liquidateDeleveraged(state, wave);
    if (!wave.isRoundOver) return true;
  }
  wave.end();
  return false;
}

function dueNow(wave: Wave): LiquidationUnit[] {
  const { liquidationIndex, markTicks } = wave.market;
  const due = liquidationIndex
    .breached(markTicks)
    .filter((unit) => wave.mayTry(unit) && isUnitBreached(unit.margin, unit.side));
  return worstFirst(due);
}

/** What lost a profit meanwhile that its other contracts stood on, until nothing more does. */
function liquidateDeleveraged(state: State, wave: Wave): void {
  let wallets = wave.takeDeleveraged();
  while (wallets.size > 0) {
    for (const wallet of wallets) liquidateWallet(state, wallet, wave);
    wallets = wave.takeDeleveraged();
  }
}

/** Deals with what stands on a wallet if it is breached, whatever contracts that is in. */
function liquidateWallet(state: State, wallet: MarginWallet<MarginAccount>, wave: Wave): void {
  const [unit] = closableOf(state, wallet);
  if (unit === undefined || !wave.mayTry(unit) || !isUnitBreached(unit.margin, 'both')) return;
  if (state.isSpent) wave.putNext(unit);
  else liquidate(state, unit, wave);
}

/** One that is more than a command should do goes on in the next one, before all others. */
function liquidate(state: State, unit: LiquidationUnit, wave: Wave): void {
  const goesOnIn =
    unit.side === 'both' && unit.margin.wallet.isShared
      ? liquidateCross(state, unit, wave)
      : liquidateOne(state, unit, wave);
  if (goesOnIn === undefined) wave.tried(unit);
  else {
    wave.goesOn(unit, goesOnIn);
    state.spend();
  }
}

/** Returns the unit again when the next command has to go on. */
function liquidateOne(
  state: State,
  unit: LiquidationUnit,
  wave: Wave,
): LiquidationUnit | undefined {
  for (const rescue of RESCUES) {
    const end = rescue(state, unit, wave);
    if (end === 'unfinished') return unit;
    if (end === 'saved') return undefined;
  }
  const end = takeOver(state, unit, wave.others(state, unit.margin));
  return end === 'unfinished' ? unit : undefined;
}

/**
 * A cross unit over several contracts: every step is taken in all of them, worst loss first, before
 * the next one, and the take-over closes one contract after the other until the rest can stay.
 * Returns the contract in which the next command has to go on.
 */
function liquidateCross(
  state: State,
  unit: LiquidationUnit,
  wave: Wave,
): LiquidationUnit | undefined {
  const { wallet } = unit.margin;
  const begunIn = wave.begunIn(unit);
  for (const rescue of RESCUES) {
    for (const one of firstOf(closableOf(state, wallet), begunIn)) {
      state.instrumentInWork = one.margin.market.contract.instrumentId;
      const end = rescue(state, one, wave);
      if (end === 'unfinished') return one;
      if (end === 'saved') return undefined;
    }
  }
  return takeOverCross(state, wallet, wave, begunIn);
}

/** What a liquidation goes on with comes before the others. */
function firstOf(
  units: readonly LiquidationUnit[],
  begun: LiquidationUnit | undefined,
): readonly LiquidationUnit[] {
  if (begun === undefined || !units.includes(begun)) return units;
  return [begun, ...units.filter((unit) => unit !== begun)];
}

/** Returns the contract in which the next command has to go on. */
function takeOverCross(
  state: State,
  wallet: MarginWallet<MarginAccount>,
  wave: Wave,
  begunIn: LiquidationUnit | undefined,
): LiquidationUnit | undefined {
  for (let begun = begunIn; ; begun = undefined) {
    const units = closableOf(state, wallet).filter((one) => wave.mayTakeOver(one));
    const [worst] = units;
    if (worst === undefined || !isUnitBreached(worst.margin, 'both')) return undefined;
    const gaining = gainFirst(wallet, units);
    const target = begun !== undefined && units.includes(begun) ? begun : (gaining ?? worst);
    state.instrumentInWork = target.margin.market.contract.instrumentId;
    const others = wave.others(state, target.margin);
    const isGain = target === begun ? isGainBegun(wallet, target) : gaining !== undefined;
    if (takeOver(state, target, others, isGain) === 'unfinished') return target;
    wave.takenOver(target);
  }
}

/** Adds margin to an isolated position that asks for it, when there is money. */
function replenish(state: State, { margin, side }: LiquidationUnit): RescueEnd {
  if (side === 'both') return 'not_saved';
  const position = margin.position(side);
  if (!position.autoAppend) return 'not_saved';
  const { contract, markTicks } = margin.market;
  const pnl = margin.unrealizedPnlOf(position);
  const { leverage } = position;
  const delta = replenishment(contract, position, leverage, pnl, markTicks, margin.spendable);
  if (delta === 0n) return 'not_saved';
  position.margin += delta;
  position.changed(state);
  margin.touch(state.timeMs);
  state.emit({
    kind: 'margin_adjusted',
    accountId: margin.accountId,
    instrumentId: contract.instrumentId,
    positionId: position.positionId,
    side,
    delta,
    cause: 'automatic',
    adjustmentId: state.takeIds(1),
    ...margin.walletState(),
  });
  return isUnitBreached(margin, side) ? 'not_saved' : 'saved';
}

/** Cancelled orders free money; on its own that saves no unit. */
function cancelOrders(state: State, { margin, side }: LiquidationUnit): RescueEnd {
  if (side !== 'both') cancelAll(state, margin, side, 'liquidation');
  else for (const one of margin.wallet.members) cancelBehind(state, one);
  return 'not_saved';
}

/** What a cross unit takes back in a contract on its wallet: what freezes money it may lose. */
function cancelBehind(state: State, margin: MarginAccount): void {
  if (margin.market.contract.status === 'suspended') return;
  if (margin.mode === 'cross') cancelAll(state, margin, undefined, 'liquidation');
  else for (const side of HOLD_SIDES) cancelOpenings(state, margin, side, 'liquidation');
}

function netSides(state: State, { margin, side }: LiquidationUnit): RescueEnd {
  netHedge(state, margin);
  // A contract that netting leaves flat says nothing of the rest of its wallet.
  const isOther = side === 'both' && margin.isFlat;
  const left = isOther ? margin.wallet.crossHeld()[0] : margin;
  return left === undefined || !isUnitBreached(left, side) ? 'saved' : 'not_saved';
}

/** While the tier is high, closes down to two tiers below, at the bankruptcy price. */
function reduceByTiers(state: State, unit: LiquidationUnit, wave: Wave): RescueEnd {
  const { margin, side } = unit;
  for (;;) {
    const position = losingSide(margin, side);
    const targetLots = wave.reductionOf(unit) ?? reducedLots(margin, side, position);
    wave.setReduction(unit, undefined);
    const limit = targetLots === undefined ? undefined : bankruptcyOf(margin, side, position);
    if (targetLots === undefined || limit === undefined) return 'not_saved';
    const size = position.lots - targetLots;
    if (size <= 0) continue;
    const terms = { side: position.side, cause: 'reduction', size, priceTicks: limit } as const;
    const order = forcedOrder(state, margin, terms);
    const end = match(state, order, limit);
    settleRemainder(state, order, end);
    if (!isUnitBreached(margin, side)) return 'saved';
    if (end === 'match_limit') {
      wave.setReduction(unit, targetLots);
      return 'unfinished';
    }
    if (order.filledLots < order.sizeLots) return 'not_saved';
  }
}

/** Down to how many lots a position of a high tier is reduced; undefined when it is not. */
function reducedLots(
  margin: MarginAccount,
  side: UnitSide,
  position: Position,
): number | undefined {
  const { contract } = margin.market;
  const isHedged = side === 'both' && margin.long.lots > 0 && margin.short.lots > 0;
  const tier = contract.tiers.indexOf(tierOf(contract, position.lots)) + 1;
  if (isHedged || tier < REDUCED_FROM_TIER || isPastFirstTier(margin, side)) return undefined;
  return present(contract.tiers[tier - REDUCED_FROM_TIER], 'tier').contractsMax;
}

/** Whether not even the lowest tier's rate would save the position. */
function isPastFirstTier(margin: MarginAccount, side: UnitSide): boolean {
  const { contract, markTicks } = margin.market;
  const risk = riskOf(margin, side);
  if (risk === undefined) return true;
  const first = present(contract.tiers[0], 'first tier').maintenanceRatePpm;
  return isBreached(contract, { ...risk, thresholdPpm: first + contract.takerFeePpm }, markTicks);
}
