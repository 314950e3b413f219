/** Orders and trigger orders found by their ids alone: no market is named. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { orderId } from '#domain';
import { present } from '#kernel';
import { acceptedId, BTCUSDT, ETHUSDT } from '../support/floor.ts';
import { TwoContracts } from './two-contracts.ts';

test('a contract order is found by its client id over all contracts of its account', () => {
  const desk = new TwoContracts();
  const { mia, tom, contracts } = desk;
  const { engine } = desk;
  const [first, second] = contracts;
  const grid = desk.bid(mia, second, 'grid-1');
  const made = desk.bid(mia, first);
  assert.equal(engine.openContractOrderByClientId(mia, 'grid-1')?.orderId, grid);
  assert.equal(engine.openContractOrder(orderId(made))?.clientOrderId, undefined);
  assert.equal(engine.openContractOrderByClientId(tom, 'grid-1'), undefined);
  const { instrumentId } = present(engine.openContractOrder(orderId(grid)), 'order by id');
  desk.run({
    kind: 'cancel_contract_order',
    accountId: mia,
    instrumentId,
    orderId: orderId(grid),
  });
  assert.equal(engine.openContractOrderByClientId(mia, 'grid-1'), undefined);
});

test('a trigger order is found by its id and by its client id', () => {
  const desk = new TwoContracts();
  const { mia, tom, contracts } = desk;
  const { engine } = desk;
  const named = desk.plan(mia, contracts[1], 'plan-1');
  const unnamed = desk.plan(mia, contracts[0]);
  assert.equal(engine.waitingTrigger(orderId(named))?.clientOrderId, 'plan-1');
  assert.equal(engine.waitingTriggerByClientId(mia, 'plan-1')?.orderId, named);
  assert.equal(engine.waitingTrigger(orderId(unnamed))?.clientOrderId, undefined);
  assert.equal(engine.waitingTriggerByClientId(tom, 'plan-1'), undefined);
  // An order and a trigger order share their ids, and are not taken for each other.
  assert.equal(engine.openContractOrderByClientId(mia, 'plan-1'), undefined);
  const order = desk.bid(mia, contracts[0], 'order-1');
  assert.equal(engine.waitingTriggerByClientId(mia, 'order-1'), undefined);
  assert.equal(engine.waitingTrigger(orderId(order)), undefined);
});

test('the open orders and trigger orders of an account are listed over all contracts', () => {
  const desk = new TwoContracts();
  const { mia, tom, contracts } = desk;
  const { engine } = desk;
  const [first, second] = contracts;
  const orders = [desk.bid(mia, second), desk.bid(mia, first), desk.bid(mia, second)] as const;
  desk.bid(tom, first);
  const plans = [desk.plan(mia, second), desk.plan(mia, first)] as const;
  const ids = (found: Iterable<{ readonly orderId: number }>) =>
    [...found].map((item) => item.orderId);
  assert.deepEqual(ids(engine.openContractOrders(mia)), [orders[1], orders[2], orders[0]]);
  assert.deepEqual(ids(engine.waitingTriggers(mia)), [plans[1], plans[0]]);
  const { instrumentId } = desk.contractOf(second);
  assert.deepEqual(ids(engine.openContractOrders(mia, instrumentId)), [orders[2], orders[0]]);
  assert.deepEqual(ids(engine.waitingTriggers(mia, instrumentId)), [plans[0]]);
  assert.deepEqual(ids(engine.openContractOrders(mia, BTCUSDT)), []);
});

test('a spot order is found by its client id over all pairs of its account', () => {
  const desk = new TwoContracts();
  const { mia, tom } = desk;
  const { engine } = desk;
  const options = { instrument: ETHUSDT, clientOrderId: 'eth-1' };
  const id = acceptedId(desk.limit(mia, 'buy', '100', '1', options));
  assert.equal(engine.openOrderByClientId(mia, 'eth-1')?.instrumentId, ETHUSDT);
  assert.equal(engine.openOrderByClientId(tom, 'eth-1'), undefined);
  assert.equal(engine.openOrder(id)?.clientOrderId, 'eth-1');
});
