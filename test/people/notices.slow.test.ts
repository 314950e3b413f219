/** Announcements and maintenance windows, from the operator's call to what traders meet. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { PeopleVenue, type Row, type Said, START_MS } from '../support/people-venue.ts';
import { reads } from '../support/until.ts';

const venue = await PeopleVenue.open({ after });
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const ANNOUNCEMENTS = '/announcements';
const WINDOWS = '/maintenance';

const ANNOUNCED = { level: 'info', titleEn: 'Hello', from: START_MS, until: START_MS + HOUR_MS };

async function done(...[method, path, body]: Parameters<typeof venue.operator.call>) {
  const said = await venue.operator.call(method, path, body);
  assert.equal(said.code, '00000', `${method} ${path}: ${said.msg}`);
  return said;
}

async function shown(): Promise<Said> {
  const said = await venue.browser().call('GET', '/people/v1/notices');
  assert.equal(said.code, '00000', said.msg);
  return said;
}

function titles({ data: { announcements } }: Said): unknown[] {
  assert.ok(Array.isArray(announcements));
  return announcements.map((one: Row) => one.titleZh);
}

test('everybody sees an announcement from its beginning to its end', async () => {
  const { data } = await done('POST', ANNOUNCEMENTS, { ...ANNOUNCED, textZh: '你好\n再见' });
  const later = { ...ANNOUNCED, titleEn: '', titleZh: '以后', from: START_MS + 1_000 };
  const second = await done('POST', ANNOUNCEMENTS, { ...later, level: 'critical' });
  const { rows } = await done('GET', ANNOUNCEMENTS);
  assert.deepEqual(
    rows.map(({ titleEn }) => titleEn),
    ['以后', 'Hello'],
  );
  assert.deepEqual(titles(await shown()), ['Hello']);
  await venue.advance(1_000);
  assert.deepEqual(titles(await shown()), ['以后', 'Hello']);
  const changed = { ...later, titleZh: '现在', from: START_MS };
  await done('PUT', `${ANNOUNCEMENTS}/${second.data.announcementId}`, changed);
  assert.deepEqual(titles(await shown()).sort(), ['Hello', '现在']);
  await done('DELETE', `${ANNOUNCEMENTS}/${data.announcementId}`);
  assert.deepEqual(titles(await shown()), ['现在']);
  await venue.advance(HOUR_MS);
  assert.deepEqual(titles(await shown()), []);
  const gone = await venue.operator.call('DELETE', `${ANNOUNCEMENTS}/${data.announcementId}`);
  assert.equal(gone.code, '60841');
});

test('a bad announcement or window is refused, and says what is wrong', async () => {
  const nowMs = venue.clock.nowMs();
  const good = { ...ANNOUNCED, from: nowMs, until: nowMs + HOUR_MS };
  const rows: readonly [path: string, body: Row, says: RegExp][] = [
    [ANNOUNCEMENTS, { ...good, level: 'loud' }, /one of info, warning, critical/],
    [ANNOUNCEMENTS, { ...good, titleEn: '' }, /titleEn or titleZh is needed/],
    [ANNOUNCEMENTS, { ...good, titleEn: 'x'.repeat(121) }, /titleEn takes up to 120/],
    [ANNOUNCEMENTS, { ...good, titleEn: 'a\u0007b' }, /titleEn takes up to 120/],
    [ANNOUNCEMENTS, { ...good, textEn: 'x'.repeat(2_001) }, /textEn takes up to 2000/],
    [ANNOUNCEMENTS, { ...good, until: nowMs }, /until comes after from/],
    [ANNOUNCEMENTS, { ...good, from: nowMs - 10, until: nowMs }, /until is in the past/],
    [
      ANNOUNCEMENTS,
      { ...good, from: 1_795_235_652 },
      /from is out of range: it takes Unix time in milliseconds/,
    ],
    [ANNOUNCEMENTS, { ...good, colour: 'red' }, /colour.* is not known here/],
    [WINDOWS, { from: nowMs, until: nowMs }, /until comes after from/],
    [WINDOWS, { until: nowMs + 1 }, /from/],
    [WINDOWS, { from: nowMs, until: nowMs + 1, markets: ['DOGE-USDT'] }, /DOGE/],
    [WINDOWS, { from: nowMs, until: nowMs + 1, markets: [['x']] }, /list of texts/],
  ];
  for (const [path, body, says] of rows) {
    const said = await venue.operator.call('POST', path, body);
    assert.equal(said.status, 400, JSON.stringify(body));
    assert.match(said.msg, says);
  }
  const unknown = await venue.operator.call('DELETE', `${WINDOWS}/none`);
  assert.equal(unknown.status, 404);
});

test('trading is halted in a window, by the ordinary command, and goes on after it', async () => {
  const trader = await venue.person('maintained@example.com');
  const fromMs = venue.clock.nowMs() + MINUTE_MS;
  const planned = { from: fromMs, until: fromMs + MINUTE_MS, textEn: 'Upgrade' };
  const { data } = await done('POST', WINDOWS, planned);
  const overlapping = await venue.operator.call('POST', WINDOWS, planned);
  assert.equal(overlapping.code, '60842');
  const bid = {
    ...{ symbol: 'BTCUSDT_SPBL', side: 'buy', orderType: 'limit', force: 'normal' },
    ...{ price: '20000', quantity: '0.01' },
  };
  await done('POST', `/accounts/${trader.accountId}/deposits`, { coin: 'USDT', amount: '900' });
  const order = () => trader.trade('POST', '/api/spot/v1/trade/orders', bid);
  assert.equal((await order()).code, '00000');
  const state = async () => (await done('GET', WINDOWS)).rows[0]?.state;
  assert.equal(await state(), 'planned');

  await venue.advance(MINUTE_MS);
  await reads(state, 'begun');
  const halted = await order();
  assert.equal(halted.code, '50004', 'the code of a market that is halted');
  const said = await shown();
  const markets: string[] = [];
  const window = { markets, state: 'begun', textEn: 'Upgrade', textZh: 'Upgrade' };
  const times = { from: String(fromMs), until: String(fromMs + MINUTE_MS) };
  assert.deepEqual(said.data.maintenance, [{ ...window, ...times }]);

  await venue.advance(MINUTE_MS);
  await reads(state, 'over');
  assert.equal((await order()).code, '00000');
  assert.deepEqual((await shown()).data.maintenance, []);
  assert.equal((await venue.operator.call('DELETE', `${WINDOWS}/${data.windowId}`)).status, 404);
});

test('a window leaves alone what the operator has halted, and can be ended', async () => {
  const { operator } = venue;
  const status = async () => {
    const { data } = await operator.done('instruments', '/instruments');
    assert.ok(Array.isArray(data.spot));
    return data.spot[0]?.status;
  };
  await done('POST', '/spot/BTC-USDT/halt');
  const fromMs = venue.clock.nowMs();
  const { data } = await done('POST', WINDOWS, { from: fromMs, until: fromMs + HOUR_MS });
  const state = async () => (await done('GET', WINDOWS)).rows[0]?.state;
  await reads(state, 'begun');
  const ended = await done('DELETE', `${WINDOWS}/${data.windowId}`);
  assert.deepEqual(ended.data.halted, []);
  await reads(state, 'over');
  assert.equal(await status(), 'halt');
  await done('POST', '/spot/BTC-USDT/resume');
});

test('a window that began before a restart is ended by the next life', async () => {
  await venue.advance(MINUTE_MS);
  const fromMs = venue.clock.nowMs();
  await done('POST', WINDOWS, {
    ...{ from: fromMs, until: fromMs + HOUR_MS, markets: ['btc-usdt'] },
  });
  const state = async () => (await done('GET', WINDOWS)).rows[0]?.state;
  await reads(state, 'begun');
  await venue.restart();
  await venue.advance(HOUR_MS);
  await reads(state, 'over');
  const { rows } = await done('GET', WINDOWS);
  assert.deepEqual(rows[0]?.halted, ['BTC-USDT']);
  const { data } = await venue.operator.done('instruments', '/instruments');
  assert.ok(Array.isArray(data.spot));
  assert.equal(data.spot[0]?.status, 'online');
});

test('what was over long ago is forgotten by the next life', async () => {
  await venue.advance(91 * 24 * HOUR_MS);
  const count = async () => (await done('GET', WINDOWS)).rows.length;
  assert.ok((await count()) > 0);
  await venue.restart();
  await reads(count, 0);
});
