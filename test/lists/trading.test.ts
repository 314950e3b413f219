/** Every list of the trading dialects, walked over HTTP: nothing is lost and nothing is twice. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NATIVE_ENDPOINTS, SPOT_ENDPOINTS } from '#dialects';
import { closedAtEnd } from '../support/at-end.ts';
import { listsAmong, nameOf, UNWALKED } from './known.ts';
import { ACTS, Floor, type Told } from './told.ts';
import { TRADING_WALKS, type Walk } from './trading-walks.ts';
import type { Row } from './walking.ts';
import { ask } from './wire.ts';

const floor = await Floor.open();
closedAtEnd(floor.house);

/** What was tried: walks, pages, and borders between rows that the time does not tell apart. */
const tried = { walks: 0, pages: 0, sameTime: 0, longPages: 0 };
const TIMES = ['cTime', 'tradeTime', 'timestamp', 'time', 'createTime', 'create_time'];

function timeOf(row: Row | undefined): unknown {
  return row && TIMES.map((name) => row[name]).find((value) => value !== undefined);
}

async function walk(
  told: Told,
  { endpoint, filters, rowsAt, key, ways, count }: Walk,
  limit: number,
) {
  const filter = filters?.(told) ?? {};
  const expected = await count(told);
  let first: readonly Row[] | undefined;
  for (const [name, way] of Object.entries(ways)) {
    const list = `${nameOf(endpoint)} ${JSON.stringify(filter)}`;
    const where = `${list}, ${name}, ${limit} a page`;
    let before: Row | undefined;
    const rows = await way(async (fields) => {
      const page = await ask(told.house, endpoint, { ...filter, ...fields }, told.trader, rowsAt);
      tried.pages += 1;
      if (page.length > limit) tried.longPages += 1;
      const isSame = before !== undefined && timeOf(before) === timeOf(page[0]);
      if (isSame && page.length > 0) tried.sameTime += 1;
      before = page.at(-1);
      return page;
    }, limit);
    const keys = rows.map((row) => key.map((field) => String(row[field])).join(' '));
    assert.equal(new Set(keys).size, keys.length, `${where}: a row is there twice`);
    assert.equal(rows.length, expected, `${where}: rows are lost or added`);
    first ??= rows;
    assert.deepEqual(rows, first, `${where}: the rows are others, or in another order`);
    tried.walks += 1;
  }
}

test('every list in pages of any size, forward and back', async () => {
  const run = fc.asyncProperty(ACTS, fc.integer({ min: 1, max: 9 }), async (acts, limit) => {
    const told = await floor.tell(acts);
    for (const list of TRADING_WALKS) await walk(told, list, limit);
  });
  await fc.assert(run, { numRuns: 4 });
  assert.ok(tried.walks >= 4 * 56, JSON.stringify(tried));
  assert.ok(tried.sameTime > 200, JSON.stringify(tried));
  assert.ok(tried.longPages > 50, JSON.stringify(tried));
});

test('every list of these dialects is walked, or is known to need no walk', () => {
  const walked = [
    ...TRADING_WALKS.map(({ endpoint }) => endpoint),
    SPOT_ENDPOINTS.equity,
    NATIVE_ENDPOINTS.equity,
  ];
  const known = [...walked.map(nameOf), ...UNWALKED];
  const lists = listsAmong(floor.served);
  assert.deepEqual(
    lists.filter((name) => !known.includes(name)),
    [],
  );
});
