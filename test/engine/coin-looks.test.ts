/**
 * Prices over wallets that several contracts stand on: which units they look at. A fall looks at
 * those that it liquidates, a few times each, however many others there are; finer prices look
 * hardly more often. When a unit is looked at decides nothing: whom a price liquidates is what a
 * walk over all of them says, and a restored engine, which has worked out anew at which prices it
 * looks, goes on alike.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import {
  type AccountId,
  type ContractSpec,
  type Event,
  type HoldSide,
  openOf,
  otherSide,
  PPM_BIG,
  thresholdPpm,
  ticks,
} from '#domain';
import { Engine } from '#engine';
import { holdSide } from '../support/arbitraries.ts';
import { BTC, COIN } from '../support/coin-floor.ts';
import { Floor, refuseNone } from '../support/floor.ts';
import { fallAmong, LOOKS_MOST } from './coin-fall.ts';

const MIDDLE_TICKS = 300_000;
/** A lot of each is worth 30 USDT. */
const SPECS: readonly ContractSpec[] = ['BTC', 'ETH', 'LTC'].map((baseCode) => ({
  ...BTC,
  symbol: `${baseCode}-USDT-PERP`,
  baseCode,
  priceStepTicks: ticks(1),
}));

function floorOfThree(): Floor {
  const floor = new Floor(Engine.empty(), { checks: false }).listCoins();
  for (const spec of SPECS) floor.listContract(spec).index(MIDDLE_TICKS, spec.symbol);
  return floor;
}

/** What an account has above its threshold at these marks, in its cross contracts. */
function slackOf(floor: Floor, who: AccountId, marksTicks: readonly number[]): bigint {
  let slack = 0n;
  for (const [at, { symbol }] of SPECS.entries()) {
    const contract = floor.contractOf(symbol);
    const { marginMode, balance, long, short } = floor.account(who, symbol);
    if (at === 0) slack += balance * contract.fineFactor * PPM_BIG;
    if (marginMode === 'isolated') {
      slack -= (long.margin + short.margin) * contract.fineFactor * PPM_BIG;
      continue;
    }
    const tick = BigInt(marksTicks[at] ?? 0) * contract.valueFactor * contract.fineFactor;
    const gain = BigInt(long.lots - short.lots) * tick - long.open + short.open;
    const keptPpm = BigInt(thresholdPpm(contract, long.lots + short.lots));
    slack += gain * PPM_BIG - keptPpm * BigInt(Math.max(long.lots, short.lots)) * tick;
  }
  return slack;
}

test('a fall looks at those it liquidates, however many others there are', (t: TestContext) => {
  const among = fallAmong(1_000);
  t.diagnostic(`${among.unitsLookedAt} looks, ${among.liquidated.length} liquidations`);
  assert.ok(among.liquidated.length >= 200, 'the fall liquidates many');
  assert.ok(among.unitsLookedAt <= LOOKS_MOST * among.liquidated.length);
  assert.deepEqual(fallAmong(10_000), among);
});

/** What each contract has taken of a slack after a part of the way. */
const WAYS: Readonly<Record<string, (part: number) => readonly number[]>> = {
  'one contract falls': (part) => [part, 0, 0],
  'all fall alike': (part) => [part / 3, part / 3, part / 3],
  'they fall one after the other': (part) => [
    Math.min(part, 0.5),
    Math.min(Math.max(part - 0.5, 0), 0.3),
    Math.max(part - 0.8, 0),
  ],
  'one falls more than another rises': (part) => [1.5 * part, -0.5 * part, 0],
};
const COARSE_STEPS = 50;
const FINE_STEPS = 1_600;
const COARSE_LOOKS_MOST = 8;
/** What five doublings of the prices on the way may add. */
const FINER_LOOKS_MOST = 3;

/** How often prices look at one account on the way to the last thousandth of its slack. */
function looksOn(way: (part: number) => readonly number[], steps: number): number {
  const floor = floorOfThree();
  const ann = floor.open('ann', '1000', COIN);
  floor.open('tom', '1000000', COIN);
  for (const { symbol } of SPECS) {
    floor.trade('ann', 'tom', MIDDLE_TICKS, 100, symbol);
    floor.index(MIDDLE_TICKS, symbol);
  }
  const perTick = slackOf(floor, ann, [1, 0, 0]) - slackOf(floor, ann, [0, 0, 0]);
  const slack = slackOf(floor, ann, [MIDDLE_TICKS, MIDDLE_TICKS, MIDDLE_TICKS]);
  const slackTicks = Number(slack) / Number(perTick);
  const before = floor.engine.unitsLookedAtCount;
  for (let step = 1; step <= steps; step += 1) {
    const parts = way((0.999 * step) / steps);
    for (const [at, { symbol }] of SPECS.entries()) {
      floor.index(MIDDLE_TICKS - Math.floor(slackTicks * (parts[at] ?? 0)), symbol);
    }
  }
  assert.equal(floor.account(ann).long.lots, 100, 'it is not liquidated');
  return floor.engine.unitsLookedAtCount - before;
}

for (const [what, way] of Object.entries(WAYS)) {
  test(`finer prices look hardly more often: ${what}`, (t: TestContext) => {
    const [coarse, fine] = [looksOn(way, COARSE_STEPS), looksOn(way, FINE_STEPS)];
    t.diagnostic(`${coarse} looks at ${COARSE_STEPS} prices, ${fine} at ${FINE_STEPS}`);
    assert.ok(coarse <= COARSE_LOOKS_MOST, `${coarse} looks`);
    assert.ok(fine <= coarse + FINER_LOOKS_MOST, `${fine} looks`);
  });
}

interface Holder {
  /** Behind what is held, in ppm of its value. */
  readonly moneyPpm: number;
  /** Of each contract. */
  readonly held: readonly { readonly side: HoldSide; readonly size: number }[];
  readonly isolatedIn: number;
}

interface Move {
  readonly contract: number;
  readonly movePpm: number;
  /** Before it somebody's money changes. */
  readonly money: { readonly who: number; readonly units: number } | undefined;
  /** Whether the engine is left for one that is restored from its dump. */
  readonly isRestored: boolean;
}

const holder: fc.Arbitrary<Holder> = fc.record({
  moneyPpm: fc.integer({ min: 12_500, max: 40_000 }),
  held: fc.array(fc.record({ side: holdSide, size: fc.integer({ min: 0, max: 30 }) }), {
    minLength: SPECS.length,
    maxLength: SPECS.length,
  }),
  isolatedIn: fc.integer({ min: 0, max: 9 }),
});

const move: fc.Arbitrary<Move> = fc.record({
  contract: fc.nat({ max: SPECS.length - 1 }),
  movePpm: fc.oneof(
    fc.integer({ min: -2_000, max: 2_000 }),
    fc.integer({ min: -15_000, max: 15_000 }),
  ),
  money: fc.option(
    fc.record({ who: fc.nat({ max: 5 }), units: fc.integer({ min: 1, max: 10 ** 8 }) }),
    {
      freq: 5,
      nil: undefined,
    },
  ),
  isRestored: fc.nat({ max: 9 }).map((drawn) => drawn === 0),
});

/** Accounts on a floor whose every price is compared with a walk over all of them. */
class Walked {
  readonly floor = floorOfThree();
  readonly #who: AccountId[] = [];
  readonly #marks: number[] = SPECS.map(() => MIDDLE_TICKS);
  /** Has been restored once, and does what the floor does since. */
  #copy: Engine | undefined;
  #copied = 0;
  dueCount = 0;

  constructor(holders: readonly Holder[]) {
    this.floor.open('house', '1000000000', COIN);
    for (const [at, drawn] of holders.entries()) this.#who.push(this.#enter(`ann${at}`, drawn));
  }

  #enter(name: string, { moneyPpm, held, isolatedIn }: Holder): AccountId {
    const lots = held.reduce((sum, { size }) => sum + size, 0);
    const who = this.floor.open(name, this.floor.text(BigInt(lots * 30 * 100 * moneyPpm)), COIN);
    for (const [at, { side, size }] of held.entries()) {
      const on = SPECS[at]?.symbol ?? '';
      if (at === isolatedIn) this.floor.setMode(who, 'isolated', on);
      this.floor.leverage(who, 'both', 100, on);
      if (size === 0) continue;
      this.floor.order('house', openOf(otherSide(side)), MIDDLE_TICKS, size, { on });
      this.floor.order(who, openOf(side), MIDDLE_TICKS, size, { on, force: 'ioc' });
      this.floor.run({ kind: 'cancel_all_contract_orders', accountId: this.floor.id('house') });
    }
    return who;
  }

  act({ contract, movePpm, money, isRestored }: Move): void {
    const { floor } = this;
    if (money !== undefined) {
      const who = this.#who[money.who % this.#who.length];
      if (who !== undefined) floor.fund(who, floor.text(BigInt(money.units)));
    }
    if (isRestored) this.#copy = Engine.restore(floor.engine.dump());
    if (isRestored) this.#copied = floor.commands.length;
    this.#price(contract, movePpm);
    this.#follow();
    floor.engine.check();
  }

  /** The house buys and sells at the prices of then what is liquidated. */
  #price(at: number, movePpm: number): void {
    const { floor } = this;
    const on = SPECS[at]?.symbol ?? '';
    const priceTicks = Math.round(((this.#marks[at] ?? 0) * (1_000_000 + movePpm)) / 1_000_000);
    floor.run({ kind: 'cancel_all_contract_orders', accountId: floor.id('house') });
    this.#marks[at] = priceTicks;
    for (const [place, { symbol }] of SPECS.entries()) {
      const markTicks = this.#marks[place] ?? 0;
      refuseNone(floor.order('house', 'open_long', markTicks - 1, 1_000, { on: symbol }));
      refuseNone(floor.order('house', 'open_short', markTicks + 1, 1_000, { on: symbol }));
    }
    const due = this.#breachedIn(on);
    const events = floor.index(priceTicks, on);
    assert.equal(floor.markTicks(on), priceTicks, 'the mark price is the index price');
    this.#compare(due, events);
    assert.ok(!floor.engine.hasWork);
    assert.deepEqual(this.#breachedIn(on), [], 'nobody is left');
  }

  #breachedIn(on: string): AccountId[] {
    return this.#who.filter((who) => {
      const { marginMode, long, short } = this.floor.account(who, on);
      const isHeld = marginMode === 'cross' && long.lots + short.lots > 0;
      return isHeld && slackOf(this.floor, who, this.#marks) <= 0n;
    });
  }

  #compare(due: readonly AccountId[], events: readonly Event[]): void {
    const liquidated = new Set<AccountId>();
    let isDeleveraged = false;
    for (const event of events) {
      if (event.kind === 'liquidated' && event.mode === 'cross') liquidated.add(event.accountId);
      if (event.kind === 'contract_trade' && !event.inBook) isDeleveraged = true;
    }
    // Who is deleveraged may fall below by that, or be above again.
    if (isDeleveraged) return;
    this.dueCount += due.length;
    const found = [...liquidated].sort((one, other) => one - other);
    assert.deepEqual(found, due, 'who is due is liquidated, and no other one is');
  }

  #follow(): void {
    const { commands, steps } = this.floor;
    for (; this.#copy !== undefined && this.#copied < commands.length; this.#copied += 1) {
      const { command, timeMs } = commands[this.#copied] ?? assert.fail('command');
      assert.deepEqual(this.#copy.apply(command, timeMs), steps[this.#copied]);
    }
  }

  end(): void {
    if (this.#copy !== undefined) {
      assert.deepEqual([...this.#copy.dump()], [...this.floor.engine.dump()]);
    }
  }
}

describe('whom a price liquidates', () => {
  const CASES = 50;

  test('is what a walk over all accounts says, also of a restored engine', (t: TestContext) => {
    let cases = 0;
    let due = 0;
    const drawn = fc.tuple(
      fc.array(holder, { minLength: 3, maxLength: 6 }),
      fc.array(move, { minLength: 40, maxLength: 80 }),
    );
    fc.assert(
      fc.property(drawn, ([holders, moves]) => {
        const walked = new Walked(holders);
        for (const one of moves) walked.act(one);
        walked.end();
        cases += 1;
        due += walked.dueCount;
      }),
      { numRuns: CASES },
    );
    t.diagnostic(`${cases} cases, ${due} units due`);
    assert.equal(cases, CASES);
    assert.ok(due >= CASES / 5, `${due} units due`);
  });
});
