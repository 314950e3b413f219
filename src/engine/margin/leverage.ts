/** The leverage of a side, and what changing it takes from or gives back to the balance. */
import {
  type Amount,
  byFigure,
  countFigure,
  dueTo,
  entryMargin,
  inRange,
  isBreached,
  leverageMaxOf,
  type MarginMode,
  refuse,
  type SetLeverage,
} from '#domain';
import type { Refusal, State } from '../state.ts';
import { owedOf } from '../swap/fill.ts';
import { lacking } from './lacking.ts';
import type { MarginAccount } from './margin-account.ts';
import type { Position } from './position.ts';
import { isolatedRisk } from './risk.ts';
import { emitSettings, marginOf } from './settings.ts';

/** Leverage of one side in isolated mode, of both in cross mode. */
export function setLeverage(state: State, command: SetLeverage): Refusal {
  const margin = marginOf(state, command);
  if ('reject' in margin) return margin;
  const { leverage } = command;
  if (command.mode !== undefined && command.mode !== margin.mode) {
    return storeLeverage(state, margin, command, command.mode);
  }
  const both = margin.mode === 'cross' || command.side === 'both';
  const positions = both ? [margin.long, margin.short] : [margin.position(command.side)];
  const refusal = checkLeverage(margin, positions, leverage);
  if (refusal !== undefined) return refusal;
  const changes = positions.map((position) => marginChange(margin, position, leverage));
  const needed = changes.reduce((sum, amount) => sum + amount, 0n);
  if (needed > 0n && needed > margin.spendable) return lacking(margin, needed);
  for (const [at, position] of positions.entries()) {
    const change = changes[at] ?? 0n;
    if (change < 0n && !isSafeWithout(margin, position, -change)) {
      return refuse('leverage_out_of_range', dueTo('margin_left_at_threshold'));
    }
  }
  positions.forEach((position, at) => {
    if (position.leverage !== leverage) position.changed(state);
    relever(margin, position, leverage, changes[at] ?? 0n);
  });
  margin.storeLeverages();
  emitSettings(state, margin);
  return undefined;
}

/** A leverage of the mode the account is not in waits for it: nothing depends on it yet. */
function storeLeverage(
  state: State,
  margin: MarginAccount,
  { side, leverage }: SetLeverage,
  mode: MarginMode,
): Refusal {
  const refusal = checkRange(margin, leverage);
  if (refusal !== undefined) return refusal;
  const { leverages } = margin;
  margin.leverages =
    mode === 'cross'
      ? { ...leverages, cross: leverage }
      : {
          ...leverages,
          ...(side !== 'short' && { isolatedLong: leverage }),
          ...(side !== 'long' && { isolatedShort: leverage }),
        };
  emitSettings(state, margin);
  return undefined;
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
    const allowed = leverageMaxOf(contract, size);
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
  position: Position,
  leverage: number,
  change: Amount,
): void {
  const { fineFactor } = market.contract;
  const lacking = position.marginOwed / (fineFactor * BigInt(position.leverage));
  position.leverage = leverage;
  if (mode === 'cross') return;
  position.margin += change;
  const owed = owedOf(market.contract, position);
  position.marginOwed = owed + lacking * fineFactor * BigInt(leverage);
}
