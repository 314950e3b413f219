/**
 * Money that an operator enters twice, because an answer was lost, is entered once: the same call
 * under its clientOid answers the first result, over a restart too, and another one is refused.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ADMIN_ENDPOINTS } from '#dialects';
import { closedAtEnd } from '../support/at-end.ts';
import { type AdminAnswer, type Json, Operator } from '../support/operator.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';

const directory = scratchDirectory();
const server = closedAtEnd(await new ServerHere(directory).start({ sandbox: true }));
let operator = new Operator(server.url, ADMIN_TOKEN);

const COIN = { coin: 'USDT', amount: '7.5' };
const MORE = { ...COIN, amount: '7.50000001' };
const CALLS = [
  { path: '/accounts/demo/deposits', body: COIN, other: MORE },
  { path: '/accounts/demo/deposits', body: { ...COIN, wallet: 'margin' }, other: COIN },
  { path: '/accounts/demo/withdrawals', body: COIN, other: MORE },
  {
    path: '/accounts/demo/transfers',
    body: { ...COIN, from: 'spot', to: 'margin' },
    other: { ...COIN, from: 'margin', to: 'spot' },
  },
  { path: '/insurance', body: COIN, other: { ...COIN, coin: 'BTC' } },
];

async function moneyOf(): Promise<string> {
  const account = await operator.done('account', '/accounts/demo');
  const funds = await operator.done('insurance', '/insurance');
  return JSON.stringify([account.data.balances, funds.rows]);
}

async function restart(): Promise<void> {
  await server.stop();
  await server.start({ sandbox: true });
  operator = new Operator(server.url, ADMIN_TOKEN);
}

let ids = 0;
function freshId(): string {
  ids += 1;
  return `ticket-${ids}`;
}

for (const { path, body, other } of CALLS) {
  describe(`POST ${path} ${JSON.stringify(body)}`, () => {
    const clientOid = freshId();
    const asked: Json = { ...body, clientOid };
    const call = (given: Json = asked): Promise<AdminAnswer> => operator.call('POST', path, given);

    test('answers the first result again, and moves nothing', async () => {
      const before = await moneyOf();
      const [first, ...again] = await Promise.all([call(), call(), call()]);
      assert.equal(first.code, '00000', first.msg);
      const moved = await moneyOf();
      assert.notEqual(moved, before);
      assert.deepEqual(
        again.map(({ data }) => data),
        [first.data, first.data],
      );
      await restart();
      const later = await call();
      assert.deepEqual([later.status, later.data], [200, first.data]);
      assert.equal(await moneyOf(), moved);
    });

    test('refuses other content under the id, and takes it under another', async () => {
      const before = await moneyOf();
      const refused = await call({ ...other, clientOid });
      assert.deepEqual([refused.status, refused.code], [409, '60620'], refused.msg);
      assert.ok(refused.msg.includes(clientOid), refused.msg);
      assert.equal(await moneyOf(), before);
      const taken = await call({ ...other, clientOid: freshId() });
      assert.equal(taken.code, '00000', taken.msg);
    });
  });
}

test('a sandbox credits once, and it is the same id as of a deposit', async () => {
  const credit = (given: Json): Promise<Json> =>
    fetch(`${server.url}/sandbox/v1/credit`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ account: 'demo', ...COIN, ...given }),
    })
      .then((answer) => answer.json() as Promise<AdminAnswer>)
      .then(({ data }) => data);
  const clientOid = freshId();
  const first = await credit({ clientOid });
  const moved = await moneyOf();
  assert.deepEqual(await credit({ clientOid }), first);
  const deposit = await operator.call('POST', '/accounts/demo/deposits', { ...COIN, clientOid });
  assert.deepEqual(deposit.data, first);
  assert.equal(await moneyOf(), moved);
});

test('without an id each call is another one', async () => {
  const path = '/accounts/demo/deposits';
  const first = await operator.call('POST', path, COIN);
  const second = await operator.call('POST', path, COIN);
  assert.notEqual(first.data.billId, second.data.billId);
});

test('an id that is too long is refused', async () => {
  for (const { path, body } of CALLS) {
    const answer = await operator.call('POST', path, { ...body, clientOid: 'x'.repeat(41) });
    assert.equal(answer.status, 400, path);
  }
});

test('every call that moves money at once takes an id', () => {
  const taking = Object.values(ADMIN_ENDPOINTS)
    .filter(({ request }) => 'clientOid' in request.properties)
    .map(({ path }) => path.replace('/admin/v1', '').replace(':account', 'demo'));
  assert.deepEqual(taking.sort(), [...new Set(CALLS.map(({ path }) => path))].sort());
});
