/** Orders, plan orders and positions put together from REST and streams, in whatever order. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { native } from '#client';
import { fillLine, fillTable } from '../../ui/src/model/fills.ts';
import { Latest } from '../../ui/src/model/latest.ts';
import { type OrderLine, orderLine, orderTable } from '../../ui/src/model/orders.ts';
import { planTable } from '../../ui/src/model/plans.ts';
import { Table } from '../../ui/src/model/table.ts';
import { TradeList } from '../../ui/src/model/trades.ts';

const ROW: native.OrderAnswer = {
  ...{ id: '1000000000000010', clientId: 'mine', symbol: 'BTC-USDT-PERP', side: 'buy' },
  ...{ type: 'limit', timeInForce: 'gtc', reduceOnly: false, price: '30000.0', size: '10' },
  ...{ spend: null, takeProfit: null, stopLoss: null, leverage: 20, cause: 'owner' },
  ...{ filled: '0', average: '0', fee: '0', realizedPnl: '0', status: 'new', reason: null },
  ...{ time: 1_795_235_652_453, closedTime: null },
};

function order(
  number: number,
  filled: number,
  status: native.OrderAnswer['status'] = 'new',
): OrderLine {
  const id = String(1000000000000000n + BigInt(number));
  return orderLine({ ...ROW, id, filled: String(filled), status });
}

const NOW_MS = 1_795_235_652_453;
const ANY = () => true;
const idsOf = (orders: readonly OrderLine[]) => orders.map(({ id }) => Number(id.slice(-3)));

test('an order only ever fills more, and then ends: what is older does not win', () => {
  const table = orderTable(10);
  assert.equal(table.hear(order(1, 0), NOW_MS)?.before, undefined);
  assert.equal(table.hear(order(1, 4, 'partial_fill'), NOW_MS)?.before?.filled, '0');
  assert.equal(table.hear(order(1, 4, 'partial_fill'), NOW_MS), undefined);
  table.learn([order(1, 0)]);
  assert.equal(table.open[0]?.filled, '4');
  table.hear(order(1, 10, 'full_fill'), NOW_MS);
  table.replaceOpen([order(1, 7, 'partial_fill')], table.mark(), ANY);
  assert.deepEqual([table.open, table.history.map(({ filled }) => filled)], [[], ['10']]);
});

test('a moved order is shown as it is now, whichever way it comes', () => {
  const table = orderTable(10);
  const moved = (price: string, size = '10') => ({ ...order(1, 0), price, size });
  table.hear(order(1, 0), NOW_MS);
  const mark = table.mark();
  assert.equal(table.hear(moved('29900.0'), NOW_MS)?.before?.price, '30000.0');
  assert.equal(table.hear(moved('29900.0'), NOW_MS), undefined);
  // An answer that was under way knows nothing of it; a later one does.
  table.replaceOpen([order(1, 0)], mark, ANY);
  table.learn([order(1, 0)]);
  assert.equal(table.open[0]?.price, '29900.0');
  table.replaceOpen([moved('29800.0', '12')], table.mark(), ANY);
  assert.deepEqual([table.open[0]?.price, table.open[0]?.size], ['29800.0', '12']);
});

test('an answer knows nothing about orders that came while it was under way', () => {
  const table = orderTable(10);
  table.hear(order(1, 0), NOW_MS);
  const mark = table.mark();
  table.hear(order(3, 0), NOW_MS);
  table.replaceOpen([order(2, 0)], mark, ANY);
  // The first one has ended without a word, the third one is newer than the answer.
  assert.deepEqual(idsOf(table.open), [3, 2]);
});

test('the snapshot of one contract leaves the orders of others alone', () => {
  const table = orderTable(10);
  const other = { ...order(5, 0), symbol: 'BTC-USD-PERP' };
  table.learn([order(1, 0), other]);
  table.replaceOpen([], table.mark(), ({ symbol }) => symbol === 'BTC-USDT-PERP');
  assert.deepEqual(table.open, [other]);
});

test('rows that a stream changed are news for a while, rows of an answer are not', () => {
  const table = orderTable(10);
  table.learn([order(1, 0)]);
  table.hear(order(2, 0), NOW_MS);
  const [first, second] = [order(1, 0).id, order(2, 0).id];
  assert.equal(table.isFresh(first, NOW_MS, 1_000), false);
  assert.equal(table.isFresh(second, NOW_MS + 999, 1_000), true);
  assert.equal(table.isFresh(second, NOW_MS + 1_000, 1_000), false);
});

test('lists are the same arrays until something changes', () => {
  const table = orderTable(10);
  table.learn([order(1, 0)]);
  const { open } = table;
  assert.equal(table.open, open);
  table.hear(order(1, 0), NOW_MS);
  assert.equal(table.open, open);
  table.hear(order(2, 0), NOW_MS);
  assert.notEqual(table.open, open);
});

test('history is bounded and keeps the newest', () => {
  const table = orderTable(5);
  table.hear(order(1, 0), NOW_MS);
  for (let number = 2; number < 40; number += 1) table.hear(order(number, 0, 'cancelled'), NOW_MS);
  assert.deepEqual(idsOf(table.history), [39, 38, 37, 36, 35]);
  assert.deepEqual(idsOf(table.open), [1]);
  assert.equal(table.get(order(2, 0).id), undefined);
});

test('whatever the order of arrival, each order ends up in its last state', () => {
  const states = [
    order(1, 0),
    order(1, 2, 'partial_fill'),
    order(1, 5, 'partial_fill'),
    order(1, 5, 'cancelled'),
  ];
  const arrivals = fc.shuffledSubarray(states, { minLength: states.length });
  const property = fc.property(arrivals, fc.array(fc.boolean()), (rows, byStream) => {
    const table = orderTable(5);
    rows.forEach((row, at) => {
      if (byStream[at] === true) table.hear(row, NOW_MS);
      else table.learn([row]);
    });
    assert.deepEqual(table.history, [order(1, 5, 'cancelled')]);
    assert.deepEqual(table.open, []);
  });
  fc.assert(property);
});

test('what an order row says: what it does to a position, and what it spends', () => {
  const closing = { ...ROW, reduceOnly: true, cause: 'liquidation', type: 'market' } as const;
  const liquidation = orderLine({ ...closing, price: null, reason: 'filled' });
  assert.equal(liquidation.action, 'close_short');
  assert.equal(liquidation.cause, 'liquidation');
  assert.deepEqual([liquidation.type, liquidation.price], ['market', undefined]);
  assert.equal(liquidation.cancelReason, '');
  const spending = orderLine({ ...ROW, symbol: 'BTC-USDT', size: null, spend: '25' });
  assert.deepEqual([spending.action, spending.size, spending.spends], ['buy', '25', true]);
  const cut = orderLine({ ...ROW, status: 'cancelled', reason: 'remainder_not_filled' });
  assert.equal(cut.cancelReason, 'remainder_not_filled');
});

test('who trades with himself has two fills of one trade', () => {
  const fill: native.FillsRow = {
    ...{ id: '1000000000000003', order: '1000000000000001', symbol: 'BTC-USDT', side: 'buy' },
    ...{ reduceOnly: false, cause: 'owner', role: 'taker', price: '30000.00', size: '0.01' },
    ...{ value: '300', fee: '0.00001', feeCoin: 'BTC', realizedPnl: null, time: 1 },
  };
  const table = fillTable(10);
  const other = { ...fill, order: '1000000000000002', side: 'sell' } as const;
  for (const row of [fill, other, fill]) table.hear(fillLine(row), NOW_MS);
  assert.deepEqual(
    table.history.map(({ action }) => action),
    ['sell', 'buy'],
  );
});

test('a plan order that has ended waits no more', () => {
  const plan = { id: '1000000000000001', symbol: 'cmt_btcusdt' } as const;
  const rest = { clientId: '', action: 'open_long', purpose: 'trigger', trigger: '31000' } as const;
  const source = { source: 'last' } as const;
  const more = { price: undefined, size: '1', executed: '0', reason: '' } as const;
  const times = { placedOrderId: undefined, createdMs: NOW_MS } as const;
  const line = { ...plan, ...rest, ...source, ...more, ...times };
  const table = planTable(10);
  table.hear({ ...line, status: 'triggered' }, NOW_MS);
  table.learn([{ ...line, status: 'waiting' }]);
  assert.deepEqual([table.open.length, table.history[0]?.status], [0, 'triggered']);
});

test('a trigger order that was changed is shown as it is now', () => {
  const plan = { id: '1000000000000001', symbol: 'cmt_btcusdt' } as const;
  const rest = {
    clientId: '',
    action: 'open_long',
    purpose: 'trigger',
    status: 'waiting',
  } as const;
  const more = { price: undefined, executed: '0', reason: '' } as const;
  const times = { placedOrderId: undefined, createdMs: NOW_MS } as const;
  const line = (trigger: string, source: 'last' | 'index', size: string) => {
    return { ...plan, ...rest, ...more, ...times, trigger, source, size };
  };
  const table = planTable(10);
  table.hear(line('31000', 'last', '1'), NOW_MS);
  for (const changed of [line('32000', 'last', '1'), line('32000', 'index', '1')]) {
    table.hear(changed, NOW_MS);
    assert.deepEqual(table.open, [changed]);
  }
  assert.equal(table.hear(line('32000', 'index', '2'), NOW_MS)?.before?.size, '1');
  assert.equal(table.hear(line('32000', 'index', '2'), NOW_MS), undefined);
});

test('of states without a history the last to arrive counts, until it is there no more', () => {
  const balances = new Latest<string>();
  balances.hear('USDT', '100');
  balances.hear('BTC', '1');
  balances.hear('USDT', '90');
  const { all } = balances;
  assert.deepEqual(all, ['1', '90']);
  balances.drop('ETH');
  assert.equal(balances.all, all);
  balances.drop('BTC');
  assert.deepEqual([balances.all, balances.get('BTC')], [['90'], undefined]);
});

test('trades stand once, newest first, and no more than fit', () => {
  const trade = (id: number) =>
    ({ id: String(id), time: id, price: '1', size: '1', side: 'buy' }) as const;
  const list = new TradeList(4);
  list.apply({ type: 'snapshot', data: [trade(2), trade(1)] });
  list.apply({ type: 'update', data: [trade(5), trade(4), trade(3), trade(2)] });
  assert.deepEqual(
    list.lines.map(({ id }) => id),
    ['5', '4', '3', '2'],
  );
  list.apply({ type: 'update', data: [trade(6), trade(5), trade(4)] });
  assert.deepEqual(
    list.lines.map(({ id }) => id),
    ['6', '5', '4', '3'],
  );
  list.apply({ type: 'snapshot', data: [trade(9)] });
  assert.deepEqual(
    list.lines.map(({ id }) => id),
    ['9'],
  );
});

test('a table of any rows sorts by id, newest first', () => {
  const table = new Table<{ readonly id: string }>({
    isOpen: () => true,
    isLater: () => false,
    isChanged: () => false,
    historyMax: 1,
  });
  table.learn([{ id: '2' }, { id: '1' }, { id: '3' }]);
  assert.deepEqual(
    table.open.map(({ id }) => id),
    ['3', '2', '1'],
  );
});
