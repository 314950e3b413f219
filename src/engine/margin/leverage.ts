/** The leverage of a side, and what changing it takes from or gives back to the balance. */
import {
  type Amount,
  byFigure,
  countFigure,
  dueTo,
  entryMargin,
  inRange,
  isBreached,
  type LeverageChange,
  refuse,
  type SetLeverage,
  tierOf,
} from '#domain';
import type { Refusal, State } from '../state.ts';
import { owedOf } from '../swap/fill.ts';
import { lacking } from './lacking.ts';
import type { MarginAccount } from './margin-account.ts';
import type { Position } from './position.ts';
import { isolatedRisk } from './risk.ts';
import { emitSettings, marginOf } from './settings.ts';

/** Leverage of one side in isolated mode, of both in cross mode. All that is asked for, or none. */
export function setLeverage(state: State, command: SetLeverage): Refusal {
  const margin = marginOf(state, command);
  if ('reject' in margin) return margin;
  const changes = [command, ...(command.others ?? [])];
  const refusal = checkAll(margin, changes);
  if (refusal !== undefined) return refusal;
  const releverings = releveringsOf(margin, changes);
  const lacks = checkMargin(margin, releverings);
  if (lacks !== undefined) return lacks;
  for (const change of changes) {
    if (!isInForce(margin, change)) storeLeverage(margin, change);
  }
  for (const relevering of releverings) {
    const { position, leverage } = relevering;
    if (position.leverage !== leverage) position.changed(state);
    relever(margin, relevering);
  }
  if (releverings.length > 0) margin.storeLeverages();
  emitSettings(state, margin);
  return undefined;
}

/** A position that gets another leverage, and what that takes from the available balance. */
interface Relevering {
  readonly position: Position;
  readonly leverage: number;
  readonly change: Amount;
}

/** Of a side that is named twice the last leverage counts. */
function releveringsOf(margin: MarginAccount, changes: readonly LeverageChange[]): Relevering[] {
  const wanted = new Map<Position, number>();
  for (const change of changes) {
    if (!isInForce(margin, change)) continue;
    for (const position of positionsOf(margin, change)) wanted.set(position, change.leverage);
  }
  return [...wanted].map(([position, leverage]) => {
    return { position, leverage, change: marginChange(margin, position, leverage) };
  });
}

/** Whether a change is of the mode the account is in; of the other one it waits for that. */
function isInForce(margin: MarginAccount, { mode = margin.mode }: LeverageChange): boolean {
  return mode === margin.mode;
}

function positionsOf(margin: MarginAccount, { side }: LeverageChange): readonly Position[] {
  const { mode, long, short } = margin;
  return mode === 'cross' || side === 'both' ? [long, short] : [margin.position(side)];
}

function checkAll(margin: MarginAccount, changes: readonly LeverageChange[]): Refusal {
  for (const change of changes) {
    const refusal = isInForce(margin, change)
      ? checkLeverage(margin, positionsOf(margin, change), change.leverage)
      : checkRange(margin, change.leverage);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Whether the money is there, and each isolated position is safe with what is left to it. */
function checkMargin(margin: MarginAccount, releverings: readonly Relevering[]): Refusal {
  const needed = releverings.reduce((sum, { change }) => sum + change, 0n);
  if (needed > 0n && needed > margin.spendable) return lacking(margin, needed);
  const isLeftUnsafe = releverings.some(
    ({ position, change }) => change < 0n && !isSafeWithout(margin, position, -change),
  );
  if (!isLeftUnsafe) return undefined;
  return refuse('leverage_out_of_range', dueTo('margin_left_at_threshold'));
}

/** Nothing depends on a leverage of the other mode yet. */
function storeLeverage(margin: MarginAccount, { side, leverage }: LeverageChange): void {
  const { leverages, mode } = margin;
  margin.leverages =
    mode === 'isolated'
      ? { ...leverages, cross: leverage }
      : {
          ...leverages,
          ...(side !== 'short' && { isolatedLong: leverage }),
          ...(side !== 'long' && { isolatedShort: leverage }),
        };
}

function checkRange({ market }: MarginAccount, leverage: number): Refusal {
  const { leverageMin, leverageMax } = market.contract;
  const isWhole = Number.isSafeInteger(leverage);
  if (isWhole && leverage >= leverageMin && leverage <= leverageMax) return undefined;
  return refuse('leverage_out_of_range', inRange('leverage', leverageMin, leverageMax));
}

function checkLeverage(
  margin: MarginAccount,
  positions: readonly Position[],
  leverage: number,
): Refusal {
  const { contract } = margin.market;
  const refusal = checkRange(margin, leverage);
  if (refusal !== undefined) return refusal;
  if (positions.every((position) => position.leverage === leverage)) return undefined;
  if (margin.openOrdersCount > 0 || margin.triggersCount > 0) return refuse('leverage_locked');
  for (const position of positions) {
    const { long, short, mode } = margin;
    const size = mode === 'isolated' ? position.lots : long.lots + short.lots;
    const allowed = tierOf(contract, size).leverageMax;
    if (size > 0 && leverage > allowed) {
      return refuse('leverage_out_of_range', byFigure('at_most_of_position', countFigure(allowed)));
    }
  }
  return undefined;
}

/**
 * What a leverage takes from the available balance, or frees when below zero: V(E) / L' - V(E) / L.
 * So what was added or taken out by hand stays as it is, and going back undoes it all.
 */
function marginChange({ market }: MarginAccount, position: Position, leverage: number): Amount {
  const { contract } = market;
  const needed = entryMargin(contract, position.open, leverage);
  return needed - entryMargin(contract, position.open, position.leverage);
}

/** Whether an isolated position stays above its threshold at the mark price with this much less. */
function isSafeWithout(margin: MarginAccount, position: Position, less: Amount): boolean {
  if (margin.mode === 'cross') return true;
  const { contract, markTicks } = margin.market;
  const risk = isolatedRisk(margin, position);
  const money = risk.money - less;
  return money >= 0n && !isBreached(contract, { ...risk, money }, markTicks);
}

function relever(
  { mode, market }: MarginAccount,
  { position, leverage, change }: Relevering,
): void {
  const { fineFactor } = market.contract;
  const lacking = position.marginOwed / (fineFactor * BigInt(position.leverage));
  position.leverage = leverage;
  if (mode === 'cross') return;
  position.margin += change;
  const owed = owedOf(market.contract, position);
  position.marginOwed = owed + lacking * fineFactor * BigInt(leverage);
}
