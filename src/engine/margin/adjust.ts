/** Margin that the owner moves into or out of an isolated position. */
import {
  type AdjustMargin,
  type Amount,
  byFigure,
  coinFigure,
  refuse,
  removableMargin,
} from '#domain';
import type { Refusal, State } from '../state.ts';
import { lacking } from './lacking.ts';
import type { MarginAccount } from './margin-account.ts';
import type { Position } from './position.ts';
import { marginOf } from './settings.ts';

/** Moves money into or out of an isolated position. */
export function adjustMargin(state: State, command: AdjustMargin): Refusal {
  const margin = marginOf(state, command);
  if ('reject' in margin) return margin;
  const { side, delta, instrumentId } = command;
  if (margin.mode === 'cross') return refuse('adjust_margin_in_cross');
  if (delta === 0n) return refuse('margin_amount_invalid');
  const position = margin.position(side);
  if (position.lots === 0) return refuse('no_position_for_margin');
  if (delta > 0n && delta > margin.spendable) return lacking(margin, delta);
  if (delta < 0n && -delta > removableOf(margin, position)) {
    const most = coinFigure(margin.market.contract.margin, removableOf(margin, position));
    return refuse('margin_removal_exceeded', byFigure('at_most', most));
  }
  position.margin += delta;
  position.changed(state);
  margin.touch(state.timeMs);
  const { accountId } = margin;
  const adjustmentId = state.takeIds(1);
  const { positionId } = position;
  const adjusted = { accountId, instrumentId, positionId, side, delta, adjustmentId } as const;
  state.emit({ kind: 'margin_adjusted', ...adjusted, cause: 'owner', ...margin.walletState() });
  return undefined;
}

function removableOf(margin: MarginAccount, position: Position): Amount {
  const { contract, markTicks } = margin.market;
  const pnl = margin.unrealizedPnlOf(position);
  return removableMargin(contract, position, position.leverage, pnl, markTicks);
}
