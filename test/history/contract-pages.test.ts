/** Which rows a page of contracts shows. Rows are written as places: 1 is the oldest. */
import assert from 'node:assert/strict';
import { LIMITS } from '#domain';
import { historyTest } from './contract.ts';
import { ANN, BOB, ContractTape, INVERSE_ID, LINEAR_ID } from './contracts.ts';

const SECOND_MS = 1_000;

interface PageCase {
  readonly name: string;
  readonly offset: number;
  readonly limit: number;
  readonly shows: readonly number[];
}

const PAGES: readonly PageCase[] = [
  { name: 'the first page', offset: 0, limit: 2, shows: [6, 5] },
  { name: 'the second page', offset: 2, limit: 2, shows: [4, 3] },
  { name: 'a last page that is not full', offset: 4, limit: 4, shows: [2, 1] },
  { name: 'a page that begins between two others', offset: 1, limit: 2, shows: [5, 4] },
  { name: 'just beyond the end', offset: 6, limit: 5, shows: [] },
  { name: 'far beyond the end', offset: 20_000, limit: 500, shows: [] },
  { name: 'everything', offset: 0, limit: 500, shows: [6, 5, 4, 3, 2, 1] },
];

type Page = (page: { offset: number; limit: number }) => Promise<number[]>;

/** Runs every case against a list that tells which of its six rows a page shows. */
async function checkPages(list: string, page: Page): Promise<void> {
  for (const { name, offset, limit, shows } of PAGES) {
    assert.deepEqual(await page({ offset, limit }), shows, `${list}: ${name}`);
  }
}

historyTest(
  'orders page by their place, newest first, whenever they closed',
  async ({ readerOf }) => {
    const tape = new ContractTape();
    const orders = [1, 2, 3, 4, 5, 6].map(() => tape.order(ANN));
    for (const place of [2, 0, 5, 1, 3, 4]) {
      tape.timeMs += SECOND_MS;
      const order = orders[place] ?? assert.fail();
      tape.close(order);
      tape.close(tape.order(BOB));
      tape.close(tape.order(ANN, { instrumentId: INVERSE_ID }));
    }
    const reader = await readerOf(tape);
    const own = { accountId: ANN, instrumentId: LINEAR_ID, fromMs: 0 };
    await checkPages('orders', async (page) => {
      const found = await reader.contractOrders({ ...own, ...page });
      return found.map(({ orderId }) => orders.findIndex((one) => one.orderId === orderId) + 1);
    });
  },
);

historyTest(
  'orders since a time are those created then or later, not those closed later',
  async ({ readerOf }) => {
    const tape = new ContractTape();
    const startMs = tape.timeMs;
    for (let second = 1; second <= 4; second += 1) {
      tape.timeMs = startMs + second * SECOND_MS;
      const order = tape.order(ANN);
      tape.timeMs += 86_400_000;
      tape.close(order);
    }
    const reader = await readerOf(tape);
    const seconds = async (sinceSecond: number, offset = 0, limit = 9) => {
      const fromMs = startMs + sinceSecond * SECOND_MS;
      const own = { accountId: ANN, instrumentId: LINEAR_ID, fromMs, offset, limit };
      const found = await reader.contractOrders(own);
      return found.map(({ createdTimeMs }) => (createdTimeMs - startMs) / SECOND_MS);
    };
    assert.deepEqual(await seconds(0), [4, 3, 2, 1]);
    assert.deepEqual(await seconds(2), [4, 3, 2]);
    assert.deepEqual(await seconds(2.001), [4, 3]);
    assert.deepEqual(await seconds(2, 1, 1), [3]);
    assert.deepEqual(await seconds(2, 3), []);
    assert.deepEqual(await seconds(5), []);
  },
);

historyTest(
  'plan orders page by their place and by the window of their creation',
  async ({ readerOf }) => {
    const tape = new ContractTape();
    const startMs = tape.timeMs;
    const plans = [1, 2, 3, 4, 5, 6].map((second) => {
      tape.timeMs = startMs + second * SECOND_MS;
      return tape.trigger(ANN, { action: second % 2 === 0 ? 'close_long' : 'open_long' });
    });
    for (const plan of plans.toReversed()) {
      tape.timeMs += SECOND_MS;
      tape.closeTrigger(plan);
      tape.closeTrigger(tape.trigger(BOB));
    }
    const reader = await readerOf(tape);
    const own = { accountId: ANN, instrumentId: LINEAR_ID };
    const seconds = async (query: object) => {
      const found = await reader.triggers({ ...own, offset: 0, limit: 9, ...query });
      return found.map(({ createdTimeMs }) => (createdTimeMs - startMs) / SECOND_MS);
    };
    const at = (second: number) => startMs + second * SECOND_MS;
    await checkPages('plans', seconds);
    assert.deepEqual(await seconds({ action: 'close_long' }), [6, 4, 2]);
    assert.deepEqual(await seconds({ action: 'close_long', offset: 1, limit: 1 }), [4]);
    assert.deepEqual(await seconds({ action: 'close_short' }), []);
    assert.deepEqual(await seconds({ fromMs: at(3) }), [6, 5, 4, 3]);
    assert.deepEqual(await seconds({ toMs: at(3) }), [3, 2, 1]);
    assert.deepEqual(await seconds({ fromMs: at(2), toMs: at(4) }), [4, 3, 2]);
    assert.deepEqual(await seconds({ fromMs: at(2), toMs: at(4), action: 'open_long' }), [3]);
    assert.deepEqual(await seconds({ fromMs: at(4), toMs: at(2) }), []);
  },
);

historyTest('funding rates page by their place', async ({ readerOf }) => {
  const tape = new ContractTape();
  for (let place = 1; place <= 6; place += 1) {
    tape.timeMs += SECOND_MS;
    tape.settle(LINEAR_ID, place);
    tape.settle(INVERSE_ID, -place);
  }
  const reader = await readerOf(tape);
  await checkPages('funding', async (page) => {
    const found = await reader.fundingRates({ instrumentId: LINEAR_ID, ...page });
    return found.map(({ ratePpb }) => ratePpb);
  });
});

historyTest('liquidations page by their number, over one contract or all', async (stage) => {
  const tape = new ContractTape();
  for (let place = 0; place < 3; place += 1) tape.liquidate(ANN, BOB);
  const reader = await stage.readerOf(tape);
  for (const instrumentId of [undefined, LINEAR_ID]) {
    const page = async (limit: number, before?: number) => {
      const found = await reader.liquidations({ instrumentId, before, limit });
      return found.map(({ liquidationId }) => liquidationId);
    };
    assert.deepEqual(await page(2), [6, 5]);
    assert.deepEqual(await page(9, 4), [3, 2, 1]);
    assert.deepEqual(await page(1, 1), []);
  }
  assert.deepEqual(await reader.liquidations({ instrumentId: INVERSE_ID, limit: 9 }), []);
});

historyTest(
  'a page without a bound, or beyond the largest, is a fault of the caller',
  async ({ readerOf }) => {
    const reader = await readerOf(new ContractTape());
    const own = { accountId: ANN, instrumentId: LINEAR_ID, fromMs: 0 };
    const offsetMax = LIMITS.contractPageIndexMax * LIMITS.contractPageRowsMax;
    const refused = { name: 'AssertionFailed' };
    for (const limit of [0, -1, 1.5, LIMITS.historyRowsMax + 1]) {
      const page = { ...own, offset: 0, limit };
      await assert.rejects(reader.contractOrders(page), refused);
      await assert.rejects(reader.contractFills(page), refused);
      await assert.rejects(reader.triggers(page), refused);
      await assert.rejects(reader.fundingRates(page), refused);
      await assert.rejects(reader.liquidations(page), refused);
    }
    for (const offset of [-1, 0.5, offsetMax + 1]) {
      const page = { ...own, offset, limit: 1 };
      await assert.rejects(reader.contractOrders(page), refused);
      await assert.rejects(reader.triggers(page), refused);
      await assert.rejects(reader.fundingRates(page), refused);
    }
    assert.deepEqual(await reader.contractOrders({ ...own, offset: offsetMax, limit: 1 }), []);
  },
);
