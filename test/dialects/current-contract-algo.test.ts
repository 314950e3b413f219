/** Trigger orders, take-profits, stop-losses and closing through the current interface. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENT_CONTRACT_ENDPOINTS as CALLS } from '#dialects';
import { closedAtEnd } from '../support/at-end.ts';
import { SYMBOL } from '../support/current-desk.ts';
import { LINEAR_SYMBOL, type Row as Plan } from '../support/swap-desk.ts';
import {
  CLOSE_LONG,
  CurrentContractDesk,
  OPEN_LONG,
  OPEN_SHORT,
  type Row,
} from './current-contract-desk.ts';

const desk = await CurrentContractDesk.open();
closedAtEnd(desk.house);

/** Places a trigger order. */
function wait(who: Parameters<typeof desk.act>[0], fields: object) {
  return desk.act(who, 'placeAlgoOrder', { symbol: SYMBOL, quantity: '0.01', ...fields });
}

const STOP = { ...CLOSE_LONG, type: 'STOP_MARKET' };
const PROFIT = { ...CLOSE_LONG, type: 'TAKE_PROFIT' };

test('attached triggers wait with ids of their own once the order has filled', async () => {
  const [ann, bob] = await desk.pair();
  await desk.place(bob, { ...OPEN_SHORT, price: '30000', quantity: '0.01' });
  const attached = {
    tpTriggerPrice: '31000',
    slTriggerPrice: '29000',
    SlWorkingType: 'MARK_PRICE',
  };
  const bought = { ...OPEN_LONG, type: 'MARKET', quantity: '0.01', ...attached };
  const { orderId } = await desk.place(ann, bought);
  const waiting = await desk.ask<Row[]>(ann, 'openAlgoOrders', { symbol: SYMBOL });
  assert.deepEqual(
    waiting
      .map(({ orderType, triggerPrice, workingType }) => [orderType, triggerPrice, workingType])
      .sort(),
    [
      ['STOP_MARKET', '29000.0', 'MARK_PRICE'],
      ['TAKE_PROFIT_MARKET', '31000.0', 'CONTRACT_PRICE'],
    ],
  );
  assert.ok(
    waiting.every(({ algoId, reduceOnly }) => algoId !== orderId && `${reduceOnly}` === 'true'),
  );
  await desk.place(bob, { ...OPEN_LONG, price: '28950', quantity: '0.01' });
  await desk.swap.setIndex(28_999);
  await desk.swap.tick();
  assert.deepEqual(await desk.ask(ann, 'openAlgoOrders'), [], 'one fires, the other is cancelled');
  const { orders } = await desk.ask<{ orders: Row[] }>(ann, 'allAlgoOrders');
  assert.deepEqual(orders.map(({ algoStatus }) => algoStatus).sort(), ['CANCELED', 'FILLED']);
});

test('a stop and a take-profit keep their direction and are found as orders', async () => {
  const [ann, bob] = await desk.pair();
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', '0.02');
  const stop = await wait(ann, { ...STOP, triggerPrice: '29000', clientAlgoId: 'stop-1' });
  assert.equal(stop.clientOrderId, 'stop-1');
  const profit = await wait(ann, { ...PROFIT, triggerPrice: '32000', price: '31990' });
  for (const [{ orderId }, type, trigger] of [
    [stop, 'STOP_MARKET', '29000.0'],
    [profit, 'TAKE_PROFIT', '32000.0'],
  ] as const) {
    const order = await desk.ask(ann, 'contractOrder', { orderId });
    assert.deepEqual(
      [order.type, order.status, order.stopPrice, `${order.reduceOnly}`],
      [type, 'UNTRIGGERED', trigger, 'true'],
    );
  }
  assert.deepEqual(await desk.ask(ann, 'contractOpenOrders'), [], 'they are no open orders');
  const reached = { symbol: SYMBOL, ...STOP, quantity: '0.01', triggerPrice: '30500' };
  assert.deepEqual(
    (await desk.refusal(ann, CALLS.placeAlgoOrder, reached)).slice(0, 2),
    [400, -1128],
  );
  await desk.act(ann, 'cancelAlgoOrder', { orderId: stop.orderId });
  const ended = await desk.ask<Row[]>(ann, 'contractOrderHistory', { symbol: SYMBOL });
  assert.deepEqual(
    [ended[0]?.type, ended[0]?.status, ended[0]?.stopPrice],
    ['STOP_MARKET', 'CANCELED', '29000.0'],
  );
  assert.equal((await desk.act<Row[]>(ann, 'cancelAllAlgoOrders', {})).length, 1);
});

test('an entry waits for the price from wherever it is, and brings its presets', async () => {
  const [ann, bob] = await desk.pair();
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', '0.001');
  const presets = { presetTakeProfitPrice: '33000', presetStopLossPrice: '29000' };
  const entry = { ...OPEN_LONG, type: 'STOP', triggerPrice: '30500', price: '30600', ...presets };
  const { orderId } = await wait(ann, entry);
  const [waiting] = await desk.ask<Row[]>(ann, 'openAlgoOrders');
  assert.deepEqual(
    [waiting?.orderType, waiting?.tpTriggerPrice, waiting?.slTriggerPrice, waiting?.price],
    ['STOP', '33000.0', '29000.0', '30600.0'],
  );
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30500', '0.001');
  await desk.swap.tick();
  const [placed] = await desk.ask<Row[]>(ann, 'contractOpenOrders');
  assert.deepEqual([placed?.price, placed?.origQty, placed?.type], ['30600.0', '0.01', 'LIMIT']);
  const { orders } = await desk.ask<{ orders: Row[] }>(ann, 'allAlgoOrders');
  assert.equal(String(orders[0]?.algoId), orderId);
  assert.equal(orders[0]?.actualOrderId, placed?.orderId);
  await desk.act(ann, 'cancelContractOrder', { orderId: placed?.orderId });
});

test('an entry is shown as what it was placed as, whichever way its price goes', async () => {
  const [ann] = await desk.pair();
  const fields = { ...OPEN_LONG, price: '29000' };
  for (const [at, type] of ['TAKE_PROFIT', 'TAKE_PROFIT_MARKET', 'STOP', 'STOP_MARKET'].entries()) {
    for (const triggerPrice of ['29000', '31000']) {
      const clientAlgoId = `entry-${at}-${triggerPrice}`;
      const { orderId } = await wait(ann, { ...fields, type, triggerPrice, clientAlgoId });
      const [waiting] = await desk.ask<Row[]>(ann, 'openAlgoOrders');
      assert.deepEqual([waiting?.clientAlgoId, waiting?.orderType], [clientAlgoId, type]);
      assert.equal((await desk.ask(ann, 'contractOrder', { orderId })).type, type);
      await desk.act(ann, 'cancelAlgoOrder', { orderId });
      const { orders } = await desk.ask<{ orders: Row[] }>(ann, 'allAlgoOrders');
      assert.equal(orders[0]?.orderType, type);
      const origClientOrderId = clientAlgoId;
      const ended = await desk.ask(ann, 'contractOrder', { origClientOrderId });
      assert.deepEqual(
        [String(ended.orderId), ended.type, ended.status],
        [orderId, type, 'CANCELED'],
      );
    }
  }
});

test('the average price of what a trigger order placed is shown, open or closed', async () => {
  const [ann, bob] = await desk.pair();
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', '0.001');
  const stop = { ...OPEN_LONG, type: 'STOP', triggerPrice: '30500', price: '30600' };
  await wait(ann, { ...stop, clientAlgoId: 'breakout' });
  assert.equal((await desk.ask<Row[]>(ann, 'openAlgoOrders'))[0]?.actualPrice, '0');
  await desk.place(bob, { ...OPEN_SHORT, price: '30500', quantity: '0.002' });
  await desk.place(bob, { ...OPEN_SHORT, price: '30600', quantity: '0.003' });
  await desk.place(ann, { ...OPEN_LONG, type: 'MARKET', quantity: '0.001' });
  await desk.swap.tick();
  const [open] = await desk.ask<Row[]>(ann, 'contractOpenOrders');
  assert.equal(open?.executedQty, '0.004');
  const shown = async () => {
    const { orders } = await desk.ask<{ orders: Row[] }>(ann, 'allAlgoOrders');
    return [orders[0]?.actualOrderId, orders[0]?.actualPrice];
  };
  assert.deepEqual(await shown(), [open?.orderId, '30575']);
  await desk.act(ann, 'cancelContractOrder', { orderId: open?.orderId });
  assert.deepEqual(await shown(), [open?.orderId, '30575']);
  const fired = await desk.ask(ann, 'contractOrder', { origClientOrderId: 'breakout' });
  assert.deepEqual([fired.type, fired.status], ['STOP', 'FILLED']);
});

test('take-profit and stop-loss of a whole position are placed and modified', async () => {
  const [ann, bob] = await desk.pair();
  const plan = {
    symbol: SYMBOL,
    positionSide: 'LONG',
    planType: 'STOP_LOSS',
    triggerPrice: '29000',
  };
  assert.deepEqual(
    (await desk.refusal(ann, CALLS.placeTpSlOrder, plan)).slice(0, 2),
    [400, -1054],
    'it needs a position',
  );
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', '0.02');
  await desk.act(ann, 'placeTpSlOrder', {
    ...plan,
    clientAlgoId: 'sl',
    triggerPriceType: 'MARK_PRICE',
  });
  const [whole] = await desk.ask<Row[]>(ann, 'openAlgoOrders');
  assert.deepEqual(
    [whole?.orderType, `${whole?.closePosition}`, whole?.workingType, whole?.quantity],
    ['STOP_MARKET', 'true', 'MARK_PRICE', '0'],
  );
  const { algoId: orderId } = whole ?? {};
  await desk.act(ann, 'modifyTpSlOrder', { orderId, triggerPrice: '28500', executePrice: '28400' });
  const [modified] = await desk.ask<Row[]>(ann, 'openAlgoOrders');
  assert.deepEqual(
    [modified?.algoId, modified?.triggerPrice, modified?.price, modified?.orderType],
    [orderId, '28500.0', '28400.0', 'STOP'],
  );
});

test('with a price they place limit orders when they fire', async () => {
  const [ann, bob] = await desk.pair();
  const [cay] = await desk.pair();
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', '0.02');
  const profit = await wait(ann, { ...PROFIT, triggerPrice: '30200', price: '30300' });
  await desk.act(ann, 'placeTpSlOrder', {
    ...{ symbol: SYMBOL, positionSide: 'LONG', planType: 'STOP_LOSS', clientAlgoId: 'sl' },
    ...{ triggerPrice: '29800', executePrice: '29900' },
  });
  await desk.deal([bob, OPEN_SHORT], [cay, OPEN_LONG], '30200', '0.001');
  const [taken] = await desk.ask<Row[]>(ann, 'contractOpenOrders');
  const shown = (order: Row | undefined) => {
    const { type, side, positionSide, price, origQty, reduceOnly } = order ?? {};
    return [type, side, positionSide, price, origQty, `${reduceOnly}`];
  };
  assert.deepEqual(shown(taken), ['LIMIT', 'SELL', 'LONG', '30300.0', '0.01', 'true']);
  const { orders } = await desk.ask<{ orders: Row[] }>(ann, 'allAlgoOrders');
  const { algoId, algoStatus, actualOrderId } = orders[0] ?? {};
  assert.deepEqual([String(algoId), algoStatus], [profit.orderId, 'FILLED']);
  assert.equal(actualOrderId, taken?.orderId);
  await desk.deal([bob, OPEN_SHORT], [cay, OPEN_LONG], '29800', '0.001');
  const left = await desk.ask<Row[]>(ann, 'contractOpenOrders');
  const whole = ['LIMIT', 'SELL', 'LONG', '29900.0', '0.02', 'true'];
  assert.deepEqual(left.map(shown), [whole], 'the stop takes what the profit had');
});

test('the classic interface shows one for a whole position and cancels it', async () => {
  const [ann, bob] = await desk.pair();
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', '0.02');
  await desk.act(ann, 'placeTpSlOrder', {
    ...{ symbol: SYMBOL, positionSide: 'LONG', planType: 'TAKE_PROFIT', clientAlgoId: 'tp' },
    triggerPrice: '32000',
  });
  const { swap } = desk;
  const classic = { symbol: LINEAR_SYMBOL };
  const [plan, ...others] = await swap.data<Plan[]>(ann, 'openPlans', classic);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [plan?.delegate_count, plan?.client_oid, plan?.trigger_price, plan?.execute_price],
    ['0', 'tp', '32000.0', '0'],
  );
  await swap.data(ann, 'cancelPlan', { ...classic, orderId: plan?.order_id });
  assert.deepEqual(await swap.data(ann, 'openPlans', classic), []);
  assert.deepEqual(await desk.ask(ann, 'openAlgoOrders'), []);
  const { orders } = await desk.ask<{ orders: Row[] }>(ann, 'allAlgoOrders');
  assert.deepEqual(
    orders.map(({ clientAlgoId, algoStatus, closePosition }) => [
      ...[clientAlgoId, algoStatus, `${closePosition}`],
    ]),
    [['tp', 'CANCELED', 'true']],
  );
});

test('positions are closed whole, their resting closes first', async () => {
  const [ann, bob] = await desk.pair();
  assert.deepEqual(await desk.act(ann, 'closePositions', {}), []);
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', '0.02');
  await desk.place(ann, { ...CLOSE_LONG, price: '30900', quantity: '0.02' });
  await desk.place(bob, { ...OPEN_LONG, price: '29990', quantity: '0.02' });
  const held = await desk.position(ann);
  const wrong = { symbol: SYMBOL, positionId: '424242' };
  assert.deepEqual(
    (await desk.refusal(ann, CALLS.closePositions, wrong)).slice(0, 2),
    [400, -1142],
  );
  const [closed] = await desk.act<Row[]>(ann, 'closePositions', { positionId: held?.id });
  assert.deepEqual([String(closed?.positionId), `${closed?.success}`], [String(held?.id), 'true']);
  assert.equal(await desk.position(ann), undefined);
  assert.deepEqual(await desk.ask(ann, 'contractOpenOrders'), []);
});

test('an open order is moved, and its place is kept only when its size falls', async () => {
  const [ann, bob] = await desk.pair();
  const asked = { ...OPEN_LONG, price: '29000', quantity: '0.01' };
  const { orderId } = await desk.place(ann, asked);
  await desk.place(bob, asked);
  await desk.act(ann, 'moveContractOrder', { orderId, price: '29000', quantity: '0.006' });
  const taker = { ...OPEN_SHORT, type: 'MARKET', quantity: '0.006' };
  await desk.place(bob, taker);
  assert.equal((await desk.ask(ann, 'contractOrder', { orderId })).status, 'FILLED');
  const { orderId: next } = await desk.place(ann, asked);
  await desk.act(ann, 'moveContractOrder', { orderId: next, price: '29100.5', quantity: '0.02' });
  const moved = await desk.ask(ann, 'contractOrder', { orderId: next });
  assert.deepEqual([moved.price, moved.origQty], ['29100.5', '0.02']);
  await desk.act(ann, 'cancelAllContracts', {});
  await desk.act(bob, 'cancelAllContracts', {});
});
