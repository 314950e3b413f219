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
  type Contract,
  type ContractAction,
  type ContractSpec,
  type Event,
  lots,
  type MarginMode,
  type Side,
  sideOf,
  ticks,
} from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { planContractLadder } from '#simulation/testing';
import { INVERSE } from '../support/contracts.ts';
import { contractOrder } from '../support/orders.ts';
import { LADDER, SPEC } from './contract-desk.ts';
import { OPENING } from './maker-desk.ts';

const START_MS = 1_795_235_652_000;
/** Passes after which a ladder must be at rest: cancel, place what was in the way, look again. */
const PASSES_MAX = 5;

class Floor {
  readonly engine = Engine.empty();
  readonly maker: AccountId;
  readonly user: AccountId;
  readonly contract: Contract;
  /** Orders accepted or moved so far. */
  accepted = 0;
  #timeMs = START_MS;

  constructor(spec: ContractSpec, makerFunds: bigint, mode: MarginMode) {
    for (const command of OPENING) this.run(command);
    this.run({ kind: 'list_contract', spec });
    this.contract = present(this.engine.listings.contract(spec.symbol), 'contract');
    this.maker = present(this.engine.accountByName('liquidity'), 'maker').accountId;
    this.user = present(this.engine.accountByName('user'), 'user').accountId;
    this.#pay(this.maker, makerFunds);
    this.#pay(this.user, 1_000_000_000_000_000n);
    const { instrumentId } = this.contract;
    this.run({ kind: 'set_margin_mode', accountId: this.maker, instrumentId, mode });
  }

  get ladder() {
    return { ...LADDER, symbol: this.contract.symbol };
  }

  get quotes() {
    const open = [...this.engine.openContractOrders(this.maker, this.contract.instrumentId)];
    return open.filter((order) => order.type === 'limit');
  }

  get markTicks(): number {
    const prices = this.engine.contractPrices(this.contract.instrumentId);
    return present(prices, 'prices').markTicks;
  }

  run(command: Command): readonly Event[] {
    this.#timeMs += 1_000;
    const { events } = this.engine.apply(command, this.#timeMs);
    const isQuoted = ({ kind }: Event) =>
      kind === 'contract_order_accepted' || kind === 'contract_order_moved';
    this.accepted += events.filter(isQuoted).length;
    return events;
  }

  index(price: number): void {
    const { instrumentId } = this.contract;
    const priceTicks = ticks(price);
    this.run({ kind: 'report_index', instrumentId, source: 'test', priceTicks });
  }

  trade(action: ContractAction, price: number, size: number): void {
    this.run(
      contractOrder({
        accountId: this.user,
        instrumentId: this.contract.instrumentId,
        action,
        force: 'ioc',
        priceTicks: ticks(price),
        sizeLots: lots(size),
      }),
    );
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

  #pay(accountId: AccountId, amount: bigint): void {
    const { symbol, margin } = this.contract;
    const wallet = symbol === 'BTC-USD-PERP' ? 'BTCUSD-PERP' : 'BTCUSDT-PERP';
    this.run({ kind: 'deposit', accountId, wallet, assetId: margin.assetId, amount });
  }
}

/** Every quote within half a step of its level, and no level with more than its size. */
function assertInPlace(floor: Floor, incomplete: boolean): void {
  const { markTicks, quotes, contract } = floor;
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

function act(floor: Floor, deed: Deed): void {
  const { markTicks, contract } = floor;
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
      floor.trade(deed.closes ? closes : opens, worst * priceStepTicks, deed.size);
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
      const floor = new Floor(spec, funds, mode);
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
  const floor = new Floor(SPEC, RICH, 'isolated');
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
  const floor = new Floor(INVERSE, 1_000_000n, 'cross');
  floor.settle();
  for (const deed of ['sell', 'buy'] as const) {
    act(floor, { deed, closes: false, size: 3_000 });
    floor.settle();
  }
  const actions = floor.quotes.map(({ action }) => action);
  assert.ok(actions.includes('close_short') && actions.includes('close_long'), actions.join());
});
