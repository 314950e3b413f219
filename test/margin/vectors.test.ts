/**
 * Worked examples that exchanges publish, against our formulas. An example is ours when every
 * figure it prints comes out by our rules alone. Where the exchange does otherwise, a switch of the
 * reference calculator says how; an example of a rule we do not have is listed with the reason.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { formatTrimmed, parseDecimal, present } from '#kernel';
import { ENGINE_READINGS } from './engine-readings.ts';
import {
  type Computed,
  Example,
  type Figure,
  MONEY_SCALE,
  moneyOf,
  ROWS,
  type Row,
} from './example.ts';
import { MARGIN_READINGS } from './margin-readings.ts';
import { MARKET_READINGS } from './market-readings.ts';
import { NOT_OURS } from './not-ours.ts';
import type { Figures, Reading } from './reading.ts';
import { OURS } from './reference.ts';
import { RISK_READINGS } from './risk-readings.ts';
import { SNAPSHOT_READINGS } from './snapshot-readings.ts';
import { VALUE_READINGS } from './value-readings.ts';

const READINGS: readonly Reading[] = [
  ...VALUE_READINGS,
  ...MARGIN_READINGS,
  ...RISK_READINGS,
  ...SNAPSHOT_READINGS,
  ...MARKET_READINGS,
  ...ENGINE_READINGS,
];
const READING_OF = new Map(READINGS.flatMap((reading) => reading.ids.map((id) => [id, reading])));

/** The tolerance of one figure: its own, or the last named when the row names several. */
function toleranceOf(row: Row, name: string): bigint {
  const parts = row.tolerance.split(';').map((part) => part.trim().split(' '));
  const named = parts.find(([word = '']) => parts.length > 1 && name.includes(word));
  return moneyOf(present((named ?? parts.at(-1))?.at(-1), `tolerance of ${row.id}`));
}

/** Undefined when the computed figure is the printed one, and otherwise how it differs. */
function difference(printed: Figure, computed: Computed, tolerance: bigint): string | undefined {
  if (typeof computed === 'bigint') {
    const wanted = parseDecimal(String(printed), MONEY_SCALE);
    assert.equal(typeof wanted, 'bigint', `${String(printed)} is a number`);
    const apart = BigInt(wanted) - computed;
    if (apart <= tolerance && -apart <= tolerance) return undefined;
    return `${String(printed)} is printed, ${formatTrimmed(computed, MONEY_SCALE)} comes out`;
  }
  if (typeof printed === 'object' && typeof computed === 'object') {
    const names = new Set([...Object.keys(printed), ...Object.keys(computed)]);
    const inside = [...names].map((name) => differenceAt(printed, computed, name, tolerance));
    return inside.find((found) => found !== undefined);
  }
  return printed === computed
    ? undefined
    : `${String(printed)} is printed, not ${String(computed)}`;
}

function differenceAt(printed: object, computed: object, name: string, tolerance: bigint) {
  const wanted: Figure | undefined = Reflect.get(printed, name);
  const found: Computed | undefined = Reflect.get(computed, name);
  if (wanted === undefined || found === undefined) return `${name} is in one of them only`;
  return difference(wanted, found, tolerance);
}

/** Every printed figure by name: undefined when it comes out. */
function differences(row: Row, figures: Figures): Map<string, string | undefined> {
  return new Map(
    Object.entries(row.expected).map(([name, printed]) => {
      const computed = figures[name];
      if (computed === undefined) return [name, 'is not computed'];
      return [name, difference(printed, computed, toleranceOf(row, name))];
    }),
  );
}

function byRules(row: Row, reading: Reading, switches: Reading['switches']) {
  return differences(row, reading.compute(new Example(row), { ...OURS, ...switches }));
}

/** Whether an example needs a switch, and how many of its figures come out without one. */
function judge(row: Row, reading: Reading) {
  const without = byRules(row, reading, {});
  const figuresOurs = [...without.values()].filter((found) => found === undefined).length;
  return { figuresOurs, figures: without.size, isOurs: figuresOurs === without.size };
}

/** Whether a switch of a reading, left out alone, spoils one of its examples. */
function decides(reading: Reading, name: string): boolean {
  if (!(name in reading.switches)) return false;
  const others = Object.entries(reading.switches).filter(([other]) => other !== name);
  const rows = ROWS.filter(({ id }) => reading.ids.includes(id));
  return rows.some((row) =>
    [...byRules(row, reading, Object.fromEntries(others)).values()].some(
      (found) => found !== undefined,
    ),
  );
}

describe('published examples', () => {
  for (const row of ROWS) {
    const reading = READING_OF.get(row.id);
    if (reading === undefined) continue;
    test(`${row.id}: ${Object.keys(row.expected).join(', ')}`, () => {
      for (const [name, found] of byRules(row, reading, reading.switches)) {
        assert.equal(found, undefined, `${name}: ${found} (${row.note})`);
      }
    });
  }

  test('every example is worked out once, or is listed as not ours', () => {
    const listed = [...READINGS.flatMap(({ ids }) => ids), ...NOT_OURS.keys()].sort();
    assert.deepEqual(listed, ROWS.map(({ id }) => id).sort());
  });

  test('a switch is set only where our own rule gives another figure', () => {
    for (const reading of READINGS) {
      const rows = ROWS.filter(({ id }) => reading.ids.includes(id));
      const needed = rows.some((row) => !judge(row, reading).isOurs);
      const isSwitched = Object.keys(reading.switches).length > 0;
      assert.equal(isSwitched, needed, `${reading.ids.join(', ')}`);
    }
  });

  test('every switch alone decides about an example', () => {
    const names = Object.keys(OURS).filter(
      (name) => !READINGS.some((reading) => decides(reading, name)),
    );
    assert.deepEqual(names, []);
  });

  test('the counts', (context: TestContext) => {
    const judged = ROWS.flatMap((row) => {
      const reading = READING_OF.get(row.id);
      return reading === undefined ? [] : [{ row, reading, ...judge(row, reading) }];
    });
    const ours = judged.filter(({ isOurs }) => isOurs);
    const switched = judged.filter(({ isOurs }) => !isOurs);
    const figuresOurs = judged.reduce((sum, found) => sum + found.figuresOurs, 0);
    const figures = judged.reduce((sum, found) => sum + found.figures, 0);
    context.diagnostic(`${ROWS.length} published examples`);
    context.diagnostic(`${ours.length} come out by our rules`);
    context.diagnostic(`${switched.length} come out through a switch`);
    for (const { row, reading } of switched) {
      context.diagnostic(`  ${row.id}: ${JSON.stringify(reading.switches)}`);
    }
    context.diagnostic(`${NOT_OURS.size} are not ours`);
    for (const [id, reason] of NOT_OURS) context.diagnostic(`  ${id}: ${reason}`);
    context.diagnostic(`${figures} figures, ${figuresOurs} of them by our rules alone`);
    assert.deepEqual(
      { ours: ours.length, switched: switched.length, notOurs: NOT_OURS.size },
      { ours: 60, switched: 50, notOurs: 13 },
    );
    assert.deepEqual({ figures, figuresOurs }, { figures: 204, figuresOurs: 129 });
    assert.equal(ours.length + switched.length + NOT_OURS.size, ROWS.length);
  });
});
