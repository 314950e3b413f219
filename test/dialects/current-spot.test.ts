/** Spot trade through the current interface: what clients send, and what they are answered. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { spotOrdersOf } from '#api';
import { CURRENT_SPOT_ENDPOINTS as CALLS, formatId } from '#dialects';
import type { AccountChanges } from '#domain';
import { closedAtEnd } from '../support/at-end.ts';
import { CurrentDesk, SYMBOL } from '../support/current-desk.ts';
import { House, type Trader } from '../support/house.ts';
import { SpotDesk } from '../support/spot-desk.ts';

const house = closedAtEnd(await House.open());
const desk = new CurrentDesk(house);
const classic = new SpotDesk(house);
let traders = 0;

/** Two accounts that nobody else uses, with the book of the pair empty. */
async function pair(): Promise<readonly [Trader, Trader]> {
  traders += 1;
  const money = { USDT: '100000', BTC: '2' };
  return [await house.trader(`ann${traders}`, money), await house.trader(`bob${traders}`, money)];
}

interface Placed {
  readonly symbol: string;
  readonly orderId: number;
  readonly clientOrderId: string;
}

interface Order {
  /** Numbers as the text that they are. */
  readonly [name: string]: string | boolean;
}

function place(who: Trader, fields: object): Promise<Placed> {
  return desk.data(who, CALLS.placeOrder, { symbol: SYMBOL, type: 'LIMIT', ...fields });
}

function order(who: Trader, fields: object): Promise<Order> {
  return desk.data(who, CALLS.order, fields);
}

async function balances(who: Trader): Promise<Record<string, [string, string]>> {
  interface Account {
    readonly balances: readonly { asset: string; free: string; locked: string }[];
  }
  const { balances } = await desk.data<Account>(who, CALLS.account);
  return Object.fromEntries(balances.map(({ asset, free, locked }) => [asset, [free, locked]]));
}

test('a limit order without a time in force rests, and both interfaces show it', async () => {
  const [ann] = await pair();
  const asked = {
    side: 'BUY',
    price: '20000',
    quantity: '0.5',
    newClientOrderId: 'b-WEEX111125-1',
  };
  const placed = await place(ann, asked);
  assert.match(String(placed.orderId), /^1\d{15}$/);
  assert.equal(placed.clientOrderId, 'b-WEEX111125-1');
  const [inClassic] = await classic.data(ann, 'openOrders', { symbol: 'BTCUSDT_SPBL' });
  assert.equal(inClassic?.orderId, String(placed.orderId));
  const shown = await order(ann, { orderId: placed.orderId });
  assert.deepEqual(shown, {
    symbol: SYMBOL,
    orderId: placed.orderId,
    clientOrderId: 'b-WEEX111125-1',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    status: 'NEW',
    price: '20000.00',
    origQty: '0.5',
    executedQty: '0',
    cummulativeQuoteQty: '0',
    time: house.clock.nowMs(),
    updateTime: house.clock.nowMs(),
    isWorking: true,
  });
  assert.deepEqual(await order(ann, { origClientOrderId: 'b-WEEX111125-1' }), shown);
  assert.deepEqual(await desk.data(ann, CALLS.openOrders), [shown]);
  assert.deepEqual(await desk.data(ann, CALLS.openOrders, { symbol: 'ethusdt' }), []);
  assert.deepEqual((await balances(ann)).USDT, ['90000.00000000', '10000.00000000']);
  await desk.data(ann, CALLS.cancelAll, { symbol: SYMBOL });
});

test('an account shows what it is now, also where it was asked for before', async () => {
  const [ann, bob] = await pair();
  const { accountId } = ann;
  type Shown = Readonly<Record<string, unknown>>;
  const shown = (who: Trader) => desk.data<Shown>(who, CALLS.account);
  const first = await shown(ann);
  assert.deepEqual(await shown(ann), first);
  const changed = async (change: () => Promise<unknown>) => {
    const before = await shown(ann);
    house.clock.advance(7);
    await change();
    const after = await shown(ann);
    assert.deepEqual(await shown(ann), after);
    return Object.keys(after).filter((name) => {
      return JSON.stringify(after[name]) !== JSON.stringify(before[name]);
    });
  };
  const asked = { side: 'BUY', price: '20000', quantity: '0.5' };
  assert.deepEqual(await changed(() => place(ann, asked)), ['updateTime', 'balances']);
  const cancelAll = () => desk.data(ann, CALLS.cancelAll, { symbol: SYMBOL });
  assert.deepEqual(await changed(cancelAll), ['updateTime', 'balances']);
  const backAgain = async () => {
    await place(ann, asked);
    await cancelAll();
  };
  assert.deepEqual(await changed(backAgain), ['updateTime']);
  const deposit = () => house.deposit(accountId, 'ETH', '1');
  assert.deepEqual(await changed(deposit), ['updateTime', 'balances']);
  const update = (changes: AccountChanges) => () =>
    house.run({ kind: 'update_account', accountId, changes });
  const maker = update({ makerFeePpm: 700 });
  assert.deepEqual(await changed(maker), ['makerCommission', 'commissionRates']);
  const taker = update({ takerFeePpm: 1_900 });
  assert.deepEqual(await changed(taker), ['takerCommission', 'commissionRates']);
  const frozen = await changed(update({ frozen: true }));
  assert.deepEqual(frozen, ['canTrade', 'canWithdraw']);
  assert.equal((await shown(bob)).canTrade, true);
});

test('an open order says when it was filled or moved last, to who comes later too', async () => {
  const [ann, bob] = await pair();
  const { orderId } = await place(ann, { side: 'BUY', price: '20000', quantity: '0.5' });
  const time = house.clock.nowMs();
  const changedAt = async () => {
    const shown = await order(ann, { orderId });
    assert.deepEqual(await desk.data(ann, CALLS.openOrders), [shown]);
    assert.equal(shown.time, time);
    return shown.updateTime;
  };
  house.clock.advance(7);
  assert.equal(await changedAt(), time);
  await place(bob, { side: 'SELL', price: '20000', quantity: '0.1' });
  const filledAt = house.clock.nowMs();
  house.clock.advance(7);
  assert.equal(await changedAt(), filledAt);
  const moved = { orderId, price: '19999', quantity: '0.5' };
  await desk.data(ann, CALLS.moveOrder, moved);
  const movedAt = house.clock.nowMs();
  house.clock.advance(7);
  assert.equal(await changedAt(), movedAt);
  assert.equal(new Set([time, filledAt, movedAt]).size, 3);
  const rows = await house.venue.read((state) => spotOrdersOf(state, ann.accountId));
  assert.deepEqual(
    rows.map(({ timeMs }) => timeMs),
    [movedAt],
  );
  await desk.data(ann, CALLS.cancelAll, { symbol: SYMBOL });
});

test('a market buy counts base coin, and fees come out of what is received', async () => {
  const [ann, bob] = await pair();
  await place(ann, { side: 'SELL', price: '30000', quantity: '0.3' });
  await place(ann, { side: 'SELL', price: '30100', quantity: '0.3' });
  const { orderId } = await place(bob, { side: 'BUY', type: 'MARKET', quantity: 0.4 });
  const bought = await order(bob, { orderId });
  assert.deepEqual(
    [bought.status, bought.type, bought.timeInForce, bought.executedQty, bought.origQty],
    ['FILLED', 'MARKET', 'IOC', '0.4', '0.4'],
  );
  assert.equal(bought.cummulativeQuoteQty, '12010');
  assert.equal(bought.price, '30025');
  const after = await balances(bob);
  assert.deepEqual(after.USDT, ['87990.00000000', '0.00000000']);
  assert.deepEqual(after.BTC, ['2.39960000', '0.00000000'], 'less a fee of 0.1 %');
  await desk.data(ann, CALLS.cancelAll, { symbol: SYMBOL });
});

test('an order sent again with its client id is answered, not placed twice', async () => {
  const [ann] = await pair();
  const asked = { side: 'BUY', price: '20000', quantity: '0.1', newClientOrderId: 'again' };
  const first = await place(ann, asked);
  const second = await place(ann, { ...asked, price: '20001' });
  assert.equal(second.orderId, first.orderId);
  assert.equal((await desk.data<Order[]>(ann, CALLS.openOrders)).length, 1);
  await desk.data(ann, CALLS.cancelOrder, { origClientOrderId: 'again' });
  assert.deepEqual(
    await desk.refusal(ann, CALLS.placeOrder, { symbol: SYMBOL, type: 'LIMIT', ...asked }),
    [400, -1180, 'client_oid is already in use: again'],
  );
});

test('what an immediate order could not take is cancelled', async () => {
  const [ann, bob] = await pair();
  await place(ann, { side: 'SELL', price: '30000', quantity: '0.1' });
  const asked = { side: 'BUY', price: '30000', quantity: '0.3', timeInForce: 'IOC' };
  const { orderId } = await place(bob, asked);
  const { status, executedQty, isWorking } = await order(bob, { orderId });
  assert.deepEqual([status, executedQty, isWorking], ['CANCELED', '0.1', false]);
  const crossing = await place(bob, { side: 'BUY', price: '25000', quantity: '0.1' });
  const post = await place(ann, {
    side: 'SELL',
    price: '25000',
    quantity: '0.1',
    timeInForce: 'POST_ONLY',
  });
  assert.equal((await order(ann, { orderId: post.orderId })).status, 'CANCELED');
  await desk.data(bob, CALLS.cancelOrder, { orderId: crossing.orderId });
});

test('a cancel names its order by either id, in its query and without a body', async () => {
  const [ann, bob] = await pair();
  const { orderId } = await place(ann, { side: 'BUY', price: '20000', quantity: '0.1' });
  assert.deepEqual(await desk.refusal(bob, CALLS.cancelOrder, { orderId }), [
    400,
    -2200,
    'Order does not exist',
  ]);
  assert.deepEqual(await desk.data(ann, CALLS.cancelOrder, { orderId }), {
    status: 'CANCELED',
    orderId,
  });
  assert.deepEqual(await desk.refusal(ann, CALLS.cancelOrder, { orderId }), [
    400,
    -2200,
    'Order does not exist',
  ]);
  await place(ann, { side: 'BUY', price: '20000', quantity: '0.1', newClientOrderId: 'c/1' });
  assert.deepEqual(await desk.data(ann, CALLS.cancelOrder, { origClientOrderId: 'c/1' }), {
    status: 'CANCELED',
    origClientOrderId: 'c/1',
  });
});

test('a batch of cancels is in a body, and answers what became of each', async () => {
  const [ann] = await pair();
  const placed = await Promise.all(
    ['20000', '20001'].map((price) => place(ann, { side: 'BUY', price, quantity: '0.1' })),
  );
  const [one, two] = placed.map(({ orderId }) => orderId);
  const orderIds = [one, Number(formatId(999_999)), two];
  assert.deepEqual(await desk.data(ann, CALLS.cancelBatch, { orderIds }), {
    orderList: [
      { status: 'CANCELED', orderId: one },
      { status: 'FAILED', orderId: Number(formatId(999_999)), errorMsg: 'FAILED_ORDER_NOT_FOUND' },
      { status: 'CANCELED', orderId: two },
    ],
  });
  assert.deepEqual(await desk.data(ann, CALLS.cancelBatch, { origClientOrderIds: ['nope'] }), {
    orderList: [
      { status: 'FAILED', origClientOrderId: 'nope', errorMsg: 'FAILED_ORDER_NOT_FOUND' },
    ],
  });
});

test('all orders of a pair are cancelled, those of others stay', async () => {
  const [ann, bob] = await pair();
  const { orderId } = await place(ann, { side: 'BUY', price: '20000', quantity: '0.1' });
  const other = await place(bob, { side: 'BUY', price: '20000', quantity: '0.1' });
  assert.deepEqual(await desk.data(ann, CALLS.cancelAll, { symbol: 'btcusdt' }), [
    { status: 'CANCELED', orderId },
  ]);
  assert.deepEqual(await desk.data(ann, CALLS.cancelAll, { symbol: 'btcusdt' }), []);
  assert.equal((await order(bob, { orderId: other.orderId })).isWorking, true);
  await desk.data(bob, CALLS.cancelAll, { symbol: SYMBOL });
});

test('orders of a batch are placed or refused one by one', async () => {
  const [ann] = await pair();
  const good = { side: 'BUY', type: 'LIMIT', price: '20000', quantity: '0.1' };
  const { orderList } = await desk.data<{ orderList: Order[] }>(ann, CALLS.placeBatch, {
    symbol: SYMBOL,
    orderList: [
      { ...good, newClientOrderId: 'b1' },
      { ...good, quantity: '0', newClientOrderId: 'b2' },
    ],
  });
  assert.deepEqual(
    orderList.map(({ clientOrderId }) => clientOrderId),
    ['b1', 'b2'],
  );
  assert.deepEqual(
    orderList.map(({ errorCode }) => errorCode),
    [undefined, '-1142'],
  );
  await desk.data(ann, CALLS.cancelAll, { symbol: SYMBOL });
});

const GOOD = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', price: '20000', quantity: '0.1' };
const REFUSED: readonly [what: string, fields: object, code: number, text: string][] = [
  ['no symbol', { symbol: '' }, -1141, "Parameter 'symbol' cannot be empty."],
  ['an unknown symbol', { symbol: 'NOPEUSDT' }, -2007, "Symbol does not exist: 'NOPEUSDT'"],
  [
    'the symbol of the other interface',
    { symbol: 'BTCUSDT_SPBL' },
    -2007,
    "Symbol does not exist: 'BTCUSDT_SPBL'",
  ],
  ['no side', { side: null }, -1141, "Parameter 'side' cannot be empty."],
  ['a wrong side', { side: 'HOLD' }, -1117, "Invalid side: side 'HOLD', takes BUY, SELL"],
  ['a wrong type', { type: 'STOP' }, -1116, "Invalid order type: type 'STOP', takes LIMIT, MARKET"],
  [
    'a wrong time in force',
    { timeInForce: 'DAY' },
    -1115,
    "Invalid timeInForce: timeInForce 'DAY', takes GTC, IOC, FOK, POST_ONLY",
  ],
  ['no price', { price: undefined }, -1141, "Parameter 'price' cannot be empty."],
  ['a price of zero', { price: '0' }, -1142, "Parameter 'price' is invalid. '0' is not above zero"],
  [
    'a price between two steps',
    { price: '20000.001' },
    -1160,
    "Decimal precision error: '20000.001' has more than 2 decimal places",
  ],
  [
    'a size between two steps',
    { quantity: '0.00001' },
    -1160,
    "Decimal precision error: '0.00001' has more than 4 decimal places",
  ],
  [
    'a client id of other characters',
    { newClientOrderId: 'a b' },
    -1180,
    "Invalid client id: newClientOrderId takes up to 40 of a-z A-Z 0-9 . : / _ -: 'a b'",
  ],
  [
    'more than there is',
    { quantity: '9' },
    -1054,
    'FAILED_PRECONDITION: available amount not enough. needs 180000 USDT, has 100000',
  ],
];

for (const [what, fields, code, text] of REFUSED) {
  test(`an order with ${what} is refused`, async () => {
    const [ann] = await pair();
    assert.deepEqual(await desk.refusal(ann, CALLS.placeOrder, { ...GOOD, ...fields }), [
      400,
      code,
      text,
    ]);
  });
}

test('an order is asked for by one of its ids', async () => {
  const [ann] = await pair();
  assert.deepEqual(await desk.refusal(ann, CALLS.order), [
    400,
    -1141,
    "Parameter 'orderId' cannot be empty.",
  ]);
  const both = { orderId: '1000000000000001', origClientOrderId: 'x' };
  assert.equal((await desk.refusal(ann, CALLS.order, both))[1], -1128);
  assert.equal((await desk.refusal(ann, CALLS.order, { orderId: '12' }))[1], -2200);
  assert.equal((await desk.refusal(ann, CALLS.order, { orderId: 'x' }))[1], -1142);
});

test('a halted pair takes no orders', async () => {
  const [ann] = await pair();
  const eth = house.live.listings.spotBySymbol('ETHUSDT');
  assert.ok(eth);
  const change = { kind: 'update_spot', instrumentId: eth.instrumentId } as const;
  await house.run({ ...change, changes: { status: 'halt' } });
  assert.deepEqual(await desk.refusal(ann, CALLS.placeOrder, { ...GOOD, symbol: 'ETHUSDT' }), [
    400,
    -1058,
    'No permission for this trading pair: ETHUSDT',
  ]);
  await house.run({ ...change, changes: { status: 'online' } });
});

test('an order is moved to another price and size in one, and keeps its ids', async () => {
  const [ann, bob] = await pair();
  const placed = await place(ann, {
    side: 'BUY',
    price: '20000',
    quantity: '0.5',
    newClientOrderId: 'moved',
  });
  const { orderId } = placed;
  const moved = { orderId, price: '21000', quantity: '0.4' };
  const answer = await desk.data<Placed>(ann, CALLS.moveOrder, moved);
  assert.deepEqual([answer.orderId, answer.clientOrderId], [orderId, 'moved']);
  const shown = await order(ann, { orderId });
  assert.deepEqual([shown.price, shown.origQty, shown.isWorking], ['21000.00', '0.4', true]);
  assert.deepEqual((await balances(ann)).USDT, ['91600.00000000', '8400.00000000']);
  await desk.data(ann, CALLS.moveOrder, { origClientOrderId: 'moved', quantity: '0.1' });
  assert.deepEqual((await balances(ann)).USDT?.[1], '2100.00000000');
  const refusals: readonly (readonly [fields: object, code: number])[] = [
    [{ orderId }, -1128],
    [{ price: '1' }, -1141],
    [{ orderId, price: '20000.001' }, -1160],
    [{ orderId, quantity: '0' }, -1142],
    [{ orderId, quantity: '9' }, -1054],
  ];
  for (const [fields, code] of refusals) {
    assert.equal((await desk.refusal(ann, CALLS.moveOrder, fields))[1], code);
  }
  assert.equal((await desk.refusal(bob, CALLS.moveOrder, moved))[1], -2200, 'of somebody else');
  assert.equal((await order(ann, { orderId })).origQty, '0.1', 'as it was');
  await desk.data(ann, CALLS.cancelAll, { symbol: SYMBOL });
});
