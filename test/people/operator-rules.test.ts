/** What the configuration asks of operators, and an approval whose process stopped in between. */
import { strict as assert } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { ConfigFault, loadConfig } from '#config';
import { operatorIn } from '../support/operator-hands.ts';
import { PeopleVenue } from '../support/people-venue.ts';
import { scratchDirectory } from '../support/scratch.ts';

const SECTIONS = 'operators:\n  twoPersonAbove: { USDT: "100" }\n  reasonRequired: true\n';
const venue = await PeopleVenue.open({ after }, { sections: SECTIONS });
const { browser: ada } = await operatorIn(venue, 'operator');
const DEPOSITS = '/admin/v1/accounts/pit/deposits';

const opened = { name: 'pit', reason: 'the course begins' };
assert.equal((await venue.operator.call('POST', '/accounts', opened)).code, '00000');

function load(lines: string) {
  const config = join(scratchDirectory(), 'venue.yaml');
  writeFileSync(config, `assets:\n  - { code: USDT, coinId: 2, scale: 8 }\n${lines}`);
  return loadConfig({ config }, {}).operators;
}

test('limits and bounds are read from the file, and a coin that is none is refused', () => {
  const plain = load('');
  assert.deepEqual([plain.twoPersonAbove.size, plain.reasonRequired], [0, false]);
  assert.equal(plain.approvalMs, 72 * 3_600_000);
  assert.equal(plain.logKeepMs, 400 * 86_400_000);
  const bounds = 'approvalHours: 1, logDays: 30, logEntriesMax: 5000';
  const said = load(`operators: { twoPersonAbove: { USDT: "10.5" }, ${bounds} }\n`);
  assert.deepEqual([...said.twoPersonAbove], [['USDT', '10.5']]);
  assert.deepEqual([said.approvalMs, said.logKeepMs], [3_600_000, 30 * 86_400_000]);
  assert.equal(said.logEntriesMax, 5_000);
  assert.throws(
    () => load('operators: { twoPersonAbove: { USDC: "10" } }\n'),
    (error) => {
      assert.ok(error instanceof ConfigFault);
      assert.match(error.message, /USDC is no coin of this file/);
      return true;
    },
  );
  assert.throws(() => load('operators: { twoPersonAbove: { USDT: "-1" } }\n'), ConfigFault);
});

test('money does not move without a reason where one is required', async () => {
  const body = { coin: 'USDT', amount: '5' };
  await ada.refused('60828', 'POST', DEPOSITS, body);
  const byToken = await venue.operator.call('POST', '/accounts/pit/deposits', body);
  assert.equal(byToken.code, '60828');
  await ada.done('POST', DEPOSITS, { ...body, reason: 'prize' });
  for (const [path, asked] of [
    ['payments/019a1b2c3d4e5f60718293a4/approve', {}],
    ['account-imports', { reference: 'course', csv: 'account\nada\n' }],
    ['people', { email: 'new@example.com' }],
    ['insurance', body],
  ] as const) {
    await ada.refused('60828', 'POST', `/admin/v1/${path}`, asked);
  }
  const asked = { reference: 'course', csv: 'account\nada\n', reason: 'the course begins' };
  await ada.done('POST', '/admin/v1/account-imports', asked);
  await ada.done('POST', '/admin/v1/assets', { code: 'SOL', coinId: 4, scale: 8 });
  const { data } = await ada.done('GET', '/admin/v1/operator');
  assert.deepEqual([data.role, data.reasonRequired], ['operator', true]);
});

test('an approval without an end is not carried out again; an operator says what was', async () => {
  await ada.refused('60824', 'POST', DEPOSITS, { coin: 'USDT', amount: '101', reason: 'prize' });
  const { rows } = await ada.done('GET', '/admin/v1/approvals?state=pending');
  const { approvalId } = rows[0] ?? {};
  const path = `/approvals/${approvalId}`;
  const db = new Sqlite(`${venue.server.directory}/people.sqlite`);
  db.prepare("update approvals set state = 'approved', decided_ms = ?").run(venue.clock.nowMs());
  db.close();
  const why = { reason: 'looked at the history' };
  const settle = { moved: false, outcome: 'no such bill', ...why };
  const early = await venue.operator.call('POST', `${path}/settle`, settle);
  assert.equal(early.code, '60826', 'it may still be carried out');
  await venue.advance(60_000);
  const seen = await venue.operator.call('GET', '/approvals');
  assert.deepEqual([seen.rows[0]?.state, seen.rows[0]?.unsettled], ['approved', true]);
  for (const to of ['approve', 'refuse']) {
    assert.equal((await venue.operator.call('POST', `${path}/${to}`, why)).code, '60826');
  }
  const settled = await venue.operator.call('POST', `${path}/settle`, settle);
  assert.deepEqual([settled.code, settled.data.state], ['00000', 'failed']);
  assert.equal((await venue.operator.call('POST', `${path}/settle`, settle)).code, '60826');
  const { data } = await venue.operator.call('GET', '/accounts/pit');
  assert.ok(Array.isArray(data.balances));
  assert.equal(data.balances[0].balance, '5.00000000');
});

test('what cannot be carried out fails when it is approved, and says why', async () => {
  const withdrawals = '/admin/v1/accounts/pit/withdrawals';
  const asked = { coin: 'USDT', amount: '5000', reason: 'closing' };
  await ada.refused('60824', 'POST', withdrawals, asked);
  const { rows } = await ada.done('GET', '/admin/v1/approvals?state=pending');
  const path = `/approvals/${rows[0]?.approvalId}/approve`;
  const said = await venue.operator.call('POST', path, { reason: 'fine' });
  assert.notEqual(said.code, '00000');
  const { rows: failed } = await ada.done('GET', '/admin/v1/approvals?state=failed&limit=1');
  assert.equal(failed[0]?.approvalId, rows[0]?.approvalId);
  assert.notEqual(failed[0]?.outcome, '');
});

test('what operators do is counted for whoever watches the venue', async () => {
  const text = await fetch(`${venue.url}/metrics`).then((answer) => answer.text());
  assert.match(text, /^outcry_operator_actions\{outcome="done"\} [1-9]/m);
  assert.match(text, /^outcry_operator_actions\{outcome="refused"\} [1-9]/m);
  assert.match(text, /^outcry_operator_outcomes_unwritten 0$/m);
});
