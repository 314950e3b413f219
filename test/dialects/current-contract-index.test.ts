/** Triggers at the index price and changed triggers through the current interface. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENT_CONTRACT_ENDPOINTS as CALLS } from '#dialects';
import { closedAtEnd } from '../support/at-end.ts';
import { SYMBOL } from '../support/current-desk.ts';
import {
  CLOSE_LONG,
  CurrentContractDesk,
  OPEN_LONG,
  OPEN_SHORT,
  type Row,
} from './current-contract-desk.ts';

const desk = await CurrentContractDesk.open();
closedAtEnd(desk.house);

type Trader = Parameters<typeof desk.act>[0];

/** Ann is long 0.02 from 30000. */
async function holders(): Promise<[Trader, Trader]> {
  const [ann, bob] = await desk.pair();
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', '0.02');
  return [ann, bob];
}

async function waiting(who: Trader): Promise<Row[]> {
  return desk.ask<Row[]>(who, 'openAlgoOrders', { symbol: SYMBOL });
}

function shown(row: Row | undefined) {
  const { orderType, triggerPrice, workingType, price, quantity } = row ?? {};
  return [orderType, triggerPrice, workingType, price, quantity].join(' ');
}

test('orders, presets and TP/SL of positions look at the index price', async () => {
  const [ann, bob] = await holders();
  await desk.act(ann, 'placeAlgoOrder', {
    ...{ ...CLOSE_LONG, symbol: SYMBOL, type: 'STOP_MARKET', quantity: '0.01' },
    ...{ triggerPrice: '29500', workingType: 'INDEX_PRICE', clientAlgoId: 'stop' },
  });
  const plan = { symbol: SYMBOL, positionSide: 'LONG', planType: 'TAKE_PROFIT' };
  await desk.act(ann, 'placeTpSlOrder', {
    ...{ ...plan, triggerPrice: '31000', triggerPriceType: 'INDEX_PRICE', clientAlgoId: 'tp' },
  });
  await desk.place(bob, { ...OPEN_SHORT, price: '30000', quantity: '0.01' });
  const attached = { slTriggerPrice: '29000', SlWorkingType: 'INDEX_PRICE' };
  await desk.place(ann, { ...OPEN_LONG, type: 'MARKET', quantity: '0.01', ...attached });
  assert.deepEqual((await waiting(ann)).map(shown), [
    'STOP_MARKET 29000.0 INDEX_PRICE 0 0.01',
    'TAKE_PROFIT_MARKET 31000.0 INDEX_PRICE 0 0',
    'STOP_MARKET 29500.0 INDEX_PRICE 0 0.01',
  ]);
  await desk.place(bob, { ...OPEN_LONG, price: '29400', quantity: '0.05' });
  await desk.swap.setIndex(29_500);
  assert.equal((await waiting(ann)).length, 2);
  const { orders } = await desk.ask<{ orders: Row[] }>(ann, 'allAlgoOrders');
  assert.deepEqual(
    [orders[0]?.clientAlgoId, orders[0]?.workingType, orders[0]?.algoStatus],
    ['stop', 'INDEX_PRICE', 'FILLED'],
  );
});

test('what waits gets another trigger, price and quantity, and keeps its id', async () => {
  const [ann] = await holders();
  const { orderId } = await desk.act(ann, 'placeAlgoOrder', {
    ...{ ...OPEN_LONG, symbol: SYMBOL, type: 'STOP', quantity: '0.01', clientAlgoId: 'entry' },
    ...{ triggerPrice: '30500', price: '30600', presetTakeProfitPrice: '32000' },
  });
  await desk.act(ann, 'modifyAlgoOrder', { orderId, triggerPrice: '30700' });
  const [moved] = await waiting(ann);
  assert.equal(shown(moved), 'STOP 30700.0 CONTRACT_PRICE 30600.0 0.01');
  assert.deepEqual([String(moved?.algoId), moved?.clientAlgoId], [orderId, 'entry']);
  await desk.act(ann, 'modifyAlgoOrder', {
    ...{ orderId, triggerPrice: '30800', workingType: 'INDEX_PRICE', price: '0' },
    ...{ quantity: '0.02' },
  });
  const [again] = await waiting(ann);
  assert.equal(shown(again), 'STOP_MARKET 30800.0 INDEX_PRICE 0 0.02');
  assert.equal(again?.tpTriggerPrice, '32000.0');
});

test('a change that cannot be is refused, and nothing changes', async () => {
  const [ann, bob] = await holders();
  const { orderId } = await desk.act(ann, 'placeAlgoOrder', {
    ...{ ...CLOSE_LONG, symbol: SYMBOL, type: 'STOP_MARKET', quantity: '0.01' },
    ...{ triggerPrice: '29000', clientAlgoId: 'stop' },
  });
  const refusal = async (who: Trader, fields: object) =>
    (await desk.refusal(who, CALLS.modifyAlgoOrder, { orderId, ...fields })).slice(0, 2);
  const trigger = { triggerPrice: '28500' };
  assert.deepEqual(await refusal(bob, trigger), [400, -3200]);
  assert.deepEqual(await refusal(ann, {}), [400, -1141]);
  assert.deepEqual(await refusal(ann, { triggerPrice: '30500' }), [400, -1128]);
  assert.equal((await refusal(ann, { ...trigger, quantity: '0' }))[0], 400);
  assert.equal((await refusal(ann, { ...trigger, workingType: 'BEST_PRICE' }))[0], 400);
  const [kept] = await waiting(ann);
  assert.equal(shown(kept), 'STOP_MARKET 29000.0 CONTRACT_PRICE 0 0.01');
});
