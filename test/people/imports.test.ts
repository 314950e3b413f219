/** Accounts come in by file: each once, however often it is tried, also across a restart. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { PeopleVenue, type Row } from '../support/people-venue.ts';
import { reads } from '../support/until.ts';

const venue = await PeopleVenue.open(
  { after },
  { sections: 'operators:\n  twoPersonAbove: { BTC: "100" }\n' },
);
const IMPORTS = '/account-imports';
const HEADER = 'account,email,name,label,permissions,balances';

async function done(on: PeopleVenue, ...call: Parameters<typeof venue.operator.call>) {
  const said = await on.operator.call(...call);
  assert.equal(said.code, '00000', `${call[0]} ${call[1]}: ${said.msg}`);
  return said;
}

const state = (on: PeopleVenue, reference: string) => async () =>
  (await done(on, 'GET', `${IMPORTS}/${reference}`)).data.state;

async function balanceOf(on: PeopleVenue, account: string, coin: string): Promise<unknown> {
  const { data } = await done(on, 'GET', `/accounts/${account}`);
  assert.ok(Array.isArray(data.balances));
  return data.balances.find((one: Row) => one.coin === coin)?.balance;
}

/** All pages of the export. */
async function exported(on: PeopleVenue): Promise<string> {
  let csv = '';
  for (let after: unknown = '0'; after !== null; ) {
    const { data } = await done(on, 'GET', `/account-export?after=${after}&limit=2`);
    csv += String(data.csv);
    after = data.next;
  }
  return csv;
}

test('a dry run names every bad line and does nothing', async () => {
  const csv = `${HEADER}\nada,,,,,USDT=5\nb b,x,,,,DOGE=1\n`;
  const asked = { reference: 'dry', csv, dryRun: true };
  const { data } = await done(venue, 'POST', IMPORTS, asked);
  assert.deepEqual([data.state, data.lines, data.faultsCount], ['checked', 1, 3]);
  assert.ok(Array.isArray(data.faults));
  assert.deepEqual(
    data.faults.map(({ line, column }: Row) => [line, column]),
    [
      [3, 'email'],
      [3, 'account'],
      [3, 'balances'],
    ],
  );
  const wet = await done(venue, 'POST', IMPORTS, { ...asked, dryRun: false });
  assert.equal(wet.data.state, 'checked', 'with a fault nothing is done either');
  assert.equal((await venue.operator.call('GET', `${IMPORTS}/dry`)).code, '60843');
  assert.equal((await venue.operator.call('GET', '/accounts/ada')).code, '60601');
});

test('bad requests are refused', async () => {
  const rows: readonly [body: Row, says: RegExp][] = [
    [{ reference: 'a b', csv: HEADER }, /reference takes up to 64/],
    [{ csv: HEADER }, /reference/],
    [{ reference: 'x' }, /csv/],
    [{ reference: 'x', csv: HEADER, firstLine: -1 }, /firstLine/],
    [{ reference: 'x', csv: HEADER, dryRun: 'maybe' }, /dryRun/],
  ];
  for (const [body, says] of rows) {
    const said = await venue.operator.call('POST', IMPORTS, body);
    assert.equal(said.status, 400, JSON.stringify(body));
    assert.match(said.msg, says);
  }
  const many = Array.from({ length: 1_001 }, (_, at) => `a${at},,,,,`).join('\n');
  const { data } = await done(venue, 'POST', IMPORTS, {
    ...{ reference: 'many', csv: `${HEADER}\n${many}`, dryRun: true },
  });
  assert.ok(Array.isArray(data.faults));
  assert.match(String(data.faults[0].text), /1000 lines/);
});

test('balances that come to more than one operator may move alone are not taken', async () => {
  const csv = `${HEADER}\nmuch-1,,,,,BTC=60\nmuch-2,,,,,BTC=40.1\n`;
  const { data } = await done(venue, 'POST', IMPORTS, { reference: 'much', csv });
  assert.equal(data.state, 'checked');
  assert.ok(Array.isArray(data.faults));
  assert.match(String(data.faults[0].text), /BTC come to more than one operator may pay in alone/);
  assert.equal((await venue.operator.call('GET', '/accounts/much-1')).code, '60601');
});

const COURSE = [
  HEADER,
  'ada,ada@example.com,Ada,main,read trade,USDT=1000.5 BTC=2',
  'ada,bob@example.com,"Bob, the other",,read,',
  'team-1,,,,,USDT=10',
  'team-2,ada@example.com,Ada,team,,',
  '',
].join('\r\n');

test('an import opens accounts, pays in, and lets people in; once, however often', async () => {
  const asked = { reference: 'course', csv: COURSE };
  const { data } = await done(venue, 'POST', IMPORTS, asked);
  assert.deepEqual([data.state, data.lines], ['waiting', 4]);
  await reads(state(venue, 'course'), 'done');
  assert.equal((await done(venue, 'GET', `${IMPORTS}/course`)).data.done, 4);
  assert.equal(await balanceOf(venue, 'ada', 'USDT'), '1000.50000000');
  const { rows } = await done(venue, 'GET', '/people?email=ada@example.com');
  const ada = await done(venue, 'GET', `/people/${rows[0]?.personId}`);
  assert.ok(Array.isArray(ada.data.accounts));
  assert.deepEqual(
    ada.data.accounts.map(({ label, permissions }: Row) => [label, permissions]),
    [
      ['main', ['read', 'trade']],
      ['team', ['read', 'trade', 'transfer', 'withdraw', 'manage']],
    ],
  );
  const links = await done(venue, 'GET', '/people-links');
  assert.equal(links.rows.length, 2, 'each person has a link to choose a password by');

  const again = await done(venue, 'POST', IMPORTS, asked);
  assert.equal(again.data.state, 'done');
  const other = { reference: 'course', csv: COURSE.replace('1000.5', '2000') };
  assert.equal((await venue.operator.call('POST', IMPORTS, other)).code, '60844');
  await done(venue, 'POST', IMPORTS, { ...other, reference: 'another' });
  await reads(state(venue, 'another'), 'done');
  assert.equal(await balanceOf(venue, 'ada', 'USDT'), '1000.50000000', 'paid in once');
});

test('an import that a restart interrupts is finished, and doubles nothing', async () => {
  const lines = Array.from({ length: 120 }, (_, at) => `restart-${at},,,,,USDT=7`);
  const csv = `${HEADER}\n${lines.join('\n')}`;
  await done(venue, 'POST', IMPORTS, { reference: 'restart', csv });
  await venue.restart();
  await reads(state(venue, 'restart'), 'done');
  for (const at of [0, 60, 119]) {
    assert.equal(await balanceOf(venue, `restart-${at}`, 'USDT'), '7.00000000');
  }
});

test('an export, imported by an empty venue, is exported as it was', async (t) => {
  const empty = await PeopleVenue.open(t);
  const csv = await exported(venue);
  assert.match(
    csv,
    /^account,email,name,label,permissions,balances\r\nada,ada@example.com,Ada,main/,
  );
  await done(empty, 'POST', IMPORTS, { reference: 'all', csv });
  await reads(state(empty, 'all'), 'done');
  assert.equal(await exported(empty), csv);
  const { rows } = await done(empty, 'GET', IMPORTS);
  assert.deepEqual(
    rows.map(({ reference, done: count }) => [reference, count]),
    [['all', 124]],
  );
});
