/**
 * The ladder of a contract over a real engine, planned and carried out until nothing is left to do,
 * while prices move and users trade at random: it always comes to rest, and where it should.
 */

import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { detailText } from '#dialects';
import {
  type AccountId,
  type Command,
  type ContractSpec,
  lots,
  type MarginMode,
  type Side,
  sideOf,
} from '#domain';
import { planContractLadder } from '#simulation/testing';
import { INVERSE } from '../support/contracts.ts';
import { Floor } from '../support/floor.ts';
import { LADDER, SPEC } from './quoted-contract.ts';

/** Passes after which a ladder must be at rest: cancel, place what was in the way, look again. */
const PASSES_MAX = 5;

class LadderFloor extends Floor {
  readonly maker: AccountId;
  readonly user: AccountId;

  constructor(spec: ContractSpec, makerFunds: bigint, mode: MarginMode) {
    super(undefined, { checks: false, stepMs: 1_000 });
    this.listCoins().listContract(spec);
    this.maker = this.open('liquidity', this.text(makerFunds), { mode });
    this.user = this.open('user', '10000000');
  }

  get ladder() {
    return { ...LADDER, symbol: this.contract.symbol };
  }

  get quotes() {
    const open = [...this.engine.openContractOrders(this.maker, this.contract.instrumentId)];
    return open.filter((order) => order.type === 'limit');
  }

  /** Orders accepted or moved so far. */
  get accepted(): number {
    const kinds = ['contract_order_accepted', 'contract_order_moved'];
    const events = this.steps.flatMap((step) => step.events);
    return events.filter(({ kind }) => kinds.includes(kind)).length;
  }

  /** Plans and carries out until a plan is empty; tells whether levels are missing then. */
  settle(): boolean {
    for (let pass = 1; pass <= PASSES_MAX; pass += 1) {
      const plan = planContractLadder(this.engine, this.maker, this.ladder);
      if (plan.commands.length === 0) return plan.incomplete;
      for (const command of plan.commands) this.#carryOut(command);
    }
    assert.fail(`not at rest after ${PASSES_MAX} passes`);
  }

  #carryOut(command: Command): void {
    for (const event of this.run(command)) {
      if (event.kind === 'refused')
        assert.fail(`${command.kind}: ${event.reject} ${detailText(event.detail)}`);
      assert.notEqual(event.kind, 'contract_trade', 'a quote never takes');
    }
  }
}

/** Every quote within half a step of its level, and no level with more than its size. */
function assertInPlace(floor: LadderFloor, incomplete: boolean): void {
  const { quotes, contract } = floor;
  const markTicks = floor.markTicks();
  const { levelsCount, levelLots, spacingPpm } = floor.ladder;
  const step = Math.floor((markTicks * spacingPpm) / 1_000_000);
  const slack = 2 * contract.priceStepTicks;
  const total: Record<Side, number> = { buy: 0, sell: 0 };
  for (const quote of quotes) {
    const side = sideOf(quote.action);
    const away = side === 'buy' ? markTicks - quote.priceTicks : quote.priceTicks - markTicks;
    assert.ok(away >= step / 2 - slack, `${side} quote ${away} from the mark, step ${step}`);
    assert.ok(away <= (levelsCount + 0.5) * (step + slack), `${side} quote ${away} too far away`);
    total[side] += quote.sizeLots - quote.filledLots;
  }
  for (const size of Object.values(total)) {
    assert.ok(size <= levelsCount * levelLots, `${size} lots on one side`);
    if (!incomplete)
      assert.ok(size * 2 >= levelsCount * levelLots, `only ${size} lots on one side`);
  }
}

type Deed =
  | { readonly deed: 'drift' | 'jump'; readonly byPpm: number }
  | { readonly deed: 'buy' | 'sell'; readonly closes: boolean; readonly size: number }
  | { readonly deed: 'tick' };

const size = fc.integer({ min: 1, max: 3_500 });
const deeds: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({
    deed: fc.constant('drift' as const),
    byPpm: fc.integer({ min: -1_500, max: 1_500 }),
  }),
  fc.record({
    deed: fc.constant('jump' as const),
    byPpm: fc.integer({ min: -30_000, max: 30_000 }),
  }),
  fc.record({ deed: fc.constantFrom('buy' as const, 'sell' as const), closes: fc.boolean(), size }),
  fc.constant({ deed: 'tick' as const }),
);

function act(floor: LadderFloor, deed: Deed): void {
  const { contract } = floor;
  const markTicks = floor.markTicks();
  switch (deed.deed) {
    case 'drift':
    case 'jump':
      floor.index(Math.round((markTicks * (1_000_000 + deed.byPpm)) / 1_000_000));
      return;
    case 'buy':
    case 'sell': {
      const { priceStepTicks } = contract;
      const worst = Math.round((markTicks * (deed.deed === 'buy' ? 1.02 : 0.98)) / priceStepTicks);
      const [opens, closes] =
        deed.deed === 'buy'
          ? (['open_long', 'close_short'] as const)
          : (['open_short', 'close_long'] as const);
      const action = deed.closes ? closes : opens;
      floor.order(floor.user, action, worst * priceStepTicks, deed.size, { force: 'ioc' });
      return;
    }
    case 'tick':
      floor.run({ kind: 'tick' });
  }
}

/** At leverage 20 no more than five levels' worth may be held and opened, on a side or in all. */
const TIGHT: Partial<ContractSpec> = {
  leverageMax: 20,
  tiers: [
    { contractsMax: lots(5_000), maintenanceRatePpm: 5_000, leverageMax: 20 },
    { contractsMax: lots(1_000_000), maintenanceRatePpm: 10_000, leverageMax: 10 },
  ],
};

const RICH = 100_000_000_000_000n;
const FLOORS = [
  { name: 'linear, rich', spec: SPEC, funds: RICH, mode: 'isolated' },
  { name: 'linear, crossed, rich', spec: SPEC, funds: RICH, mode: 'cross' },
  { name: 'linear, tight tiers', spec: { ...SPEC, ...TIGHT }, funds: RICH, mode: 'isolated' },
  { name: 'linear, crossed, tight', spec: { ...SPEC, ...TIGHT }, funds: RICH, mode: 'cross' },
  { name: 'linear, poor', spec: SPEC, funds: 800_000_000_000n, mode: 'isolated' },
  { name: 'linear, crossed, poor', spec: SPEC, funds: 800_000_000_000n, mode: 'cross' },
  { name: 'inverse, rich', spec: INVERSE, funds: RICH, mode: 'isolated' },
  { name: 'inverse, crossed, poor', spec: INVERSE, funds: 1_000_000n, mode: 'cross' },
] as const;

for (const { name, spec, funds, mode } of FLOORS) {
  test(`the ladder comes to rest where it should: ${name}`, () => {
    const run = fc.property(fc.array(deeds, { maxLength: 25, size: 'max' }), (acts) => {
      const floor = new LadderFloor(spec, funds, mode);
      assertInPlace(floor, floor.settle());
      for (const deed of acts) {
        act(floor, deed);
        assertInPlace(floor, floor.settle());
      }
    });
    fc.assert(run, { numRuns: 60 });
  });
}

test('a mark that wavers about half a spacing soon moves no quote any more', () => {
  const floor = new LadderFloor(SPEC, RICH, 'isolated');
  floor.settle();
  const waver = (roundsCount: number) => {
    const before = floor.accepted;
    for (let round = 0; round < roundsCount; round += 1) {
      for (const price of [300_160, 300_140]) {
        floor.index(price);
        floor.settle();
      }
    }
    return floor.accepted - before;
  };
  assert.equal(waver(1), 4, 'one level of each side moves up, and one down again');
  waver(floor.ladder.levelsCount);
  assert.equal(waver(3), 0, 'then every quote stands where both prices want it');
});

test('a market maker that is hedged to the contract closes both sides', () => {
  const floor = new LadderFloor(INVERSE, 1_000_000n, 'cross');
  floor.settle();
  for (const deed of ['sell', 'buy'] as const) {
    act(floor, { deed, closes: false, size: 3_000 });
    floor.settle();
  }
  const actions = floor.quotes.map(({ action }) => action);
  assert.ok(actions.includes('close_short') && actions.includes('close_long'), actions.join());
});
