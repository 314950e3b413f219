/**
 * Worked examples that exchanges publish, against our formulas: those that follow our rules. Every
 * figure they print must come out.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatTrimmed, parseDecimal, present } from '#kernel';
import {
  type Computed,
  Example,
  type Figure,
  MONEY_SCALE,
  moneyOf,
  ROWS,
  type Row,
} from '../support/published-examples.ts';
import { ENGINE_READINGS } from './engine-readings.ts';
import { MARGIN_READINGS } from './margin-readings.ts';
import { MARKET_READINGS } from './market-readings.ts';
import type { Figures, Reading } from './reading.ts';
import { RISK_READINGS } from './risk-readings.ts';
import { VALUE_READINGS } from './value-readings.ts';

const READINGS: readonly Reading[] = [
  ...VALUE_READINGS,
  ...MARGIN_READINGS,
  ...RISK_READINGS,
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

describe('published examples', () => {
  for (const row of ROWS) {
    test(`${row.id}: ${Object.keys(row.expected).join(', ')}`, () => {
      const reading = present(READING_OF.get(row.id), row.id);
      for (const [name, found] of differences(row, reading.compute(new Example(row)))) {
        assert.equal(found, undefined, `${name}: ${found} (${row.note})`);
      }
    });
  }

  test('every example is worked out once, and there are no others', () => {
    assert.equal(ROWS.length, 60);
    assert.deepEqual(READINGS.flatMap(({ ids }) => ids).sort(), ROWS.map(({ id }) => id).sort());
  });
});
