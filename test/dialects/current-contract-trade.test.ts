/**
 * Trade in contracts through the current interface: what clients send, what they are answered, and
 * the relations between fills, positions, balances and the ledger, each to the last digit.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENT_CONTRACT_ENDPOINTS as CALLS } from '#dialects';
import { parseDecimal } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { SYMBOL } from '../support/current-desk.ts';
import {
  CLOSE_LONG,
  CLOSE_SHORT,
  CurrentContractDesk,
  OPEN_LONG,
  OPEN_SHORT,
  type Row,
} from './current-contract-desk.ts';

const SCALE = 24;

const desk = await CurrentContractDesk.open();
const { swap } = desk;
closedAtEnd(desk.house);

function exact(text = ''): bigint {
  const value = parseDecimal(text, SCALE);
  assert.ok(typeof value === 'bigint', text);
  return value;
}

function sum(texts: Iterable<string | undefined>): bigint {
  let total = 0n;
  for (const text of texts) total += exact(text);
  return total;
}

test('a limit order rests, and both interfaces show and cancel it', async () => {
  const [ann] = await desk.pair();
  const asked = { ...OPEN_LONG, price: '20000', quantity: '0.05', newClientOrderId: 'grid/1' };
  const { orderId, clientOrderId } = await desk.place(ann, asked);
  assert.equal(clientOrderId, 'grid/1');
  assert.match(orderId ?? '', /^1\d{15}$/);
  const [inClassic] = await swap.data<Row[]>(ann, 'openOrders', { symbol: 'cmt_btcusdt' });
  assert.deepEqual([inClassic?.order_id, inClassic?.size], [orderId, '50']);
  const shown = await desk.ask(ann, 'contractOrder', { orderId });
  const { status, origQty, price, positionSide, reduceOnly, type, timeInForce } = shown;
  assert.deepEqual(
    [status, origQty, price, positionSide, reduceOnly, type, timeInForce],
    ['NEW', '0.05', '20000.0', 'LONG', false, 'LIMIT', 'GTC'],
  );
  assert.deepEqual(await desk.ask(ann, 'contractOrder', { origClientOrderId: 'grid/1' }), shown);
  assert.deepEqual(await desk.ask<Row[]>(ann, 'contractOpenOrders'), [shown]);
  assert.equal((await desk.balance(ann)).frozen, '50.6');
  const again = await desk.place(ann, { ...asked, price: '20001' });
  assert.equal(again.orderId, orderId, 'sent again, nothing is placed twice');
  await desk.act(ann, 'cancelContractOrder', { origClientOrderId: 'grid/1' });
  assert.deepEqual(await swap.data(ann, 'openOrders', { symbol: 'cmt_btcusdt' }), []);
  const cancelled = await desk.ask(ann, 'contractOrder', { orderId });
  assert.equal(cancelled.status, 'CANCELED');
  assert.deepEqual(await desk.ask<Row[]>(ann, 'contractOrderHistory', { symbol: SYMBOL }), [
    cancelled,
  ]);
  assert.deepEqual(await desk.refusal(ann, CALLS.cancelContractOrder, { orderId }), [
    400,
    -3200,
    'Order does not exist',
  ]);
});

test('an order of the classic interface is listed and cancelled here', async () => {
  const [ann] = await desk.pair();
  await swap.order(ann, 'open_short', 40_000, 7);
  const [order] = await desk.ask<Row[]>(ann, 'contractOpenOrders', { symbol: SYMBOL });
  assert.deepEqual([order?.origQty, order?.side, order?.positionSide], ['0.007', 'SELL', 'SHORT']);
  const cancelled = await desk.act<Row[]>(ann, 'cancelAllContracts', { symbol: SYMBOL });
  assert.equal(cancelled.length, 1);
  assert.deepEqual(await desk.ask(ann, 'contractOpenOrders'), []);
});

test('fills, position, balance and ledger agree to the last digit', async () => {
  const [ann, bob] = await desk.pair();
  const start = await desk.balance(ann);
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', '0.01');
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30100.5', '0.013');
  const held = await desk.position(ann);
  await desk.deal([bob, CLOSE_SHORT], [ann, CLOSE_LONG], '30200', '0.007');
  const left = await desk.position(ann);
  const fills = await desk.ask<Row[]>(ann, 'userTrades', { symbol: SYMBOL });
  assert.equal(fills.length, 3);
  const opens = fills.filter(({ side }) => side === 'BUY');
  const [close] = fills;

  const realized = sum(fills.map(({ realizedPnl }) => realizedPnl));
  const fees = sum(fills.map(({ commission }) => commission));
  const end = await desk.balance(ann);
  assert.equal(exact(end.balance) - exact(start.balance), realized - fees, 'relation 3');

  const openedSize = sum(opens.map(({ qty }) => qty));
  const openedValue = sum(opens.map(({ quoteQty }) => quoteQty));
  assert.equal(exact(held?.size), openedSize, 'relation 4: size');
  assert.equal(exact(held?.openValue), openedValue, 'relation 4: value');
  assert.equal(exact(left?.size), openedSize - exact(close?.qty), 'relation 4: after a close');
  assert.equal(left?.id, held?.id);

  interface Income {
    readonly items: readonly Row[];
  }
  const { items } = await desk.ask<Income>(ann, 'income', { currency: 'USDT' });
  assert.equal(items[0]?.balance, (await desk.balance(ann)).balance, 'relation 7: the newest');
  for (const [at, row] of items.slice(0, -1).entries()) {
    const older = items[at + 1];
    assert.equal(exact(row.balance), exact(older?.balance) + exact(row.income), 'relation 7');
  }
  assert.deepEqual(
    items.map(({ incomeType }) => incomeType),
    ['position_close_long', 'position_open_long', 'position_open_long', 'deposit'],
  );
  const pages = await desk.ask<{ nextKey: Row; items: Row[] }>(ann, 'income', { limit: 1 });
  const { nextKeyId } = pages.nextKey;
  const next = await desk.ask<Income>(ann, 'income', { limit: 1, nextKeyId });
  assert.deepEqual([...pages.items, ...next.items], items.slice(0, 2));
});

/** Digits of money, and of the values that entry prices are made of. */
const COIN_SCALE = 8;
const VALUE_SCALE = 20;

/** A multiple of the last digit of a scale, rounded down. */
function floored(value: bigint, scale: number): bigint {
  const unit = 10n ** BigInt(SCALE - scale);
  const rest = ((value % unit) + unit) % unit;
  return value - rest;
}

function ceiled(value: bigint, scale: number): bigint {
  return -floored(-value, scale);
}

/** Value of a size at a price. */
function worth(size: string | undefined, price: string | undefined): bigint {
  return (exact(size) * exact(price)) / 10n ** BigInt(SCALE);
}

const CLOSES = [
  { name: 'an entry price with few digits', sizes: ['0.01', '0.01'], part: '0.005' },
  { name: 'one that the lots do not divide evenly', sizes: ['0.01', '0.013'], part: '0.007' },
] as const;

for (const { name, sizes, part } of CLOSES) {
  test(`a close leaves the entry price and pays by it: ${name}`, async () => {
    const [ann, bob] = await desk.pair();
    await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', sizes[0]);
    await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30100.5', sizes[1]);
    const before = [await desk.position(ann), await desk.position(bob)];
    await desk.deal([bob, CLOSE_SHORT], [ann, CLOSE_LONG], '30200', part);
    for (const [at, who] of [ann, bob].entries()) {
      const sign = at === 0 ? 1n : -1n;
      const [held, left] = [before[at], await desk.position(who)];
      const [fill] = await desk.ask<Row[]>(who, 'userTrades', { symbol: SYMBOL });
      // What leaves with the part is rounded so that its profit is no larger than the exact one.
      const parted = exact(held?.openValue) * exact(part);
      const whole = exact(held?.size);
      const share =
        sign === 1n
          ? ceiled(parted / whole + (parted % whole === 0n ? 0n : 1n), VALUE_SCALE)
          : floored(parted / whole, VALUE_SCALE);
      assert.equal(exact(left?.openValue), exact(held?.openValue) - share, 'relation 4');
      const profit = sign * (worth(part, '30200') - share);
      assert.equal(exact(fill?.realizedPnl), floored(profit, COIN_SCALE), 'relation 6');
      const drift =
        exact(left?.openValue) * exact(held?.size) - exact(held?.openValue) * exact(left?.size);
      const unit = 10n ** BigInt(SCALE - VALUE_SCALE);
      assert.ok(drift * sign <= 0n && drift * -sign < unit * whole, 'less than the last digit');
    }
  });
}

test('unrealised profit is the size by what the mark is from the entry', async () => {
  const [ann, bob] = await desk.pair();
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', '0.01');
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30100.5', '0.013');
  await desk.deal([bob, CLOSE_SHORT], [ann, CLOSE_LONG], '30200', '0.007');
  for (const index of [30_500, 30_050, 29_500]) {
    await swap.setIndex(index);
    const asked = { symbol: SYMBOL, priceType: 'MARK' };
    const { price } = await desk.ask(ann, 'symbolPrice', asked);
    for (const [who, sign] of [
      [ann, 1n],
      [bob, -1n],
    ] as const) {
      const { size, openValue, unrealizePnl } = (await desk.position(who)) ?? {};
      const profit = sign * (worth(size, price) - exact(openValue));
      assert.equal(exact(unrealizePnl), floored(profit, COIN_SCALE), `relation 5 at ${price}`);
    }
  }
  await swap.setIndex(30_000);
});

test('the worked numbers of a round trip in cross mode', async () => {
  const [ann, bob] = await desk.pair();
  for (const who of [ann, bob]) {
    await desk.act(who, 'marginType', { symbol: SYMBOL, marginType: 'CROSSED' });
  }
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', '0.01');
  assert.deepEqual(await desk.balance(ann), {
    asset: 'USDT',
    balance: '99999.82',
    availableBalance: '99984.82',
    frozen: '0',
    unrealizePnl: '0',
  });
  await desk.deal([bob, CLOSE_SHORT], [ann, CLOSE_LONG], '30100', '0.01');
  assert.equal((await desk.balance(ann)).balance, '100000.6394');
  const [fill] = await desk.ask<Row[]>(ann, 'userTrades');
  assert.deepEqual(
    [fill?.realizedPnl, fill?.commission, fill?.maker, fill?.buyer],
    ['1', '0.1806', false, false],
  );
  assert.equal(await desk.position(ann), undefined);
});

test('three leverages are kept, and a mode takes up its own', async () => {
  const [ann, bob] = await desk.pair();
  const config = async () => (await desk.ask<Row[]>(ann, 'symbolConfig', { symbol: SYMBOL }))[0];
  const first = await config();
  assert.equal(first?.crossLeverage, '20.00');
  const isolated = { isolatedLongLeverage: 7, isolatedShortLeverage: '8' };
  await desk.act(ann, 'contractLeverage', { symbol: SYMBOL, crossLeverage: 11 });
  const all = await desk.act(ann, 'contractLeverage', { symbol: SYMBOL, ...isolated });
  assert.deepEqual(
    [all.crossLeverage, all.isolatedLongLeverage, all.isolatedShortLeverage],
    ['11', '7', '8'],
  );
  await desk.act(ann, 'marginType', { symbol: SYMBOL, marginType: 'CROSSED' });
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', '0.01');
  assert.equal((await desk.position(ann))?.leverage, '11.00');
  assert.deepEqual(await config(), {
    symbol: SYMBOL,
    marginType: 'CROSSED',
    separatedType: 'COMBINED',
    crossLeverage: '11.00',
    isolatedLongLeverage: '7.00',
    isolatedShortLeverage: '8.00',
  });
  await desk.act(ann, 'marginType', { symbol: SYMBOL, marginType: 'CROSSED' });
  const refused = await desk.refusal(ann, CALLS.marginType, {
    symbol: SYMBOL,
    marginType: 'ISOLATED',
  });
  assert.deepEqual(refused.slice(0, 2), [400, -1054]);
  // How positions are kept apart is only kept and shown: it may change while one is held.
  const separated = { symbol: SYMBOL, marginType: 'CROSSED', separatedType: 'SEPARATED' };
  assert.equal(String((await desk.position(ann))?.separatedOpenOrderId), '0');
  await desk.act(ann, 'marginType', separated);
  const [opening] = await desk.ask<Row[]>(ann, 'contractOrderHistory', { symbol: SYMBOL });
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', '0.01');
  const held = await desk.position(ann);
  assert.deepEqual(
    [held?.separatedMode, held?.separatedOpenOrderId, held?.size],
    ['SEPARATED', opening?.orderId, '0.02'],
  );
  await desk.act(ann, 'marginType', { symbol: SYMBOL, marginType: 'CROSSED' });
  assert.equal((await config())?.separatedType, 'SEPARATED');
});

test('a change of mode in the classic interface leaves three leverages as they are', async () => {
  const [ann] = await desk.pair();
  const config = async () => (await desk.ask<Row[]>(ann, 'symbolConfig', { symbol: SYMBOL }))[0];
  const asked = { crossLeverage: 33, isolatedLongLeverage: 7, isolatedShortLeverage: 8 };
  await desk.act(ann, 'contractLeverage', { symbol: SYMBOL, ...asked });
  const stored = {
    crossLeverage: '33.00',
    isolatedLongLeverage: '7.00',
    isolatedShortLeverage: '8.00',
  };
  for (const [holdModel, long, short] of [
    [1, '7', '8'],
    [2, '33', '33'],
    [1, '7', '8'],
  ]) {
    await swap.data(ann, 'holdModel', { symbol: 'cmt_btcusdt', holdModel });
    assert.partialDeepStrictEqual(await config(), stored);
    const shown = await swap.data(ann, 'settings', { symbol: 'cmt_btcusdt' });
    assert.partialDeepStrictEqual(shown, { long_leverage: long, short_leverage: short });
  }
});

test('several leverages of one call are all set, or none is', async () => {
  const [ann, bob] = await desk.pair();
  const config = async () => (await desk.ask<Row[]>(ann, 'symbolConfig', { symbol: SYMBOL }))[0];
  const isolated = { symbol: SYMBOL, marginType: 'ISOLATED' };
  await desk.act(ann, 'marginType', isolated);
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', '10');
  const before = await config();
  // The money for another leverage of the long side is not there; the others alone would be set.
  const refused = await desk.refusal(ann, CALLS.contractLeverage, {
    symbol: SYMBOL,
    crossLeverage: 9,
    isolatedLongLeverage: 1,
    isolatedShortLeverage: 7,
  });
  assert.deepEqual(refused.slice(0, 2), [400, -1054]);
  assert.deepEqual(await config(), before);
  const asked = { crossLeverage: 9, isolatedLongLeverage: 10, isolatedShortLeverage: 7 };
  const set = await desk.act(ann, 'contractLeverage', { symbol: SYMBOL, ...asked });
  assert.deepEqual(
    [set.crossLeverage, set.isolatedLongLeverage, set.isolatedShortLeverage],
    ['9', '10', '7'],
  );
  assert.equal((await desk.position(ann))?.leverage, '10.00');
});

test('margin of an isolated position is added, taken out and added by itself', async () => {
  const [ann, bob] = await desk.pair();
  await desk.act(ann, 'marginType', { symbol: SYMBOL, marginType: 'ISOLATED' });
  await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', '0.01');
  const before = await desk.position(ann);
  const isolatedPositionId = before?.id;
  await desk.act(ann, 'positionMargin', { isolatedPositionId, amount: '10.5', type: 1 });
  await desk.act(ann, 'positionMargin', { isolatedPositionId, amount: 0.5, type: '2' });
  await desk.act(ann, 'autoAppendMargin', {
    positionId: isolatedPositionId,
    autoAppendMargin: true,
  });
  const after = await desk.position(ann);
  assert.equal(exact(after?.isolatedMargin) - exact(before?.isolatedMargin), exact('10'));
  assert.equal(String(after?.isAutoAppendIsolatedMargin), 'true');
  const unknown = { isolatedPositionId: '999999', amount: '1', type: '1' };
  assert.deepEqual(
    (await desk.refusal(ann, CALLS.positionMargin, unknown)).slice(0, 2),
    [400, -1142],
  );
});

test('batches are worked through, each order for itself', async () => {
  const [ann] = await desk.pair();
  const good = { ...OPEN_LONG, symbol: SYMBOL, type: 'LIMIT', price: '20000', quantity: '0.001' };
  interface Batch {
    readonly orderList: readonly { readonly orderId: string; readonly errorCode: string }[];
  }
  const placed = await desk.act<Batch>(ann, 'placeContractBatch', {
    orderList: [good, { ...good, quantity: '0.0005' }, good],
  });
  const [first, second, third] = placed.orderList;
  assert.deepEqual([first?.errorCode, second?.errorCode, third?.errorCode], ['', '-1160', '']);
  const orderIdList = [first?.orderId, '1000000000999999', third?.orderId];
  const cancelled = await desk.act<Batch>(ann, 'cancelContractBatch', { orderIdList });
  assert.deepEqual(
    cancelled.orderList.map(({ errorCode }) => errorCode),
    ['', '-3200', ''],
  );
});

test('shapes of what is read about an account', async () => {
  const [ann] = await desk.pair();
  await desk.ask(ann, 'commissionRate', { symbol: SYMBOL });
  const config = await desk.ask(ann, 'accountConfig');
  assert.equal(String(config.dualSidePosition), 'true');
  assert.deepEqual(await desk.ask(ann, 'allPosition'), []);
});

const REFUSED: readonly (readonly [keyof typeof CALLS, object, number])[] = [
  ['placeContractOrder', { ...OPEN_LONG, quantity: '0.0015', price: '30000' }, -1160],
  ['placeContractOrder', { ...OPEN_LONG, quantity: '0.001', price: '30000.01' }, -1160],
  ['placeContractOrder', { ...OPEN_LONG, quantity: '-1', price: '30000' }, -1142],
  ['placeContractOrder', { ...OPEN_LONG, quantity: '0.001' }, -1141],
  ['placeContractOrder', { ...OPEN_LONG, quantity: '1', price: '1', positionSide: 'BOTH' }, -1117],
  ['placeContractOrder', { ...OPEN_LONG, quantity: '1', price: '1', side: 'UP' }, -1117],
  ['placeContractOrder', { ...OPEN_LONG, quantity: '1', price: '1', type: 'STOP' }, -1116],
  ['placeContractOrder', { ...OPEN_LONG, quantity: '1', price: '1', timeInForce: 'GTX' }, -1115],
  ['placeContractOrder', { ...OPEN_LONG, quantity: '1', price: '1', reduceOnly: true }, -1128],
  ['placeContractOrder', { ...OPEN_LONG, quantity: '1', price: '1', symbol: 'NOPE' }, -1121],
  ['placeContractOrder', { ...OPEN_LONG, quantity: '200', price: '30000' }, -1054],
  ['placeContractOrder', { ...CLOSE_LONG, quantity: '0.001', price: '30000' }, -3007],
  [
    'placeContractOrder',
    { ...OPEN_LONG, quantity: '1', price: '1', newClientOrderId: 'x'.repeat(37) },
    -1180,
  ],
  ['contractLeverage', {}, -1128],
  ['contractLeverage', { crossLeverage: 101 }, -3313],
  ['contractLeverage', { crossLeverage: '2.5' }, -1142],
  ['cancelContractOrder', {}, -1141],
  ['contractOrder', { orderId: '1000000000999999' }, -3200],
  ['contractOrderHistory', { startTime: '1' }, -1170],
  ['income', { startTime: 1 }, -1170],
  ['income', { asset: 'DOGE' }, -1142],
];

for (const [name, fields, code] of REFUSED) {
  test(`${name} with ${JSON.stringify(fields)} is refused with ${code}`, async () => {
    const [ann] = await desk.pair();
    const common = name === 'placeContractOrder' ? { type: 'LIMIT' } : {};
    const refused = await desk.refusal(ann, CALLS[name], { symbol: SYMBOL, ...common, ...fields });
    assert.deepEqual(refused.slice(0, 2), [400, code], String(refused[2]));
    assert.equal((await desk.balance(ann)).frozen, '0');
  });
}
