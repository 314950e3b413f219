/** A call that cancels all orders says of each what became of it, and many may make it at once. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENT_CONTRACT_ENDPOINTS, CURRENT_SPOT_ENDPOINTS } from '#dialects';
import { type Command, type InstrumentId, LIMITS, lots, ticks } from '#domain';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { SYMBOL } from '../support/current-desk.ts';
import type { Trader } from '../support/house.ts';
import { CurrentContractDesk, OPEN_LONG, type Row } from './current-contract-desk.ts';

const CALLS = { ...CURRENT_CONTRACT_ENDPOINTS, ...CURRENT_SPOT_ENDPOINTS };

/** Each has as many orders as one account may have in a contract of this venue. */
const CALLERS = 14;
const ORDERS_EACH = 1_000;

const desk = await CurrentContractDesk.open();
const { house, swap } = desk;
closedAtEnd(house);

const { listings } = house.live;
const contract = present(listings.contracts.get('BTC-USDT-PERP'), 'contract');
const pair = present(
  listings.spot.find(({ symbol }) => symbol === 'BTC-USDT'),
  'pair',
);

async function suspended(
  { instrumentId }: { readonly instrumentId: InstrumentId },
  claim: () => Promise<void>,
): Promise<void> {
  const reason = { command: 'tick', failuresCount: 1, message: 'it failed' };
  await house.run({ kind: 'suspend_instrument', instrumentId, reason });
  const kind = instrumentId === pair.instrumentId ? 'update_spot' : 'update_contract';
  try {
    await claim();
  } finally {
    await house.run({ kind, instrumentId, changes: { status: 'online' } });
  }
}

test('orders that a suspended contract keeps are named, with the reason', async () => {
  const [ann] = await desk.pair();
  const { orderId } = await desk.place(ann, { ...OPEN_LONG, price: '20000', quantity: '0.05' });
  const algo = { symbol: SYMBOL, ...OPEN_LONG, type: 'STOP_MARKET', quantity: '0.05' };
  const waiting = await desk.act(ann, 'placeAlgoOrder', {
    ...algo,
    triggerPrice: '31000',
    clientAlgoId: 'wait',
  });
  await suspended(contract, async () => {
    for (const [name, id] of [
      ['cancelAllContracts', orderId],
      ['cancelAllAlgoOrders', waiting.orderId],
    ] as const) {
      const rows = await desk.data<Row[]>(ann, CALLS[name], { symbol: SYMBOL });
      const told = rows.map((row) => [String(row.orderId), row.success]);
      assert.deepEqual(told, [[String(id), false]], name);
      assert.match(rows[0]?.errorCode ?? '', /^-\d+$/);
      assert.notEqual(rows[0]?.errorMessage, '');
    }
  });
  for (const name of ['cancelAllContracts', 'cancelAllAlgoOrders'] as const) {
    const rows = await desk.data<Row[]>(ann, CALLS[name], {});
    assert.deepEqual(
      rows.map(({ success }) => success),
      [true],
      name,
    );
    assert.deepEqual(await desk.data(ann, CALLS[name], {}), []);
  }
});

test('orders that a suspended pair keeps are named, with the reason', async () => {
  const ann = await house.trader('pair', { USDT: '10000' });
  const order = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', price: '20000', quantity: '0.1' };
  const { orderId } = await desk.data<Row>(ann, CALLS.placeOrder, order);
  await suspended(pair, async () => {
    const [row] = await desk.data<Row[]>(ann, CALLS.cancelAll, { symbol: SYMBOL });
    assert.equal(row?.status, 'FAILED');
    assert.equal(String(row?.orderId), String(orderId));
    assert.notEqual(row?.errorMsg ?? '', '');
  });
  const [row] = await desk.data<Row[]>(ann, CALLS.cancelAll, { symbol: SYMBOL });
  assert.equal(row?.status, 'CANCELED');
});

test('accounts that together have more orders than may wait are all rid of them', async () => {
  assert.ok(CALLERS * ORDERS_EACH > LIMITS.entryCommandsMax);
  const callers: Trader[] = [];
  for (let at = 0; at < CALLERS; at += 1) {
    const trader = await swap.funded(`many${at}`, '100000');
    callers.push(trader);
    await restMany(trader);
  }
  const answers = await Promise.all(
    callers.map((who) => desk.data<Row[]>(who, CALLS.cancelAllContracts, { symbol: SYMBOL })),
  );
  for (const [at, who] of callers.entries()) {
    const rows = answers[at] ?? [];
    assert.equal(rows.length, ORDERS_EACH);
    assert.ok(rows.every(({ success }) => String(success) === 'true'));
    const left = await house.venue.read((state) => [...state.openContractOrders(who.accountId)]);
    assert.deepEqual(left, []);
  }
});

async function restMany({ accountId }: Trader): Promise<void> {
  const { instrumentId } = contract;
  const order: Command = {
    kind: 'place_contract_order',
    accountId,
    instrumentId,
    action: 'open_long',
    type: 'limit',
    force: 'gtc',
    priceTicks: ticks(200_000),
    sizeLots: lots(1),
    clientOrderId: undefined,
  };
  for (let from = 0; from < ORDERS_EACH; from += 100) {
    const placed = await Promise.all(Array.from({ length: 100 }, () => house.run(order)));
    assert.ok(placed.every(([first]) => first?.kind === 'contract_order_accepted'));
  }
}
