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
import type { UnitSide } from '../margin/position.ts';
import { isUnitBreached, riskOf } from '../margin/risk.ts';
import type { LiquidationsWork } from '../pending-work.ts';
import type { State } from '../state.ts';
import { cancelAll, cancelOpenings } from '../swap/close.ts';
import type { SwapMarket } from '../swap/market.ts';
import { match, settleRemainder } from '../swap/place.ts';
import { bankruptcyOf, losingSide } from './bankruptcy.ts';
import { closableOf, gainFirst } from './cross-order.ts';
import { netHedge } from './netting.ts';
import { forcedOrder } from './off-book.ts';
import { takeOver } from './take-over.ts';
import { Wave } from './wave.ts';
import { worstFirst } from './worst-first.ts';

/** Positions of this tier and above are first reduced, two tiers at a time. */
const REDUCED_FROM_TIER = 3;
/** Tries something and returns whether the unit is above its threshold again. */
type Rescue = (state: State, unit: LiquidationUnit) => boolean;

/** The steps before a take-over, in order. What the cancelled orders free is added once more. */
const RESCUES: readonly Rescue[] = [replenish, cancelOrders, replenish, netSides, reduceByTiers];

/**
 * Deals with every unit that the mark price breaches, the worst ratio first. What is more than a
 * command should do waits, in front of all other work; a new price begins anew.
 */
export function liquidateBreached(state: State, market: SwapMarket): void {
  endEarlierWave(state, market);
  const wave = new Wave(market);
  if (!doPiece(state, wave)) return;
  const { work } = state;
  const { instrumentId } = market.contract;
  const place = work.findLastIndex(({ kind }) => kind === 'liquidations') + 1;
  work.splice(place, 0, { kind: 'liquidations', instrumentId, wave });
}

function endEarlierWave({ work }: State, { contract }: SwapMarket): void {
  const at = work.findIndex(
    (one) => one.kind === 'liquidations' && one.instrumentId === contract.instrumentId,
  );
  const [earlier] = at === -1 ? [] : work.splice(at, 1);
  if (earlier?.kind === 'liquidations') waveOf(earlier).end();
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

function liquidate(state: State, unit: LiquidationUnit, wave: Wave): void {
  if (unit.side === 'both' && unit.margin.wallet.isShared) {
    liquidateCross(state, unit, wave);
    return;
  }
  const isSaved = RESCUES.some((rescue) => rescue(state, unit));
  const end = isSaved ? 'tried' : takeOver(state, unit, wave.others(state, unit.margin));
  if (end === 'unfinished') wave.putNext(unit);
  else wave.tried(unit, end === 'put_off');
}

/**
 * A cross unit over several contracts: every step is taken in all of them, worst loss first, before
 * the next one, and the take-over closes one contract after the other until the rest can stay.
 */
function liquidateCross(state: State, unit: LiquidationUnit, wave: Wave): void {
  const { wallet } = unit.margin;
  const isSaved = RESCUES.some((rescue) =>
    closableOf(state, wallet).some((one) => {
      state.instrumentInWork = one.margin.market.contract.instrumentId;
      return rescue(state, one);
    }),
  );
  if (isSaved || takeOverCross(state, wallet, wave)) wave.tried(unit, false);
  else wave.putNext(unit);
}

/** Returns false when the next command has to go on. */
function takeOverCross(state: State, wallet: MarginWallet<MarginAccount>, wave: Wave): boolean {
  for (;;) {
    const units = closableOf(state, wallet).filter((one) => wave.mayTakeOver(one));
    const [worst] = units;
    if (worst === undefined || !isUnitBreached(worst.margin, 'both')) return true;
    const gaining = gainFirst(wallet, units);
    const target = gaining ?? worst;
    state.instrumentInWork = target.margin.market.contract.instrumentId;
    const others = wave.others(state, target.margin);
    const end = takeOver(state, target, others, gaining !== undefined);
    if (end === 'unfinished') return false;
    wave.takenOver(target, end === 'put_off');
  }
}

/** Adds margin to an isolated position that asks for it, when there is money. */
function replenish(state: State, { margin, side }: LiquidationUnit): boolean {
  if (side === 'both') return false;
  const position = margin.position(side);
  if (!position.autoAppend) return false;
  const { contract, markTicks } = margin.market;
  const pnl = margin.unrealizedPnlOf(position);
  const { leverage } = position;
  const delta = replenishment(contract, position, leverage, pnl, markTicks, margin.spendable);
  if (delta === 0n) return false;
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
  return !isUnitBreached(margin, side);
}

/** Cancelled orders free money; on its own that saves no unit. */
function cancelOrders(state: State, { margin, side }: LiquidationUnit): boolean {
  if (side !== 'both') cancelAll(state, margin, side, 'liquidation');
  else for (const one of margin.wallet.members) cancelBehind(state, one);
  return false;
}

/** What a cross unit takes back in a contract on its wallet: what freezes money it may lose. */
function cancelBehind(state: State, margin: MarginAccount): void {
  if (margin.market.contract.status === 'suspended') return;
  if (margin.mode === 'cross') cancelAll(state, margin, undefined, 'liquidation');
  else for (const side of HOLD_SIDES) cancelOpenings(state, margin, side, 'liquidation');
}

function netSides(state: State, { margin, side }: LiquidationUnit): boolean {
  netHedge(state, margin);
  // A contract that netting leaves flat says nothing of the rest of its wallet.
  const isOther = side === 'both' && margin.isFlat;
  const left = isOther ? margin.wallet.crossHeld()[0] : margin;
  return left === undefined || !isUnitBreached(left, side);
}

/** While the tier is high, closes down to two tiers below, at the bankruptcy price. */
function reduceByTiers(state: State, { margin, side }: LiquidationUnit): boolean {
  const { contract } = margin.market;
  for (;;) {
    const position = losingSide(margin, side);
    const isHedged = side === 'both' && margin.long.lots > 0 && margin.short.lots > 0;
    const tier = contract.tiers.indexOf(tierOf(contract, position.lots)) + 1;
    if (isHedged || tier < REDUCED_FROM_TIER || isPastFirstTier(margin, side)) return false;
    const target = present(contract.tiers[tier - REDUCED_FROM_TIER], 'tier').contractsMax;
    const limit = bankruptcyOf(margin, side, position);
    if (limit === undefined) return false;
    const size = position.lots - target;
    const terms = { side: position.side, cause: 'reduction', size, priceTicks: limit } as const;
    const order = forcedOrder(state, margin, terms);
    settleRemainder(state, order, match(state, order, limit));
    if (!isUnitBreached(margin, side)) return true;
    if (order.filledLots < order.sizeLots) return false;
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
