/** Statistics of a round: tables worked by hand, and what holds for every row of equities. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  boardRows,
  intervalOf,
  ranked,
  Score,
  SHARPE_RETURNS_MIN,
  YEAR_MS,
} from '#competition/testing';
import { present } from '#kernel';

const HOUR_MS = 3_600_000;

function scoreOf(equities: readonly number[], sampleMs = HOUR_MS) {
  const [first, ...others] = equities.map(BigInt);
  const score = new Score(present(first, 'first equity'), sampleMs);
  for (const equity of others) score.add(equity);
  return score.now;
}

/** Equities that give these returns, but for the rounding to whole units. */
function rowOf(returns: readonly number[]): readonly number[] {
  let equity = 1_000_000_000_000;
  const later = returns.map((one) => {
    equity = Math.round(equity * (1 + one));
    return equity;
  });
  return [1_000_000_000_000, ...later];
}

test('return and drawdown of a row worked by hand', () => {
  // 100 -> 120 -> 90 -> 108: 8 % up, and 90 is a quarter below 120.
  const { equity, gained, drawdown } = scoreOf([10_000, 12_000, 9_000, 10_800]);
  assert.equal(equity, 10_800n);
  assert.equal(gained, 8_000_000n);
  assert.equal(drawdown, 25_000_000n);
  // A loss is rounded towards zero: 1 - 2/3.
  assert.equal(scoreOf([3, 2]).gained, -33_333_333n);
  assert.equal(scoreOf([3, 2]).drawdown, 33_333_333n);
});

test('the Sharpe ratio of a row worked by hand, for a year of 365 days', () => {
  // Returns 10 %, -10 %, 20 %, ten times: mean 0.2/3, squares about the mean 0.14/3 each time.
  const row = rowOf(Array.from({ length: 10 }, () => [0.1, -0.1, 0.2]).flat());
  const { sharpe } = scoreOf(row);
  const byHand = (0.2 / 3 / Math.sqrt((10 * 0.14) / 3 / 29)) * Math.sqrt(8_760);
  assert.ok(Math.abs(present(sharpe, 'a ratio') - byHand) < 1e-6, `${sharpe} and ${byHand}`);
  assert.equal(YEAR_MS / HOUR_MS, 8_760);
  // Four times as many intervals a year: twice the ratio.
  const quarter = present(scoreOf(row, HOUR_MS / 4).sharpe, 'ratio');
  assert.ok(Math.abs(quarter - 2 * byHand) < 1e-6);
});

test('no Sharpe ratio for 29 returns, for equal returns, or after a ruin', () => {
  const various = Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? 0.1 : -0.05));
  assert.notEqual(scoreOf(rowOf(various)).sharpe, undefined);
  assert.equal(scoreOf(rowOf(various.slice(1))).sharpe, undefined);
  assert.equal(scoreOf(rowOf(various.map(() => 0))).sharpe, undefined);
  assert.equal(scoreOf([100, 0, ...rowOf(various)]).sharpe, undefined);
  assert.equal(scoreOf([100, -50]).drawdown, 150_000_000n);
});

const equities = fc.array(fc.integer({ min: 1, max: 1_000_000_000 }), {
  minLength: 3,
  maxLength: 60,
  size: 'max',
});

test('one by one gives what the whole row gives', () => {
  fc.assert(
    fc.property(equities, (row) => {
      const { drawdown, gained, sharpe } = scoreOf(row);
      const first = present(row[0], 'first');
      const last = present(row.at(-1), 'last');
      assert.equal(gained, (BigInt(last - first) * 100_000_000n) / BigInt(first));
      let deepest = 0n;
      for (const [at, high] of row.entries()) {
        for (const low of row.slice(at)) {
          const fall = (BigInt(high - low) * 100_000_000n) / BigInt(high);
          if (fall > deepest) deepest = fall;
        }
      }
      assert.equal(drawdown, deepest);
      assertSharpe(row, sharpe);
    }),
  );
});

/** In two passes, as it is defined. */
function assertSharpe(row: readonly number[], found: number | undefined): void {
  const returns = row.slice(1).map((equity, at) => equity / present(row[at], 'before') - 1);
  const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length;
  const squares = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (returns.length - 1));
  if (returns.length < SHARPE_RETURNS_MIN) {
    assert.equal(found, undefined);
    return;
  }
  if (found === undefined) {
    assert.ok(deviation < 1e-9, `${deviation}`);
    return;
  }
  const wanted = (mean / deviation) * Math.sqrt(YEAR_MS / HOUR_MS);
  const scale = Math.max(1, Math.abs(wanted), Math.sqrt(YEAR_MS / HOUR_MS));
  assert.ok(Math.abs(found - wanted) / scale < 1e-6, `${found} and ${wanted}`);
}

test('equal ones share a rank, and the next has as many before it', () => {
  const ranks = ranked([50, 70, 70, 20, 90], (one, other) => other - one);
  assert.deepEqual(
    ranks.map(({ rank, row }) => [rank, row]),
    [
      [1, 90],
      [2, 70],
      [2, 70],
      [4, 50],
      [5, 20],
    ],
  );
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5 })), (rows) => {
      for (const { rank, row } of ranked(rows, (one, other) => other - one)) {
        assert.equal(rank, 1 + rows.filter((other) => other > row).length);
      }
    }),
  );
});

test('a leaderboard by Sharpe ratio puts those without one last, as equals', () => {
  const scored = (sharpe: number | undefined) => ({
    equity: 100n,
    gained: 0n,
    drawdown: 0n,
    sharpe,
  });
  const standings = [undefined, 1.5, undefined, -2].map((sharpe, at) => {
    return {
      number: at + 1,
      name: `Trader ${at + 1}`,
      team: '',
      trades: 0,
      scored: scored(sharpe),
    };
  });
  const rows = boardRows(standings, 'sharpe', 2);
  assert.deepEqual(
    rows.map(({ rank, number, sharpe, equity }) => [rank, number, sharpe, equity]),
    [
      [1, 2, '1.5000', '1.00'],
      [2, 4, '-2.0000', '1.00'],
      [3, 1, '', '1.00'],
      [3, 3, '', '1.00'],
    ],
  );
});

test('a long round is sampled less often, and never more than 501 times', () => {
  assert.equal(intervalOf(1_000, 60_000), 1_000);
  assert.equal(intervalOf(10_000, 3_600_000), 10_000);
  assert.equal(intervalOf(1_000, 3_600_000), 8_000);
  fc.assert(
    fc.property(fc.integer({ min: 10_000, max: 366 * 86_400_000 }), (durationMs) => {
      const sampleMs = intervalOf(1_000, durationMs);
      assert.ok(sampleMs % 1_000 === 0 && Math.ceil(durationMs / sampleMs) <= 500);
    }),
  );
});
