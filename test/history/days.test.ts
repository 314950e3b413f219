/** What was owned when days began: pages, days that are too old, and proofs of the rest. */
import assert from 'node:assert/strict';
import { type AccountId, type AssetId, accountId, assetId, LIMITS } from '#domain';
import type { DayOpening, History, ProjectedStep } from '#history';
import { VENUE_ID } from '../support/history-files.ts';
import { historyTest, project } from './contract.ts';
import { BTC, USDT } from './floor.ts';

const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse('2026-03-01T00:00:00Z');
const [ANN, BOB] = [accountId(1), accountId(2)];

function dayAt(day: number): number {
  return FIRST_MS + day * DAY_MS;
}

function owns(owner: AccountId, coin: AssetId, equity: number) {
  return { accountId: owner, assetId: coin, equity: BigInt(equity) };
}

/** A step that opens a day, or nothing but a step. */
function stepOf(seq: number, dayOpening?: DayOpening): ProjectedStep {
  return { seq, timeMs: dayAt(seq), events: [{ kind: 'ticked' }], dayOpening };
}

function opening(day: number, ...equities: DayOpening['equities']): DayOpening {
  return { dayMs: dayAt(day), equities, funds: [{ assetId: USDT, fund: BigInt(1_000 + day) }] };
}

const STEPS = [
  stepOf(1, opening(1, owns(ANN, USDT, 100), owns(BOB, USDT, 7))),
  stepOf(2),
  stepOf(3, opening(3, owns(ANN, BTC, -5), owns(ANN, USDT, 90))),
  stepOf(4, opening(4, owns(ANN, USDT, 80))),
];

historyTest('an account finds what it owned, newest day first', async ({ readerOf }) => {
  const reader = await readerOf({ steps: STEPS });
  const found = await reader.equities({ accountId: ANN });
  assert.deepEqual(found, [
    { dayMs: dayAt(4), assetId: USDT, equity: 80n },
    { dayMs: dayAt(3), assetId: BTC, equity: -5n },
    { dayMs: dayAt(3), assetId: USDT, equity: 90n },
    { dayMs: dayAt(1), assetId: USDT, equity: 100n },
  ]);
  const of = (query: object) => reader.equities({ accountId: ANN, ...query });
  assert.deepEqual(await of({ assetId: BTC }), found.slice(1, 2));
  assert.deepEqual(await of({ fromMs: dayAt(3), toMs: dayAt(3) }), found.slice(1, 3));
  assert.deepEqual(await of({ fromMs: dayAt(4) + 1 }), []);
  assert.deepEqual(await of({ toMs: dayAt(1) }), found.slice(3));
  assert.deepEqual(await reader.equities({ accountId: accountId(3) }), []);
  assert.equal((await reader.equities({ accountId: BOB })).length, 1);
});

historyTest('the fund of a coin is found as it was', async ({ readerOf }) => {
  const reader = await readerOf({ steps: STEPS });
  const days = [4, 3, 1].map((day) => {
    return { dayMs: dayAt(day), assetId: USDT, fund: BigInt(1_000 + day) };
  });
  assert.deepEqual(await reader.funds({ assetId: USDT }), days);
  assert.deepEqual(await reader.funds({ assetId: BTC }), []);
  const [, second] = days;
  assert.deepEqual(await reader.funds({ assetId: USDT, fromMs: dayAt(2), toMs: dayAt(3) }), [
    second,
  ]);
});

historyTest('days leave when they are too old, also within one write', async ({ readerOf }) => {
  const count = LIMITS.openingDaysMax + 12;
  const steps = Array.from({ length: count }, (_, day) => {
    return stepOf(day + 1, opening(day, owns(ANN, USDT, day + 1)));
  });
  const reader = await readerOf({ steps });
  for (const rows of [
    await reader.equities({ accountId: ANN }),
    await reader.funds({ assetId: USDT }),
  ]) {
    assert.equal(rows.length, LIMITS.openingDaysMax);
    assert.equal(rows[0]?.dayMs, dayAt(count - 1));
    assert.equal(rows.at(-1)?.dayMs, dayAt(12));
  }
});

historyTest('a page holds whole days', async ({ readerOf }) => {
  const coins = Array.from({ length: 400 }, (_, coin) => owns(ANN, assetId(coin), coin + 1));
  const steps = [1, 2, 3].map((day) => stepOf(day, opening(day, ...coins)));
  const reader = await readerOf({ steps });
  const page = await reader.equities({ accountId: ANN });
  assert.equal(page.length, 800);
  assert.equal(page.at(-1)?.dayMs, dayAt(2));
  assert.equal(page.at(-1)?.assetId, 0);
  const rest = await reader.equities({ accountId: ANN, toMs: dayAt(2) - 1 });
  assert.equal(rest.length, 400);
});

historyTest('what comes again is passed over', async ({ newHistory }) => {
  const history = newHistory();
  await project(history, STEPS.slice(0, 3));
  await project(history, STEPS);
  const reader = await history.openReader();
  try {
    assert.equal((await reader.equities({ accountId: ANN })).length, 4);
  } finally {
    await reader.close();
  }
});

/** What a history that kept these steps differs in from one that is made of all. */
async function differences(history: History, kept: readonly ProjectedStep[]) {
  await project(history, kept);
  await using opened = new AsyncDisposableStack();
  const proof = opened.adopt(await history.openProof(), (one) => one.close());
  await proof.writer.project(STEPS);
  return await proof.differences();
}

historyTest('a day that is missing is found', async (stage) => {
  const without = STEPS.map((step) => (step.seq === 3 ? { ...step, dayOpening: undefined } : step));
  const missed = await differences(stage.newHistory(), without);
  assert.deepEqual(missed.map(({ table, what }) => `${table} ${what}`).toSorted(), [
    'day_equities missing',
    'day_equities missing',
    'day_funds missing',
  ]);
});

historyTest('a reset takes back the days after its checkpoint', async (stage) => {
  const history = stage.newHistory();
  const writer = await history.openWriter(VENUE_ID);
  await writer.project(STEPS);
  const checkpoint = { name: 'kept', seq: 3, timeMs: dayAt(3), rowsCount: 1 };
  const reset = { kind: 'venue_reset', checkpoint, lastId: 0, instrumentsCount: 0 } as const;
  await writer.project([{ seq: 5, timeMs: dayAt(4), events: [reset] }]);
  await writer.close();
  const reader = await history.openReader();
  try {
    const days = (await reader.equities({ accountId: ANN })).map(({ dayMs }) => dayMs);
    assert.deepEqual(days, [dayAt(3), dayAt(3), dayAt(1)]);
    assert.equal((await reader.funds({ assetId: USDT })).length, 2);
  } finally {
    await reader.close();
  }
});
