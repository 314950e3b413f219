/** The current interface knows linear contracts only: nothing of an inverse one is seen in it. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENT_CONTRACT_ENDPOINTS as CALLS } from '#dialects';
import { contractSymbol } from '#domain';
import { parseDecimal, present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { LINEAR } from '../support/contracts.ts';
import { CurrentStream } from '../support/current-stream.ts';
import type { Trader } from '../support/house.ts';
import { type Row as ClassicRow, INVERSE_SYMBOL } from '../support/swap-desk.ts';
import { CurrentContractDesk, OPEN_LONG, type Row } from './current-contract-desk.ts';

const SCALE = 18;
/** A linear contract whose money is of the coin that the inverse one's is of. */
const IN_BITCOIN = 'cmt_ethbtc';

const desk = await CurrentContractDesk.open();
closedAtEnd(desk.house);
const { swap } = desk;
const listed = { symbol: contractSymbol('ETH', 'BTC'), baseCode: 'ETH', quoteCode: 'BTC' };
await desk.house.run({
  kind: 'list_contract',
  spec: { ...LINEAR, ...listed, contractValue: '0.00001' },
});
for (const symbol of [IN_BITCOIN, INVERSE_SYMBOL]) await swap.setIndex(30_000, symbol);

const INVERSE = { symbol: INVERSE_SYMBOL };
const LIMIT = { ...INVERSE, order_type: '0', match_price: '0', size: '10' };
const PLAN = { ...INVERSE, size: '3', type: '1', holdSide: '1', match_type: '1' };

interface Hidden {
  /** By what they are: open, closed, waiting and ended. */
  readonly ids: Readonly<Record<string, string>>;
  readonly who: Trader;
}

/** A trader who has traded the inverse contract in the classic interface, and has money of it. */
async function hidden(who: Trader): Promise<Hidden> {
  const other = await swap.trader('other-');
  await swap.fund(who, '10', INVERSE_SYMBOL);
  const named = (name: string) => ({ client_oid: `hidden-${name}` });
  await swap.place(other, { ...LIMIT, type: '2', price: '30000' });
  const closed = await swap.place(who, { ...LIMIT, ...named('closed'), type: '1', price: '30000' });
  const open = await swap.place(who, { ...LIMIT, ...named('open'), type: '1', price: '20000' });
  const plan = async (name: string, trigger_price: string) => {
    const fields = { ...PLAN, ...named(name), trigger_price };
    return String((await swap.data<ClassicRow>(who, 'placePlan', fields)).order_id);
  };
  const waiting = await plan('waiting', '31000');
  const ended = await plan('ended', '32000');
  await swap.data(who, 'cancelPlan', { ...INVERSE, orderId: ended });
  return { who, ids: { open, closed, waiting, ended } };
}

async function openInClassic({ who }: Hidden): Promise<unknown[]> {
  const page = { ...INVERSE, pageIndex: '1', pageSize: '20' };
  const orders = await swap.ids(who, 'openOrders', INVERSE);
  return [...orders, ...(await swap.ids(who, 'openPlans', page))];
}

test('no list has them, and none is found by an id or a client id', async () => {
  const [ann] = await desk.pair();
  const { ids } = await hidden(ann);
  for (const name of [
    ...(['contractOpenOrders', 'contractOrderHistory', 'userTrades', 'openAlgoOrders'] as const),
    ...(['allPosition', 'symbolConfig'] as const),
  ]) {
    const rows = await desk.data<Row[]>(ann, CALLS[name]);
    const shown = name === 'symbolConfig' ? rows.filter(({ symbol }) => symbol === 'BTCUSD') : rows;
    assert.deepEqual(shown, [], name);
  }
  assert.deepEqual(await desk.data(ann, CALLS.allAlgoOrders), { orders: [], hasMore: false });
  for (const [name, orderId] of Object.entries(ids)) {
    assert.deepEqual(await desk.data(ann, CALLS.userTrades, { orderId }), [], name);
    const origClientOrderId = `hidden-${name}`;
    for (const by of [{ orderId }, { origClientOrderId }, { origClientOrderId: orderId }]) {
      const [, code] = await desk.refusal(ann, CALLS.contractOrder, by);
      assert.equal(code, -3200, `${name} by ${JSON.stringify(by)}`);
    }
  }
});

test('nothing cancels, moves or changes them', async () => {
  const [ann] = await desk.pair();
  const traded = await hidden(ann);
  const { open, waiting } = traded.ids;
  const before = await openInClassic(traded);
  assert.equal(before.length, 2);
  assert.deepEqual(await desk.data(ann, CALLS.cancelAllContracts), []);
  assert.deepEqual(await desk.data(ann, CALLS.cancelAllAlgoOrders), []);
  const trigger = { orderId: waiting, triggerPrice: '31500' };
  for (const [name, fields] of [
    ['cancelContractOrder', { orderId: open }],
    ['cancelContractOrder', { origClientOrderId: 'hidden-open' }],
    ['moveContractOrder', { orderId: open, price: '20001', quantity: '0.01' }],
    ['cancelAlgoOrder', { orderId: waiting }],
    ['modifyAlgoOrder', trigger],
    ['modifyTpSlOrder', trigger],
  ] as const) {
    assert.equal((await desk.refusal(ann, CALLS[name], fields))[1], -3200, name);
  }
  const orderIdList = [open, waiting];
  const batch = await desk.data<{ orderList: { success: boolean }[] }>(
    ann,
    CALLS.cancelContractBatch,
    { orderIdList },
  );
  assert.deepEqual(
    batch.orderList.map(({ success }) => success),
    [false, false],
  );
  assert.deepEqual(await desk.data(ann, CALLS.closePositions), []);
  assert.deepEqual(await openInClassic(traded), before);
  // A name that one of them has is taken, and answers no order.
  const taken = {
    ...OPEN_LONG,
    symbol: 'BTCUSDT',
    type: 'LIMIT',
    price: '20000',
    quantity: '0.01',
  };
  const named = { ...taken, newClientOrderId: 'hidden-open' };
  assert.equal((await desk.refusal(ann, CALLS.placeContractOrder, named))[1], -1180);
});

function exact(text: string | undefined): bigint {
  const value = parseDecimal(present(text, 'amount'), SCALE);
  assert.ok(typeof value === 'bigint', text);
  return value;
}

for (const scope of ['coin', 'contract'] as const) {
  test(`the ledger chains to the balance, wallets per ${scope}`, async () => {
    const ann = await desk.house.trader(`chain-${scope}`, {}, {}, scope);
    const bob = await swap.trader('other-');
    for (const who of [ann, bob]) await swap.fund(who, '1000', IN_BITCOIN);
    await swap.trade(ann, bob, 30_000, 10, IN_BITCOIN);
    await hidden(ann);
    await swap.order(bob, 'close_short', 30_100, 4, IN_BITCOIN);
    await swap.order(ann, 'close_long', 30_100, 4, IN_BITCOIN);
    await swap.fund(ann, '7', INVERSE_SYMBOL);
    await swap.fund(ann, '3', IN_BITCOIN);
    const { items } = await desk.data<{ items: Row[] }>(ann, CALLS.income, { limit: 100 });
    assert.deepEqual(
      items.map(({ incomeType }) => incomeType),
      ['deposit', 'position_close_long', 'position_open_long', 'deposit'],
    );
    for (const [at, row] of items.entries()) {
      const older = items[at + 1]?.balance ?? '0';
      assert.equal(exact(row.balance), exact(older) + exact(row.income), `row ${at}`);
      assert.notEqual(row.symbol, 'BTCUSD');
    }
    const balances = await desk.data<Row[]>(ann, CALLS.contractBalance);
    const money = present(
      balances.find(({ asset }) => asset === 'BTC'),
      'money in BTC',
    );
    assert.equal(items[0]?.balance, money.balance);
  });
}

test('the private stream is silent about them and their money', async () => {
  const [ann] = await desk.pair();
  const stream = await CurrentStream.private(desk.house, 'contract', ann);
  await stream.subscribe('orders', 'fill', 'account', 'position');
  await hidden(ann);
  await desk.place(ann, {
    ...OPEN_LONG,
    price: '20000',
    quantity: '0.01',
    newClientOrderId: 'end',
  });
  await stream.until('orders', () => stream.texts.some((text) => text.includes('"end"')));
  const told = stream.messages.filter(({ e }) => e !== undefined);
  assert.doesNotMatch(JSON.stringify(told), /BTCUSD"|hidden-|"BTC"/);
  stream.socket.close();
});
