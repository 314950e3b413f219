/**
 * The resident market maker in a contract of a real venue: what it quotes around the mark price,
 * when it moves, what it does with positions, and when it is quiet. Prices in ticks of 0.1.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { lots, ticks } from '#domain';
import { scratchDirectory } from '../support/scratch.ts';
import { until } from '../support/until.ts';
import { MAKER_FUNDS, QuotedContract, SPEC, USDT } from './quoted-contract.ts';

const BIDS = ['open_long 299700 x 1000', 'open_long 299400 x 1000', 'open_long 299100 x 1000'];
const ASKS = ['open_short 300300 x 1000', 'open_short 300600 x 1000', 'open_short 300900 x 1000'];
const FULL = [...BIDS, ...ASKS];
/** After the mark price went up by a little more than half a step, to 300160. */
const UP = [
  'open_long 299860 x 1000',
  ...BIDS.slice(0, 2),
  ...ASKS.slice(1),
  'open_short 301060 x 1000',
];

test('a ladder appears around the mark price and then nothing moves', async (context) => {
  const desk = await QuotedContract.open(context, scratchDirectory(context));
  await desk.start();
  await desk.untilQuotes(FULL);
  await desk.staysQuiet();
  assert.deepEqual(desk.warnings, []);
  assert.deepEqual(desk.tradesAndRefusals(), [0, 0]);
});

test('a contract listed later is quoted from then on', async (context) => {
  const desk = await QuotedContract.unlisted(context, scratchDirectory(context));
  await desk.start();
  await desk.list(SPEC);
  await desk.untilQuotes(FULL);
  await desk.index(300_160);
  await desk.untilQuotes(UP);
});

test('quotes stand on price steps, none nearer than a step', async (context) => {
  const desk = await QuotedContract.unlisted(context, scratchDirectory(context));
  await desk.list({ ...SPEC, referencePriceTicks: ticks(300_002) });
  await desk.start();
  await desk.untilQuotes([
    ...BIDS,
    'open_short 300305 x 1000',
    'open_short 300605 x 1000',
    'open_short 300905 x 1000',
  ]);
});

const MOVES = [
  { name: 'half a step up is waited out', index: 300_145, quotes: FULL },
  { name: 'half a step down is waited out', index: 299_855, quotes: FULL },
  {
    name: 'more than half a step up moves one level of each side',
    index: 300_160,
    quotes: UP,
  },
  {
    name: 'more than half a step down moves one level of each side',
    index: 299_840,
    quotes: [
      ...BIDS.slice(1),
      'open_long 298940 x 1000',
      'open_short 300140 x 1000',
      ...ASKS.slice(0, 2),
    ],
  },
  {
    name: 'far away it moves as a whole, also across its own old quotes',
    index: 310_000,
    quotes: [
      'open_long 309690 x 1000',
      'open_long 309380 x 1000',
      'open_long 309070 x 1000',
      'open_short 310310 x 1000',
      'open_short 310620 x 1000',
      'open_short 310930 x 1000',
    ],
  },
];

for (const { name, index, quotes } of MOVES) {
  test(`the mark price moves: ${name}`, async (context) => {
    const desk = await QuotedContract.open(context, scratchDirectory(context));
    await desk.start();
    await desk.untilQuotes(FULL);
    await desk.index(index);
    await desk.untilQuotes(quotes);
    await desk.staysQuiet();
    assert.deepEqual(await desk.quotes(), quotes);
    assert.deepEqual(desk.tradesAndRefusals(), [0, 0]);
  });
}

test('what is taken is put back, closing positions where there are any', async (context) => {
  const desk = await QuotedContract.open(context, scratchDirectory(context));
  await desk.start();
  await desk.untilQuotes(FULL);
  const trades = [
    { action: 'open_long', price: 300_300, size: 1_000, quotes: FULL },
    {
      action: 'open_short',
      price: 299_700,
      size: 1_000,
      quotes: ['close_short 299700 x 1000', ...FULL.slice(1)],
    },
    {
      action: 'open_long',
      price: 300_300,
      size: 1_000,
      quotes: ['close_short 299700 x 1000', ...BIDS.slice(1), 'close_long 300300 x 1000'].concat(
        ASKS.slice(1),
      ),
    },
    {
      action: 'open_short',
      price: 299_700,
      size: 1_000,
      quotes: ['close_short 299700 x 1000', ...BIDS.slice(1), 'close_long 300300 x 1000'].concat(
        ASKS.slice(1),
      ),
    },
  ] as const;
  for (const { action, price, size, quotes } of trades) {
    await desk.place(desk.user, action, price, size);
    await desk.untilQuotes(quotes);
  }
  await desk.staysQuiet();
  const { long, short } = await desk.margin();
  assert.deepEqual([long.lots, short.lots], [1_000, 1_000]);
  assert.deepEqual(desk.tradesAndRefusals(), [4, 0]);
});

test('a level is refilled once less than half of it is left', async (context) => {
  const desk = await QuotedContract.open(context, scratchDirectory(context));
  await desk.start();
  await desk.untilQuotes(FULL);
  await desk.place(desk.user, 'open_long', 300_300, 500);
  const half = [...BIDS, 'open_short 300300 x 500', ...ASKS.slice(1)];
  await desk.untilQuotes(half);
  await desk.staysQuiet();
  assert.deepEqual(await desk.quotes(), half);
  await desk.place(desk.user, 'open_long', 300_300, 100);
  await desk.untilQuotes([
    ...BIDS,
    'open_short 300300 x 400',
    'open_short 300300 x 600',
    ...ASKS.slice(1),
  ]);
});

test('it never takes: a level in the way waits until the user is gone', async (context) => {
  const desk = await QuotedContract.open(context, scratchDirectory(context));
  const order = await desk.place(desk.user, 'open_long', 300_400, 100);
  await desk.start();
  await desk.untilQuotes([...BIDS, ...ASKS.slice(1)]);
  await desk.staysQuiet();
  assert.deepEqual(desk.tradesAndRefusals(), [0, 0]);
  await desk.cancel(desk.user, order);
  await desk.untilQuotes(FULL);
});

/** Two levels of each side are worth 120,000 USDT: a twentieth of that and the taker fee. */
const SHORT_OF_MARGIN = [
  { name: 'at the fee of the contract', takerFeePpm: null, cost: 6_072n },
  { name: 'free of fees', takerFeePpm: 0, cost: 6_000n },
];

for (const { name, takerFeePpm, cost } of SHORT_OF_MARGIN) {
  test(`short of margin it quotes the nearest levels of both sides, ${name}`, async (context) => {
    const desk = await QuotedContract.open(context, scratchDirectory(context));
    const { maker: accountId } = desk;
    await desk.submit({ kind: 'update_account', accountId, changes: { takerFeePpm } });
    await desk.pay(desk.maker, cost * USDT - MAKER_FUNDS);
    await desk.start();
    await desk.untilQuotes([...BIDS.slice(0, 2), ...ASKS.slice(0, 2)]);
    await desk.staysQuiet();
    await desk.pay(desk.maker, cost * USDT);
    await desk.untilQuotes(FULL);
    await desk.staysQuiet();
    assert.deepEqual(desk.tradesAndRefusals(), [0, 0]);
  });
}

/** At leverage 20 no more than this many contracts may be held and opened, longs and shorts. */
function upTo(contractsMax: number) {
  return [
    { contractsMax: lots(contractsMax), maintenanceRatePpm: 5_000, leverageMax: 100 },
    { contractsMax: lots(10_000), maintenanceRatePpm: 10_000, leverageMax: 10 },
  ];
}

test('it opens no more than its leverage allows in the tiers', async (context) => {
  const desk = await QuotedContract.open(context, scratchDirectory(context));
  await desk.change({ tiers: upTo(4_500) });
  await desk.start();
  await desk.untilQuotes([...BIDS.slice(0, 2), ...ASKS.slice(0, 2)]);
  await desk.staysQuiet();
  assert.deepEqual(desk.tradesAndRefusals(), [0, 0]);
});

test('what is held and what rests counts in the tiers, to the last contract', async (context) => {
  const desk = await QuotedContract.open(context, scratchDirectory(context));
  await desk.change({ tiers: upTo(6_600) });
  await desk.start();
  await desk.untilQuotes(FULL);
  await desk.place(desk.user, 'open_long', 300_300, 600);
  const refilled = ['open_short 300300 x 400', 'open_short 300300 x 600', ...ASKS.slice(1)];
  await desk.untilQuotes([...BIDS, ...refilled]);
  await desk.place(desk.user, 'open_long', 300_300, 600);
  await desk.untilQuotes([...BIDS, 'open_short 300300 x 400', ...ASKS.slice(1)]);
  await desk.staysQuiet();
  assert.deepEqual(desk.tradesAndRefusals(), [3, 0]);
});

test('a halted contract is left, and quoted again after', async (context) => {
  const desk = await QuotedContract.open(context, scratchDirectory(context));
  await desk.start();
  await desk.untilQuotes(FULL);
  await desk.change({ status: 'halt' });
  await desk.untilQuotes([]);
  await desk.change({ status: 'online' });
  await desk.untilQuotes(FULL);
});

test('a stale index price is not quoted around', async (context) => {
  const desk = await QuotedContract.open(context, scratchDirectory(context));
  await desk.index(300_000);
  await desk.start();
  await desk.untilQuotes(FULL);
  await desk.change({ indexStaleMs: 1 });
  await until('no quotes', async () => {
    await desk.submit({ kind: 'tick' });
    return (await desk.quotes()).length === 0;
  });
  await desk.change({ indexStaleMs: 0 });
  await desk.submit({ kind: 'tick' });
  await desk.untilQuotes(FULL);
});

test('a frozen account rests, a thawed one quotes', async (context) => {
  const desk = await QuotedContract.open(context, scratchDirectory(context));
  const { maker: accountId } = desk;
  await desk.submit({ kind: 'update_account', accountId, changes: { frozen: true } });
  await desk.start();
  await desk.staysQuiet();
  assert.deepEqual(await desk.quotes(), []);
  await desk.submit({ kind: 'update_account', accountId, changes: { frozen: false } });
  await desk.untilQuotes(FULL);
});

test('a restart finds the quotes, moves and doubles nothing', async (context) => {
  const directory = scratchDirectory(context);
  const first = await QuotedContract.open(context, directory);
  await first.start();
  await first.untilQuotes(FULL);
  await first.restart();
  await first.staysQuiet();
  await first.index(300_100);
  await first.close();

  const second = await QuotedContract.open(context, directory);
  await second.start();
  await second.staysQuiet();
  assert.deepEqual(await second.quotes(), FULL);
  await second.index(300_160);
  await second.untilQuotes(UP);
});

test('mode and leverage are set at the start, other orders replaced', async (context) => {
  const desk = await QuotedContract.open(context, scratchDirectory(context));
  await desk.setLeverage(desk.maker, 10);
  await desk.place(desk.maker, 'open_long', 299_700, 1_000);
  await desk.start();
  await desk.untilQuotes(FULL);
  const { marginMode, long, short } = await desk.margin();
  assert.deepEqual([marginMode, long.leverage, short.leverage], ['cross', 20, 20]);
  assert.deepEqual(desk.tradesAndRefusals(), [0, 0]);
  await desk.staysQuiet();
});

test('where the leverage may not change it quotes with what it has', async (context) => {
  const desk = await QuotedContract.open(context, scratchDirectory(context));
  await desk.change({ tiers: upTo(2_500) });
  for (const owner of [desk.maker, desk.user]) await desk.setLeverage(owner, 10);
  await desk.place(desk.maker, 'open_long', 300_000, 3_000);
  await desk.place(desk.user, 'open_short', 300_000, 3_000);
  await desk.start();
  await desk.untilQuotes([
    ...BIDS,
    ...ASKS.map((quote) => quote.replace('open_short', 'close_long')),
  ]);
  assert.equal((await desk.margin()).long.leverage, 10);
  await desk.index(300_010);
  await desk.staysQuiet();
  assert.equal(desk.warnings.length, 1, 'it tries once');
  assert.match(desk.warnings.join(), /keeps the settings it has .*leverage_out_of_range/);
});

test('a refusal is told and waited out, not repeated', async (context) => {
  const desk = await QuotedContract.open(context, scratchDirectory(context));
  await desk.change({ openOrdersMax: 2 });
  await desk.start();
  await desk.untilQuotes([BIDS.slice(0, 1), ASKS.slice(0, 1)].flat());
  await desk.staysQuiet();
  assert.match(desk.warnings.join(), /contract_orders_exceeded/);
  await desk.change({ openOrdersMax: 100 });
  await desk.untilQuotes(FULL);
});
