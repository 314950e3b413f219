/**
 * The bounds that the documentation of the contract endpoints gives: each value on the last step
 * within them, and the first one beyond, which is refused, unless it is a page size: that is cut.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { ORDER, SwapCalls } from './swap-calls.ts';
import type { DocumentedName } from './swap-documented.ts';

const calls = closedAtEnd(await SwapCalls.open());

type Change = Readonly<Record<string, unknown>>;

/** The rule, the call, a value within it, a value beyond it and how that one is answered. */
type Bound = readonly [
  rule: string,
  name: DocumentedName,
  within: Change,
  beyond: Change,
  code: string | undefined,
];

const items = (count: number) => new Array<object>(count).fill({ ...ORDER, client_oid: '' });
const TWELVE = [
  60, 180, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400, 604_800,
] as const;

const BOUNDS: readonly Bound[] = [
  ['depth from 1', 'depth', { limit: 1 }, { limit: 0 }, '40017'],
  ['depth to 200', 'depth', { limit: 200 }, { limit: 1_000 }, undefined],
  ['trades from 1', 'trades', { limit: 1 }, { limit: 0 }, '40017'],
  ['trades to 100', 'trades', { limit: 100 }, { limit: 200 }, undefined],
  ['rates: pages from 1', 'historyFundRate', { pageIndex: 1 }, { pageIndex: 0 }, '40017'],
  ['rates: rows from 1', 'historyFundRate', { pageSize: 1 }, { pageSize: 0 }, '40017'],
  ['history: pages from 1', 'history', { pageIndex: 1 }, { pageIndex: 0 }, '40017'],
  ['history: not in the future', 'history', { createDate: 0 }, { createDate: -1 }, '40017'],
  ['history: 90 days', 'history', { createDate: 90 }, { createDate: 91 }, '40705'],
  ['plans: pages from 1', 'currentPlan', { pageIndex: 1 }, { pageIndex: 0 }, '40017'],
  ['plans: pages to 200', 'currentPlan', { pageIndex: 200 }, { pageIndex: 201 }, '40303'],
  ['plans: rows from 1', 'currentPlan', { pageSize: 1 }, { pageSize: 0 }, '40017'],
  ['plans: rows to 100', 'currentPlan', { pageSize: 100 }, { pageSize: 101 }, undefined],
  ['past plans: pages to 200', 'historyPlan', { pageIndex: 200 }, { pageIndex: 201 }, '40303'],
  ['past plans: rows to 100', 'historyPlan', { pageSize: 100 }, { pageSize: 101 }, undefined],
  ['plans: directions to 4', 'currentPlan', { delegateType: 4 }, { delegateType: 5 }, '40017'],
  ['plans: sides to 4', 'historyPlan', { side: 4 }, { side: 5 }, '40017'],
  ['leverage from 1', 'leverage', { leverage: 1 }, { leverage: 0 }, '40020'],
  ['leverage to 100', 'leverage', { leverage: 100 }, { leverage: 101 }, '40020'],
  ['leverage: sides to 2', 'leverage', { holdSide: 2 }, { holdSide: 3 }, '40017'],
  ['automatic: 0 and 1', 'modifyAutoAppendMargin', { append_type: 1 }, { append_type: 2 }, '40017'],
  ['margin: 0 and 1', 'adjustMargin', { positionType: 0 }, { positionType: 2 }, '40017'],
  ['margin: 1 and 2', 'adjustMargin', { type: 2 }, { type: 3 }, '40017'],
  ['margin: above zero', 'adjustMargin', { amount: '0.1' }, { amount: '0' }, '40203'],
  ['hold models: 1 and 2', 'changeHoldModel', { holdModel: 1 }, { holdModel: 3 }, '40017'],
  ['a size that is not 0', 'placeOrder', { size: 1 }, { size: 0 }, '40108'],
  ['a size that is not negative', 'placeOrder', { size: 1 }, { size: -1 }, '40108'],
  ['types to 4', 'placeOrder', { type: 1 }, { type: 5 }, '40017'],
  ['order types to 3', 'placeOrder', { order_type: 3 }, { order_type: 4 }, '40017'],
  ['match prices to 1', 'placeOrder', { match_price: 0 }, { match_price: 2 }, '40017'],
  ['prices in steps', 'placeOrder', { price: '29000.5' }, { price: '29000.6' }, '40706'],
  ['prices in decimals', 'placeOrder', { price: '29000.50' }, { price: '29000.55' }, '40706'],
  [
    'ids of 40',
    'placeOrder',
    { client_oid: 'x'.repeat(40) },
    { client_oid: 'y'.repeat(41) },
    '40305',
  ],
  ['plans: a size', 'plan_order', { size: 1 }, { size: 0 }, '40108'],
  ['plans: types to 2', 'plan_order', { type: 1 }, { type: 3 }, '40017'],
  ['plans: match types to 1', 'plan_order', { match_type: 1 }, { match_type: 2 }, '40017'],
  [
    'plans: ids of 40',
    'plan_order',
    { client_oid: 'p'.repeat(40) },
    { client_oid: 'q'.repeat(41) },
    '40305',
  ],
  [
    '20 in a batch',
    'batchOrders',
    { orderDataList: items(20) },
    { orderDataList: items(21) },
    '40306',
  ],
  ...TWELVE.map((seconds): Bound => {
    const next = { granularity: seconds + 60 * (seconds === 60 ? 3 : 1) };
    return [`candles of ${seconds} s`, 'candles', { granularity: seconds }, next, '40017'];
  }),
];

describe('bounds of the documentation', () => {
  for (const [rule, name, within, beyond, code] of BOUNDS) {
    test(`${rule}: ${name}`, async () => {
      await calls.conforming(name, calls.callerOf(name), {
        ...(await calls.full(name)),
        ...within,
      });
      const fields = { ...(await calls.full(name)), ...beyond };
      const outcome = await calls.outcome(name, fields);
      assert.deepEqual(outcome, [code === undefined ? 200 : 400, code]);
    });
  }
});
