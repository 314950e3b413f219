/** What a reader makes of the contract stream of a real venue is what its REST answers. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '#kernel';
import { type SwapFillRow, swapFill } from '../../ui/src/model/fills.ts';
import { type Push, readPush } from '../../ui/src/model/frames.ts';
import { Latest } from '../../ui/src/model/latest.ts';
import { orderTable, type SwapOrderRow, swapOrder } from '../../ui/src/model/orders.ts';
import { type PlanRow, planLine, planTable } from '../../ui/src/model/plans.ts';
import {
  heldSides,
  type PositionPair,
  type PositionRow,
  positionPair,
} from '../../ui/src/model/positions.ts';
import type { Table } from '../../ui/src/model/table.ts';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import { OPEN_LONG, OPEN_SHORT, SwapDesk, SYMBOL } from '../support/swap-desk.ts';
import { SwapStream } from '../support/swap-stream.ts';
import { comesTo } from './comes-to.ts';

const { symbol } = SYMBOL;
const CHANNELS = ['order', 'currentPlan', 'position'];
const PAGE = { symbol, pageIndex: 1, pageSize: 20 };
const PLAN = { symbol, size: '2', type: '1', side: '1', holdSide: '1', match_type: '1' };

/** Ann follows everything from the beginning; the last order of the story rests. */
const desk = closedAtEnd(await SwapDesk.open());
const ann = await desk.trader('ann');
const client = closedAtEnd(await SwapStream.open(await desk.house.port()));
await client.login(desk.house, ann);
await client.subscribe(...CHANNELS.map((name) => `swap/${name}:${symbol}`));
const lastId = await trade(await desk.trader('bob'), await desk.trader('other'));
const isLast = ({ rows }: Push<SwapOrderRow>) => rows.some((row) => row.order_id === lastId);
await client.until('the last order', () => pushesOf<SwapOrderRow>('order').some(isLast));

/** Two minutes of trades, an order cut short, a plan that waits and one that fails. */
async function trade(bob: Trader, other: Trader): Promise<string> {
  await desk.place(bob, { ...OPEN_SHORT, price: '30000', size: '20' });
  await desk.place(ann, { ...OPEN_LONG, price: '30000', size: '12' });
  desk.house.clock.advance(180_000);
  await desk.place(ann, { ...OPEN_LONG, price: '30001', size: '10', order_type: '3' });
  await desk.data(ann, 'placePlan', { ...PLAN, trigger_price: '33000' });
  await desk.data(ann, 'placePlan', { ...PLAN, trigger_price: '30500' });
  await desk.place(bob, { ...OPEN_SHORT, price: '30500', size: '1' });
  await desk.place(other, { ...OPEN_LONG, price: '30500', size: '1' });
  await desk.place(bob, { ...OPEN_SHORT, price: '30600', size: '5' });
  return desk.place(ann, { ...OPEN_LONG, price: '29500', size: '3' });
}

/** Every push of a channel so far. */
function pushesOf<Row>(name: string): Push<Row>[] {
  return client.messages
    .filter(({ table }) => table === `swap/${name}`)
    .map(({ action, data, seq }) => {
      const rows = present(data, 'rows') as readonly Row[];
      return readPush({ action: present(action, 'action'), data: rows, seq: present(seq, 'seq') });
    });
}

function told<Value>(read: () => Value, known: Value): Promise<void> {
  return comesTo((holds) => client.until('what REST answers', holds), read, known);
}

function folded<Row, Line extends { readonly id: string }>(
  table: Table<Line>,
  channel: string,
  lineOf: (row: Row) => Line,
): Table<Line> {
  for (const { isWhole, rows } of pushesOf<Row>(channel)) {
    const lines = rows.map(lineOf);
    if (isWhole) table.replaceOpen(lines, table.mark(), () => true);
    else for (const line of lines) table.hear(line, 1);
  }
  return table;
}

test('orders, open and closed', async () => {
  const orders = folded(orderTable(100), 'order', swapOrder);
  const open = await desk.data<SwapOrderRow[]>(ann, 'openOrders', SYMBOL);
  assert.equal(open.length, 1);
  assert.deepEqual(orders.open, open.map(swapOrder));
  const past = await desk.data<SwapOrderRow[]>(ann, 'orderHistory', { ...PAGE, createDate: 90 });
  assert.equal(past.length, 2);
  assert.deepEqual(orders.history, past.map(swapOrder));
});

test('plan orders, waiting and ended', async () => {
  const times = { startTime: 0, endTime: desk.house.clock.nowMs() };
  const page = { ...PAGE, ...times, side: 1, delegateType: 1 };
  const waiting = await desk.data<PlanRow[]>(ann, 'openPlans', page);
  const ended = await desk.data<PlanRow[]>(ann, 'planHistory', page);
  assert.deepEqual([waiting.length, ended.length], [1, 1]);
  await told(() => {
    const plans = folded(planTable(100), 'currentPlan', planLine);
    return [plans.open, plans.history];
  }, [waiting.map(planLine), ended.map(planLine)]);
});

test('positions', async () => {
  const heard = () => {
    const positions = new Latest<PositionPair>();
    for (const { rows } of pushesOf<PositionRow>('position')) {
      for (const pair of rows.map(positionPair)) positions.hear(pair.symbol, pair, 1);
    }
    return positions;
  };
  const row = await desk.data<PositionRow>(ann, 'position', SYMBOL);
  await told(() => heard().get(symbol), positionPair(row));
  const held = heldSides(heard().all).map(({ side, position }) => [side, position]);
  assert.deepEqual(held, [['long', '20']]);
});

test('a fill, with the fee that was paid', async () => {
  const past = await desk.data<SwapOrderRow[]>(ann, 'orderHistory', { ...PAGE, createDate: 90 });
  const first = present(
    past.find(({ filled_qty }) => filled_qty === '12'),
    'first order',
  );
  const fills = { symbol, orderId: first.order_id };
  const [row] = await desk.data<SwapFillRow[]>(ann, 'fills', fills);
  const { action, role, fee, size } = swapFill(present(row, 'fill'));
  // 12 contracts of 0.001 BTC at 30000, at a fee of 0.06 %.
  assert.deepEqual([action, role, size, fee], ['open_long', 'taker', '12', '0.21600000']);
});
