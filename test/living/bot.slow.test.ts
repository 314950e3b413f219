/**
 * A bot as its author would write it, on the unmodified ccxt client, against the demo as `serve`
 * starts it: for a minute it quotes both sides of one pair around the best prices, leaning against
 * its inventory, and follows the momentum of another. What it has in the end is what it had, plus
 * its fills, less its fees.
 */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Trade } from 'ccxt';
import { present } from '#kernel';
import { startVenue } from '#testing';
import { connect } from '../support/server-ccxt.ts';

const LENGTH_MS = 60_000;
const TURN_INTERVAL_MS = 500;
const QUOTED = 'BTC/USDT';
const FOLLOWED = 'ETH/USDT';
const QUOTE_SIZE = 0.02;
/** Beyond this inventory only the side that reduces it is quoted. */
const INVENTORY_MAX = 0.2;
const TICK = 0.01;
const TAKE_SIZE = 0.1;
const POSITION_MAX = 1;
/** Coins have eight decimals; the client calculates with floating point. */
const TOLERANCE = 1e-7;

const venue = await startVenue({ rateLimits: true });
const { key: apiKey, secret, passphrase: password } = venue.keys.demo;
const bot = connect(venue.url, { apiKey, secret, password });
// As it is without further words: the client keeps to the limits of the venue by itself.
bot.enableRateLimit = true;
await bot.loadMarkets();
after(() => venue.stop());

async function totals(): Promise<Map<string, number>> {
  const balance = await bot.fetchBalance();
  return new Map(
    ['BTC', 'ETH', 'USDT'].map((coin) => [coin, present(balance[coin], coin).total] as const),
  );
}

async function bestPrices(pair: string): Promise<{ bid: number; ask: number }> {
  const { bids, asks } = await bot.fetchOrderBook(pair, 5);
  return { bid: present(bids[0]?.[0], 'best bid'), ask: present(asks[0]?.[0], 'best ask') };
}

/** All fills of these orders. */
async function fillsOf(orderIds: ReadonlySet<string>, pair: string): Promise<Trade[]> {
  const fills: Trade[] = [];
  for (const orderId of orderIds) fills.push(...(await bot.fetchOrderTrades(orderId, pair)));
  return fills;
}

/** Quotes one tick inside the best prices, on the sides its inventory allows. */
class Quoter {
  readonly filledIds = new Set<string>();
  inventory = 0;
  #openIds: string[] = [];

  async turn(): Promise<void> {
    await this.pull();
    const { bid, ask } = await bestPrices(QUOTED);
    if (this.inventory < INVENTORY_MAX) await this.#quote('buy', Math.min(bid + TICK, ask - TICK));
    if (this.inventory > -INVENTORY_MAX) {
      await this.#quote('sell', Math.max(ask - TICK, bid + TICK));
    }
  }

  /** Takes its quotes back and learns what they have bought and sold. */
  async pull(): Promise<void> {
    for (const id of this.#openIds) {
      const { status } = await bot.fetchOrder(id, QUOTED);
      if (status !== 'closed') await this.#cancel(id);
      const { side, filled } = await bot.fetchOrder(id, QUOTED);
      this.inventory += side === 'buy' ? filled : -filled;
      if (filled > 0) this.filledIds.add(id);
    }
    this.#openIds = [];
  }

  /** An order that was filled in the same moment is no longer there to cancel. */
  async #cancel(id: string): Promise<void> {
    try {
      await bot.cancelOrder(id, QUOTED);
    } catch (error) {
      const { status } = await bot.fetchOrder(id, QUOTED);
      if (status !== 'closed') throw error;
    }
  }

  async #quote(side: 'buy' | 'sell', price: number): Promise<void> {
    const { id } = await bot.createOrder(QUOTED, 'limit', side, QUOTE_SIZE, price);
    this.#openIds.push(id);
  }
}

/** Buys what has risen since the last look and sells what has fallen, up to a limit. */
class Follower {
  readonly filledIds = new Set<string>();
  inventory = 0;
  #lastPrice: number | undefined;

  async turn(): Promise<void> {
    const { last } = await bot.fetchTicker(FOLLOWED);
    const before = this.#lastPrice;
    this.#lastPrice = present(last, 'last price');
    if (before === undefined || before === this.#lastPrice) return;
    const isRise = this.#lastPrice > before;
    if (isRise ? this.inventory >= POSITION_MAX : this.inventory <= -POSITION_MAX) return;
    const { bid, ask } = await bestPrices(FOLLOWED);
    const params = { force: 'ioc' };
    const side = isRise ? 'buy' : 'sell';
    const price = isRise ? ask : bid;
    const { id } = await bot.createOrder(FOLLOWED, 'limit', side, TAKE_SIZE, price, params);
    const { filled } = await bot.fetchOrder(id, FOLLOWED);
    if (filled > 0) this.filledIds.add(id);
    this.inventory += isRise ? filled : -filled;
  }
}

/** What the fills make of each coin: bought less sold, and less the fees. */
function changesOf(fills: readonly Trade[]): Map<string, number> {
  const changes = new Map<string, number>();
  const add = (coin: string, amount: number) => {
    changes.set(coin, (changes.get(coin) ?? 0) + amount);
  };
  for (const { symbol, side, amount, cost, fee, info } of fills) {
    const [base = '', quote = ''] = present(symbol, 'pair').split('/');
    const sign = side === 'buy' ? 1 : -1;
    add(base, sign * present(amount, 'amount'));
    add(quote, -sign * present(cost, 'cost'));
    // The client passes on the coin of a fee only as the venue wrote it.
    add(info.feeCcy, -present(fee?.cost, 'fee'));
  }
  return changes;
}

test('a minute of a quoting and following bot adds up', { timeout: 180_000 }, async (context) => {
  const had = await totals();
  const [quoter, follower] = [new Quoter(), new Follower()];
  const endMs = performance.now() + LENGTH_MS;
  while (performance.now() < endMs) {
    await quoter.turn();
    await follower.turn();
    await delay(TURN_INTERVAL_MS);
  }
  await quoter.pull();
  assert.deepEqual(await bot.fetchOpenOrders(QUOTED), []);

  const quoted = await fillsOf(quoter.filledIds, QUOTED);
  const followed = await fillsOf(follower.filledIds, FOLLOWED);
  for (const [fills, { inventory }] of [[quoted, quoter] as const, [followed, follower] as const]) {
    const bought = fills.filter(({ side }) => side === 'buy').length;
    context.diagnostic(`bought ${bought} times, sold ${fills.length - bought} times`);
    assert.ok(bought > 0 && bought < fills.length, 'fills on both sides');
    const held = fills.reduce((sum, { side, amount = 0 }) => {
      return sum + (side === 'buy' ? amount : -amount);
    }, 0);
    assert.ok(Math.abs(held - inventory) < TOLERANCE, `${inventory} by orders, ${held} by fills`);
  }
  const changes = changesOf([...quoted, ...followed]);
  for (const [coin, has] of await totals()) {
    const expected = present(had.get(coin), coin) + (changes.get(coin) ?? 0);
    assert.ok(Math.abs(has - expected) < TOLERANCE, `${coin}: has ${has}, expected ${expected}`);
  }
});
