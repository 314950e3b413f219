/** Resets in the middle of a trading venue: answers are of before or of after, never in between. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DemoHere } from '../support/demo-here.ts';
import { ask, DEMO, dataOf, MAKER } from '../support/http-trader.ts';
import { run } from '../support/program.ts';
import { StreamClient } from '../support/streams-client.ts';

const RESETS = 5;
const TRADERS = 4;
const ORDERS_BETWEEN = 30;

/** Places orders until told to stop, and counts the answers by status. */
class Load {
  readonly counts = new Map<string, number>();
  readonly #house: DemoHere;
  #isOver = false;
  #placed = 0;

  constructor(house: DemoHere) {
    this.#house = house;
  }

  get placed(): number {
    return this.#placed;
  }

  /** Resolves once so many further orders were placed. */
  async more(count: number): Promise<void> {
    const goal = this.#placed + count;
    while (this.#placed < goal) await new Promise((resolve) => setImmediate(resolve));
  }

  stop(): void {
    this.#isOver = true;
  }

  async trade(number: number): Promise<void> {
    const trader = this.#house.trader(number % 2 === 0 ? DEMO : MAKER, Date.now);
    const side = number % 2 === 0 ? 'buy' : 'sell';
    const terms = { symbol: 'BTCUSDT', orderType: 'limit', force: 'normal', quantity: '0.001' };
    for (let at = 0; !this.#isOver; at += 1) {
      const price = String(30_000 + ((at * 7 + number) % 5) - 2);
      const clientOrderId = `t${number}-${at}`;
      const answer = await trader.post('/trade/orders', { ...terms, side, price, clientOrderId });
      this.#count(`${answer.status} ${answer.code}`);
      if (answer.code === '00000') this.#placed += 1;
      if (at % 10 === 9) this.#count(String((await trader.get('/account/assets')).status));
      if (at % 10 === 4) {
        this.#count(String((await trader.post('/trade/fills', { symbol: 'BTCUSDT' })).status));
        const depth = await ask(this.#house.url, '/api/spot/v1/market/depth?symbol=BTCUSDT');
        this.#count(String(depth.status));
      }
    }
  }

  #count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}

/** Refused as overloaded (503 with Retry-After) is the only 5xx that may come. */
const FINE = /^(200( 00000)?|400 [0-9]+|503 40604)$/;

test('simulated traders and clients trade while the venue goes back again and again', async (t) => {
  const house = new DemoHere(t);
  await house.start({ participants: true, sandbox: true });
  await house.sandbox.saveCheckpoint({ name: 'seeded' });
  const load = new Load(house);
  const trading = Array.from({ length: TRADERS }, (_, number) => load.trade(number));
  for (let round = 0; round < RESETS; round += 1) {
    const stream = await StreamClient.connect(house.url);
    await load.more(ORDERS_BETWEEN);
    const startMs = performance.now();
    await house.sandbox.resetToCheckpoint({ name: 'seeded' });
    t.diagnostic(`reset ${round + 1} took ${Math.round(performance.now() - startMs)} ms`);
    assert.deepEqual(await stream.gone, { code: 1012, reason: 'reset' });
  }
  await load.more(ORDERS_BETWEEN);
  load.stop();
  await Promise.all(trading);
  t.diagnostic(JSON.stringify([...load.counts]));
  for (const what of load.counts.keys()) assert.match(what, FINE);
  await house.audit();
  await house.sandbox.resetToCheckpoint({ name: 'seeded' });
  const fills = dataOf(
    await house.trader(DEMO, Date.now).post('/trade/fills', { symbol: 'BTCUSDT' }),
  );
  assert.deepEqual(fills, [], 'nothing of the orders is left');
  await house.stop();
  const verified = await run('replay', '--data', house.directory);
  assert.equal(verified.code, 0, verified.output + verified.log);
});

test('the simulated market trades on after a reset', async (t) => {
  const house = new DemoHere(t);
  await house.start({ participants: true, sandbox: true });
  await house.sandbox.saveCheckpoint({ name: 'fresh' });
  await house.sandbox.resetToCheckpoint({ name: 'fresh' });
  const trades = await new Promise<number>((resolve) => {
    let seen = 0;
    house.venue.onApplied(({ events }) => {
      seen += events.filter(({ kind }) => kind === 'trade').length;
      if (seen >= 3) resolve(seen);
    });
  });
  assert.ok(trades >= 3);
});

test('resets, steps and saves at once take their turns', async (t) => {
  const house = new DemoHere(t);
  await house.start({ sandbox: true });
  const { time } = await house.sandbox.pauseClock();
  await house.sandbox.saveCheckpoint({ name: 'fresh' });
  const { sandbox } = house;
  const turns = [0, 1, 2].map(async () => {
    await Promise.all([
      sandbox.stepClock({ ms: 5_000 }),
      sandbox.resetToCheckpoint({ name: 'fresh' }),
      sandbox.saveCheckpoint({ name: 'other' }),
    ]);
    await Promise.all([
      sandbox.jumpClock({ time: time + 60_000_000 }).catch(() => 0),
      sandbox.resetToCheckpoint({ name: 'other' }),
    ]);
  });
  await Promise.all(turns);
  assert.ok((await sandbox.state()).time >= time + 60_000_000);
  await house.audit();
});

test('a venue that stops during a reset stops in order', async (t) => {
  const house = new DemoHere(t);
  await house.start({ participants: true, sandbox: true });
  await house.sandbox.saveCheckpoint({ name: 'fresh' });
  const { seq } = await house.sandbox.state();
  const cut = house.sandbox.resetToCheckpoint({ name: 'fresh' }).catch(() => undefined);
  await house.stop();
  await cut;
  await house.start({ sandbox: true });
  assert.ok((await house.sandbox.state()).seq >= seq);
  await house.sandbox.resetToCheckpoint({ name: 'fresh' });
});
