/** The margin mode of an account in a contract, and automatic margin of its isolated positions. */
import { refuse, type SetAutoMargin, type SetMarginMode } from '#domain';
import type { Refusal, State } from '../state.ts';
import { emitSettings, marginOf } from './settings.ts';

/** Isolated or cross; only while nothing is held and nothing waits. */
export function setMarginMode(state: State, command: SetMarginMode): Refusal {
  const margin = marginOf(state, command);
  if ('reject' in margin) return margin;
  if (margin.mode !== command.mode) {
    const { openOrdersCount, triggersCount, tpSlCount } = margin;
    const isBusy = openOrdersCount + triggersCount + tpSlCount > 0;
    if (isBusy || !margin.isFlat) return refuse('margin_mode_locked');
    margin.mode = command.mode;
    if (command.leverages === 'stored') margin.applyLeverages();
    else if (command.mode === 'cross') margin.short.leverage = margin.long.leverage;
    margin.storeLeverages();
  }
  margin.isSeparated = command.isSeparated ?? margin.isSeparated;
  emitSettings(state, margin);
  return undefined;
}

/** Whether an isolated position is given more margin by itself before it is liquidated. */
export function setAutoMargin(state: State, command: SetAutoMargin): Refusal {
  const margin = marginOf(state, command);
  if ('reject' in margin) return margin;
  if (margin.mode === 'cross') return refuse('auto_margin_in_cross');
  const position = margin.position(command.side);
  if (position.lots === 0) return refuse('no_position_for_auto_margin');
  position.autoAppend = command.automatic;
  emitSettings(state, margin);
  return undefined;
}
