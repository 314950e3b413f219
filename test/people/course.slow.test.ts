/** A course begins: fifty people sign up by one invitation and trade, all at once. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { type Browser, PASSWORD, PeopleVenue, type Said } from '../support/people-venue.ts';
import { until } from '../support/until.ts';

const PEOPLE = 50;
const ORDERS = '/api/spot/v1/trade/orders';

test('fifty people sign up and trade at once', async (t) => {
  const venue = await PeopleVenue.open(t);
  const invitation = await venue.invitation(PEOPLE);
  const names = Array.from({ length: PEOPLE }, (_, at) => `student${at}@example.com`);
  const join = async (email: string): Promise<Browser> => {
    const browser = venue.browser();
    const asked = { email, invitation };
    await patiently(() => browser.call('POST', '/people/v1/sign-up', asked));
    const token = await venue.linkOf(email);
    const chosen = { token, password: PASSWORD };
    await patiently(() => browser.call('POST', '/people/v1/password-resets/complete', chosen));
    await patiently(() =>
      browser.call('POST', '/people/v1/sessions', { email, password: PASSWORD }),
    );
    await browser.done('GET', '/people/v1/session');
    return browser;
  };
  const people = await Promise.all(names.map(join));
  assert.equal(new Set(people.map(({ accountId }) => accountId)).size, PEOPLE);
  const late = { email: 'late@example.com', invitation };
  await venue.browser().refused('60807', 'POST', '/people/v1/sign-up', late);

  await Promise.all(
    people.map(async ({ accountId }, at) => {
      const money = at % 2 === 0 ? { coin: 'USDT', amount: '1000' } : { coin: 'BTC', amount: '1' };
      const { msg, code } = await venue.operator.call(
        'POST',
        `/accounts/${accountId}/deposits`,
        money,
      );
      assert.equal(code, '00000', msg);
    }),
  );
  const order = { symbol: 'BTCUSDT_SPBL', orderType: 'limit', force: 'normal', price: '30000' };
  const placed = await Promise.all(
    people.map((browser, at) => {
      const side = at % 2 === 0 ? 'buy' : 'sell';
      return browser.trade('POST', ORDERS, { ...order, side, quantity: '0.01' });
    }),
  );
  for (const { code, msg } of placed) assert.equal(code, '00000', msg);
  const fills = await Promise.all(
    people.map((browser) => browser.trade('POST', '/api/spot/v1/trade/fills', order)),
  );
  assert.ok(fills.every(({ rows }) => rows.length === 1));
  const { data } = await venue.operator.call('GET', '/audit');
  assert.equal(data.balanced, true);
});

/** As a browser does that is asked to try again: so many passwords wait for their hash. */
function patiently(call: () => Promise<Said>): Promise<void> {
  const isIn = async () => {
    const { code, msg } = await call();
    if (code !== '00000') assert.equal(code, '40604', msg);
    return code === '00000';
  };
  return until('a place', isIn, { withinMs: 120_000, everyMs: 200 });
}
