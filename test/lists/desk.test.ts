/** Every list of operators and people, walked over HTTP: nothing is lost and nothing is twice. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  ADMIN_ENDPOINTS,
  COMPETITION_ENDPOINTS,
  COMPETITION_OPERATOR_ENDPOINTS,
  PEOPLE_ENDPOINTS,
  PEOPLE_OPERATOR_ENDPOINTS,
  SANDBOX_ENDPOINTS,
} from '#dialects';
import { openDesk } from './desk-stage.ts';
import { listsAmong, UNWALKED } from './known.ts';
import { byBound, type Row, type Ways } from './walking.ts';

const stage = await openDesk({ after: (tidyUp) => after(() => tidyUp() as Promise<void>) });
const { venue, person, account } = stage;

interface Walk {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly key: readonly string[];
  readonly ways: Ways;
  /** There is something to walk. */
  readonly least?: number;
}

function before(of: string): Ways {
  return byBound({ older: 'before', of });
}
function behind(of: string): Ways {
  return byBound({ older: 'after', of });
}

const ACCOUNT = '/admin/v1/accounts/:account';
const SPOT = { product: 'spot' };
const CONTRACT = { product: 'contract' };

const WALKS: readonly Walk[] = [
  { path: '/admin/v1/accounts', key: ['accountId'], ways: behind('accountId') },
  { path: `${ACCOUNT}/open-orders`, key: ['orderId'], ways: before('orderId'), least: 14 },
  { path: `${ACCOUNT}/closed-orders`, query: SPOT, key: ['orderId'], ways: before('orderId') },
  { path: `${ACCOUNT}/closed-orders`, query: CONTRACT, key: ['orderId'], ways: before('orderId') },
  { path: `${ACCOUNT}/fills`, key: ['tradeId', 'orderId'], ways: before('tradeId'), least: 14 },
  { path: `${ACCOUNT}/triggers`, key: ['orderId'], ways: before('orderId') },
  { path: `${ACCOUNT}/bills`, query: SPOT, key: ['entryId'], ways: before('entryId') },
  { path: `${ACCOUNT}/bills`, query: CONTRACT, key: ['entryId'], ways: before('entryId') },
  { path: '/admin/v1/liquidations', key: ['liquidationId'], ways: before('liquidationId') },
  { path: '/admin/v1/actions', key: ['actionId'], ways: before('actionId') },
  { path: '/admin/v1/approvals', key: ['approvalId'], ways: before('approvalId') },
  { path: '/admin/v1/account-imports', key: ['reference'], ways: before('reference') },
  { path: '/admin/v1/maintenance', key: ['windowId'], ways: before('windowId') },
  {
    path: '/admin/v1/fee-levels/accounts',
    key: ['accountId'],
    ways: behind('accountId'),
    least: 3,
  },
  { path: '/admin/v1/payments', key: ['paymentId'], ways: before('paymentId') },
  { path: '/admin/v1/payment-events', key: ['eventId'], ways: before('eventId') },
  { path: '/admin/v1/people', key: ['personId'], ways: behind('personId'), least: 4 },
  { path: '/admin/v1/people/:person/events', key: ['eventId'], ways: before('eventId'), least: 4 },
  { path: '/admin/v1/people-events', key: ['eventId'], ways: before('eventId') },
  { path: '/people/v1/events', key: ['eventId'], ways: before('eventId'), least: 4 },
  { path: '/people/v1/accounts/:account/payments', key: ['paymentId'], ways: before('paymentId') },
];

/** Pages of files, which are no lists of rows. */
const FILES = ['GET /admin/v1/account-export', 'GET /admin/v1/actions.csv'];

async function ask({ path, query }: Walk, fields: object): Promise<readonly Row[]> {
  const isPersons = path.startsWith('/people/');
  const asked = new URLSearchParams({ ...query, ...fields });
  const target = path
    .replace(':account', isPersons ? person.accountId : account)
    .replace(':person', person.personId);
  const said = isPersons
    ? await person.call('GET', `${target}?${asked}`)
    : await venue.operator.call('GET', `${target.replace('/admin/v1', '')}?${asked}`);
  assert.equal(said.code, '00000', said.msg);
  return said.rows;
}

let walked = 0;

for (const walk of WALKS) {
  const { path, query, key, ways, least = 7 } = walk;
  test(`${path} ${JSON.stringify(query ?? {})} in pages of any size`, async () => {
    const whole = await ask(walk, { limit: '500' });
    assert.ok(whole.length >= least, `${whole.length} rows`);
    const keys = whole.map((row) => key.map((field) => String(row[field])).join(' '));
    assert.equal(new Set(keys).size, keys.length);
    for (const limit of [1, 2, 3, 5]) {
      for (const [name, way] of Object.entries(ways)) {
        const rows = await way((fields) => ask(walk, fields), limit);
        assert.deepEqual(rows, whole, `${name}, ${limit} a page`);
        walked += 1;
      }
    }
  });
}

test('accounts are exported page by page', async () => {
  const lines: string[] = [];
  for (let next: unknown = 0; next !== null; ) {
    const { data, code, msg } = await venue.operator.call(
      'GET',
      `/account-export?limit=2&after=${next}`,
    );
    assert.equal(code, '00000', msg);
    lines.push(...String(data.csv).trim().split('\r\n'));
    next = data.next;
  }
  const { data } = await venue.operator.call('GET', '/account-export');
  assert.deepEqual(lines, String(data.csv).trim().split('\r\n'));
});

test('every list of these dialects is walked, or is known to need no walk', () => {
  const tables = [
    ...[ADMIN_ENDPOINTS, PEOPLE_ENDPOINTS, PEOPLE_OPERATOR_ENDPOINTS, SANDBOX_ENDPOINTS],
    ...[COMPETITION_ENDPOINTS, COMPETITION_OPERATOR_ENDPOINTS],
  ];
  const lists = listsAmong(tables.flatMap((table) => Object.values(table)));
  const known = [...WALKS.map(({ path }) => `GET ${path}`), ...FILES, ...UNWALKED];
  const unknown = lists.filter((name) => !known.includes(name));
  assert.deepEqual(unknown, []);
  assert.ok(walked >= 84, `${walked} walks`);
});
