/** What a reader makes of the spot stream of a real venue is what its REST interface answers. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '#kernel';
import { fillTable, type SpotFillRow, spotFill, spotStreamFill } from '../../ui/src/model/fills.ts';
import { type Push, readPush } from '../../ui/src/model/frames.ts';
import {
  type OrderLine,
  orderTable,
  type SpotOrderPush,
  type SpotOrderRow,
  spotOrder,
  spotStreamOrder,
} from '../../ui/src/model/orders.ts';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import { SpotDesk } from '../support/spot-desk.ts';
import { StreamClient, topic } from '../support/streams-client.ts';

const SYMBOL = 'BTCUSDT_SPBL';
const MONEY = { USDT: '1000000', BTC: '100' };

/** Ann follows everything from the beginning; the last order of the story rests. */
const desk = closedAtEnd(await SpotDesk.open());
const { house } = desk;
const ann = await house.trader('ann', MONEY);
const client = closedAtEnd(await StreamClient.at(house));
await client.login(house, ann);
client.subscribe(topic('orders', 'default', 'spbl'));
await client.until(() => pushesOf('orders').length > 0, 'orders');
const lastId = await trade(await house.trader('bob', MONEY));
const isLast = ({ rows }: Push<SpotOrderPush>) => rows.some(({ ordId }) => ordId === lastId);
await client.until(() => pushesOf<SpotOrderPush>('orders').some(isLast), 'the last order');

/** Fills at two prices and in two minutes, a cancelled order, a part that rests. */
async function trade(bob: Trader): Promise<string> {
  await desk.order(bob, 'sell', '30010.5', '1');
  await desk.order(ann, 'buy', '30010.5', '0.4');
  house.clock.advance(180_000);
  await desk.order(ann, 'buy', '30020', '0.9');
  await desk.cancel(ann, await desk.order(ann, 'buy', '29000', '2'));
  await desk.order(bob, 'sell', '30015', '0.1');
  return desk.order(ann, 'buy', '29900', '0.7');
}

/** Every push of a channel so far. */
function pushesOf<Row>(channel: string): Push<Row>[] {
  return client.messages
    .filter(({ action, arg }) => action !== undefined && arg?.channel === channel)
    .map(({ action, data, seq }) => {
      const rows = present(data, 'rows') as readonly Row[];
      return readPush({ action: present(action, 'action'), data: rows, seq: present(seq, 'seq') });
    });
}

/** REST does not tell the force of a spot order. */
function withoutForce(orders: readonly OrderLine[]): object[] {
  return orders.map(({ force: _force, ...rest }) => rest);
}

test('orders, open and closed', async () => {
  const table = orderTable(100);
  for (const { isWhole, rows } of pushesOf<SpotOrderPush>('orders')) {
    const lines = rows.map(spotStreamOrder);
    if (isWhole) table.replaceOpen(lines, table.mark(), () => true);
    else for (const line of lines) table.hear(line, 1);
  }
  const open = (await desk.data<SpotOrderRow[]>(ann, 'openOrders', { symbol: SYMBOL })).map(
    spotOrder,
  );
  assert.equal(open.length, 2);
  assert.deepEqual(withoutForce(table.open), withoutForce(open));
  const past = (await desk.data<SpotOrderRow[]>(ann, 'orderHistory', { symbol: SYMBOL })).map(
    spotOrder,
  );
  const closed = past.filter(({ id }) => open.every((order) => order.id !== id));
  assert.equal(closed.length, 2);
  assert.deepEqual(withoutForce(table.history), withoutForce(closed));
});

test('fills, with the fees that were paid', async () => {
  const heard = fillTable(100);
  for (const { rows } of pushesOf<SpotOrderPush>('orders')) {
    for (const fill of rows.map(spotStreamFill)) if (fill !== undefined) heard.hear(fill, 1);
  }
  const known = fillTable(100);
  known.learn((await desk.data<SpotFillRow[]>(ann, 'fills', { symbol: SYMBOL })).map(spotFill));
  const values = (table: typeof known) =>
    table.history.map(({ id, fee, feeCoin, timeMs }) => ({ id, fee, feeCoin, timeMs }));
  assert.equal(heard.history.length, 3);
  assert.deepEqual(values(heard), values(known));
});
