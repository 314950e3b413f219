/** What an account owned day by day, over more days and coins than a page holds. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { NATIVE_ENDPOINTS, SPOT_ENDPOINTS } from '#dialects';
import { LIMITS } from '#domain';
import { closedAtEnd } from '../support/at-end.ts';
import { House } from '../support/house.ts';
import { assetSpec } from '../support/terms.ts';
import { byBound, byTime, type Row } from './walking.ts';
import { ask } from './wire.ts';

const DAY_MS = 86_400_000;
const OWN_TIMES = { from: 'from', to: 'to', of: 'time' };
const house = closedAtEnd(await House.open());

test('days whose rows do not fit on one page are all there', async () => {
  const coins = Array.from({ length: 12 }, (_, place) => `C${place}`);
  for (const [place, code] of coins.entries()) {
    await house.run({ kind: 'list_asset', spec: assetSpec(10 + place, code) });
  }
  const who = await house.trader('owner', Object.fromEntries(coins.map((coin) => [coin, '5'])));
  for (let day = 0; day < LIMITS.openingDaysMax; day += 1) {
    house.clock.advance(DAY_MS);
    await house.run({ kind: 'tick' });
  }
  let pagesCount = 0;
  const page = (fields: object): Promise<readonly Row[]> => {
    pagesCount += 1;
    return ask(house, SPOT_ENDPOINTS.equity, fields, who);
  };
  const ways = byTime({ from: 'startTime', to: 'endTime', of: 'day' });
  for (const [name, way] of Object.entries(ways)) {
    const rows = await way(page, 1);
    assert.equal(rows.length, coins.length * LIMITS.openingDaysMax, name);
    assert.equal(new Set(rows.map(({ day, coinName }) => `${day} ${coinName}`)).size, rows.length);
    assert.ok(pagesCount >= 3, `${name}: ${pagesCount} pages`);
  }
  const own = (fields: object) => ask(house, NATIVE_ENDPOINTS.equity, fields, who, 'rows');
  const ofOwn = { ...byBound({ older: 'before', of: 'time' }), ...byTime(OWN_TIMES) };
  for (const [name, way] of Object.entries(ofOwn)) {
    const rows = await way(own, 1);
    assert.equal(rows.length, coins.length * LIMITS.openingDaysMax, name);
    assert.equal(new Set(rows.map(({ time, coin }) => `${time} ${coin}`)).size, rows.length);
  }
});
