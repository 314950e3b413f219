/** What changing leverage or margin by hand would take, by the venue's own formulas. */
import {
  type Amount,
  entryMargin,
  finePnl,
  fineToFloor,
  fineValue,
  type HoldSide,
  leverageMaxOf,
  removableMargin,
} from '#domain';
import type { TradedContract } from './contract.ts';
import { liquidationOf, type MarginState, sideOf, withSide } from './margin-account.ts';

/** Which sides a leverage is set for: both when crossed. */
function sidesSet({ mode }: MarginState, side: HoldSide): readonly HoldSide[] {
  return mode === 'cross' ? ['long', 'short'] : [side];
}

/**
 * What a leverage takes from the available balance, or frees when below zero: V(E)/L' - V(E)/L of
 * each side it is set for.
 */
export function leverageCost(
  contract: TradedContract,
  state: MarginState,
  side: HoldSide,
  leverage: number,
): Amount {
  return sidesSet(state, side).reduce((sum, each) => {
    const held = sideOf(state, each);
    const grown = entryMargin(contract, held.open, leverage);
    return sum + grown - entryMargin(contract, held.open, held.leverage);
  }, 0n);
}

/** The account as a leverage would leave it, for estimates while a slider moves. */
export function withLeverage(
  contract: TradedContract,
  state: MarginState,
  side: HoldSide,
  leverage: number,
): MarginState {
  const taken = leverageCost(contract, state, side, leverage);
  let after: MarginState = { ...state, available: state.available - taken };
  for (const each of sidesSet(state, side)) {
    const held = sideOf(state, each);
    const margin = state.mode === 'isolated' ? held.margin + taken : held.margin;
    after = withSide(after, each, { ...held, leverage, margin });
  }
  return after;
}

/** The highest leverage that what is held allows. */
export function leverageMax(contract: TradedContract, state: MarginState, side: HoldSide): number {
  const held = sidesSet(state, side).reduce((sum, each) => sum + sideOf(state, each).lots, 0);
  return Math.min(contract.leverageMax, leverageMaxOf(contract, held));
}

/** The most margin that can be taken out of a fixed position at this mark price. */
export function removable(
  contract: TradedContract,
  state: MarginState,
  side: HoldSide,
  markTicks: number,
): Amount {
  const held = sideOf(state, side);
  if (held.lots === 0 || state.mode === 'cross') return 0n;
  const value = fineValue(contract, held.lots, markTicks);
  const pnl = fineToFloor(contract, finePnl(contract, side, held.open, value));
  return removableMargin(contract, held, held.leverage, pnl, markTicks);
}

/** Liquidation price of a fixed position after margin is put in, or taken out when below zero. */
export function liquidationAfterMargin(
  contract: TradedContract,
  state: MarginState,
  side: HoldSide,
  delta: Amount,
): number {
  const held = sideOf(state, side);
  const changed = withSide(state, side, { ...held, margin: held.margin + delta });
  return liquidationOf(contract, changed, side);
}
