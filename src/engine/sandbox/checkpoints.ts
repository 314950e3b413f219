/**
 * Keeping the whole state under a name and going back to it. Going back replaces everything but the
 * sequence number, the time, the ids and the sandbox itself: those only ever go on.
 */
import {
  byFigure,
  countFigure,
  type DropCheckpoint,
  dueTo,
  LIMITS,
  NO_DETAIL,
  nextFundingMs,
  ofId,
  type ResetToCheckpoint,
  refuse,
  type SaveCheckpoint,
} from '#domain';
import { dumpVenue } from '../report/dump.ts';
import { restore } from '../report/restore.ts';
import type { Refusal, State } from '../state.ts';
import type { SwapMarket } from '../swap/market.ts';
import { emitPrices } from '../swap/prices.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Walks the whole state: it costs as much as a snapshot, on the market's own thread. */
export function saveCheckpoint(state: State, command: SaveCheckpoint): Refusal {
  const { name } = command;
  const { kept } = state.sandbox;
  if (!NAME.test(name)) return refuse('settings_invalid', dueTo('checkpoint_name_form'));
  if (!kept.has(name) && kept.size >= LIMITS.checkpointsMax) {
    return refuse(
      'checkpoints_exceeded',
      byFigure('checkpoints_kept', countFigure(LIMITS.checkpointsMax)),
    );
  }
  const rows: string[] = [];
  for (const row of dumpVenue(state)) {
    if (rows.length >= LIMITS.checkpointRowsMax) {
      const most = countFigure(LIMITS.checkpointRowsMax);
      return refuse('checkpoints_exceeded', byFigure('checkpoint_rows', most));
    }
    rows.push(row);
  }
  const view = { name, seq: state.seq, timeMs: state.timeMs, rowsCount: rows.length };
  kept.set(name, { view, rows });
  state.emit({ kind: 'checkpoint_saved', checkpoint: view });
  return undefined;
}

export function dropCheckpoint(state: State, { name }: DropCheckpoint): Refusal {
  if (!state.sandbox.kept.delete(name)) return unknown(name);
  state.emit({ kind: 'checkpoint_dropped', name });
  return undefined;
}

/** The answer repeats only a name that a checkpoint could have. */
function unknown(name: string): Refusal {
  return refuse('checkpoint_unknown', NAME.test(name) ? ofId(name) : NO_DETAIL);
}

/** Checkpoints stay, also those that were saved after this one. */
export function resetToCheckpoint(state: State, { name }: ResetToCheckpoint): Refusal {
  const checkpoint = state.sandbox.kept.get(name);
  if (checkpoint === undefined) return unknown(name);
  const { seq, timeMs, rules, lastId, sandbox, requests } = state;
  const restored = restore(checkpoint.rows);
  state.emit({
    kind: 'venue_reset',
    checkpoint: checkpoint.view,
    lastId: restored.lastId,
    instrumentsCount: restored.listings.instrumentsCount,
  });
  Object.assign(state, restored, { seq, timeMs, rules, lastId, sandbox, requests });
  for (const market of state.swaps.values()) {
    wake(market, checkpoint.view.timeMs, timeMs);
    emitPrices(state, market);
  }
  return undefined;
}

/** A contract takes its prices for as fresh as they were; the time since owes no funding. */
function wake(market: SwapMarket, savedMs: number, nowMs: number): void {
  const laterMs = nowMs - savedMs;
  const later = (timeMs: number): number => (timeMs === 0 ? 0 : timeMs + laterMs);
  market.lastTimeMs = later(market.lastTimeMs);
  market.indexFreshMs = later(market.indexFreshMs);
  for (const [source, { priceTicks, timeMs }] of market.reports) {
    market.reports.set(source, { priceTicks, timeMs: later(timeMs) });
  }
  const basis = market.basis.map(({ basisTicks, timeMs }) => ({
    timeMs: later(timeMs),
    basisTicks,
  }));
  market.basis.splice(0, market.basis.length, ...basis);
  market.nextFundingMs = nextFundingMs(market.contract.fundingMinutes, nowMs);
}
