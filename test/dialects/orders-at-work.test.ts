/**
 * The case of public conformance suites: five thousand small asks and one order for all of them.
 * It is answered once it is done, and every fill can be read.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENT_CONTRACT_ENDPOINTS, CURRENT_SPOT_ENDPOINTS } from '#dialects';
import { type Command, lots, ticks } from '#domain';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { CurrentDesk, SYMBOL } from '../support/current-desk.ts';
import { contractOrder, spotOrder } from '../support/orders.ts';
import { SpotDesk } from '../support/spot-desk.ts';
import { SwapDesk } from '../support/swap-desk.ts';

interface Row {
  readonly [name: string]: string;
}

const ASKS = 5_000;
/** Commands that are under way together. */
const AT_ONCE = 500;

const swap = closedAtEnd(await SwapDesk.open());
const { house } = swap;
const spot = new SpotDesk(house);
const current = new CurrentDesk(house);

async function runAll(commands: readonly Command[]): Promise<void> {
  for (let at = 0; at < commands.length; at += AT_ONCE) {
    await Promise.all(commands.slice(at, at + AT_ONCE).map((command) => house.run(command)));
  }
}

/** Every fill of an order, page after page by the id of the last row. */
async function fillsOf(page: (beforeId: string) => Promise<Row[]>): Promise<number> {
  const ids = new Set<string>();
  for (let beforeId = ''; ; ) {
    const rows = await page(beforeId);
    for (const { id } of rows) ids.add(present(id, 'id of a fill'));
    const last = rows.at(-1)?.id;
    if (last === undefined) return ids.size;
    beforeId = last;
  }
}

test('an IOC order for 5,000 asks of a pair trades 5,000 times', async () => {
  const money = { USDT: '10000000', BTC: '100' };
  const [maker, taker] = [await house.trader('maker', money), await house.trader('taker', money)];
  const changes = { openOrdersMax: 2 * ASKS };
  await house.run({ kind: 'update_account', accountId: maker.accountId, changes });
  const pair = present(house.live.listings.spotBySymbol('BTC-USDT'), 'pair');
  const { instrumentId } = pair;
  const terms = { accountId: maker.accountId, instrumentId, side: 'sell' } as const;
  const ask = spotOrder({ ...terms, priceTicks: ticks(3_000_000), sizeLots: lots(2) });
  await runAll(Array.from({ length: ASKS }, () => ask));
  const orderId = await spot.place(taker, {
    side: 'buy',
    price: '30000',
    quantity: '1',
    force: 'ioc',
  });
  const order = await spot.info(taker, orderId);
  assert.deepEqual([order.status, order.fillQuantity], ['full_fill', '1']);
  const { myTrades } = CURRENT_SPOT_ENDPOINTS;
  const count = await fillsOf((beforeId) =>
    current.data<Row[]>(taker, myTrades, { symbol: SYMBOL, orderId, beforeId, limit: 100 }),
  );
  assert.equal(count, ASKS);
});

test('and one of a contract', async () => {
  const [maker, taker] = await swap.pair();
  const { instrumentId } = swap.contract('cmt_btcusdt');
  await house.run({
    kind: 'update_contract',
    instrumentId,
    changes: { openOrdersMax: 2 * ASKS },
  });
  const terms = { instrumentId, priceTicks: ticks(300_000) };
  const { accountId } = maker;
  const ask = contractOrder({ ...terms, accountId, action: 'open_short', sizeLots: lots(1) });
  await runAll(Array.from({ length: ASKS }, () => ask));
  const events = await house.run(
    contractOrder({
      ...terms,
      accountId: taker.accountId,
      action: 'open_long',
      sizeLots: lots(ASKS),
      force: 'ioc',
    }),
  );
  const end = events.at(-1);
  assert.ok(end?.kind === 'contract_order_closed' && end.reason === 'filled');
  const { userTrades } = CURRENT_CONTRACT_ENDPOINTS;
  const [newest] = await current.data<Row[]>(taker, userTrades, { symbol: SYMBOL, limit: 1 });
  const orderId = present(newest, 'fill').orderId;
  const count = await fillsOf((beforeId) =>
    current.data<Row[]>(taker, userTrades, { orderId, beforeId, limit: 100 }),
  );
  assert.equal(count, ASKS);
});
