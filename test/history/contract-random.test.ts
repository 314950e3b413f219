/** Random days of contracts: every page equals a plain filter over the steps they came from. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type AccountId,
  CONTRACT_ACTIONS,
  type Contract,
  type ContractAction,
  type ContractOrderView,
  lots,
  PERIODS,
  type TriggerOrderView,
  ticks,
} from '#domain';
import type {
  ClosedContractOrder,
  ClosedTriggerOrder,
  ContractFillRecord,
  History,
  HistoryReader,
} from '#history';
import { present } from '#kernel';
import { VENUE_ID } from '../support/history-files.ts';
import { naiveCandles } from '../support/naive-market.ts';
import { CONTRACTS } from '../support/tape.ts';
import { historyTest, type Stage } from './contract.ts';
import {
  ANN,
  BOB,
  CAY,
  ContractTape,
  eventsOf,
  liquidated,
  naiveFills,
  naiveFunding,
  naiveLiquidations,
  naiveOrders,
  naivePlans,
} from './contracts.ts';

const ACCOUNTS = [ANN, BOB, CAY];
const MINUTE_MS = 60_000;

const act = fc.record({
  what: fc.constantFrom(
    ...(['open', 'open', 'close', 'close', 'trade', 'trade', 'trade', 'plan', 'end_plan'] as const),
    ...(['fund', 'liquidate', 'spot', 'wait', 'wait', 'project', 'reopen'] as const),
  ),
  who: fc.constantFrom(...ACCOUNTS),
  other: fc.constantFrom(...ACCOUNTS),
  contract: fc.constantFrom<Contract>(...CONTRACTS),
  action: fc.constantFrom(...CONTRACT_ACTIONS),
  price: fc.integer({ min: 299_990, max: 300_010 }),
  size: fc.integer({ min: 1, max: 50 }),
  waitMs: fc.constantFrom(1, 700, MINUTE_MS, 3_600_000, 86_400_000, 3_000_000_000),
});
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

/** What is under way in a tape: orders and plan orders that have not ended. */
interface Waiting {
  readonly orders: ContractOrderView[];
  readonly triggers: TriggerOrderView[];
}

function perform(tape: ContractTape, waiting: Waiting, one: Act): void {
  const { who, other, contract, action, price, size } = one;
  const { instrumentId } = contract;
  const facts = { instrumentId, action, sizeLots: lots(size) };
  if (one.what === 'open') waiting.orders.push(tape.order(who, facts));
  else if (one.what === 'plan') waiting.triggers.push(tape.trigger(who, facts));
  else if (one.what === 'close') {
    const [order] = waiting.orders.splice(size % Math.max(waiting.orders.length, 1), 1);
    if (order !== undefined) tape.close({ ...order, realizedPnl: BigInt(-price) }, 'filled');
  } else if (one.what === 'end_plan') {
    const [plan] = waiting.triggers.splice(size % Math.max(waiting.triggers.length, 1), 1);
    if (plan !== undefined)
      tape.closeTrigger(plan, { status: 'triggered', executedLots: lots(size) });
  } else if (one.what === 'trade') {
    const taker = { accountId: who, action, realizedPnl: BigInt(size - 25) };
    const maker = { accountId: other, fee: BigInt(size) };
    tape.trade({ taker, maker, contract, price, size, inBook: size % 7 !== 0 });
  } else if (one.what === 'spot') tape.spotTrade(price, size);
  else if (one.what === 'fund') {
    // Never two settlements of one contract at one time.
    tape.timeMs += 1;
    tape.settle(instrumentId, price - 300_000);
  } else if (one.what === 'liquidate') {
    const markTicks = ticks(price);
    tape.step(liquidated(who, { instrumentId, markTicks }), liquidated(other, { instrumentId }));
  } else tape.timeMs += one.waitMs;
}

interface Played {
  readonly tape: ContractTape;
  readonly reader: HistoryReader;
}

/** Plays the acts, projecting in whatever batches and restarts they ask for. */
async function play(history: History, acts: readonly Act[]): Promise<Played> {
  const tape = new ContractTape();
  const waiting: Waiting = { orders: [], triggers: [] };
  let writer = await history.openWriter(VENUE_ID);
  for (const one of acts) {
    if (one.what === 'project') await writer.project(tape.since(writer.projectedSeq));
    else if (one.what === 'reopen') {
      await writer.close();
      writer = await history.openWriter(VENUE_ID);
    } else perform(tape, waiting, one);
  }
  for (const order of waiting.orders) tape.close(order);
  for (const plan of waiting.triggers) tape.closeTrigger(plan);
  await writer.project(tape.since(writer.projectedSeq));
  await writer.close();
  return { tape, reader: await history.openReader() };
}

type Check = (played: Played, limit: number) => Promise<number>;

/** Runs a check on random days; it tells how many rows it saw, which must be some. */
async function onRandomDays({ newHistory, runs }: Stage, check: Check): Promise<void> {
  let rows = 0;
  const acts = fc.array(act, { minLength: 20, maxLength: 150, size: 'max' });
  const run = fc.asyncProperty(acts, fc.integer({ min: 1, max: 9 }), async (some, limit) => {
    const played = await play(newHistory(), some);
    try {
      rows += await check(played, limit);
    } finally {
      await played.reader.close();
    }
  });
  const numRuns = runs(15);
  await fc.assert(run, { numRuns });
  assert.ok(rows >= numRuns, `only ${rows} rows were compared`);
}

type Rows = readonly object[];

/** All pages, one after the other. */
async function paged(limit: number, page: (offset: number) => Promise<Rows>): Promise<Rows> {
  const all: object[] = [];
  for (;;) {
    const found = await page(all.length);
    all.push(...found);
    if (found.length < limit) return all;
  }
}

/** All pages, each asked for from where the last row before it was. */
async function walked<Row>(page: (last: Row | undefined) => Promise<readonly Row[]>) {
  const all: Row[] = [];
  for (;;) {
    const found = await page(all.at(-1));
    all.push(...found);
    if (found.length === 0) return all;
  }
}

/** Every account in every contract. */
function sides(): { accountId: AccountId; instrumentId: Contract['instrumentId'] }[] {
  return ACCOUNTS.flatMap((accountId) =>
    CONTRACTS.map(({ instrumentId }) => ({ accountId, instrumentId })),
  );
}

const isOf =
  (side: { accountId: number; instrumentId: number }) =>
  (row: { accountId: number; instrumentId: number }) =>
    row.accountId === side.accountId && row.instrumentId === side.instrumentId;

historyTest('closed orders, paged in any size and since any time', (stage) =>
  onRandomDays(stage, async ({ tape, reader }, limit) => {
    let rows = 0;
    for (const side of sides()) {
      const all = naiveOrders(tape).filter(isOf(side));
      for (const fromMs of [0, present(tape.steps[tape.steps.length >> 1], 'step').timeMs]) {
        const query = { ...side, fromMs, limit };
        const found = await paged(limit, (offset) => reader.contractOrders({ ...query, offset }));
        assert.deepEqual(
          found,
          all.filter(({ createdTimeMs }) => createdTimeMs >= fromMs),
        );
        rows += found.length;
        const byId = await walked<ClosedContractOrder>((last) =>
          reader.contractOrders({ ...query, before: last?.orderId, offset: 0 }),
        );
        assert.deepEqual(byId, found);
      }
      for (const order of all) {
        const { accountId, instrumentId, orderId, clientOrderId } = order;
        assert.deepEqual(await reader.contractOrder(accountId, orderId), order);
        const name = present(clientOrderId, 'client id');
        const byClient = reader.contractOrderByClientId(accountId, instrumentId, name);
        assert.deepEqual(await byClient, order);
      }
    }
    return rows;
  }),
);

historyTest('fills show both sides of every trade once', (stage) =>
  onRandomDays(stage, async ({ tape, reader }, limit) => {
    let rows = 0;
    for (const side of sides()) {
      const all = naiveFills(tape).filter(isOf(side));
      assert.deepEqual(await reader.contractFills({ ...side, limit: 500 }), all);
      const own = { ...side, limit };
      const byId = await walked<ContractFillRecord>((last) =>
        reader.contractFills({ ...own, before: last?.tradeId }),
      );
      assert.deepEqual(byId, all);
      const byTime = await walked<ContractFillRecord>((last) => {
        const toMs = last && last.timeMs - 1;
        return reader.contractFills({ ...own, toMs, whole: 'millisecond' });
      });
      assert.deepEqual(byTime, all);
      for (const fill of all) {
        const { orderId } = fill;
        assert.deepEqual(await reader.contractFills({ ...side, orderId, limit }), [fill]);
      }
      rows += all.length;
    }
    return rows;
  }),
);

historyTest('plan orders, paged in any size, of any action and window', (stage) =>
  onRandomDays(stage, async ({ tape, reader }, limit) => {
    let rows = 0;
    const [fromMs, toMs] = [tape.steps.length >> 2, tape.steps.length >> 1].map(
      (at) => present(tape.steps[at], 'step').timeMs,
    );
    const actions: (ContractAction | undefined)[] = [undefined, ...CONTRACT_ACTIONS];
    for (const side of sides()) {
      for (const action of actions) {
        for (const window of [{}, { fromMs }, { toMs }, { fromMs, toMs }]) {
          const query = { ...side, action, ...window, limit };
          const found = await paged(limit, (offset) => reader.triggers({ ...query, offset }));
          const expected = naivePlans(tape)
            .filter(isOf(side))
            .filter((plan) => (action ?? plan.action) === plan.action)
            .filter(({ createdTimeMs }) => createdTimeMs >= (window.fromMs ?? 0))
            .filter(({ createdTimeMs }) => createdTimeMs <= (window.toMs ?? tape.timeMs));
          assert.deepEqual(found, expected);
          rows += found.length;
          if (action !== undefined) continue;
          const byId = await walked<ClosedTriggerOrder>((last) =>
            reader.triggers({ ...query, before: last?.orderId, offset: 0 }),
          );
          assert.deepEqual(byId, found);
        }
      }
    }
    for (const plan of naivePlans(tape)) {
      assert.deepEqual(await reader.trigger(plan.accountId, plan.orderId), plan);
    }
    return rows;
  }),
);

historyTest('funding rates and liquidations are all there', (stage) =>
  onRandomDays(stage, async ({ tape, reader }, limit) => {
    let rows = 0;
    for (const { instrumentId } of CONTRACTS) {
      const page = (offset: number) => reader.fundingRates({ instrumentId, limit, offset });
      const found = await paged(limit, page);
      assert.deepEqual(found, naiveFunding(tape, instrumentId));
      rows += found.length;
    }
    const all = naiveLiquidations(tape);
    for (const instrumentId of [undefined, ...CONTRACTS.map((one) => one.instrumentId)]) {
      const seen: object[] = [];
      for (let before: number | undefined; ; ) {
        const page = await reader.liquidations({ instrumentId, before, limit });
        if (page.length === 0) break;
        seen.push(...page);
        before = page.at(-1)?.liquidationId;
      }
      const own = all.filter((row) => (instrumentId ?? row.instrumentId) === row.instrumentId);
      assert.deepEqual(seen, own);
      rows += seen.length;
    }
    return rows;
  }),
);

historyTest('public trades and candles of contracts, however they were batched', (stage) =>
  onRandomDays(stage, async ({ tape, reader }) => {
    let rows = 0;
    for (const { instrumentId } of CONTRACTS) {
      const trades = eventsOf(tape).flatMap(({ event, step: { timeMs } }) => {
        if (event.kind !== 'contract_trade' || !event.inBook) return [];
        if (event.instrumentId !== instrumentId) return [];
        const { tradeId, priceTicks, sizeLots, takerSide, quoteAmount } = event;
        return [{ tradeId, instrumentId, priceTicks, sizeLots, takerSide, timeMs, quoteAmount }];
      });
      const publicTrades = trades.map(({ quoteAmount: _amount, ...trade }) => trade).reverse();
      assert.deepEqual(await reader.recentTrades(instrumentId, 2_000), publicTrades);
      for (const { period } of PERIODS) {
        const window = { instrumentId, period, fromMs: 0, toMs: tape.timeMs };
        const candles = await reader.candles({ ...window, limit: 1_000, keep: 'oldest' });
        assert.deepEqual(candles, naiveCandles(period, trades));
      }
      rows += trades.length;
    }
    return rows;
  }),
);
