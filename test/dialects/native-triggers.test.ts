/** Triggers of the house's own API: entries, take-profits and stop-losses that wait for a price. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint } from '#api';
import { NATIVE_ENDPOINTS as CALLS, formatId } from '#dialects';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import { type Fields, NativeCalls } from '../support/native-calls.ts';
import { SwapDesk } from '../support/swap-desk.ts';

const desk = await SwapDesk.open();
const house = closedAtEnd(desk.house);
const calls = new NativeCalls(house);

type Row = Readonly<Record<string, string | number | boolean | null>>;

const data = <T = Row>(who: Trader, endpoint: Endpoint, fields?: Fields, id?: string) =>
  calls.data<T>(who, endpoint, fields, id);

const maker = await desk.funded('maker', '1000000');
const taker = await desk.funded('taker', '1000000');
const traders: Trader[] = [maker];

/** A new account with money for contracts. */
async function trader(): Promise<Trader> {
  const made = await desk.funded(`trader-${traders.length}`, '10000');
  traders.push(made);
  return made;
}

/** A trade of others at this price, which is the last price then. */
function tradeAt(price: number): Promise<void> {
  return desk.trade(taker, maker, price, 1);
}

/** Nothing is open or waits any more, and the last price is 30000. */
async function begin(): Promise<void> {
  for (const { accountId } of traders) {
    await house.run({ kind: 'cancel_all_contract_orders', accountId });
  }
  await tradeAt(30_000);
}

/** A new account that holds ten contracts bought at 30000. */
async function holder(): Promise<Trader> {
  const found = await trader();
  await desk.trade(found, maker, 30_000, 10);
  return found;
}

const SYMBOL = 'BTC-USDT-PERP';
const ENTRY = {
  symbol: SYMBOL,
  side: 'buy',
  size: '2',
  trigger: '30500',
  direction: 'rise',
  type: 'market',
};
const STOP = {
  symbol: SYMBOL,
  side: 'sell',
  reduceOnly: true,
  trigger: '29000',
  direction: 'fall',
  type: 'market',
};
const PROFIT = { ...STOP, trigger: '32000', direction: 'rise' };

/** Some fields of a row. */
function some(row: Row | undefined, ...names: readonly string[]): unknown[] {
  return names.map((name) => row?.[name]);
}

/** One trigger, waiting or over. */
async function shown(who: Trader, { id }: Row): Promise<Row> {
  return data(who, CALLS.trigger, {}, String(id));
}

test('an entry waits for the price and brings its take-profit and stop-loss', async () => {
  await begin();
  const ann = await trader();
  const brings = { takeProfit: '33000', takeProfitBy: 'mark', stopLoss: '29500' };
  const limit = { type: 'limit', price: '30600', ...brings, clientId: 'breakout' };
  const placed = await data(ann, CALLS.placeTrigger, { ...ENTRY, ...limit });
  assert.partialDeepStrictEqual(placed, {
    clientId: 'breakout',
    symbol: SYMBOL,
    side: 'buy',
    reduceOnly: false,
    purpose: 'trigger',
    trigger: '30500.0',
    triggerBy: 'last',
    direction: 'rise',
    type: 'limit',
    price: '30600.0',
    size: '2',
    takeProfit: '33000.0',
    takeProfitBy: 'mark',
    stopLoss: '29500.0',
    stopLossBy: 'last',
    status: 'waiting',
    reason: null,
    order: null,
    filled: '0',
    closedTime: null,
  });
  assert.deepEqual(await data(ann, CALLS.waitingTriggers), [placed]);
  for (const name of [placed.id, 'breakout']) {
    assert.deepEqual(await shown(ann, { id: name ?? '' }), placed);
  }
  await tradeAt(30_500);
  const fired = await shown(ann, placed);
  assert.deepEqual(some(fired, 'status', 'reason', 'filled'), ['triggered', null, '0']);
  const [order] = await data<Row[]>(ann, CALLS.openOrders);
  assert.deepEqual(some(order, 'id', 'price', 'size'), [fired.order, '30600.0', '2']);
  assert.deepEqual(some(order, 'takeProfit', 'stopLoss', 'cause', 'leverage', 'fee'), [
    ...['33000.0', '29500.0', 'owner', 20, '0'],
  ]);
  await desk.order(maker, 'open_short', 30_600, 2);
  const after = await shown(ann, placed);
  assert.deepEqual(some(after, 'filled', 'status'), ['2', 'triggered']);
  const armed = await data<Row[]>(ann, CALLS.waitingTriggers);
  assert.deepEqual(
    armed.map((one) => some(one, 'purpose', 'trigger', 'triggerBy', 'side', 'reduceOnly', 'size')),
    [
      ['stop_loss', '29500.0', 'last', 'sell', true, '2'],
      ['take_profit', '33000.0', 'mark', 'sell', true, '2'],
    ],
  );
});

test('what an order has filled is shown while that rests', async () => {
  await begin();
  const ann = await trader();
  const placed = await data(ann, CALLS.placeTrigger, { ...ENTRY, type: 'limit', price: '30600' });
  await tradeAt(30_500);
  await desk.order(maker, 'open_short', 30_600, 1);
  assert.deepEqual(some(await shown(ann, placed), 'filled'), ['1']);
  const { rows } = await data<{ rows: Row[] }>(ann, CALLS.closedTriggers);
  assert.deepEqual(some(rows[0], 'id', 'filled'), [placed.id, '1']);
});

test('a stop without a size closes whatever is held when it fires', async () => {
  await begin();
  const ann = await holder();
  const stop = await data(ann, CALLS.placeTrigger, STOP);
  assert.deepEqual(some(stop, 'purpose', 'size', 'reduceOnly'), ['stop_loss', null, true]);
  const profit = await data(ann, CALLS.placeTrigger, { ...PROFIT, size: '3' });
  assert.deepEqual(some(profit, 'purpose', 'size'), ['take_profit', '3']);
  await desk.trade(ann, maker, 30_000, 5);
  await desk.order(maker, 'open_long', 28_900, 100);
  await tradeAt(29_000);
  assert.deepEqual(await data(ann, CALLS.positions), []);
  assert.deepEqual(await data(ann, CALLS.waitingTriggers), [], 'both end with the position');
  assert.deepEqual(some(await shown(ann, stop), 'status', 'filled'), ['triggered', '15']);
  const ended = await shown(ann, profit);
  assert.deepEqual(some(ended, 'status', 'reason'), ['cancelled', 'position_closed']);
  const order = await data(ann, CALLS.order, {}, String((await shown(ann, stop)).order));
  assert.deepEqual(some(order, 'side', 'reduceOnly', 'filled'), ['sell', true, '15']);
});

test('a short takes profit when the price falls, and stops when it rises', async () => {
  await begin();
  const ann = await trader();
  await desk.trade(maker, ann, 30_000, 10);
  const buy = { ...STOP, side: 'buy' };
  const profit = await data(ann, CALLS.placeTrigger, buy);
  const stop = await data(ann, CALLS.placeTrigger, {
    ...buy,
    ...{ trigger: '31000', direction: 'rise' },
  });
  assert.deepEqual([profit.purpose, stop.purpose], ['take_profit', 'stop_loss']);
});

test('a trigger looks at the last price, the mark or the index', async () => {
  await begin();
  const ann = await trader();
  for (const triggerBy of ['last', 'mark', 'index']) {
    await data(ann, CALLS.placeTrigger, { ...ENTRY, triggerBy, clientId: triggerBy });
  }
  const waiting = async () =>
    (await data<Row[]>(ann, CALLS.waitingTriggers)).map(({ triggerBy }) => triggerBy);
  assert.deepEqual(await waiting(), ['index', 'mark', 'last']);
  await tradeAt(30_500);
  assert.deepEqual(await waiting(), ['index', 'mark']);
  await desk.setIndex(30_501);
  await desk.tick();
  assert.deepEqual(await waiting(), []);
  await desk.setIndex(30_000);
  await desk.tick();
});

test('what cannot be placed when it fires has failed, and says why', async () => {
  await begin();
  const ann = await trader();
  const placed = await data(ann, CALLS.placeTrigger, { ...ENTRY, size: '100000' });
  await tradeAt(30_500);
  const failed = await shown(ann, placed);
  assert.deepEqual(some(failed, 'status', 'order', 'filled'), ['failed', null, '0']);
  assert.equal(typeof failed.reason, 'string');
  assert.equal(typeof failed.closedTime, 'number');
});

test('another trigger, working price, price or size: what is left out stays', async () => {
  await begin();
  const ann = await holder();
  const { id } = await data(ann, CALLS.placeTrigger, { ...STOP, size: '4', clientId: 'stop' });
  const changed = async (change: Fields): Promise<unknown[]> => {
    const row = await data(ann, CALLS.changeTrigger, change, 'stop');
    assert.deepEqual(await data(ann, CALLS.waitingTriggers), [row]);
    assert.equal(row.id, id);
    return some(row, 'trigger', 'triggerBy', 'type', 'price', 'size');
  };
  const steps: readonly [Fields, readonly unknown[]][] = [
    [{}, ['29000.0', 'last', 'market', null, '4']],
    [{ trigger: '29100' }, ['29100.0', 'last', 'market', null, '4']],
    [{ triggerBy: 'mark' }, ['29100.0', 'mark', 'market', null, '4']],
    [{ type: 'limit', price: '29050' }, ['29100.0', 'mark', 'limit', '29050.0', '4']],
    [{ price: '29000' }, ['29100.0', 'mark', 'limit', '29000.0', '4']],
    [{ type: 'limit' }, ['29100.0', 'mark', 'limit', '29000.0', '4']],
    [{ type: 'market', size: '6' }, ['29100.0', 'mark', 'market', null, '6']],
    [{ size: 'all' }, ['29100.0', 'mark', 'market', null, null]],
    [{ trigger: '29200', triggerBy: 'last', size: '1' }, ['29200.0', 'last', 'market', null, '1']],
  ];
  for (const [change, wanted] of steps) {
    assert.deepEqual(await changed(change), wanted, JSON.stringify(change));
  }
  const refused: readonly [Fields, number, string][] = [
    [{ trigger: '30000' }, 422, 'stop_loss_above_price'],
    [{ trigger: '29000.3' }, 422, 'price_invalid'],
    [{ price: '29000' }, 400, 'parameters_conflict'],
    [{ type: 'limit' }, 400, 'parameter_missing'],
    [{ size: '11' }, 422, 'close_exceeds_position'],
    [{ size: '0' }, 422, 'quantity_invalid'],
    [{ stopLoss: '1' }, 400, 'parameter_invalid'],
    [{ triggerBy: 'best' }, 400, 'parameter_invalid'],
  ];
  for (const [change, status, kind] of refused) {
    const said = await calls.refusal(ann, CALLS.changeTrigger, change, 'stop');
    assert.deepEqual(said, [status, kind], JSON.stringify(change));
  }
  const entry = await data(ann, CALLS.placeTrigger, ENTRY);
  const all = await calls.refusal(ann, CALLS.changeTrigger, { size: 'all' }, String(entry.id));
  assert.deepEqual(all, [400, 'parameters_conflict']);
});

test('one is cancelled, or all of a contract, each with its outcome', async () => {
  await begin();
  const ann = await trader();
  const ids: unknown[] = [];
  for (let count = 0; count < 4; count += 1) {
    const clientId = `entry-${count}`;
    ids.unshift((await data(ann, CALLS.placeTrigger, { ...ENTRY, clientId })).id);
  }
  const none = { error: null };
  assert.deepEqual(await data(ann, CALLS.cancelTrigger, {}, 'entry-0'), { id: ids[3], ...none });
  const gone = await calls.refusal(ann, CALLS.cancelTrigger, {}, 'entry-0');
  assert.deepEqual(gone, [404, 'order_unknown']);
  assert.deepEqual(await data(ann, CALLS.cancelTriggers, { symbol: 'BTC-USD-PERP' }), []);
  const misspelt = await calls.refusal(ann, CALLS.cancelTriggers, { simbol: SYMBOL });
  assert.deepEqual(misspelt, [400, 'parameter_invalid'], 'it might have cancelled all');
  const cancelled = await data<Row[]>(ann, CALLS.cancelTriggers, { symbol: SYMBOL });
  assert.deepEqual(
    cancelled,
    ids.slice(0, 3).map((id) => ({ id, ...none })),
  );
  assert.deepEqual(await data(ann, CALLS.waitingTriggers), []);
  const { rows, next } = await data<{ rows: Row[]; next: string | null }>(
    ...([ann, CALLS.closedTriggers, { limit: 3 }] as const),
  );
  assert.deepEqual(
    rows.map(({ id }) => id),
    ids.slice(0, 3),
  );
  assert.deepEqual(some(rows[0], 'status', 'reason'), ['cancelled', 'cancelled_by_owner']);
  const rest = await data<{ rows: Row[]; next: null }>(ann, CALLS.closedTriggers, { before: next });
  assert.deepEqual([rest.rows.map(({ id }) => id), rest.next], [ids.slice(3), null]);
});

test('one that is sent again is placed once; another one of its name is refused', async () => {
  await begin();
  const ann = await holder();
  const entry = { ...ENTRY, stopLoss: '29900', clientId: 'again' };
  const first = await data(ann, CALLS.placeTrigger, entry);
  assert.deepEqual(await data(ann, CALLS.placeTrigger, entry), first);
  const stop = await data(ann, CALLS.placeTrigger, { ...STOP, clientId: 'stop' });
  const others: readonly Fields[] = [
    { trigger: '30501' },
    { triggerBy: 'mark' },
    { size: '3' },
    { type: 'limit', price: '30600' },
    { stopLoss: '29800' },
    { stopLossBy: 'mark' },
    { takeProfit: '35000' },
    { side: 'sell', stopLoss: '31000' },
    { clientId: 'stop' },
  ];
  for (const other of others) {
    const refused = await calls.refusal(ann, CALLS.placeTrigger, { ...entry, ...other });
    assert.deepEqual(refused, [409, 'contract_client_id_in_use'], JSON.stringify(other));
  }
  const order = { symbol: SYMBOL, side: 'buy', type: 'limit', price: '20000', size: '1' };
  const named = { ...order, clientId: 'again' };
  const taken = await calls.refusal(ann, CALLS.placeOrder, named);
  assert.deepEqual(taken, [409, 'contract_client_id_in_use'], 'of orders and triggers alike');
  await desk.order(maker, 'open_long', 28_900, 100);
  await tradeAt(29_000);
  const retried = await data(ann, CALLS.placeTrigger, { ...STOP, clientId: 'stop' });
  assert.deepEqual(some(retried, 'id', 'status'), [stop.id, 'triggered']);
  const anew = await calls.refusal(ann, CALLS.placeTrigger, { ...STOP, clientId: 'new' });
  assert.deepEqual(anew, [422, 'close_exceeds_position']);
});

test('those of others are as unknown as those that there are not', async () => {
  await begin();
  const [ann, bob] = [await trader(), await trader()];
  const { id } = await data(ann, CALLS.placeTrigger, { ...ENTRY, clientId: 'private' });
  const names = [String(id), 'private', formatId(999_999), '1', 'nobody', 'x'.repeat(90)];
  for (const isOver of [false, true]) {
    if (isOver) await data(ann, CALLS.cancelTrigger, {}, 'private');
    for (const name of names) {
      for (const endpoint of [CALLS.trigger, CALLS.changeTrigger, CALLS.cancelTrigger]) {
        const refused = await calls.refusal(bob, endpoint, {}, name);
        assert.deepEqual(refused, [404, 'order_unknown'], `${endpoint.method} ${name}`);
      }
    }
    assert.deepEqual(await data(bob, CALLS.waitingTriggers), []);
    assert.deepEqual((await data<{ rows: Row[] }>(bob, CALLS.closedTriggers)).rows, []);
  }
});

const REFUSED: readonly [what: string, fields: Fields, status: number, kind: string][] = [
  ['a pair', { symbol: 'BTC-USDT' }, 404, 'contract_unknown'],
  ['a contract that is not there', { symbol: 'ABC-PERP' }, 404, 'contract_unknown'],
  ['no side', { side: '' }, 400, 'parameter_missing'],
  ['no trigger', { trigger: '' }, 400, 'parameter_missing'],
  ['no direction', { direction: '' }, 400, 'parameter_missing'],
  ['a direction that there is not', { direction: 'up' }, 400, 'parameter_invalid'],
  ['no size', { size: '' }, 400, 'parameter_missing'],
  ['a size of nothing', { size: '0' }, 422, 'quantity_invalid'],
  ['a size between two lots', { size: '0.5' }, 422, 'quantity_invalid'],
  ['a size beyond the largest', { size: '1000001' }, 422, 'quantity_above_maximum'],
  ['no type', { type: '' }, 400, 'parameter_missing'],
  ['a limit without a price', { type: 'limit' }, 400, 'parameter_missing'],
  ['a price at the market', { price: '30600' }, 400, 'parameters_conflict'],
  ['a trigger between two steps', { trigger: '30500.3' }, 422, 'price_invalid'],
  ['a trigger that is reached', { trigger: '30000' }, 422, 'trigger_direction_mismatch'],
  ['a rise to what is below', { trigger: '29000' }, 422, 'trigger_direction_mismatch'],
  ['a working price that there is not', { triggerBy: 'best' }, 400, 'parameter_invalid'],
  ['a stop-loss above the entry', { stopLoss: '30600' }, 422, 'stop_loss_above_order'],
  ['a take-profit below it', { takeProfit: '30400' }, 422, 'take_profit_below_order'],
  ['a working price of nothing', { stopLossBy: 'mark' }, 400, 'parameter_missing'],
  ['the same of a take-profit', { takeProfitBy: 'mark' }, 400, 'parameter_missing'],
  ['a field that is not known', { timeInForce: 'gtc' }, 400, 'parameter_invalid'],
  ['a name that is none', { clientId: 'a b' }, 400, 'client_id_invalid'],
  ['a close of nothing held', { ...STOP, size: '' }, 422, 'close_exceeds_position'],
  ['a close with a stop-loss', { ...STOP, stopLoss: '28000' }, 400, 'parameters_conflict'],
];

for (const [what, fields, status, kind] of REFUSED) {
  test(`${what} is refused`, async () => {
    await begin();
    const ann = await trader();
    const refused = await calls.refusal(ann, CALLS.placeTrigger, { ...ENTRY, ...fields });
    assert.deepEqual(refused, [status, kind]);
    assert.deepEqual(await data(ann, CALLS.waitingTriggers), []);
  });
}

test('a close is bounded by what is held, and its trigger by the price', async () => {
  await begin();
  const ann = await holder();
  const refused: readonly [Fields, string][] = [
    [{ ...STOP, size: '11' }, 'close_exceeds_position'],
    [{ ...STOP, trigger: '30000' }, 'stop_loss_above_price'],
    [{ ...PROFIT, trigger: '30000' }, 'take_profit_below_price'],
    [{ ...STOP, side: 'buy', direction: 'rise', trigger: '31000' }, 'close_exceeds_position'],
  ];
  for (const [fields, kind] of refused) {
    const said = await calls.refusal(ann, CALLS.placeTrigger, fields);
    assert.deepEqual(said, [422, kind], JSON.stringify(fields));
  }
});

test('a key may do what it was made for, and nothing once it is revoked', async () => {
  await begin();
  const ann = await trader();
  await data(ann, CALLS.placeTrigger, { ...ENTRY, clientId: 'kept' });
  const { accountId } = ann;
  const reader = {
    ...(await house.addKey(accountId, 'trigger-reads', { permissions: ['read'] })),
    accountId,
  };
  await shown(reader, { id: 'kept' });
  const changing: readonly [Endpoint, Fields, string][] = [
    [CALLS.placeTrigger, ENTRY, ''],
    [CALLS.changeTrigger, { trigger: '30600' }, 'kept'],
    [CALLS.cancelTrigger, {}, 'kept'],
    [CALLS.cancelTriggers, {}, ''],
  ];
  for (const [endpoint, fields, id] of changing) {
    const said = await calls.refusal(reader, endpoint, fields, id);
    assert.deepEqual(said, [403, 'permission_missing'], endpoint.method);
  }
  for (const [endpoint, fields, id] of changing.slice(1)) {
    for (let round = 0; round < 5; round += 1) {
      const key = await house.addKey(accountId, `${endpoint.method}${id}-${round}`);
      const revoked = house.run({ kind: 'revoke_key', key: key.key });
      const said = await calls.refusal(key, endpoint, fields, id);
      await revoked;
      assert.deepEqual(said, [401, 'credentials_wrong'], `${endpoint.method} ${round}`);
    }
  }
  const kept = present((await data<Row[]>(ann, CALLS.waitingTriggers))[0], 'trigger');
  assert.equal(kept.trigger, '30500.0');
});

test('those of the other APIs are seen here, with what they are for', async () => {
  await begin();
  const ann = await holder();
  const plan = { symbol: 'cmt_btcusdt', size: '1', match_type: '1', trigger_price: '29000' };
  await desk.data(ann, 'placePlan', { ...plan, type: '2', holdSide: '1', execute_price: '0' });
  const [seen] = await data<Row[]>(ann, CALLS.waitingTriggers);
  assert.deepEqual(some(seen, 'purpose', 'reduceOnly', 'side', 'direction', 'size'), [
    ...['trigger', true, 'sell', 'fall', '1'],
  ]);
});
