/** What the history tells of an order, a trade, a deposit and a transfer. */
import assert from 'node:assert/strict';
import { LIMITS, lots, orderId, spendsBudget, tradeId } from '#domain';
import type { Bill, Fill } from '#history';
import { present } from '#kernel';
import { acceptedId, BTCUSDT, ETHUSDT } from '../support/floor.ts';
import { historyTest } from './contract.ts';
import { BTC, CONTRACT, HistoryFloor, USDT } from './floor.ts';

const limit = 100;

/** "buy taker limit 10@30000 fee 1000 of 1" */
function fillText(fill: Fill): string {
  const { side, role, orderType, sizeLots, priceTicks, feeAmount, feeAssetId } = fill;
  return `${side} ${role} ${orderType} ${sizeLots}@${priceTicks} fee ${feeAmount} of ${feeAssetId}`;
}

/** "transaction buy 1: +100000 fee 100" */
function billText({ group, biz, assetId, delta, fee }: Bill): string {
  return `${group} ${biz} ${assetId}: ${delta > 0n ? '+' : ''}${delta} fee ${fee}`;
}

historyTest(
  'a trade is one fill and two bills for each side, the fee in the coin received',
  async ({ readerOf }) => {
    const venue = new HistoryFloor();
    const [ann, bob] = [venue.open('ann'), venue.open('bob')];
    const before = venue.inWallet(ann, 'spot', BTC);
    const asked = acceptedId(venue.limit(bob, 'sell', 30_000, 25));
    const bought = acceptedId(venue.limit(ann, 'buy', 30_100, 10));
    const reader = await readerOf(venue);

    const mine = await reader.fills({ accountId: ann, instrumentId: BTCUSDT, limit });
    assert.deepEqual(mine.map(fillText), [`buy taker limit 10@30000 fee 100 of ${BTC}`]);
    assert.equal(mine[0]?.orderId, bought);
    assert.equal(mine[0]?.quoteAmount, 30_000_000n);
    assert.equal(mine[0]?.timeMs, venue.timeMs);
    const theirs = await reader.fills({ accountId: bob, instrumentId: BTCUSDT, limit });
    assert.deepEqual(theirs.map(fillText), [`sell maker limit 10@30000 fee 15000 of ${USDT}`]);
    assert.equal(theirs[0]?.orderId, asked);
    assert.equal(theirs[0]?.fillId, mine[0]?.fillId);

    const trades = { wallet: 'spot', group: 'transaction', limit } as const;
    const bills = await reader.bills({ accountId: ann, ...trades });
    assert.deepEqual(bills.map(billText), [
      `transaction buy ${USDT}: -30000000 fee 0`,
      `transaction buy ${BTC}: +100000 fee 100`,
    ]);
    assert.deepEqual(
      bills.map((bill) => bill.billId - Number(mine[0]?.fillId)),
      [2, 1],
    );
    assert.equal(bills[1]?.balanceBefore, before);
    const sold = await reader.bills({ accountId: bob, ...trades });
    assert.deepEqual(sold.map(billText), [
      `transaction sell ${USDT}: +30000000 fee 15000`,
      `transaction sell ${BTC}: -100000 fee 0`,
    ]);
  },
);

historyTest(
  'a market buy is a market fill for its taker and a limit fill for the maker',
  async ({ readerOf }) => {
    const venue = new HistoryFloor();
    const [ann, bob] = [venue.open('ann'), venue.open('bob')];
    venue.limit(bob, 'sell', 20_000, 10);
    const id = acceptedId(venue.market(ann, 'buy', 20_000_000n));
    const reader = await readerOf(venue);
    const [fill] = await reader.fills({ accountId: ann, instrumentId: BTCUSDT, limit });
    const [other] = await reader.fills({ accountId: bob, instrumentId: BTCUSDT, limit });
    assert.deepEqual([fill?.orderType, other?.orderType], ['market', 'limit']);
    const order = await reader.order(ann, id);
    assert.equal(order?.status, 'full_fill');
    assert.ok(order !== undefined && spendsBudget(order));
    assert.equal(order.quoteBudget, 20_000_000n);
    assert.equal(order.filledQuote, 20_000_000n);
  },
);

historyTest(
  'a closed order is there to its last field, an open one is not',
  async ({ readerOf }) => {
    const venue = new HistoryFloor();
    const [ann, bob] = [venue.open('ann'), venue.open('bob')];
    const open = acceptedId(venue.limit(ann, 'buy', 90, 5, { clientOrderId: 'still open' }));
    const id = acceptedId(
      venue.limit(ann, 'buy', 100, 5, { clientOrderId: "o'clock", force: 'post_only' }),
    );
    venue.limit(bob, 'sell', 100, 2);
    const createdTimeMs = venue.timeMs;
    venue.timeMs += 7;
    venue.cancel(ann, id);
    const reader = await readerOf(venue);
    assert.deepEqual(await reader.order(ann, id), {
      orderId: id,
      accountId: ann,
      instrumentId: BTCUSDT,
      clientOrderId: "o'clock",
      side: 'buy',
      type: 'limit',
      force: 'post_only',
      priceTicks: 100,
      sizeLots: 5,
      filledLots: 2,
      filledQuote: 20_000n,
      createdTimeMs,
      status: 'cancelled',
      reason: 'cancelled_by_owner',
      closedSeq: venue.engine.seq,
      closedTimeMs: createdTimeMs + 7,
    });
    assert.equal(await reader.order(ann, open), undefined);
    assert.equal(await reader.order(bob, id), undefined, 'of another account nothing is shown');
    assert.equal(await reader.order(ann, orderId(999_999)), undefined);
  },
);

/** An id that a client chose can be chosen again. */
const ID_TAKEN_MS = 25 * 3_600_000;

historyTest(
  'a client id finds its newest closed order, in its pair and account only',
  async ({ readerOf }) => {
    const venue = new HistoryFloor();
    const [ann, bob] = [venue.open('ann'), venue.open('bob')];
    const clientOrderId = 'again';
    venue.cancel(ann, acceptedId(venue.limit(ann, 'buy', 100, 5, { clientOrderId })));
    venue.timeMs += ID_TAKEN_MS;
    const newest = acceptedId(venue.limit(ann, 'buy', 100, 6, { clientOrderId }));
    venue.cancel(ann, newest);
    venue.cancel(ann, acceptedId(venue.limit(ann, 'buy', 100, 5)));
    const reader = await readerOf(venue);
    assert.equal((await reader.orderByClientId(ann, BTCUSDT, clientOrderId))?.orderId, newest);
    assert.equal(await reader.orderByClientId(ann, ETHUSDT, clientOrderId), undefined);
    assert.equal(await reader.orderByClientId(bob, BTCUSDT, clientOrderId), undefined);
    assert.equal(await reader.orderByClientId(ann, BTCUSDT, ''), undefined);
  },
);

historyTest(
  'an account that trades with itself has both fills and all four bills',
  async ({ readerOf }) => {
    const venue = new HistoryFloor();
    const ann = venue.open('ann');
    venue.spotTrade(ann, ann, 'sell');
    const reader = await readerOf(venue);
    const fills = await reader.fills({ accountId: ann, instrumentId: BTCUSDT, limit });
    assert.deepEqual(
      fills.map(({ role, side }) => `${role} ${side}`),
      ['taker sell', 'maker buy'],
    );
    assert.equal(fills[0]?.fillId, fills[1]?.fillId);
    const bills = await reader.bills({
      accountId: ann,
      wallet: 'spot',
      group: 'transaction',
      limit,
    });
    assert.deepEqual(
      bills.map(({ biz, assetId }) => `${biz} ${assetId}`),
      [`sell ${USDT}`, `sell ${BTC}`, `buy ${USDT}`, `buy ${BTC}`],
    );
  },
);

historyTest(
  'deposits, withdrawals and transfers are bills of their wallet',
  async ({ readerOf }) => {
    const venue = new HistoryFloor();
    const ann = venue.open('ann');
    venue.run({ kind: 'withdraw', accountId: ann, wallet: 'spot', assetId: USDT, amount: 5n });
    venue.transfer(ann, 'spot', CONTRACT, 'mine');
    const reader = await readerOf(venue);
    const usdt = { accountId: ann, assetId: USDT, limit };
    const bills = await reader.bills({ ...usdt, wallet: 'spot' });
    assert.deepEqual(bills.map(billText), [
      `transfer transfer_out ${USDT}: -1000 fee 0`,
      `withdraw withdraw ${USDT}: -5 fee 0`,
      `deposit deposit ${USDT}: +${10n ** 20n} fee 0`,
    ]);
    const inside = await reader.bills({ ...usdt, wallet: CONTRACT });
    assert.deepEqual(inside.map(billText), [`transfer transfer_in ${USDT}: +1000 fee 0`]);
    const [moved, ...others] = await reader.transfers({ accountId: ann, limit });
    assert.deepEqual(others, []);
    assert.deepEqual(moved, {
      transferId: moved?.transferId,
      accountId: ann,
      assetId: USDT,
      amount: 1_000n,
      from: 'spot',
      to: CONTRACT,
      fromNamed: 'spot',
      toNamed: CONTRACT,
      clientOid: 'mine',
      timeMs: venue.timeMs,
    });
  },
);

historyTest('a transfer between accounts is a bill of each', async ({ readerOf }) => {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  const moved = { assetId: USDT, amount: 1_000n };
  const accounts = { accountId: ann, toAccountId: bob };
  venue.run({ kind: 'transfer_between_accounts', ...accounts, ...moved });
  const reader = await readerOf(venue);
  for (const [accountId, text] of [
    [ann, `withdraw withdraw ${USDT}: -1000 fee 0`],
    [bob, `deposit deposit ${USDT}: +1000 fee 0`],
  ] as const) {
    const [newest] = await reader.bills({ accountId, assetId: USDT, wallet: 'spot', limit });
    assert.equal(newest && billText(newest), text);
  }
});

historyTest(
  'the public sees trades newest first and candles oldest first',
  async ({ readerOf }) => {
    const venue = new HistoryFloor();
    const [ann, bob] = [venue.open('ann'), venue.open('bob')];
    const noonMs = venue.timeMs;
    for (const [minute, price] of [100, 130, 90, 110].entries()) {
      venue.timeMs = noonMs + minute * 60_000;
      venue.limit(ann, 'sell', price, 3);
      venue.limit(bob, 'buy', price, 3);
    }
    venue.spotTrade(ann, bob, 'buy', { instrument: ETHUSDT });
    const reader = await readerOf(venue);
    const recent = await reader.recentTrades(BTCUSDT, 3);
    assert.deepEqual(
      recent.map((trade) => `${trade.takerSide} ${trade.sizeLots}@${trade.priceTicks}`),
      ['buy 3@110', 'buy 3@90', 'buy 3@130'],
    );
    const hour = { instrumentId: BTCUSDT, fromMs: noonMs, toMs: noonMs + 180_000 };
    const [candle] = await reader.candles({ ...hour, period: '1h', limit: 1, keep: 'newest' });
    assert.deepEqual(candle, {
      openTimeMs: noonMs,
      open: 100,
      high: 130,
      low: 90,
      close: 110,
      baseLots: 12,
      quoteAmount: BigInt(3 * (100 + 130 + 90 + 110)) * 100n,
      tradesCount: 4,
      takerBuyLots: 12,
      takerBuyQuote: BigInt(3 * (100 + 130 + 90 + 110)) * 100n,
      firstTradeId: (await reader.recentTrades(BTCUSDT, 4)).at(-1)?.tradeId,
      lastTradeId: recent[0]?.tradeId,
    });
    const minutes = async (fromMs: number, toMs: number, keep: 'oldest' | 'newest') => {
      const window = { instrumentId: BTCUSDT, period: '1min', fromMs, toMs } as const;
      const rows = await reader.candles({ ...window, limit: 2, keep });
      return rows.map((row) => (row.openTimeMs - noonMs) / 60_000);
    };
    assert.deepEqual(await minutes(noonMs, noonMs + 180_000, 'oldest'), [0, 1]);
    assert.deepEqual(await minutes(noonMs, noonMs + 180_000, 'newest'), [2, 3]);
    assert.deepEqual(await minutes(noonMs + 60_000, noonMs + 60_000, 'newest'), [1]);
    const last = await reader.lastCandleBefore(
      { instrumentId: BTCUSDT, period: '1min' },
      noonMs + 120_000,
    );
    assert.equal(last?.close, 130);
    assert.equal(
      await reader.lastCandleBefore({ instrumentId: BTCUSDT, period: '1min' }, noonMs),
      undefined,
    );
  },
);

historyTest('a volume beyond 2^53 lots stands still and stops nothing', async ({ readerOf }) => {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  venue.spotTrade(ann, bob, 'buy');
  const [trade] = venue.steps.flatMap((step) => step.events.filter((e) => e.kind === 'trade'));
  const whale = { ...present(trade, 'trade'), sizeLots: lots(Number.MAX_SAFE_INTEGER) };
  const [seq, timeMs] = [venue.steps.length + 1, venue.timeMs + 60_000];
  const huge = [10, 20, 30].map((ids) => ({ ...whale, tradeId: tradeId(whale.tradeId + ids) }));
  venue.steps.push({ seq, timeMs, events: huge });
  const reader = await readerOf(venue);
  for (const period of ['1min', '1M'] as const) {
    const candle = await reader.lastCandleBefore({ instrumentId: BTCUSDT, period }, timeMs + 1);
    assert.equal(candle?.baseLots, Number.MAX_SAFE_INTEGER);
  }
});

historyTest(
  'a page without a bound, or beyond the largest, is a fault of the caller',
  async ({ readerOf }) => {
    const venue = new HistoryFloor();
    const ann = venue.open('ann');
    const reader = await readerOf(venue);
    for (const bad of [0, -1, 1.5, LIMITS.historyRowsMax + 1]) {
      await assert.rejects(reader.orders({ accountId: ann, limit: bad }), {
        name: 'AssertionFailed',
      });
    }
  },
);
