/** What opening costs and how much margin moves, for random orders and positions. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  affordableLots,
  assetId,
  type Contract,
  entryMargin,
  finePnl,
  fineToFloor,
  fineValue,
  instrumentId,
  leveragedLotsMax,
  leverageMaxOf,
  lots,
  openableLots,
  openingCost,
  removableMargin,
  replenishment,
  ticks,
  tierOf,
} from '#domain';
import { LINEAR, TERMS } from '../support/contracts.ts';
import * as arbitrary from './arbitrary.ts';

const amount = fc.bigInt({ min: 0n, max: 10n ** 18n });

/** What a listed contract has beyond its terms, which no formula looks at. */
const CONTRACT = {
  ...LINEAR,
  maxLots: lots(150_000),
  instrumentId: instrumentId(0),
  margin: {
    assetId: assetId(0),
    coinId: 2,
    code: 'USDT',
    scale: 8,
    transferable: true,
    chains: [],
  },
};

describe('opening', () => {
  test('costs margin and fee, rounded up once', () => {
    fc.assert(
      fc.property(
        fc.tuple(arbitrary.terms, arbitrary.size, arbitrary.price),
        arbitrary.leverage,
        arbitrary.feePpm,
        ([contract, size, at], leverage, feePpm) => {
          const cost = openingCost(contract, size, at, leverage, feePpm);
          // V (1/L + f) as a ratio of whole numbers, with V = factor * lots * P or / P.
          const scale = 1_000_000n * BigInt(leverage);
          const share = 1_000_000n + BigInt(leverage) * BigInt(feePpm);
          const whole = BigInt(size) * contract.valueFactor * share;
          const [above, below] =
            contract.kind === 'linear' ? [whole * BigInt(at), scale] : [whole, scale * BigInt(at)];
          assert.ok(cost * below >= above && (cost - 1n) * below < above);
        },
      ),
    );
  });

  test('of the affordable size is paid for, and one lot more is not', () => {
    fc.assert(
      fc.property(
        fc.tuple(arbitrary.terms, arbitrary.price, amount),
        arbitrary.leverage,
        arbitrary.feePpm,
        ([contract, at, money], leverage, feePpm) => {
          const size = affordableLots(contract, money, ticks(at), leverage, feePpm);
          fc.pre(size < Number.MAX_SAFE_INTEGER);
          assert.ok(openingCost(contract, size, at, leverage, feePpm) <= money);
          assert.ok(openingCost(contract, size + 1, at, leverage, feePpm) > money);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('counts what money, tiers and the largest order allow, whichever is least', () => {
    fc.assert(
      fc.property(
        fc.tuple(arbitrary.terms, arbitrary.price, amount),
        arbitrary.leverage,
        arbitrary.feePpm,
        ([terms, at, money], leverage, feePpm) => {
          const contract: Contract = { ...CONTRACT, ...terms, takerFeePpm: feePpm };
          const size = openableLots(contract, money, ticks(at), leverage);
          const isAffordable = (count: number): boolean =>
            count <= contract.maxLots &&
            (count === 0 || leverage <= leverageMaxOf(contract, count)) &&
            openingCost(contract, count, at, leverage, feePpm) <= money;
          assert.ok(isAffordable(size), `${size} can be opened`);
          assert.ok(!isAffordable(size + 1), 'one more cannot');
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

test('what is less than the smallest order opens nothing', () => {
  // 30 USDT of value each: at 20 times 1.5 of margin and 0.018 of fee.
  const value = { kind: 'linear', valueFactor: 10_000n, fineFactor: 1n } as const;
  const contract = { ...CONTRACT, ...value, takerFeePpm: 600, minLots: lots(5) };
  const openable = (money: bigint): number =>
    openableLots(contract, money * 1_000_000n, ticks(300_000), 20);
  assert.deepEqual([openable(758n), openable(759n), openable(910n), openable(911n)], [0, 5, 5, 6]);
});

describe('the tiers', () => {
  const cases: [leverage: number, lotsMax: number][] = [
    [100, 10_000],
    [51, 10_000],
    [50, 50_000],
    [20, 200_000],
    [10, 1_000_000],
    [1, 1_000_000],
    [101, 0],
  ];
  for (const [leverage, lotsMax] of cases) {
    test(`at ${leverage} times a position may hold ${lotsMax} lots`, () => {
      assert.equal(leveragedLotsMax(TERMS, leverage), lotsMax);
    });
  }

  const sizes: [size: number, maintenancePpm: number, leverageMax: number][] = [
    [1, 5_000, 100],
    [10_000, 5_000, 100],
    [10_001, 10_000, 50],
    [200_000, 25_000, 20],
    [1_000_000, 50_000, 10],
  ];
  for (const [size, maintenancePpm, leverageMax] of sizes) {
    test(`a position of ${size} lots keeps ${maintenancePpm} ppm`, () => {
      assert.equal(tierOf(TERMS, size).maintenanceRatePpm, maintenancePpm);
      assert.equal(leverageMaxOf(TERMS, size), leverageMax);
    });
  }

  test('no leverage holds more than the last tier', () => {
    assert.equal(leverageMaxOf(TERMS, 1_000_001), 0);
  });
});

function pnlOf({ contract, side, lots: size, open }: arbitrary.Holding, mark: number): bigint {
  return fineToFloor(contract, finePnl(contract, side, open, fineValue(contract, size, mark)));
}

/** Margin and unrealised profit against V(M) / L, as leverage times equity and value. */
function isAtInitial(held: arbitrary.Holding, money: bigint, mark: number, leverage: number) {
  const equity = (money + pnlOf(held, mark)) * held.contract.fineFactor;
  return equity * BigInt(leverage) >= fineValue(held.contract, held.lots, mark);
}

describe('replenishment', () => {
  test('brings the margin up to the leverage, and not a unit further', () => {
    fc.assert(
      fc.property(
        arbitrary.holding,
        arbitrary.price,
        arbitrary.leverage,
        (held, mark, leverage) => {
          const { contract, money } = held;
          const pnl = pnlOf(held, mark);
          const plenty = 10n ** 40n;
          const added = replenishment(
            contract,
            { ...held, margin: money },
            leverage,
            pnl,
            ticks(mark),
            plenty,
          );
          assert.ok(isAtInitial(held, money + added, mark, leverage), 'reaches 1 / L');
          if (added > 0n) {
            assert.ok(!isAtInitial(held, money + added - 1n, mark, leverage), 'takes no more');
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('takes no more than is available, and all of it when that is too little', () => {
    fc.assert(
      fc.property(
        fc.tuple(arbitrary.holding, amount),
        arbitrary.price,
        arbitrary.leverage,
        ([held, available], mark, leverage) => {
          const position = { ...held, margin: held.money };
          const pnl = pnlOf(held, mark);
          const wanted = replenishment(
            held.contract,
            position,
            leverage,
            pnl,
            ticks(mark),
            10n ** 40n,
          );
          const added = replenishment(
            held.contract,
            position,
            leverage,
            pnl,
            ticks(mark),
            available,
          );
          assert.equal(added, wanted < available ? wanted : available);
        },
      ),
    );
  });
});

describe('margin that can be taken out', () => {
  test('leaves the initial margin at the entry and at the mark, and not a unit more', () => {
    fc.assert(
      fc.property(
        arbitrary.holding,
        arbitrary.price,
        arbitrary.leverage,
        (held, mark, leverage) => {
          const { contract, money } = held;
          const position = { ...held, margin: money };
          const free = removableMargin(
            contract,
            position,
            leverage,
            pnlOf(held, mark),
            ticks(mark),
          );
          const entry = entryMargin(contract, held.open, leverage);
          const isEnough = (left: bigint) =>
            left >= entry && isAtInitial(held, left, mark, leverage);
          assert.ok(free >= 0n);
          if (free > 0n) assert.ok(isEnough(money - free), 'leaves enough');
          assert.ok(!isEnough(money - free - 1n), 'leaves no unit too much');
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('is nothing right after opening', () => {
    fc.assert(
      fc.property(
        arbitrary.terms,
        arbitrary.size,
        arbitrary.price,
        arbitrary.leverage,
        (contract, size, at, leverage) => {
          const open = fineValue(contract, size, at);
          const margin = entryMargin(contract, open, leverage);
          const position = { lots: lots(size), open, margin };
          assert.equal(removableMargin(contract, position, leverage, 0n, ticks(at)), 0n);
        },
      ),
    );
  });
});
