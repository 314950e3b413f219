/**
 * The whole crowd of the demo over a real venue, driven tick by tick on a clock of its own: it does
 * the same again, keeps its books full, stays within its inventories, and a gap in a recording is a
 * stale index.
 */
import { strict as assert } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { bootstrap, loadConfig } from '#config';
import { type Step, ticks } from '#domain';
import { ManualClock, present } from '#kernel';
import { SimulatedTraders, type SimulationPlan } from '#simulation';
import { RealVenue } from '../support/real-venue.ts';
import { scratchDirectory } from '../support/scratch.ts';

const demo = loadConfig({}, {});
const START_MS = 1_795_235_652_000;
const TICK_MS = 250;
const SYMBOLS = [...demo.spot, ...demo.contracts].map(({ symbol }) => symbol);

/** The demo venue with only these simulated traders. */
class DemoMarket {
  readonly real: RealVenue;
  readonly warnings: string[] = [];
  readonly notes: string[] = [];
  readonly #clock: ManualClock;
  readonly #crowd: SimulatedTraders;
  #ticks = 0;

  private constructor(real: RealVenue, clock: ManualClock, plan: SimulationPlan) {
    this.real = real;
    this.#clock = clock;
    const log = {
      warn: (fields: object) => this.warnings.push(JSON.stringify(fields)),
      info: (fields: object) => this.notes.push(JSON.stringify(fields)),
    };
    this.#crowd = new SimulatedTraders({ venue: real.venue, log, ...plan });
    real.listeners.push((step) => this.#crowd.onStep(step));
  }

  static async open(context: TestContext, plan: Partial<SimulationPlan> = {}): Promise<DemoMarket> {
    const clock = new ManualClock(START_MS);
    const real = await RealVenue.open(context, scratchDirectory(context), { clock });
    const accounts = demo.accounts.map((account) => ({ ...account, keys: [] }));
    await bootstrap(
      { ...demo, accounts },
      {
        venue: real.venue,
        hasKey: () => true,
        sealKey: () => assert.fail('no account has a key'),
      },
    );
    const { liquidity, crowd, paths } = demo;
    const market = new DemoMarket(real, clock, { liquidity, crowd, paths, ...plan });
    await market.#crowd.attach();
    return market;
  }

  async pass(seconds: number): Promise<void> {
    for (let tick = 0; tick < (seconds * 1_000) / TICK_MS; tick += 1) {
      this.#clock.advance(TICK_MS);
      if (this.#ticks % 4 === 0) await this.real.venue.submit({ kind: 'tick' });
      this.#ticks += 1;
      await this.#crowd.tick();
    }
  }

  trades(): number {
    return this.real.eventsCount('trade') + this.real.eventsCount('contract_trade');
  }

  /** Price levels on each side, by symbol. */
  depth(): Promise<Map<string, readonly [number, number]>> {
    return this.real.venue.read((state) => {
      const depthOf = (symbol: string): readonly [number, number] => {
        const { listings } = state;
        const market = listings.contract(symbol) ?? listings.spotBySymbol(symbol);
        const { instrumentId } = present(market, symbol);
        const sides = (['buy', 'sell'] as const).map((side) => [
          ...state.bookLevels(instrumentId, side),
        ]);
        return [sides[0]?.length ?? 0, sides[1]?.length ?? 0];
      };
      return new Map(SYMBOLS.map((symbol) => [symbol, depthOf(symbol)] as const));
    });
  }

  prices(symbol: string) {
    return this.real.venue.read((state) => {
      const { instrumentId } = present(state.listings.contract(symbol), symbol);
      return present(state.contractPrices(instrumentId), 'prices');
    });
  }
}

function text(steps: readonly Step[]): string {
  const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);
  return JSON.stringify(steps, plain);
}

test('the same seeds make the same market, command by command', async (context) => {
  const markets = [await DemoMarket.open(context), await DemoMarket.open(context)];
  for (const market of markets) await market.pass(10);
  const [one, other] = markets.map(({ real }) => text(real.steps));
  assert.ok(one === other, 'the two markets differ');
  assert.ok((markets[0]?.trades() ?? 0) > 20);
});

test('another seed makes another market', async (context) => {
  const paths = { ...present(demo.paths, 'paths'), seed: 1 };
  const markets = [await DemoMarket.open(context), await DemoMarket.open(context, { paths })];
  for (const market of markets) await market.pass(5);
  const [one, other] = markets.map(({ real }) => text(real.steps));
  assert.ok(one !== other);
});

test('every book is full at once, trades, and the money adds up', async (context) => {
  const market = await DemoMarket.open(context);
  await market.pass(1);
  for (const [symbol, sides] of await market.depth()) {
    assert.ok(Math.min(...sides) >= 50, `${symbol} is ${sides} levels deep after a second`);
  }
  const before = await market.prices('BTC-USDT-PERP');
  await market.pass(59);
  for (const [symbol, sides] of await market.depth()) {
    assert.ok(Math.min(...sides) >= 50, `${symbol} is ${sides} levels deep`);
  }
  const after = await market.prices('BTC-USDT-PERP');
  assert.notEqual(after.indexTicks, before.indexTicks);
  assert.notEqual(after.markTicks, before.markTicks);
  assert.ok(after.openInterestLots > 0);
  assert.ok(Math.abs(after.fundingRatePpb) <= 1_000_000, 'funding stays within 0.1 %');
  assert.ok(market.trades() >= 120, `${market.trades()} trades in a minute`);
  assert.deepEqual(market.warnings, [], 'nobody was refused');
  const audit = await market.real.venue.read((state) => state.audit());
  assert.equal(audit.balanced, true);
});

/** Two prices, a gap of half an hour, a third price; ten times as fast. */
const GAP_PLAN = {
  seed: 1,
  feed: 'path',
  pastDays: 0,
  coins: [
    {
      kind: 'recorded',
      coin: 'BTC',
      speed: 10,
      recording: {
        timesMs: [0, 15, 45].map((minute) => minute * 60_000),
        prices: [60_000, 61_000, 62_000].map((price) => price * 10 ** 8),
        validMs: 5 * 60_000,
      },
    },
  ],
} as const;

test('recorded prices lead the contract, and a gap in them is a stale index', async (context) => {
  const market = await DemoMarket.open(context, { paths: GAP_PLAN, crowd: null });
  await market.pass(5);
  assert.equal((await market.prices('BTC-USDT-PERP')).indexTicks, 600_000);
  const spot = await market.depth();
  assert.deepEqual(spot.get('BTC-USDT'), [60, 60]);
  await market.pass(95);
  assert.equal((await market.prices('BTC-USDT-PERP')).indexTicks, 610_000);
  await market.pass(150);
  assert.equal((await market.prices('BTC-USDT-PERP')).indexStale, true);
  assert.deepEqual(
    (await market.depth()).get('BTC-USDT-PERP'),
    [0, 0],
    'nobody quotes a stale price',
  );
  await market.pass(25);
  const { indexStale, indexTicks } = await market.prices('BTC-USDT-PERP');
  assert.deepEqual([indexStale, indexTicks], [false, 620_000]);
  assert.match(market.notes.join(), /BTC.*%/);
});

test('a contract too fine for the price of its coin is left without it', async (context) => {
  const market = await DemoMarket.open(context);
  const found = demo.contracts.find(({ symbol }) => symbol === 'BTC-USD-PERP');
  const like = present(found, 'inverse contract');
  const [event] = await market.real.venue.submit({
    kind: 'list_contract',
    spec: {
      ...like,
      symbol: 'BTCFINE-PERP',
      priceScale: 18,
      priceStepTicks: ticks(1),
      referencePriceTicks: ticks(1_000),
      indexSources: [{ kind: 'feed', name: present(demo.paths, 'paths').feed, weight: 1 }],
    },
  });
  assert.equal(event?.kind, 'contract_listed');
  await market.pass(3);
  const { indexTicks } = await market.prices('BTCFINE-PERP');
  assert.equal(indexTicks, 1_000, 'it stays where it was listed');
  assert.deepEqual(market.warnings, []);
});

test("the operator's reference price is where a random path goes on from", async (context) => {
  const market = await DemoMarket.open(context, { crowd: null });
  await market.pass(1);
  const pair = await market.real.venue.read((state) =>
    present(state.listings.spotBySymbol('BTC-USDT'), 'pair'),
  );
  const { instrumentId } = pair;
  const priceTicks = pair.referencePriceTicks / 2;
  await market.real.venue.submit({
    kind: 'update_spot',
    instrumentId,
    changes: { referencePriceTicks: ticks(priceTicks) },
  });
  await market.pass(2);
  const best = await market.real.venue.read((state) => [...state.bookLevels(instrumentId, 'buy')]);
  const price = present(best[0], 'best bid').priceTicks;
  assert.ok(Math.abs(price / priceTicks - 1) < 0.01, `${price} is near ${priceTicks}`);
});
