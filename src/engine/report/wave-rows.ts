/**
 * What waits of a wave of liquidations as rows of a snapshot: they follow the row of its work. A
 * row has a bounded length.
 */
import {
  type AccountId,
  type HoldSide,
  type InstrumentId,
  instrumentId as instrumentIdOf,
} from '#domain';
import { assert, present } from '#kernel';
import { Wave } from '../liquidation/wave.ts';
import type { LiquidationUnit, MarginAccount } from '../margin/margin-account.ts';
import type { UnitSide } from '../margin/position.ts';
import type { CountedPart, WaveState } from '../pending-work.ts';
import type { State } from '../state.ts';

/** The number is a count, lots, or the contract that a liquidation goes on in. */
type UnitRow = [id: InstrumentId, accountId: AccountId, side: UnitSide, count: number];
export type WaveRow =
  | ['wave', part: CountedPart | 'due' | 'begun', units: UnitRow[]]
  | [
      'wave_ranking',
      id: InstrumentId,
      side: HoldSide,
      part: 'ranked' | 'late',
      accountIds: AccountId[],
    ];

export function* waveRows(
  { due, tries, takeOvers, begun, reductions, rankings }: WaveState,
  rowLength: number,
): Generator<WaveRow> {
  for (const units of slices(due, rowLength)) {
    yield ['wave', 'due', units.map((unit) => unitRow(unit, 0))];
  }
  const counted: readonly [CountedPart, ReadonlyMap<LiquidationUnit, number>][] = [
    ['tries', tries],
    ['takeOvers', takeOvers],
    ['reductions', reductions],
  ];
  for (const [part, counts] of counted) {
    for (const units of slices([...counts], rowLength)) {
      yield ['wave', part, units.map(([unit, count]) => unitRow(unit, count))];
    }
  }
  for (const units of slices([...begun], rowLength)) {
    yield ['wave', 'begun', units.map(([unit, { margin }]) => unitRow(unit, idOf(margin)))];
  }
  for (const { instrumentId, side, ranked, late } of rankings) {
    // Also when nobody is left: then it was ranked all the same.
    if (ranked.length === 0) yield ['wave_ranking', instrumentId, side, 'ranked', []];
    for (const [part, margins] of [['ranked', ranked] as const, ['late', late] as const]) {
      for (const some of slices(margins, rowLength)) {
        const ids = some.map(({ accountId }) => accountId);
        yield ['wave_ranking', instrumentId, side, part, ids];
      }
    }
  }
}

function unitRow({ margin, side }: LiquidationUnit, count: number): UnitRow {
  return [idOf(margin), margin.accountId, side, count];
}

function idOf({ market }: MarginAccount): InstrumentId {
  return market.contract.instrumentId;
}

function* slices<T>(all: readonly T[], length: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += length) yield all.slice(at, at + length);
}

/** The wave is that of the row before. */
export function restoreWave(state: State, row: WaveRow): void {
  const work = state.work.at(-1);
  assert(work?.kind === 'liquidations' && work.wave instanceof Wave, 'a wave follows its work');
  if (row[0] === 'wave_ranking') {
    const [, instrumentId, side, part, ids] = row;
    const margins = ids.map((accountId) => marginOf(state, instrumentId, accountId));
    work.wave.restoreRanking(state.swapOf({ instrumentId }), side, part, margins);
    return;
  }
  for (const [instrumentId, accountId, side, count] of row[2]) {
    const unit = marginOf(state, instrumentId, accountId).unit(side);
    if (row[1] === 'begun') {
      const inContract = marginOf(state, instrumentIdOf(count), accountId).unit(side);
      work.wave.restoreBegun(unit, inContract);
    } else work.wave.restoreUnit(row[1], unit, count);
  }
}

function marginOf(state: State, instrumentId: InstrumentId, accountId: AccountId): MarginAccount {
  return present(state.swapOf({ instrumentId }).accounts.get(accountId), 'account of a wave');
}
