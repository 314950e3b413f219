/** What the current dialect's private streams send of an account, row by row. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatId } from '#dialects';
import { LIMITS } from '#domain';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { CurrentStream, type Message, type Row } from '../support/current-stream.ts';
import type { Trader } from '../support/house.ts';
import { SpotDesk } from '../support/spot-desk.ts';
import { OPEN_LONG, SwapDesk } from '../support/swap-desk.ts';
import { accountSettings } from '../support/terms.ts';

const desk = closedAtEnd(await SwapDesk.open('contract'));
const spot = closedAtEnd(await SpotDesk.open());

const ORDER_FIELDS =
  'id symbol orderSide price size value clientOrderId type timeInForce reduceOnly triggerPrice ' +
  'orderSource openTpslParentOrderId setOpenTp setOpenSl takerFeeRate makerFeeRate feeDiscount ' +
  'status triggerTime triggerPriceTime triggerPriceValue cancelReason latestFillPrice ' +
  'maxFillPrice minFillPrice cumFillSize cumFillValue cumFillFee createdTime updatedTime';
const SPOT_ORDER_FIELDS = `${ORDER_FIELDS} baseCoin quoteCoin takerFeeDiscount makerFeeDiscount`;
const CONTRACT_ORDER_FIELDS =
  `${ORDER_FIELDS} coin marginMode separatedMode separatedOpenOrderId positionSide ` +
  'triggerPriceType positionTpsl leverage liquidateFeeRate cumLiquidateFee cumRealizePnl';
const SPOT_FILL_FIELDS =
  'id symbol baseCoin quoteCoin orderId orderSide fillSize fillValue fillFee direction ' +
  'createdTime updatedTime';
const CONTRACT_FILL_FIELDS =
  'id coin symbol orderId marginMode separatedMode separatedOpenOrderId positionSide orderSide ' +
  'fillSize fillValue fillFee liquidateFee realizePnl direction createdTime updatedTime';
const ACCOUNT_FIELDS =
  'coin marginMode crossSymbol isolatedPositionId amount pendingDepositAmount ' +
  'pendingWithdrawAmount pendingTransferInAmount pendingTransferOutAmount liquidating ' +
  'legacyAmount cumDepositAmount cumWithdrawAmount cumTransferInAmount cumTransferOutAmount ' +
  'cumMarginMoveInAmount cumMarginMoveOutAmount cumPositionOpenLongAmount ' +
  'cumPositionOpenShortAmount cumPositionCloseLongAmount cumPositionCloseShortAmount ' +
  'cumPositionFillFeeAmount cumPositionLiquidateFeeAmount cumPositionFundingAmount ' +
  'cumOrderFillFeeIncomeAmount cumOrderLiquidateFeeIncomeAmount createdTime updatedTime';
const POSITION_FIELDS =
  'id coin symbol side marginMode separatedMode separatedOpenOrderId leverage size openValue ' +
  'openFee fundingFee marginSize isolatedMargin autoAppendIsolatedMargin cumOpenSize ' +
  'cumOpenValue cumOpenFee cumCloseSize cumCloseValue cumCloseFee cumFundingFee ' +
  'cumLiquidateFee createdMatchSequenceId updatedMatchSequenceId createdTime updatedTime ' +
  'unrealizePnl liquidatePrice';

function assertFields(row: Row | undefined, names: string): void {
  const fields = present(row, 'row');
  assert.deepEqual(Object.keys(fields).sort(), names.split(' ').sort());
  for (const [name, value] of Object.entries(fields)) {
    assert.ok(typeof value === 'string' || typeof value === 'boolean', `${name}: ${value}`);
  }
}

function picked(row: Row, names: string): unknown[] {
  return names.split(' ').map((name) => row[name]);
}

/** Each message is one more of its account. */
function assertCounted(messages: readonly Message[]): void {
  const first = Number(messages[0]?.v);
  assert.deepEqual(
    messages.map(({ v }) => v),
    messages.map((_, at) => first + at),
  );
}

/** The messages that came since, when the next one of a channel has. */
async function until(stream: CurrentStream, last: string): Promise<Message[]> {
  const from = stream.messages.length;
  await stream.until(last, () => stream.messages.slice(from).some(({ e }) => e === last));
  return stream.messages.slice(from);
}

async function spotPair(): Promise<[CurrentStream, Trader, Trader]> {
  const [ann, bob] = await spot.pair({ USDT: '10000', BTC: '1' });
  const stream = await CurrentStream.private(spot.house, 'spot', ann);
  await stream.subscribe('orders', 'fill', 'account');
  return [stream, ann, bob];
}

describe('a private stream of pairs', () => {
  test('sends a step as one message per channel, orders first', async () => {
    const [stream, ann, bob] = await spotPair();
    await spot.order(bob, 'sell', '30000', '0.01');
    await spot.order(bob, 'sell', '30002', '0.01');
    const coming = until(stream, 'account');
    const orderId = await spot.order(ann, 'buy', '30005', '0.05');
    const messages = await coming;
    assert.deepEqual(
      messages.map(({ e, msgEvent }) => [e, msgEvent]),
      [
        ['orders', 'OrderUpdate'],
        ['fill', 'OrderUpdate'],
        ['account', 'OrderUpdate'],
      ],
    );
    assertCounted(messages);
    const [orders, fills, money] = messages.map(({ d }) => d as Row[]);
    assert.equal(orders?.length, 1, 'one row per order and step');
    const [order] = orders ?? [];
    assertFields(order, SPOT_ORDER_FIELDS);
    const names = 'id symbol orderSide price size status cumFillSize cumFillValue cumFillFee';
    assert.deepEqual(picked(present(order, 'order'), names), [
      ...[orderId, 'BTCUSDT', 'BUY', '30005.00', '0.05', 'NEW'],
      ...['0.02', '600.02', '0.00002'],
    ]);
    const prices = picked(present(order, 'order'), 'latestFillPrice maxFillPrice minFillPrice');
    assert.deepEqual(prices, ['30002.00', '30002.00', '30000.00']);
    assert.equal(fills?.length, 2);
    for (const fill of fills ?? []) assertFields(fill, SPOT_FILL_FIELDS);
    assert.deepEqual(
      fills?.map((fill) => picked(fill, 'orderId fillSize fillValue fillFee direction')),
      [
        [orderId, '0.01', '300', '0.00001', 'TAKER'],
        [orderId, '0.01', '300.02', '0.00001', 'TAKER'],
      ],
    );
    assert.deepEqual(money, [
      { coin: 'BTC', equity: '1.01998', available: '1.01998', frozen: '0' },
      { coin: 'USDT', equity: '9399.98', available: '8499.83', frozen: '900.15' },
    ]);
    await stream.close();
  });

  test('sends the end of an order with what it had been filled', async () => {
    const [stream, ann, bob] = await spotPair();
    const orderId = await spot.order(ann, 'buy', '29000', '0.02');
    await spot.order(bob, 'sell', '29000', '0.01');
    await spot.cancel(ann, orderId);
    await stream.until('the end', () => stream.rows('orders').length === 3);
    const rows = stream.rows('orders').map((row) => picked(row, 'status cumFillSize cumFillFee'));
    assert.deepEqual(rows, [
      ['NEW', '0', '0'],
      ['NEW', '0.01', '0.00001'],
      ['CANCELED', '0.01', '0.00001'],
    ]);
    assert.deepEqual(
      stream.rows('fill').map(({ direction }) => direction),
      ['MAKER'],
    );
    await stream.close();
  });

  test('knows what orders were filled before anybody followed them', async () => {
    const [ann, bob] = await spot.pair({ USDT: '100000', BTC: '10' });
    const bid = await spot.order(ann, 'buy', '30000', '0.05');
    const ask = await spot.order(ann, 'sell', '31000', '0.05');
    for (const price of ['30000', '29990']) await spot.order(bob, 'sell', price, '0.01');
    await spot.order(bob, 'sell', '29980', '0.001');
    await spot.order(bob, 'buy', '31000', '0.01');
    await spot.move(ann, bid, '30010', '0.05');
    await spot.order(bob, 'sell', '30010', '0.007');
    const stream = await CurrentStream.private(spot.house, 'spot', ann);
    await stream.subscribe('orders');
    await spot.order(bob, 'sell', '30005', '0.002');
    await spot.cancel(ann, ask);
    await stream.until('the rows of both', () => stream.rows('orders').length === 2);
    const names = 'id cumFillSize cumFillFee latestFillPrice maxFillPrice minFillPrice';
    assert.deepEqual(
      stream.rows('orders').map((row) => picked(row, names)),
      [
        [bid, '0.03', '0.00003', '30010.00', '30010.00', '30000.00'],
        [ask, '0.01', '0.31', '31000.00', '31000.00', '31000.00'],
      ],
    );
    await stream.close();
  });

  test('adds up more fills than a page of the history holds', async () => {
    const [ann, bob] = await spot.pair({ USDT: '100000', BTC: '10' });
    const fillsCount = 2 * LIMITS.pageRowsMax + 1;
    const bid = await spot.order(ann, 'buy', '30000', '2');
    const sale = { side: 'sell', price: '30000', quantity: '0.001' } as const;
    const sales = Array.from({ length: fillsCount }, () => spot.place(bob, sale));
    await Promise.all(sales);
    const stream = await CurrentStream.private(spot.house, 'spot', ann);
    await stream.subscribe('orders');
    await spot.cancel(ann, bid);
    const [row] = (await stream.event('orders')).d as Row[];
    assert.deepEqual(picked(present(row, 'row'), 'cumFillSize cumFillFee minFillPrice'), [
      ...['1.001', '0.001001', '30000.00'],
    ]);
    await stream.close();
  });

  test('names a deposit, and counts above all before when a client has come back', async () => {
    const [stream, ann] = await spotPair();
    await spot.house.deposit(ann.accountId, 'USDT', '5');
    const first = await stream.event('account');
    assert.equal(first.msgEvent, 'DepositUpdate');
    await stream.close();
    const again = await CurrentStream.private(spot.house, 'spot', ann);
    await again.subscribe('account');
    await spot.house.deposit(ann.accountId, 'USDT', '5');
    const second = await again.event('account');
    assert.ok(Number(second.v) > Number(first.v), `${second.v} after ${first.v}`);
    assert.deepEqual(second.d, [
      { coin: 'USDT', equity: '10010', available: '10010', frozen: '0' },
    ]);
    await again.close();
  });

  test('shows what the other interface does, and what it does is shown there', async () => {
    const [stream, ann] = await spotPair();
    const fields = { side: 'buy', orderType: 'market', force: 'normal', quantity: '100' };
    await spot.order(ann, 'sell', '31000', '0.01');
    const row = (await stream.event('orders')).d as Row[];
    assert.equal(row[0]?.status, 'NEW');
    const reply = await spot.call(ann, 'placeOrder', { ...fields, symbol: 'BTCUSDT_SPBL' });
    assert.equal(reply.status, 200, reply.text);
    await stream.until('the end', () =>
      stream.rows('orders').some(({ type }) => type === 'MARKET'),
    );
    const market = present(
      stream.rows('orders').find(({ type }) => type === 'MARKET'),
      'row',
    );
    assert.deepEqual(picked(market, 'price timeInForce value'), ['0', 'IOC', '100']);
    await stream.close();
  });
});

async function contractPair(): Promise<[CurrentStream, Trader, Trader]> {
  const [ann, bob] = await desk.pair();
  const stream = await CurrentStream.private(desk.house, 'contract', ann);
  await stream.subscribe('orders', 'fill', 'positions', 'account');
  return [stream, ann, bob];
}

describe('a private stream of contracts', () => {
  test('sends orders, fills, positions and money of a step in this order', async () => {
    const [stream, ann, bob] = await contractPair();
    await desk.order(bob, 'open_short', 30_000, 10);
    const coming = until(stream, 'account');
    await desk.order(ann, 'open_long', 30_000, 10);
    const messages = await coming;
    const heads = messages.map(({ e }) => e);
    assert.deepEqual(heads, ['orders', 'fill', 'positions', 'account']);
    assertCounted(messages);
    const [orders, fills, positions, money] = messages.map(({ d }) => d as Row[]);
    assert.deepEqual(
      [orders?.length, fills?.length, positions?.length, money?.length],
      [1, 1, 1, 1],
    );
    assertFields(orders?.[0], CONTRACT_ORDER_FIELDS);
    assertFields(fills?.[0], CONTRACT_FILL_FIELDS);
    assertFields(positions?.[0], POSITION_FIELDS);
    assertFields(money?.[0], ACCOUNT_FIELDS);
    assert.deepEqual(picked(present(orders?.[0], 'order'), 'positionSide orderSide size status'), [
      ...['LONG', 'BUY', '0.01', 'FILLED'],
    ]);
    assert.deepEqual(
      picked(present(fills?.[0], 'fill'), 'fillSize fillValue fillFee realizePnl direction'),
      ['0.01', '300', '0.18', '0', 'TAKER'],
    );
    assert.deepEqual(
      picked(present(positions?.[0], 'position'), 'side size openValue openFee leverage'),
      ['LONG', '0.01', '300', '0.18', '20'],
    );
    assert.deepEqual(picked(present(money?.[0], 'money'), 'coin amount legacyAmount'), [
      ...['USDT', '99984.82', '99999.82'],
    ]);
    await stream.close();
  });

  test('knows at which prices orders were filled before anybody followed them', async () => {
    const [ann, bob] = await desk.pair();
    for (const price of [30_000, 29_990]) await desk.order(bob, 'open_short', price, 10);
    await desk.order(ann, 'open_long', 30_010, 50);
    await desk.order(bob, 'open_short', 30_010, 10);
    const stream = await CurrentStream.private(desk.house, 'contract', ann);
    await stream.subscribe('orders');
    await desk.order(bob, 'open_short', 30_010, 10);
    const [row] = (await stream.event('orders')).d as Row[];
    const names = 'cumFillSize latestFillPrice maxFillPrice minFillPrice';
    assert.deepEqual(picked(present(row, 'row'), names), [
      ...['0.04', '30010.0', '30010.0', '29990.0'],
    ]);
    await stream.close();
  });

  test('sends a position that is closed once more, with its totals', async () => {
    const [stream, ann, bob] = await contractPair();
    await desk.trade(ann, bob, 30_000, 10);
    await desk.order(bob, 'close_short', 30_100, 4);
    await desk.order(ann, 'close_long', 30_100, 4);
    await desk.order(bob, 'close_short', 30_200, 6);
    await desk.order(ann, 'close_long', 30_200, 6);
    await stream.until('the close', () => stream.rows('positions').length === 3);
    const rows = stream.rows('positions');
    assert.equal(new Set(rows.map(({ id }) => id)).size, 1);
    assert.deepEqual(
      rows.map((row) => picked(row, 'size openValue cumCloseSize cumCloseValue')),
      [
        ['0.01', '300', '0', '0'],
        ['0.006', '180', '0.004', '120.4'],
        ['0', '0', '0.01', '301.6'],
      ],
    );
    const fees = stream.rows('fill').map(({ fillFee }) => Number(fillFee));
    const last = present(rows.at(-1), 'row');
    assert.equal(last.cumOpenFee, '0.18');
    assert.equal(
      Number(last.cumCloseFee),
      fees.slice(1).reduce((sum, fee) => sum + fee, 0),
    );
    await desk.trade(ann, bob, 30_000, 1);
    await stream.until('another one', () => stream.rows('positions').length === 4);
    assert.notEqual(stream.rows('positions').at(-1)?.id, last.id);
    await stream.close();
  });

  test('sends nothing for a mark price alone, nor for what others do', async () => {
    const [stream, ann, bob] = await contractPair();
    await desk.trade(ann, bob, 30_000, 10);
    await stream.event('account');
    const heard = stream.messages.length;
    await desk.setIndex(30_500);
    await desk.tick();
    await desk.order(bob, 'open_short', 31_000, 1);
    await desk.setIndex(30_000);
    await desk.tick();
    await desk.order(ann, 'open_long', 29_000, 1);
    const next = await stream.event('orders');
    assert.equal(stream.messages.indexOf(next), heard);
    await stream.close();
  });

  test('sends what waits for a trigger, and its end', async () => {
    const [stream, ann] = await contractPair();
    const plan = await desk.data(ann, 'placePlan', {
      ...{ symbol: OPEN_LONG.symbol, type: '1', holdSide: '1', match_type: '0', size: '10' },
      ...{ execute_price: '29000', trigger_price: '29500', client_oid: 'dip' },
    });
    const id = String(plan.order_id);
    await desk.data(ann, 'cancelPlan', { symbol: OPEN_LONG.symbol, orderId: id });
    await stream.until('its end', () => stream.rows('orders').length === 2);
    const rows = stream.rows('orders');
    for (const row of rows) assertFields(row, CONTRACT_ORDER_FIELDS);
    const names = 'id clientOrderId type status triggerPrice triggerPriceType price size';
    assert.deepEqual(
      rows.map((row) => picked(row, names)),
      [
        [id, 'dip', 'STOP', 'UNTRIGGERED', '29500.0', 'CONTRACT_PRICE', '29000.0', '0.01'],
        [id, 'dip', 'STOP', 'CANCELED', '29500.0', 'CONTRACT_PRICE', '29000.0', '0.01'],
      ],
    );
    await stream.close();
  });

  test('names a transfer and a liquidation', async () => {
    const [stream, ann, bob] = await contractPair();
    await desk.fund(ann, '1');
    assert.equal((await stream.event('account')).msgEvent, 'DepositUpdate');
    await desk.trade(ann, bob, 30_000, 10);
    await desk.order(bob, 'open_long', 26_000, 10);
    await desk.setIndex(26_000);
    await desk.tick();
    await stream.until('the end of the liquidation', () =>
      stream.messages.some(
        ({ e, msgEvent }) => e === 'account' && msgEvent === 'FinishLiquidating',
      ),
    );
    const ofStep = stream.messages.filter(({ msgEvent }) => /Liquidating/.test(String(msgEvent)));
    assert.deepEqual(
      ofStep.map(({ e, msgEvent }) => [e, msgEvent]),
      [
        ['orders', 'StartLiquidating'],
        ['fill', 'StartLiquidating'],
        ['positions', 'FinishLiquidating'],
        ['account', 'FinishLiquidating'],
      ],
    );
    await desk.setIndex(30_000);
    await desk.tick();
    await stream.close();
  });

  test('sends nothing of inverse contracts', async () => {
    const [stream, ann, bob] = await contractPair();
    await desk.trade(ann, bob, 30_000, 10, 'cmt_btcusd');
    await desk.order(ann, 'open_long', 29_000, 1);
    await stream.event('account');
    assert.deepEqual(
      stream.rows('orders').map(({ coin }) => coin),
      ['USDT'],
    );
    assert.deepEqual([...stream.rows('fill'), ...stream.rows('positions')], []);
    await stream.close();
  });
});

test('ids are those of the venue', async () => {
  const [stream, ann, bob] = await contractPair();
  await desk.order(bob, 'open_short', 30_000, 1);
  const events = await desk.order(ann, 'open_long', 30_000, 1);
  const trade = present(
    events.find(({ kind }) => kind === 'contract_trade'),
    'trade',
  );
  assert.ok(trade.kind === 'contract_trade');
  await stream.event('account');
  assert.equal(stream.rows('fill')[0]?.id, formatId(trade.tradeId));
  assert.equal(stream.rows('orders')[0]?.id, formatId(trade.taker.orderId));
  await stream.close();
});

test('a wallet for all contracts of a coin is one row', async () => {
  const { house } = desk;
  const settings = { ...accountSettings('pooled'), wallets: 'coin' } as const;
  const [created] = await house.run({ kind: 'create_account', settings });
  assert.ok(created?.kind === 'account_created');
  const { accountId } = created;
  const ann: Trader = { accountId, ...(await house.addKey(accountId, 'pooled-key')) };
  const stream = await CurrentStream.private(house, 'contract', ann);
  await stream.subscribe('orders', 'positions', 'account');
  await house.deposit(accountId, 'USDT', '1000', 'margin');
  const first = await stream.event('account');
  assert.equal(first.msgEvent, 'DepositUpdate');
  const [bob] = await desk.pair();
  await desk.trade(ann, bob, 30_000, 10);
  await stream.until('the money', () => stream.rows('account').length === 2);
  const rows = stream.rows('account').map((row) => picked(row, 'coin amount legacyAmount'));
  assert.deepEqual(rows, [
    ['USDT', '1000', '1000'],
    ['USDT', '984.82', '999.82'],
  ]);
  await stream.close();
});
