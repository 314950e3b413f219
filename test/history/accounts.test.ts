/** Pages over all markets of an account and over spans of time. Rows are written by their day. */
import assert from 'node:assert/strict';
import { lots, orderId } from '#domain';
import type { HistoryReader } from '#history';
import { present } from '#kernel';
import { acceptedId, BTCUSDT, ETHUSDT } from '../support/floor.ts';
import { COIN_PERPETUAL, PERPETUAL } from '../support/tape.ts';
import { historyTest } from './contract.ts';
import { ANN, BOB, ContractTape, INVERSE_ID, LINEAR_ID } from './contracts.ts';
import { BTC, ETHBTC, HistoryFloor, USDT } from './floor.ts';

const DAY_MS = 86_400_000;
const limit = 9;
const CONTRACT_BY_DAY = [COIN_PERPETUAL, PERPETUAL];

historyTest('orders of a span of time, and pages by their place', async ({ readerOf }) => {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  const startMs = venue.timeMs;
  for (let day = 1; day <= 6; day += 1) {
    venue.timeMs = startMs + day * DAY_MS;
    const instrument = day % 2 === 0 ? ETHUSDT : BTCUSDT;
    venue.cancel(ann, acceptedId(venue.limit(ann, 'buy', 100, 1, { instrument })), instrument);
    venue.cancel(bob, acceptedId(venue.limit(bob, 'buy', 100, 1)));
  }
  const reader = await readerOf(venue);
  const days = async (query: object) => {
    const found = await reader.orders({ accountId: ann, limit, ...query });
    return found.map(({ createdTimeMs }) => (createdTimeMs - startMs) / DAY_MS);
  };
  const at = (day: number) => startMs + day * DAY_MS;
  assert.deepEqual(await days({}), [6, 5, 4, 3, 2, 1]);
  assert.deepEqual(await days({ fromMs: at(3), toMs: at(5) }), [5, 4, 3]);
  assert.deepEqual(await days({ fromMs: at(3) + 1 }), [6, 5, 4]);
  assert.deepEqual(await days({ toMs: at(3) - 1 }), [2, 1]);
  assert.deepEqual(await days({ fromMs: at(7) }), []);
  assert.deepEqual(await days({ toMs: at(0) }), []);
  assert.deepEqual(await days({ fromMs: at(5), toMs: at(3) }), []);
  assert.deepEqual(await days({ instrumentId: ETHUSDT, fromMs: at(2), toMs: at(4) }), [4, 2]);
  assert.deepEqual(await days({ offset: 2, limit: 3 }), [4, 3, 2]);
  assert.deepEqual(await days({ fromMs: at(2), offset: 4 }), [2]);
  assert.deepEqual(await days({ offset: 20_000 }), []);
});

historyTest('an order is found by its client id alone, the newest of any market', async (stage) => {
  const venue = new HistoryFloor();
  const ann = venue.open('ann');
  const close = (instrument: typeof BTCUSDT, clientOrderId: string) => {
    const id = acceptedId(venue.limit(ann, 'buy', 100, 1, { instrument, clientOrderId }));
    venue.cancel(ann, id, instrument);
    venue.timeMs += 10 * DAY_MS;
    return id;
  };
  close(BTCUSDT, 'mine');
  const [newest, unnamed] = [close(ETHUSDT, 'mine'), close(BTCUSDT, '')];
  const tape = new ContractTape();
  tape.close(tape.order(ANN, { clientOrderId: 'mine' }));
  const last = tape.order(ANN, { clientOrderId: 'mine', instrumentId: INVERSE_ID });
  tape.close(last);
  tape.close(tape.order(BOB, { clientOrderId: 'mine' }));
  const [pairs, contracts] = [await stage.readerOf(venue), await stage.readerOf(tape)];
  const named = async (id: string) => (await pairs.orderByClientId(ann, undefined, id))?.orderId;
  assert.equal(await named('mine'), newest);
  assert.equal(await named('other'), undefined);
  assert.equal(await named(''), undefined);
  assert.equal((await pairs.order(ann, unnamed))?.clientOrderId, undefined);
  const found = await contracts.contractOrderByClientId(ANN, undefined, 'mine');
  assert.equal(found?.orderId, last.orderId);
  assert.equal(await contracts.contractOrderByClientId(ANN, undefined, ''), undefined);
});

historyTest('the newest fills, of one market or all, of an order, in a span', async (stage) => {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  const startMs = venue.timeMs;
  for (const [day, instrument] of [BTCUSDT, ETHUSDT, ETHBTC, BTCUSDT].entries()) {
    venue.timeMs = startMs + day * DAY_MS;
    venue.spotTrade(ann, bob, day % 2 === 0 ? 'buy' : 'sell', { instrument });
    venue.spotTrade(bob, venue.open(`third-${day}`), 'buy', { instrument });
  }
  venue.timeMs = startMs + 4 * DAY_MS;
  venue.spotTrade(ann, ann, 'buy');
  const reader = await stage.readerOf(venue);
  const fills = (query: object) => reader.newestFills({ accountId: ann, limit, ...query });
  const days = async (query: object) =>
    (await fills(query)).map(({ timeMs, role }) => `${(timeMs - startMs) / DAY_MS} ${role}`);
  const all = ['4 taker', '4 maker', '3 maker', '2 maker', '1 maker', '0 maker'];
  const at = (day: number) => startMs + day * DAY_MS;
  assert.deepEqual(await days({}), all);
  assert.deepEqual(await days({ limit: 1 }), all.slice(0, 2), 'both sides');
  assert.deepEqual(await days({ limit: 3 }), all.slice(0, 3));
  assert.deepEqual(await days({ instrumentId: BTCUSDT }), [
    '4 taker',
    '4 maker',
    '3 maker',
    '0 maker',
  ]);
  assert.deepEqual(await days({ fromMs: at(1), toMs: at(3) }), ['3 maker', '2 maker', '1 maker']);
  assert.deepEqual(await days({ toMs: at(1) - 1, instrumentId: BTCUSDT }), ['0 maker']);
  assert.deepEqual(await days({ fromMs: at(5) }), []);
  const [, , third] = await fills({});
  const { orderId, fillId } = present(third, 'fill');
  assert.deepEqual(await days({ orderId }), ['3 maker']);
  assert.deepEqual(await days({ orderId, instrumentId: ETHUSDT }), []);
  assert.deepEqual(await days({ orderId, toMs: at(1) }), []);
  assert.deepEqual(await days({ before: fillId }), all.slice(3));
});

historyTest('bills of a span of time, and what trades brought or took', async ({ readerOf }) => {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  const startMs = venue.timeMs;
  for (let day = 1; day <= 3; day += 1) {
    venue.timeMs = startMs + day * DAY_MS;
    venue.spotTrade(bob, ann, day === 2 ? 'sell' : 'buy');
    venue.transfer(ann, 'spot', 'BTC-USDT-PERP');
  }
  const reader = await readerOf(venue);
  const bills = async (query: object) => {
    const found = await reader.bills({ accountId: ann, wallet: 'spot', limit, ...query });
    return found.map(({ timeMs, biz, assetId, traded }) => {
      const coin = assetId === USDT ? 'USDT' : 'BTC';
      const row = `${(timeMs - startMs) / DAY_MS} ${biz} ${coin}`;
      return traded === undefined ? row : `${row} traded`;
    });
  };
  const at = (day: number) => startMs + day * DAY_MS;
  assert.deepEqual(await bills({ fromMs: at(2), toMs: at(2) }), [
    '2 transfer_out USDT',
    '2 sell USDT traded',
    '2 sell BTC traded',
  ]);
  const received = ['3 buy BTC traded', '2 sell USDT traded', '1 buy BTC traded'];
  const given = ['3 buy USDT traded', '2 sell BTC traded', '1 buy USDT traded'];
  assert.deepEqual(await bills({ tradeSide: 'received' }), received);
  assert.deepEqual(await bills({ tradeSide: 'given' }), given);
  assert.deepEqual(await bills({ tradeSide: 'given', assetId: BTC }), ['2 sell BTC traded']);
  assert.deepEqual(await bills({ tradeSide: 'received', assetId: BTC, toMs: at(2) }), [
    '1 buy BTC traded',
  ]);
  assert.deepEqual(await bills({ tradeSide: 'received', limit: 1 }), received.slice(0, 1));
});

async function placesOf(reader: HistoryReader, query: object): Promise<string[]> {
  const page = { accountId: ANN, offset: 0, limit, ...query };
  const found = await reader.contractPast(page);
  return found.map((one) => {
    const { clientOrderId } = one.kind === 'order' ? one.order : one.trigger;
    return `${one.kind} ${clientOrderId}`;
  });
}

historyTest('orders, trigger orders and fills of every contract', async ({ readerOf }) => {
  const tape = new ContractTape();
  const startMs = tape.timeMs;
  for (let day = 1; day <= 4; day += 1) {
    tape.timeMs = startMs + day * DAY_MS;
    const instrumentId = day % 2 === 0 ? INVERSE_ID : LINEAR_ID;
    const facts = { instrumentId, clientOrderId: `${day}` };
    tape.close(tape.order(ANN, { ...facts, filledLots: lots(1) }));
    tape.close(tape.order(BOB, facts));
    tape.closeTrigger(tape.trigger(ANN, facts));
    const contract = present(CONTRACT_BY_DAY[day % 2], 'contract');
    tape.trade({ taker: { accountId: BOB }, maker: { accountId: ANN }, contract, size: day });
  }
  const reader = await readerOf(tape);
  const at = (day: number) => startMs + day * DAY_MS;
  const all = [4, 3, 2, 1].flatMap((day) => [`trigger ${day}`, `order ${day}`]);
  assert.deepEqual(await placesOf(reader, {}), all);
  assert.deepEqual(await placesOf(reader, { offset: 3, limit: 2 }), all.slice(3, 5));
  assert.deepEqual(
    await placesOf(reader, { instrumentId: INVERSE_ID, toMs: at(3) }),
    all.slice(4, 6),
  );
  assert.deepEqual(await placesOf(reader, { fromMs: at(5) }), []);
  const own = { accountId: ANN, offset: 0, limit };
  assert.equal((await reader.contractOrders({ ...own, fromMs: at(2), toMs: at(3) })).length, 2);
  assert.equal((await reader.triggers({ ...own, fromMs: at(2) })).length, 3);
  const sizes = async (query: object) => {
    const fills = await reader.contractFills({ accountId: ANN, limit, ...query });
    return fills.map(({ sizeLots }) => sizeLots);
  };
  assert.deepEqual(await sizes({}), [4, 3, 2, 1]);
  assert.deepEqual(await sizes({ fromMs: at(2), toMs: at(3) }), [3, 2]);
  assert.deepEqual(await sizes({ instrumentId: LINEAR_ID, toMs: at(2) }), [1]);
  const [, second] = await reader.contractFills({ accountId: ANN, limit });
  const { tradeId, orderId: ofSecond } = present(second, 'fill');
  assert.deepEqual(await sizes({ before: tradeId }), [2, 1]);
  assert.deepEqual(await sizes({ orderId: ofSecond }), [3]);
  assert.deepEqual(await sizes({ orderId: ofSecond, toMs: at(2) }), []);
  assert.deepEqual(await sizes({ orderId: orderId(1) }), []);
});

historyTest('funding of a span of time, with the mark price it was settled at', async (stage) => {
  const tape = new ContractTape();
  const startMs = tape.timeMs;
  for (let day = 1; day <= 4; day += 1) {
    tape.timeMs = startMs + day * DAY_MS;
    tape.settle(LINEAR_ID, day);
  }
  const reader = await stage.readerOf(tape);
  const rates = async (query: object) => {
    const own = { instrumentId: LINEAR_ID, offset: 0, limit };
    return (await reader.fundingRates({ ...own, ...query })).map(({ ratePpb, markTicks }) => {
      assert.equal(markTicks, 300_000);
      return ratePpb;
    });
  };
  assert.deepEqual(
    await rates({ fromMs: startMs + 2 * DAY_MS, toMs: startMs + 3 * DAY_MS }),
    [3, 2],
  );
  assert.deepEqual(await rates({ toMs: startMs }), []);
});
