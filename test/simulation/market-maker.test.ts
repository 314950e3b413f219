/** The resident market maker over a real venue: what it quotes, when it moves, when it is quiet. */
import { strict as assert } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type AccountId,
  type Amount,
  type InstrumentId,
  lots,
  type Side,
  type SpotTerms,
  ticks,
} from '#domain';
import { present } from '#kernel';
import type { Ladder } from '#simulation';
import { spotOrder } from '../support/orders.ts';
import { RealVenue } from '../support/real-venue.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { pairSpec } from '../support/terms.ts';
import { accountsOf, QuotedMarket } from './quoted-market.ts';

const LADDER: Ladder = {
  symbol: 'BTC-USDT',
  levelsCount: 3,
  spacingPpm: 1_000,
  levelLots: 5_000,
};

/** A venue with one pair at 30000, a funded market maker and a funded user. */
class QuotedPair extends QuotedMarket {
  pairId(): Promise<InstrumentId> {
    return this.real.venue.read(
      (state) => present(state.listings.spotBySymbol('BTC-USDT'), 'pair').instrumentId,
    );
  }

  static async open(context: TestContext, directory: string): Promise<QuotedPair> {
    const real = await RealVenue.open(context, directory);
    const isNew = real.venue.releasedSeq === 0;
    const accounts = await accountsOf(real);
    if (isNew) await listAndFund(real, accounts);
    return new QuotedPair(context, real, LADDER, accounts);
  }

  async trade(side: Side, price: number, size: number): Promise<void> {
    const event = await this.submit(
      spotOrder({
        accountId: this.user,
        instrumentId: await this.pairId(),
        side,
        priceTicks: ticks(price),
        sizeLots: lots(size),
      }),
    );
    assert.equal(event.kind, 'order_accepted');
  }

  async change(changes: Partial<SpotTerms>): Promise<void> {
    await this.submit({ kind: 'update_spot', instrumentId: await this.pairId(), changes });
  }

  /** The market maker's quotes as "side price x size", best first on each side. */
  override quotes(): Promise<string[]> {
    return this.real.venue.read((state) => {
      const orders = [...state.openOrders(this.maker)].filter((order) => order.type === 'limit');
      const own = orders.map((order) => ({
        side: order.side,
        price: order.priceTicks,
        text: `${order.side} ${order.priceTicks} x ${order.sizeLots - order.filledLots}`,
      }));
      const away = ({ side, price }: { side: Side; price: number }) =>
        side === 'buy' ? -price : price;
      own.sort((left, right) => (left.side === right.side ? away(left) - away(right) : 0));
      return [
        ...own.filter(({ side }) => side === 'buy'),
        ...own.filter(({ side }) => side === 'sell'),
      ].map(({ text }) => text);
    });
  }
}

async function listAndFund({ venue }: RealVenue, accounts: readonly AccountId[]): Promise<void> {
  const free = { takerFeePpm: 0, makerFeePpm: 0, referencePriceTicks: ticks(3_000_000) };
  await venue.submit({ kind: 'list_spot', spec: pairSpec('BTC', 'USDT', free) });
  const [btc, usdt] = await venue.read((state) => state.listings.assets.map((row) => row.assetId));
  const funds: [typeof btc, Amount][] = [
    [btc, 10_000n * 100_000_000n],
    [usdt, 1_000_000_000n * 100_000_000n],
  ];
  for (const accountId of accounts) {
    for (const [coin, amount] of funds) {
      const assetId = present(coin, 'asset');
      await venue.submit({ kind: 'deposit', accountId, wallet: 'spot', assetId, amount });
    }
  }
}

const FULL = [
  'buy 2997000 x 5000',
  'buy 2994000 x 5000',
  'buy 2991000 x 5000',
  'sell 3003000 x 5000',
  'sell 3006000 x 5000',
  'sell 3009000 x 5000',
];

test('a ladder appears around the reference price and then nothing moves', async (context) => {
  const market = await QuotedPair.open(context, scratchDirectory(context));
  await market.start();
  await market.untilQuotes(FULL);
  await market.staysQuiet();
  assert.deepEqual(market.warnings, []);
});

test('what is taken is put back, at two orders a level at the most', async (context) => {
  const market = await QuotedPair.open(context, scratchDirectory(context));
  await market.start();
  await market.untilQuotes(FULL);
  await market.trade('buy', 3_003_000, 5_000);
  await market.untilQuotes(FULL);
  await market.trade('sell', 2_997_000, 4_000);
  await market.untilQuotes(['buy 2997000 x 4000', 'buy 2997000 x 1000', ...FULL.slice(1)]);
  await market.staysQuiet();
});

test('a path that jumps beyond the price band takes the reference price along', async (context) => {
  const market = await QuotedPair.open(context, scratchDirectory(context));
  await market.change({ priceBandPpm: 100_000 });
  await market.start();
  await market.untilQuotes(FULL);
  await market.trade('buy', 3_003_000, 1);
  let pathTicks = 3_000_000;
  const follower = market.follow(() => pathTicks);
  await follower.attach();
  pathTicks = 4_000_000;
  follower.pathsMoved();
  // Its old quotes leave, its bids are refused, its reference price changes, and it may quote.
  for (let pass = 0; pass < 4; pass += 1) await follower.look();
  assert.match(market.warnings.join(), /price_above_ceiling/);
  const quotes = await market.quotes();
  assert.equal(quotes.length, 6, quotes.join());
  assert.ok(quotes[0]?.startsWith('buy 39'), quotes[0]);
});

test('a level with more than half of it left is left alone', async (context) => {
  const market = await QuotedPair.open(context, scratchDirectory(context));
  await market.start();
  await market.untilQuotes(FULL);
  await market.trade('buy', 3_003_000, 2_000);
  await market.staysQuiet();
  const quotes = await market.quotes();
  assert.ok(quotes.includes('sell 3003000 x 3000'), quotes.join());
});

test('the ladder follows the reference price, also across its own old quotes', async (context) => {
  const market = await QuotedPair.open(context, scratchDirectory(context));
  await market.start();
  await market.untilQuotes(FULL);
  await market.change({ referencePriceTicks: ticks(4_000_000) });
  await market.untilQuotes([
    'buy 3996000 x 5000',
    'buy 3992000 x 5000',
    'buy 3988000 x 5000',
    'sell 4004000 x 5000',
    'sell 4008000 x 5000',
    'sell 4012000 x 5000',
  ]);
  await market.staysQuiet();
  assert.equal(market.real.eventsCount('trade'), 0, 'it never trades with itself');
});

test('a pair without trading or reference is left, and quoted again after', async (context) => {
  const market = await QuotedPair.open(context, scratchDirectory(context));
  await market.start();
  for (const off of [{ status: 'halt' }, { referencePriceTicks: ticks(0) }] as const) {
    await market.untilQuotes(FULL);
    await market.change(off);
    await market.untilQuotes([]);
    await market.change({ status: 'online', referencePriceTicks: ticks(3_000_000) });
  }
  await market.untilQuotes(FULL);
});

test('a restart of the venue finds the quotes and doubles nothing', async (context) => {
  const directory = scratchDirectory(context);
  const first = await QuotedPair.open(context, directory);
  await first.start();
  await first.untilQuotes(FULL);
  await first.restart();
  await first.staysQuiet();
  await first.close();

  const second = await QuotedPair.open(context, directory);
  await second.start();
  await second.staysQuiet();
  assert.deepEqual(await second.quotes(), FULL);
});

test('it never takes: a level in the way waits until the user is gone', async (context) => {
  const market = await QuotedPair.open(context, scratchDirectory(context));
  await market.trade('buy', 3_004_000, 100);
  await market.start();
  await market.untilQuotes([...FULL.slice(0, 3), ...FULL.slice(4)]);
  await market.staysQuiet();
  assert.equal(market.real.eventsCount('trade'), 0);
  await market.trade('sell', 3_004_000, 100);
  await market.untilQuotes(FULL);
});

test('short of money it quotes what it can pay, and more when it can', async (context) => {
  const market = await QuotedPair.open(context, scratchDirectory(context));
  const { maker: accountId } = market;
  const btc = await market.real.venue.read((state) => present(state.listings.assets[0], 'BTC'));
  const coins = { accountId, wallet: 'spot', assetId: btc.assetId } as const;
  const half = 50_000_000n;
  await market.submit({ kind: 'withdraw', ...coins, amount: 10_000n * 100_000_000n - half });
  await market.start();
  await market.untilQuotes(FULL.slice(0, 4));
  await market.staysQuiet();
  await market.submit({ kind: 'deposit', ...coins, amount: half });
  await market.untilQuotes(FULL.slice(0, 5));
  assert.equal(market.real.eventsCount('refused'), 0);
});

test('a frozen account rests, a thawed one quotes', async (context) => {
  const market = await QuotedPair.open(context, scratchDirectory(context));
  const { maker: accountId } = market;
  await market.submit({ kind: 'update_account', accountId, changes: { frozen: true } });
  await market.start();
  await market.staysQuiet();
  assert.deepEqual(await market.quotes(), []);
  await market.submit({ kind: 'update_account', accountId, changes: { frozen: false } });
  await market.untilQuotes(FULL);
});

test('a refusal is told and waited out, not repeated', async (context) => {
  const market = await QuotedPair.open(context, scratchDirectory(context));
  const { maker: accountId } = market;
  await market.submit({ kind: 'update_account', accountId, changes: { openOrdersMax: 2 } });
  await market.start();
  await market.untilQuotes(FULL.slice(0, 2));
  await market.staysQuiet();
  assert.match(market.warnings.join(), /open_orders_exceeded/);
  await market.submit({ kind: 'update_account', accountId, changes: { openOrdersMax: 100 } });
  await market.untilQuotes(FULL);
});
