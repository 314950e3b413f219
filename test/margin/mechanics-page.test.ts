/** docs/MECHANICS.md: every worked number is what our functions and the engine give. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { TERMS } from '../support/contracts.ts';
import { workOut } from './arithmetic.ts';
import { pageFigures } from './page-figures.ts';

const page = readFileSync(new URL('../../docs/MECHANICS.md', import.meta.url), 'utf8');

interface Row {
  readonly what: string;
  readonly working: string;
  readonly result: string;
}

/** The rows of every table with a column of workings. */
function workedRows(): Row[] {
  const tables = page.split(/\n\n+/).filter((part) => /^\| \w+ \| working \| result \|/.test(part));
  return tables.flatMap((table) =>
    table
      .split('\n')
      .slice(2)
      .filter((line) => line.startsWith('|'))
      .map((line) => {
        const [, what = '', working = '', result = ''] = line.split('|').map((cell) => cell.trim());
        return { what, working, result };
      }),
  );
}

const rows = workedRows();
const figures = pageFigures();

describe('the worked numbers', () => {
  for (const { what, working, result } of rows) {
    test(`${what}: ${result}`, () => {
      assert.equal(result, figures.get(what));
      const [shown = ''] = result.split(' ');
      const decimals = shown.split('.')[1]?.length ?? 0;
      // Rounded in either direction, to a price step of 0.5 where it is one.
      const room = /bankrupt/i.test(what)
        ? 0.5
        : 10 ** -Math.max(decimals, hasUnit(result) ? 8 : 0);
      const away = Math.abs(workOut(working) - Number(shown));
      assert.ok(away <= room * 1.000001 + 1e-9, `${working} is ${workOut(working)}`);
    });
  }

  test('are all on the page, each once', () => {
    assert.deepEqual(rows.map(({ what }) => what).sort(), [...figures.keys()].sort());
    assert.ok(rows.length >= 50, `${rows.length} worked numbers`);
  });
});

/** An amount is shown without trailing zeros, and is exact to its eighth decimal place. */
function hasUnit(result: string): boolean {
  return result.includes(' ');
}

test('the tiers of the examples are those of the contracts they are worked out with', () => {
  const shown = [...page.matchAll(/^\| (\d+) \| ([\d.]+) % \| (\d+) \|$/gm)].map(
    ([, contracts, rate, leverage]) => [Number(contracts), Number(rate), Number(leverage)],
  );
  const tiers = TERMS.tiers.map(({ contractsMax, maintenanceRatePpm, leverageMax }) => [
    contractsMax,
    maintenanceRatePpm / 10_000,
    leverageMax,
  ]);
  assert.deepEqual(shown, tiers);
});
