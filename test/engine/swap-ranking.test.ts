/**
 * The ranking of those who can be deleveraged, and that of those who are liquidated, against the
 * same in whole numbers alone: random
 * holders, many of them equal, healthy or in trouble, with next to nothing behind them or so much
 * that no number is exact for their score.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  deleveragingScore,
  finePnl,
  fineValue,
  HOLD_SIDES,
  type HoldSide,
  isBreached,
  marginRatio,
  type RiskUnit,
  thresholdPpm,
  ticks,
} from '#domain';
import {
  type LiquidationUnit,
  type MarginAccount,
  ranked,
  restore,
  worstFirst,
} from '#engine/testing';
import { present } from '#kernel';
import { holdSide, marginMode } from '../support/arbitraries.ts';
import { ETH } from '../support/coin-floor.ts';
import { INVERSE, LINEAR } from '../support/contracts.ts';
import { Floor } from '../support/floor.ts';

/** Few of everything, so that some are equal. */
const HOLDER = fc.record({
  mode: marginMode,
  side: holdSide,
  leverage: fc.constantFrom(2, 10, 50),
  price: fc.constantFrom(300_000, 299_000, 297_005),
  lots: fc.constantFrom(1, 2, 30),
  /** With the last of them the score of a loss is no safe integer. */
  money: fc.constantFrom<string>('40', '1000', '10000000000'),
  hedged: fc.boolean(),
  waitMs: fc.nat({ max: 1 }),
});
const CASE = fc.record({
  holders: fc.array(HOLDER, { minLength: 2, maxLength: 12 }),
  markTicks: fc.constantFrom(270_000, 294_000, 299_000, 300_000, 307_005, 330_000),
  otherTicks: fc.constantFrom(10_000, 20_000, 20_100),
});
type Holder = typeof HOLDER extends fc.Arbitrary<infer T> ? T : never;
type Case = typeof CASE extends fc.Arbitrary<infer T> ? T : never;

const FLOORS = {
  linear: { spec: LINEAR, wallets: 'contract' },
  inverse: { spec: INVERSE, wallets: 'contract' },
  'wallet per coin': { spec: LINEAR, wallets: 'coin' },
} as const;
type FloorKind = keyof typeof FLOORS;

/** Orders against Mia's, some of which are refused: what they cannot pay for. */
function hold(
  venue: Floor,
  name: string,
  { side, price, lots, hedged }: Pick<Holder, 'side' | 'price' | 'lots' | 'hedged'>,
): void {
  const trade = (long: string, short: string, size: number): void => {
    venue.order(short, 'open_short', price, size);
    venue.order(long, 'open_long', price, size);
  };
  const [long, short] = side === 'long' ? [name, 'mia'] : ['mia', name];
  trade(long, short, lots);
  if (hedged) trade(short, long, 1);
  venue.order('mia', 'open_short', 20_000, 1, { on: ETH.symbol });
  venue.order(name, 'open_long', 20_000, 1, { on: ETH.symbol });
}

/** The accounts that hold something, at these mark prices. */
function holdersOf(kind: FloorKind, { holders, markTicks, otherTicks }: Case): MarginAccount[] {
  const { spec, wallets } = FLOORS[kind];
  const venue = new Floor(undefined, { checks: false, stepMs: 0 }).listCoins();
  venue.listContract({ ...spec, priceBandPpm: 900_000 }).listContract(ETH);
  venue.open('mia', '1000000000', { wallets, mode: 'cross', leverage: 2 });
  for (const [at, { mode, leverage, money, waitMs, ...terms }] of holders.entries()) {
    const name = `holder${at}`;
    venue.wait(waitMs);
    venue.open(name, money, { wallets, mode, leverage });
    hold(venue, name, terms);
  }
  const state = restore([...venue.engine.dump()]);
  const [first, second] = [...state.swaps.values()];
  present(second, 'second contract').setMark(ticks(otherTicks));
  const market = present(first, 'first contract');
  market.setMark(ticks(markTicks));
  return market.holders();
}

type UnitSide = LiquidationUnit['side'];

interface Candidate {
  readonly margin: MarginAccount;
  readonly isBreached: boolean;
  readonly score: bigint;
}

/** What a side is judged by, from the amounts of the account. */
function unitHeld(margin: MarginAccount, side: UnitSide): RiskUnit {
  const { market, wallet, long, short } = margin;
  const isCross = margin.mode === 'cross';
  const [longLots, longOpen] = isCross || side === 'long' ? [long.lots, long.open] : [0, 0n];
  const [shortLots, shortOpen] = isCross || side === 'short' ? [short.lots, short.open] : [0, 0n];
  const own = side === 'long' ? long : short;
  return {
    money: isCross ? wallet.crossMoney() : own.margin,
    others: isCross ? wallet.othersOf(margin) : undefined,
    ...{ longLots, longOpen, shortLots, shortOpen },
    thresholdPpm: thresholdPpm(market.contract, longLots + shortLots),
  };
}

/** In whole numbers. */
function candidateOf(margin: MarginAccount, side: HoldSide): Candidate {
  const { contract, markTicks } = margin.market;
  const unit = unitHeld(margin, side);
  const longValue = fineValue(contract, unit.longLots, markTicks);
  const shortValue = fineValue(contract, unit.shortLots, markTicks);
  const longPnl = finePnl(contract, 'long', unit.longOpen, longValue);
  const shortPnl = finePnl(contract, 'short', unit.shortOpen, shortValue);
  const equity = unit.money * contract.fineFactor + longPnl + shortPnl + (unit.others?.pnl ?? 0n);
  const [pnl, open, value] =
    side === 'long' ? [longPnl, unit.longOpen, longValue] : [shortPnl, unit.shortOpen, shortValue];
  return {
    margin,
    isBreached: isBreached(contract, unit, markTicks),
    score: deleveragingScore(pnl, open, value, equity),
  };
}

function exactlyRanked(margins: readonly MarginAccount[], side: HoldSide): Candidate[] {
  const openedMs = ({ margin }: Candidate): number => margin.position(side).openedTimeMs;
  return margins
    .filter((margin) => margin.position(side).lots > 0)
    .map((margin) => candidateOf(margin, side))
    .sort(
      (one, other) =>
        Number(one.isBreached) - Number(other.isBreached) ||
        (one.score === other.score ? 0 : one.score > other.score ? -1 : 1) ||
        openedMs(one) - openedMs(other) ||
        one.margin.accountId - other.margin.accountId,
    );
}

/** What has come up, so that a property that looks at nothing is seen. */
interface Counts {
  breached: number;
  tied: number;
  large: number;
}

function count(counts: Counts, candidates: readonly Candidate[]): void {
  for (const [at, { isBreached: isIn, score }] of candidates.entries()) {
    if (isIn) counts.breached += 1;
    if (candidates[at + 1]?.score === score) counts.tied += 1;
    if (!Number.isSafeInteger(Number(score))) counts.large += 1;
  }
}

/** Both rankings, best first, after they were held against each other. */
function compared(margins: readonly MarginAccount[], side: HoldSide): Candidate[] {
  const expected = exactlyRanked(margins, side);
  const found = ranked(margins, side).map(({ accountId }) => accountId);
  assert.deepEqual(
    found,
    expected.map(({ margin }) => margin.accountId),
  );
  return expected;
}

describe('the ranking is the one in whole numbers', () => {
  for (const kind of Object.keys(FLOORS) as FloorKind[]) {
    test(kind, () => {
      const counts: Counts = { breached: 0, tied: 0, large: 0 };
      fc.assert(
        fc.property(CASE, (one) => {
          const margins = holdersOf(kind, one);
          for (const side of HOLD_SIDES) count(counts, compared(margins, side));
        }),
        { numRuns: 200 },
      );
      for (const [what, found] of Object.entries(counts)) assert.ok(found > 0, what);
    });
  }
});

/** Every unit that holds something, of healthy ones, too. */
function unitsOf(margins: readonly MarginAccount[]): LiquidationUnit[] {
  return margins.flatMap((margin) =>
    margin.mode === 'cross'
      ? [margin.unit('both')]
      : HOLD_SIDES.filter((side) => margin.position(side).lots > 0).map((side) =>
          margin.unit(side),
        ),
  );
}

function ratioOf({ margin, side }: LiquidationUnit): bigint {
  const { contract, markTicks } = margin.market;
  return marginRatio(contract, unitHeld(margin, side), markTicks, 15);
}

describe('the worst of those liquidated is the one in whole numbers', () => {
  for (const kind of Object.keys(FLOORS) as FloorKind[]) {
    test(kind, () => {
      let tied = 0;
      fc.assert(
        fc.property(CASE, (one) => {
          const units = unitsOf(holdersOf(kind, one));
          const ratios = new Map(units.map((unit) => [unit, ratioOf(unit)]));
          const ratio = (unit: LiquidationUnit): bigint => present(ratios.get(unit), 'ratio');
          const expected = units.toSorted((a, b) =>
            ratio(a) === ratio(b) ? a.rank - b.rank : ratio(a) < ratio(b) ? -1 : 1,
          );
          assert.ok(worstFirst(units.toReversed()).every((unit, at) => unit === expected[at]));
          tied += units.length - new Set(ratios.values()).size;
        }),
        { numRuns: 200 },
      );
      assert.ok(tied > 0, 'some are equal');
    });
  }
});

test('scores that round to the same number are told apart', () => {
  const rest = { mode: 'cross', side: 'short', leverage: 2, price: 300_000, lots: 1 } as const;
  const moneys = ['000001', '000000', '000003', '000002', '000000'].map(
    (units) => `90000000000.${units}`,
  );
  const holders = moneys.map((money) => ({ ...rest, money, hedged: false, waitMs: 0 }));
  const margins = holdersOf('linear', { holders, markTicks: 330_000, otherTicks: 20_000 });
  const scores = compared(margins, 'short').map(({ score }) => score);
  assert.equal(new Set(scores).size, 4);
  assert.ok(new Set(scores.map(Number)).size < 4);
});
