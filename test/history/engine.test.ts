/** The history of contracts behind the real engine: it tells what happened, and adds up. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type AccountId,
  accountId,
  type InstrumentId,
  lotsPerTick,
  marginWallet,
  tickLots,
} from '#domain';
import type { Bill, ClosedContractOrder, HistoryReader } from '#history';
import { present } from '#kernel';
import { CONTRACTS, moves, RandomDay } from '../support/random-days.ts';
import { historyTest, project, type Stage } from './contract.ts';
import {
  eventsOf,
  naiveFills,
  naiveFunding,
  naiveLiquidations,
  naiveOrders,
  naivePlans,
} from './contracts.ts';

const ACCOUNTS = [1, 2, 3, 4].map(accountId);
const limit = 500;

interface Side {
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
}

type Check = (reader: HistoryReader, day: RandomDay) => Promise<number>;

/** Runs a check on random days; it tells how many rows it saw, which must be some. */
async function onRandomDays({ newHistory, runs }: Stage, check: Check): Promise<void> {
  let rows = 0;
  const run = fc.asyncProperty(moves, async (list) => {
    const day = new RandomDay();
    for (const [index, one] of list.entries()) day.play(one, index);
    const history = newHistory();
    await project(history, day.steps);
    const reader = await history.openReader();
    try {
      rows += await check(reader, day);
    } finally {
      await reader.close();
    }
  });
  const numRuns = runs(10);
  await fc.assert(run, { numRuns, endOnFailure: true });
  assert.ok(rows >= numRuns, `only ${rows} rows were compared`);
}

/** Every account in every contract. */
const SIDES: readonly Side[] = ACCOUNTS.flatMap((owner) =>
  CONTRACTS.map((instrumentId) => ({ accountId: owner, instrumentId })),
);

const isOf = (side: Side) => (row: Side) =>
  row.accountId === side.accountId && row.instrumentId === side.instrumentId;

historyTest('orders, fills and plans are those of the events', (stage) =>
  onRandomDays(stage, async (reader, day) => {
    let rows = 0;
    for (const side of SIDES) {
      const page = { ...side, offset: 0, limit };
      const orders = naiveOrders(day).filter(isOf(side));
      assert.deepEqual(await reader.contractOrders({ ...page, fromMs: 0 }), orders);
      const fills = naiveFills(day).filter(isOf(side));
      assert.deepEqual(await reader.contractFills({ ...side, limit }), fills);
      assert.deepEqual(await reader.triggers(page), naivePlans(day).filter(isOf(side)));
      rows += orders.length + fills.length;
    }
    return rows;
  }),
);

historyTest("an order's figures are the sums of its fills", (stage) =>
  onRandomDays(stage, async (reader, day) => {
    const orders = naiveOrders(day);
    for (const order of orders) {
      const { accountId: owner, instrumentId, orderId } = order;
      const isInverse = instrumentId === CONTRACTS[1];
      const fills = await reader.contractFills({ accountId: owner, instrumentId, orderId, limit });
      const sums = {
        filledLots: fills.reduce((sum, { sizeLots }) => sum + sizeLots, 0),
        filledTickLots: fills.reduce(
          (sum, one) => sum + tickLots(one.sizeLots, one.priceTicks),
          0n,
        ),
        // Only an inverse average is made of it.
        filledPerTick: fills.reduce(
          (sum, one) => sum + (isInverse ? lotsPerTick(one.sizeLots, one.priceTicks) : 0n),
          0n,
        ),
        fee: fills.reduce((sum, { fee }) => sum + fee, 0n),
        realizedPnl: fills.reduce((sum, one) => sum + one.realizedPnl, 0n),
      };
      assert.deepEqual(
        sums,
        figuresOf(present(await reader.contractOrder(owner, orderId), 'order')),
      );
    }
    return orders.length;
  }),
);

function figuresOf(order: ClosedContractOrder) {
  const { filledLots, filledTickLots, filledPerTick, fee, realizedPnl } = order;
  return { filledLots, filledTickLots, filledPerTick, fee, realizedPnl };
}

historyTest('funding, its bills and the liquidations are those of the events', (stage) =>
  onRandomDays(stage, async (reader, day) => {
    let rows = 0;
    for (const instrumentId of CONTRACTS) {
      const rates = await reader.fundingRates({ instrumentId, offset: 0, limit });
      assert.deepEqual(rates, naiveFunding(day, instrumentId));
    }
    assert.deepEqual(await reader.liquidations({ limit }), naiveLiquidations(day));
    const events = eventsOf(day);
    for (const owner of ACCOUNTS) {
      const bills: Bill[] = [];
      const account = present(day.engine.account(owner), 'account');
      for (const contract of day.engine.listings.contracts.values()) {
        const wallet = marginWallet(account, contract);
        bills.push(...(await reader.bills({ accountId: owner, wallet, group: 'other', limit })));
      }
      const expected = events.flatMap(({ event }) => {
        const isFunding = event.kind === 'balance_changed' && event.reason === 'funding';
        return isFunding && event.accountId === owner ? [event.billId] : [];
      });
      assert.deepEqual(
        bills.map(({ billId }) => billId).sort((one, other) => one - other),
        expected,
      );
      rows += bills.length;
    }
    return rows;
  }),
);
