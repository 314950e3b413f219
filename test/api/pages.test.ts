/** The documentation says what the code does: its pages and every example are compared with it. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import Value from 'typebox/value';
import {
  ADMIN_ENDPOINTS,
  COMPETITION_ENDPOINTS,
  COMPETITION_OPERATOR_ENDPOINTS,
  CURRENT_CONTRACT_ENDPOINTS,
  CURRENT_SPOT_ENDPOINTS,
  currentDialect,
  currentReject,
  FRAME,
  houseReject,
  PEOPLE_ENDPOINTS,
  PEOPLE_OPERATOR_ENDPOINTS,
  SANDBOX_ENDPOINTS,
  SPOT_ENDPOINTS,
  SWAP_ENDPOINTS,
} from '#dialects';
import { LIMITS, REJECTS, type RejectKind, refuse } from '#domain';
import { referencePage } from '../../tools/docs/reference.ts';
import { rejectsPage } from './pages.ts';

const DOCS = new URL('../../docs/', import.meta.url);

test('docs/REJECTS.md is up to date (OUTCRY_WRITE_DOCS=1 writes it)', () => {
  const [url, expected] = [new URL('REJECTS.md', DOCS), rejectsPage()];
  if (process.env.OUTCRY_WRITE_DOCS === '1') writeFileSync(url, expected);
  assert.equal(readFileSync(url, 'utf8'), expected);
});

test('docs/API.md says what the frame and the bounds of orders are', () => {
  const page = readFileSync(new URL('API.md', DOCS), 'utf8').replaceAll('\n', ' ');
  const { orderMatchesMax, orderTradesMax } = LIMITS;
  const most = orderTradesMax.toLocaleString('en');
  assert.ok(page.includes(FRAME.around(1_795_235_652_453).join('{}')));
  assert.ok(page.includes(`at most ${most} resting orders, ${orderMatchesMax} at a time`));
  assert.ok(page.includes(`meets ${orderMatchesMax} at most`));
});

test('every prefix of a dialect is among the interfaces of docs/API.md', () => {
  const page = readFileSync(new URL('API.md', DOCS), 'utf8');
  for (const [, { path }] of ROWS) {
    const prefix = path
      .split('/')
      .slice(0, path.startsWith('/api/s') ? 4 : 3)
      .join('/');
    assert.ok(page.includes(`\`${prefix}\``), `${prefix}, of ${path}`);
  }
});

test('the reference has every call, with its words and an example', () => {
  const page = referencePage();
  const all = [...ROWS.map(([, endpoint]) => endpoint), ...Object.values(ADMIN_ENDPOINTS)];
  for (const { method, path, summary } of all) {
    assert.ok(page.includes(`| ${method} | \`${path}\` |`), `${method} ${path}`);
    assert.ok(page.includes(`### ${summary.split('. ')[0]}\n`), summary);
  }
  assert.match(page, /^\| request \| `force` \| `normal`, `gtc`, `post_only`, /m);
});

test('every reject has its own number, its own words and a code of digits', () => {
  const rows = Object.values(REJECTS);
  assert.equal(new Set(rows.map((row) => row.number)).size, rows.length);
  assert.equal(new Set(rows.map((row) => row.meaning)).size, rows.length);
  for (const kind of Object.keys(REJECTS) as RejectKind[]) {
    const { code, status } = houseReject(kind);
    assert.match(code, /^[0-9]{3,5}$/, kind);
    assert.ok(status >= 400 && status < 600, kind);
    assert.notEqual(code, '00000');
  }
});

test('every refusal has a code below zero and a text in the current interface', () => {
  for (const kind of Object.keys(REJECTS) as RejectKind[]) {
    const { status, text } = currentReject(kind);
    for (const target of ['/api/v3/order', '/capi/v3/order']) {
      const form = currentDialect.frame.refusal(refuse(kind), 0, target);
      assert.equal(form.status, status, kind);
      const { code, msg, message, error } = JSON.parse(form.body);
      const isTriedAgain = status === 429 || status >= 500;
      if (kind === 'path_unknown') assert.equal(error, text);
      else assert.ok(Number.isInteger(code) && code < 0, kind);
      assert.equal(typeof (isTriedAgain ? message : (msg ?? error)), 'string', kind);
      assert.equal(isTriedAgain ? msg : message, undefined, kind);
      assert.doesNotMatch(form.body, /": /);
    }
  }
});

const AREAS = {
  spot: SPOT_ENDPOINTS,
  contracts: SWAP_ENDPOINTS,
  'current spot': CURRENT_SPOT_ENDPOINTS,
  'current contracts': CURRENT_CONTRACT_ENDPOINTS,
  sandbox: SANDBOX_ENDPOINTS,
  people: PEOPLE_ENDPOINTS,
  'people operator': PEOPLE_OPERATOR_ENDPOINTS,
  competition: COMPETITION_ENDPOINTS,
  'competition operator': COMPETITION_OPERATOR_ENDPOINTS,
} as const;
const ROWS = Object.entries(AREAS).flatMap(([area, endpoints]) =>
  Object.entries(endpoints).map(([name, endpoint]) => [`${area} ${name}`, endpoint] as const),
);

for (const [name, endpoint] of ROWS) {
  test(`the example of ${name} fits its own schemas`, () => {
    const { request, response, example } = endpoint;
    assert.deepEqual([...Value.Errors(request, example.request)], []);
    assert.deepEqual([...Value.Errors(response, example.data)], []);
  });
}

test('no two endpoints share a method and a path', () => {
  const operator = Object.values(ADMIN_ENDPOINTS);
  const calls = [...ROWS.map(([, endpoint]) => endpoint), ...operator].map(
    ({ method, path }) => `${method} ${path}`,
  );
  assert.equal(new Set(calls).size, calls.length);
});

test('pairs are answered in a frame, contracts without one', () => {
  for (const [name, { bare }] of ROWS) {
    assert.equal(bare === true, name.startsWith('contracts '), name);
  }
});
