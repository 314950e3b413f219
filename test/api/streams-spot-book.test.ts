/** The book of a pair as a stream: rebuilt by a client under load it is the book of REST. */
import { strict as assert } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lots, orderId, type PlaceSpotOrder, ticks } from '#domain';
import { present } from '#kernel';
import { House, type Trader } from './house.ts';
import { BookCopy, type BookRow } from './streams-book.ts';
import { StreamClient, topic } from './streams-client.ts';

const LOAD_ROUNDS = 12;
const ROUND_MS = 250;
const MIDDLE_TICKS = 3_000_000;

let house: House;
let traders: Trader[];

before(async () => {
  house = await House.open();
  const money = { USDT: '90000000', BTC: '9000' };
  traders = [await house.trader('ann', money), await house.trader('bob', money)];
});

after(() => house.close());

/** Repeats itself exactly for the same seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

/** Random limit orders around a price: many rest, in up to 600 levels of a side; some trade. */
class Load {
  readonly #roll = dice(7);
  readonly #resting: { id: number; who: Trader }[] = [];
  orders = 0;

  /** Places and cancels for a while; everything is answered when it resolves. */
  async run(lengthMs: number): Promise<void> {
    const endMs = performance.now() + lengthMs;
    while (performance.now() < endMs) {
      await Promise.all(Array.from({ length: 20 }, () => this.#one()));
      house.clock.set(house.clock.nowMs() + 25);
    }
  }

  async #one(): Promise<void> {
    this.orders += 1;
    const isCancel = this.#resting.length > 1_500 || this.#roll(3) === 0;
    if (isCancel && this.#resting.length > 0) return this.#cancel();
    const who = present(traders[this.#roll(2)], 'trader');
    const [first, ...rest] = await house.venue.submit(this.#order(who));
    assert.ok(first?.kind === 'order_accepted', first?.kind === 'refused' ? first.reject : '');
    const isResting = rest.some(({ kind }) => kind === 'order_rested');
    if (isResting) this.#resting.push({ id: first.orderId, who });
  }

  #order(who: Trader): PlaceSpotOrder {
    const side = this.#roll(2) === 0 ? 'buy' : 'sell';
    const away = this.#roll(600) - 8;
    return {
      kind: 'place_spot_order',
      accountId: who.accountId,
      instrumentId: present(house.live.listings.spotBySymbol('BTCUSDT_SPBL'), 'pair').instrumentId,
      side,
      type: 'limit',
      force: 'gtc',
      priceTicks: ticks(MIDDLE_TICKS + (side === 'buy' ? -away : away)),
      sizeLots: lots(10 + this.#roll(500)),
      quoteBudget: 0n,
      clientOrderId: '',
    };
  }

  async #cancel(): Promise<void> {
    const at = this.#roll(this.#resting.length);
    const [gone] = this.#resting.splice(at, 1);
    const { id, who } = present(gone, 'resting order');
    await house.venue.submit({
      kind: 'cancel_spot_order',
      accountId: who.accountId,
      instrumentId: present(house.live.listings.spotBySymbol('BTCUSDT_SPBL'), 'pair').instrumentId,
      orderId: orderId(id),
    });
  }
}

const load = new Load();

test('rebuilt from snapshot and updates a book is that of REST, checksums included', async () => {
  const client = await StreamClient.at(house);
  client.subscribe(topic('books'));
  const copy = new BookCopy();
  let read = 0;
  const takeIn = () => {
    for (; read < client.messages.length; read += 1) {
      const { arg, action, data, seq } = present(client.messages[read], 'message');
      if (action === undefined) continue;
      assert.equal(arg?.channel, 'books');
      copy.apply(action, data?.[0] as BookRow, seq);
    }
  };
  for (let round = 0; round < LOAD_ROUNDS; round += 1) {
    await load.run(ROUND_MS);
    // The load rests, so the book of REST is that of the last number.
    const answer = await house.get('/api/spot/v1/market/depth?symbol=BTCUSDT_SPBL&limit=200');
    const { asks, bids } = answer.body.data as BookRow;
    const isSame = () => {
      takeIn();
      return JSON.stringify([copy.asks, copy.bids]) === JSON.stringify([asks, bids]);
    };
    await client.until(isSame, `the book of REST in round ${round}`);
    if (round === LOAD_ROUNDS - 1) assert.ok(asks.length === 200 && bids.length === 200, 'deep');
  }
  assert.equal(copy.snapshots, 1, 'a fast reader gets one snapshot');
  assert.ok(copy.updates > LOAD_ROUNDS, `${copy.updates} updates`);
  assert.ok(load.orders > 1_000, `${load.orders} orders`);
  await client.close();
});

test('books5 and books15 are whole at every change and agree with REST', async () => {
  const client = await StreamClient.at(house);
  client.subscribe(topic('books5'), topic('books15', 'btcusdt_spbl', 'sp'));
  await load.run(ROUND_MS);
  for (const [channel, levels] of [['books5', 5] as const, ['books15', 15] as const]) {
    const url = `/api/spot/v1/market/depth?symbol=BTCUSDT_SPBL&limit=${levels}`;
    const { asks, bids } = (await house.get(url)).body.data as BookRow;
    const isSame = ({ action, arg, data }: StreamClient['messages'][number]) => {
      if (action === undefined || arg?.channel !== channel) return false;
      const row = data?.[0] as BookRow;
      return JSON.stringify([row.asks, row.bids]) === JSON.stringify([asks, bids]);
    };
    await client.until(() => client.messages.some(isSame), `${channel} as REST has it`);
  }
  for (const { action, data, arg } of client.messages) {
    if (action === undefined) continue;
    assert.equal(action, 'snapshot', arg?.channel);
    new BookCopy().apply(action, data?.[0] as BookRow);
  }
  await client.close();
});
