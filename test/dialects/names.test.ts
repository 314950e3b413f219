/** What has no id of its client's choice is called by its own id, in the form of every dialect. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { SYMBOL } from '../support/current-desk.ts';
import { LINEAR_SYMBOL, type Row as Plan } from '../support/swap-desk.ts';
import { CurrentContractDesk, OPEN_LONG, OPEN_SHORT, type Row } from './current-contract-desk.ts';

const desk = await CurrentContractDesk.open();
closedAtEnd(desk.house);
const ORDER = { ...OPEN_LONG, price: '28000', quantity: '0.01' };
const WAITING = { ...OPEN_LONG, symbol: SYMBOL, type: 'STOP_MARKET', quantity: '0.01' };
/** What a client may choose in the strictest dialect. */
const PATTERN = /^[A-Za-z0-9_-]{1,36}$/;

test('orders, plans and their presets have names that a client could have chosen', async () => {
  const [ann, bob] = await desk.pair();
  const presets = { tpTriggerPrice: '31000', slTriggerPrice: '29000' };
  await desk.place(bob, { ...OPEN_SHORT, price: '30000', quantity: '0.01' });
  await desk.place(ann, { ...OPEN_LONG, type: 'MARKET', quantity: '0.01', ...presets });
  await desk.act(ann, 'placeAlgoOrder', { ...WAITING, triggerPrice: '30500' });
  await desk.place(ann, ORDER);
  const page = { symbol: LINEAR_SYMBOL, pageIndex: '1', pageSize: '20' };
  const plans = await desk.swap.data<Plan[]>(ann, 'openPlans', page);
  assert.equal(plans.length, 3);
  for (const { client_oid: name, order_id: id } of plans) {
    assert.match(String(name), PATTERN);
    assert.equal(name, id);
    const found = await desk.ask(ann, 'contractOrder', { origClientOrderId: name });
    assert.equal(String(found.orderId), id);
    await assert.rejects(desk.ask(bob, 'contractOrder', { origClientOrderId: name }), /-3200/);
  }
  const [open] = await desk.ask<Row[]>(ann, 'contractOpenOrders');
  assert.equal(open?.clientOrderId, String(open?.orderId));
  const origClientOrderId = open?.clientOrderId;
  await desk.act(ann, 'cancelContractOrder', { origClientOrderId });
  const closed = await desk.ask(ann, 'contractOrder', { origClientOrderId });
  assert.deepEqual([closed.orderId, closed.status], [open?.orderId, 'CANCELED']);
});

test('of two orders of one name the one is meant whose client chose it', async () => {
  const [ann] = await desk.pair();
  const { orderId } = await desk.place(ann, ORDER);
  const chosen = await desk.place(ann, { ...ORDER, newClientOrderId: orderId });
  assert.notEqual(chosen.orderId, orderId);
  const name = { origClientOrderId: orderId };
  assert.equal(String((await desk.ask(ann, 'contractOrder', name)).orderId), chosen.orderId);
  await desk.act(ann, 'cancelContractOrder', name);
  await desk.act(ann, 'cancelContractOrder', name);
  assert.deepEqual(await desk.ask(ann, 'contractOpenOrders'), []);
  assert.equal(String((await desk.ask(ann, 'contractOrder', name)).orderId), chosen.orderId);
});
