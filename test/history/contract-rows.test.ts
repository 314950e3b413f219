/** What the history tells of contracts: orders, fills, plan orders, funding, liquidations. */
import assert from 'node:assert/strict';
import { lots, orderId, ticks } from '#domain';
import type { ContractFillRecord } from '#history';
import { BTCUSDT, COIN_PERPETUAL } from '../support/tape.ts';
import { historyTest } from './contract.ts';
import {
  ANN,
  BOB,
  CAY,
  ContractTape,
  fillRow,
  INVERSE_ID,
  LINEAR_ID,
  liquidated,
} from './contracts.ts';

const limit = 100;
const newest = { fromMs: 0, offset: 0, limit };

/** "taker open_long 4@300000 fee 18 profit 0" */
function text({ role, action, sizeLots, priceTicks, fee, realizedPnl }: ContractFillRecord) {
  return `${role} ${action} ${sizeLots}@${priceTicks} fee ${fee} profit ${realizedPnl}`;
}

historyTest(
  'a closed order is there to its last field, for its owner only',
  async ({ readerOf }) => {
    const tape = new ContractTape();
    const order = tape.marketOrder(ANN, {
      clientOrderId: "o'clock",
      action: 'close_short',
      cause: 'liquidation',
      force: 'ioc',
      sizeLots: lots(12),
      filledLots: lots(5),
      // Beyond what a number holds.
      filledTickLots: 9_007_199_254_740_993n,
      filledPerTick: 9_007_199_254_740_997n,
      fee: 77n,
      realizedPnl: -9_007_199_254_740_995n,
      takeProfitTicks: ticks(310_000),
      stopLossTicks: ticks(290_000),
      leverage: 125,
    });
    tape.timeMs += 7;
    tape.close(order, 'margin_insufficient');
    const reader = await readerOf(tape);
    const expected = {
      ...order,
      reason: 'margin_insufficient',
      closedSeq: tape.steps.length,
      closedTimeMs: tape.timeMs,
    };
    assert.deepEqual(await reader.contractOrder(ANN, order.orderId), expected);
    const page = { accountId: ANN, instrumentId: LINEAR_ID, ...newest };
    assert.deepEqual(await reader.contractOrders(page), [expected]);
    assert.equal(await reader.contractOrder(BOB, order.orderId), undefined);
    assert.equal(await reader.contractOrder(ANN, orderId(999_999)), undefined);
    assert.equal(await reader.order(ANN, order.orderId), undefined, 'it is no order of a pair');
    assert.deepEqual(await reader.contractOrders({ ...page, accountId: BOB }), []);
    assert.deepEqual(await reader.contractOrders({ ...page, instrumentId: INVERSE_ID }), []);
  },
);

historyTest(
  'a client id finds its newest closed order, in its contract and account only',
  async ({ readerOf }) => {
    const tape = new ContractTape();
    const clientOrderId = 'again';
    tape.close(tape.order(ANN, { clientOrderId }));
    const last = tape.order(ANN, { clientOrderId });
    tape.close(last);
    tape.close(tape.order(ANN));
    tape.close(tape.order(ANN, { clientOrderId: '', cause: 'liquidation' }), 'filled');
    const reader = await readerOf(tape);
    const find = async (owner: typeof ANN, contract: typeof LINEAR_ID, id: string) =>
      (await reader.contractOrderByClientId(owner, contract, id))?.orderId;
    assert.equal(await find(ANN, LINEAR_ID, clientOrderId), last.orderId);
    assert.equal(await find(ANN, INVERSE_ID, clientOrderId), undefined);
    assert.equal(await find(BOB, LINEAR_ID, clientOrderId), undefined);
    assert.equal(await find(ANN, LINEAR_ID, ''), undefined, 'no id is not an id');
  },
);

historyTest(
  'a trade is one fill for each party, with its order, action, fee and profit',
  async ({ readerOf }) => {
    const tape = new ContractTape();
    const trade = tape.trade({
      taker: { accountId: ANN, action: 'close_long', fee: 180n, realizedPnl: -40n },
      maker: { accountId: BOB, action: 'open_long', fee: 120n, cause: 'reduction' },
      contract: COIN_PERPETUAL,
      price: 299_995,
      size: 4,
    });
    const reader = await readerOf(tape);
    const fills = async (accountId: typeof ANN, id = INVERSE_ID) =>
      reader.contractFills({ accountId, instrumentId: id, limit });
    const mine = await fills(ANN);
    assert.deepEqual(mine.map(text), ['taker close_long 4@299995 fee 180 profit -40']);
    const { kind: _kind, taker: own, maker: _maker, assetId: _asset, ...facts } = trade;
    const taker = fillRow(own);
    assert.deepEqual(mine[0], { ...facts, ...taker, role: 'taker', timeMs: tape.timeMs });
    const theirs = await fills(BOB);
    assert.deepEqual(theirs.map(text), ['maker open_long 4@299995 fee 120 profit 0']);
    assert.equal(theirs[0]?.cause, 'reduction');
    assert.equal(theirs[0]?.takerSide, 'sell');
    assert.deepEqual(await fills(CAY), []);
    assert.deepEqual(await fills(ANN, LINEAR_ID), []);
  },
);

historyTest(
  "an order's fills are its own, and say nothing to another account",
  async ({ readerOf }) => {
    const tape = new ContractTape();
    const id = orderId(tape.nextId());
    const mine = { accountId: ANN, orderId: id };
    tape.trade({ taker: mine, maker: { accountId: BOB }, size: 1 });
    tape.trade({ taker: { accountId: ANN }, maker: { accountId: BOB }, size: 2 });
    tape.trade({ taker: { accountId: CAY }, maker: { ...mine, action: 'open_long' }, size: 3 });
    const reader = await readerOf(tape);
    const query = { accountId: ANN, instrumentId: LINEAR_ID, orderId: id, limit };
    assert.deepEqual((await reader.contractFills(query)).map(text), [
      'maker open_long 3@300000 fee 180 profit 0',
      'taker open_long 1@300000 fee 180 profit 0',
    ]);
    assert.equal((await reader.contractFills({ ...query, limit: 1 }))[0]?.sizeLots, 3);
    assert.deepEqual(await reader.contractFills({ ...query, accountId: BOB }), []);
    assert.deepEqual(await reader.contractFills({ ...query, instrumentId: INVERSE_ID }), []);
  },
);

historyTest(
  'an account that trades with itself has both fills, taker first',
  async ({ readerOf }) => {
    const tape = new ContractTape();
    tape.trade({ taker: { accountId: ANN }, maker: { accountId: ANN } });
    const later = tape.trade({ taker: { accountId: ANN }, maker: { accountId: ANN } });
    const reader = await readerOf(tape);
    const own = { accountId: ANN, instrumentId: LINEAR_ID };
    const fills = await reader.contractFills({ ...own, limit });
    assert.deepEqual(
      fills.map(({ role }) => role),
      ['taker', 'maker', 'taker', 'maker'],
    );
    assert.equal(fills[0]?.tradeId, later.tradeId);
    assert.deepEqual(await reader.contractFills({ ...own, limit: 1 }), fills.slice(0, 2));
    assert.deepEqual(await reader.contractFills({ ...own, limit: 3 }), fills);
    const one = { ...own, orderId: later.maker.orderId, limit };
    assert.deepEqual(
      (await reader.contractFills(one)).map(({ role }) => role),
      ['maker'],
    );
  },
);

historyTest('the public sees trades of the book and not deleveraging', async ({ readerOf }) => {
  const tape = new ContractTape();
  const parties = { taker: { accountId: ANN }, maker: { accountId: BOB } };
  tape.trade({ ...parties, price: 300_000, size: 3 });
  tape.trade({ ...parties, price: 200_000, size: 9, inBook: false });
  tape.spotTrade(5, 5);
  tape.trade({ ...parties, price: 300_010, size: 4 });
  const reader = await readerOf(tape);
  const recent = await reader.recentTrades(LINEAR_ID, limit);
  assert.deepEqual(
    recent.map((trade) => `${trade.takerSide} ${trade.sizeLots}@${trade.priceTicks}`),
    ['buy 4@300010', 'buy 3@300000'],
  );
  assert.equal((await reader.recentTrades(BTCUSDT.instrumentId, limit)).length, 1);
  const day = await reader.lastCandleBefore(
    { instrumentId: LINEAR_ID, period: '1d' },
    tape.timeMs + 1,
  );
  const { low, high, close, baseLots, quoteAmount } = day ?? assert.fail();
  assert.deepEqual([low, high, close, baseLots], [300_000, 300_010, 300_010, 7]);
  assert.equal(quoteAmount, (3n * 300_000n + 4n * 300_010n) * 100n);
  const own = { accountId: ANN, instrumentId: LINEAR_ID, limit };
  const fills = await reader.contractFills(own);
  assert.deepEqual(
    fills.map(({ inBook }) => inBook),
    [true, false, true],
    'its parties see it',
  );
});

historyTest('a plan order is there to its last field, for its owner only', async ({ readerOf }) => {
  const tape = new ContractTape();
  const triggered = tape.marketTrigger(ANN, { action: 'close_long', purpose: 'stop_loss' });
  const failed = tape.trigger(ANN, { clientOrderId: "o'clock" });
  tape.timeMs += 9;
  const placedOrderId = orderId(tape.nextId());
  tape.closeTrigger(triggered, { status: 'triggered', placedOrderId, executedLots: lots(10) });
  tape.closeTrigger(failed, { status: 'failed', reason: 'margin_insufficient' });
  const reader = await readerOf(tape);
  const end = { updatedTimeMs: tape.timeMs };
  const expected = [
    { ...failed, ...end, status: 'failed', reason: 'margin_insufficient' },
    { ...triggered, ...end, status: 'triggered', reason: '' },
  ];
  const page = { accountId: ANN, instrumentId: LINEAR_ID, offset: 0, limit };
  assert.deepEqual(await reader.triggers(page), [
    { ...expected[0], placedOrderId: undefined, executedLots: 0 },
    { ...expected[1], placedOrderId, executedLots: 10 },
  ]);
  assert.equal((await reader.trigger(ANN, triggered.orderId))?.placedOrderId, placedOrderId);
  assert.equal(await reader.trigger(BOB, triggered.orderId), undefined);
  assert.equal(await reader.trigger(ANN, orderId(999_999)), undefined);
  assert.deepEqual(await reader.triggers({ ...page, accountId: BOB }), []);
  assert.deepEqual(await reader.triggers({ ...page, instrumentId: INVERSE_ID }), []);
});

historyTest('an ended trigger order is found by its client id', async ({ readerOf }) => {
  const tape = new ContractTape();
  const first = tape.trigger(ANN, { clientOrderId: 'again' });
  tape.closeTrigger(first);
  const named = { clientOrderId: 'again', action: 'open_long', intent: 'take_profit' } as const;
  const second = tape.trigger(ANN, named);
  const order = tape.order(ANN, { filledLots: lots(4), filledTickLots: 1_200_004n });
  const placed = { status: 'triggered', placedOrderId: order.orderId } as const;
  tape.closeTrigger(second, { ...placed, executedLots: lots(1) });
  const resting = await readerOf(tape);
  const open = await resting.triggerByClientId(ANN, 'again');
  assert.deepEqual([open?.orderId, open?.intent], [second.orderId, 'take_profit']);
  assert.deepEqual([open?.executedLots, open?.executed], [1, undefined], 'its order is open');
  tape.close(order);
  const reader = await readerOf(tape);
  const found = await reader.triggerByClientId(ANN, 'again');
  const sums = { filledLots: 4, filledTickLots: 1_200_004n, filledPerTick: 0n };
  assert.deepEqual([found?.executedLots, found?.executed], [4, sums]);
  assert.equal(await reader.triggerByClientId(BOB, 'again'), undefined);
  assert.equal((await reader.trigger(ANN, first.orderId))?.intent, undefined);
});

historyTest(
  'funding is a rate per settlement for all, and a bill for each account',
  async ({ readerOf }) => {
    const tape = new ContractTape();
    tape.settle(LINEAR_ID, 100_000);
    tape.settle(INVERSE_ID, 3);
    tape.timeMs += 28_800_000;
    const bill = {
      kind: 'balance_changed',
      billId: tape.nextId(),
      reason: 'funding',
      accountId: ANN,
      wallet: 'BTC-USDT-PERP',
      assetId: COIN_PERPETUAL.margin.assetId,
      delta: -30n,
      balanceBefore: 1_000n,
      instrumentId: LINEAR_ID,
      position: { side: 'long', positionId: 1 },
    } as const;
    tape.settle(LINEAR_ID, -3_750_000);
    tape.step(bill);
    const reader = await readerOf(tape);
    const rates = await reader.fundingRates({ instrumentId: LINEAR_ID, offset: 0, limit });
    assert.deepEqual(rates[0], {
      instrumentId: LINEAR_ID,
      fundingTimeMs: tape.timeMs,
      ratePpb: -3_750_000,
      markTicks: 300_000,
      collected: 1_000n,
      distributed: 998n,
      uncollected: 7n,
      skippedCount: 0,
    });
    assert.deepEqual(
      rates.map(({ ratePpb }) => ratePpb),
      [-3_750_000, 100_000],
    );
    const { kind: _kind, reason: biz, instrumentId: _of, position: _position, ...facts } = bill;
    const expected = {
      ...facts,
      biz,
      group: 'other',
      traded: undefined,
      fee: 0n,
      timeMs: tape.timeMs,
    };
    const wallet = { accountId: ANN, wallet: 'BTC-USDT-PERP', limit } as const;
    assert.deepEqual(await reader.bills(wallet), [expected]);
    assert.deepEqual(await reader.bills({ ...wallet, group: 'other' }), [expected]);
    assert.deepEqual(await reader.bills({ ...wallet, biz: 'funding' }), [expected]);
    assert.deepEqual(await reader.bills({ ...wallet, group: 'transfer' }), []);
  },
);

historyTest('a liquidation is there to its last field', async ({ readerOf }) => {
  const tape = new ContractTape();
  tape.liquidate(BOB);
  tape.timeMs += 5;
  const event = liquidated(ANN, {
    instrumentId: INVERSE_ID,
    mode: 'cross',
    side: 'short',
    markTicks: ticks(333_333),
    bankruptcyTicks: ticks(0),
    fundDelta: 12_345_678_901_234_567_890n,
  });
  tape.step(event);
  const reader = await readerOf(tape);
  const { kind: _kind, positionId: _positionId, ...facts } = event;
  const seen = { liquidationId: 2, seq: tape.steps.length, timeMs: tape.timeMs };
  const expected = { ...facts, ...seen };
  const all = await reader.liquidations({ limit });
  assert.deepEqual(all[0], expected);
  assert.equal(all[1]?.fundDelta, -5n);
  assert.equal(all[1]?.deleveragedLots, 3);
  assert.deepEqual(await reader.liquidations({ instrumentId: INVERSE_ID, limit }), [expected]);
});
