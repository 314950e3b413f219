/** Requests of money in a cluster whose leader is killed while they are carried out. */
import { strict as assert } from 'node:assert/strict';
import type { ClusterHere, ClusterProcess } from '../../tools/cluster/processes.ts';
import { Operator, tokenOf } from '../support/operator.ts';
import { Browser, PASSWORD, type Row } from '../support/people-venue.ts';
import { eventually, until } from '../support/until.ts';

/** What the configuration needs for them. */
export const PAYMENT_SECTIONS = {
  people: { signUp: 'invitation' },
  payments: { coins: [{ coin: 'USDT', fee: '1' }] },
};

const EMAIL = 'ada@example.com';
const FUNDED = 1_000;
const OK = '00000';
/** Of eight, in the order of asking. */
const WANTED = ['done', 'failed', 'done', 'refused', 'done', 'failed', 'done', 'approved'] as const;
type Wanted = (typeof WANTED)[number];

const CALLS: Readonly<Record<Exclude<Wanted, 'approved'>, readonly [string, Row]>> = {
  done: ['done', { reference: 'tx' }],
  failed: ['fail', { reason: 'bounced' }],
  refused: ['refuse', { reason: 'no' }],
};

class Money {
  readonly #operator: Operator;

  constructor(operator: Operator) {
    this.#operator = operator;
  }

  async of(account: string): Promise<number> {
    const { data } = await this.#operator.call('GET', `/accounts/${account}`);
    const { balances } = data;
    assert.ok(Array.isArray(balances), `the balances of ${account}`);
    const found = balances.find(({ coin, wallet }) => coin === 'USDT' && wallet === 'spot');
    return Number(found?.balance ?? 0);
  }

  /** What came in and went out of the venue. */
  async totals(): Promise<readonly [deposited: number, withdrawn: number]> {
    const { data } = await this.#operator.call('GET', '/audit');
    assert.equal(data.balanced, true);
    const { coins } = data;
    assert.ok(Array.isArray(coins));
    const line = coins.find(({ coin }) => coin === 'USDT');
    return [Number(line.deposited), Number(line.withdrawn)];
  }
}

async function signedIn(url: string, operator: Operator): Promise<Browser> {
  await operator.call('POST', '/people', { email: EMAIL });
  const token = tokenOf(await operator.linkFor(EMAIL));
  const browser = new Browser(url);
  const chosen = { token, password: PASSWORD };
  await browser.done('POST', '/people/v1/password-resets/complete', chosen);
  await browser.signIn(EMAIL);
  return browser;
}

/** Each request is decided as wanted, whatever the calls that did not come through have done. */
async function decide(operator: Operator, paymentId: string, wanted: Wanted): Promise<void> {
  if (wanted === 'approved') return;
  const [what, body] = CALLS[wanted];
  await operator.call('POST', `/payments/${paymentId}/${what}`, body);
}

async function seen(operator: Operator, paymentId: string): Promise<Row> {
  const { code, msg, data } = await operator.call('GET', `/payments/${paymentId}`);
  assert.equal(code, OK, msg);
  return data;
}

async function ask(ada: Browser, operator: Operator, wanted: Wanted, at: number): Promise<string> {
  const body = { coin: 'USDT', amount: '10', chain: 'TRC20', address: 'T', clientId: `w${at}` };
  const path = `/people/v1/accounts/${ada.accountId}/withdrawals`;
  const { data } = await ada.done('POST', path, body);
  const id = String(data.paymentId);
  // One is refused without an approval.
  if (wanted === 'refused') return id;
  const approved = await operator.call('POST', `/payments/${id}/approve`, {});
  assert.equal(approved.data.state, 'approved', approved.msg);
  return id;
}

/**
 * Withdrawals, of which most are decided while the leader dies, and a transfer that is asked for.
 * Gives the process that was killed.
 */
export async function moneyByRequest(cluster: ClusterHere, url: string): Promise<ClusterProcess> {
  const operator = new Operator(url, cluster.adminToken);
  const ada = await signedIn(url, operator);
  const second = await ada.done('POST', '/people/v1/accounts', { label: 'two' });
  const other = String(second.data.accountId);
  const money = new Money(operator);
  const own = `/accounts/${ada.accountId}`;
  await operator.done('deposit', `${own}/deposits`, { coin: 'USDT', amount: String(FUNDED) });
  const [deposited, withdrawn] = await money.totals();
  const asked = await Promise.all(WANTED.map((wanted, at) => ask(ada, operator, wanted, at)));

  const leader = (await cluster.leader()) ?? assert.fail('no leader');
  const transfer = { coin: 'USDT', amount: '100', to: other, clientId: 'over' };
  const move = () => ada.call('POST', `/people/v1${own}/transfers`, transfer);
  const calls = [
    ...asked.map((id, at) => decide(operator, id, WANTED[at] ?? 'approved')),
    move().then(() => undefined),
  ];
  // The clerk takes them one after the other: as soon as one is seen to be over, the leader ends.
  await until(
    'the first is over',
    async () => {
      const found = await Promise.all(asked.map((id) => seen(operator, id)));
      return found.some(
        ({ state, settled }) => state !== 'approved' && settled === true && state !== 'requested',
      );
    },
    { everyMs: 1 },
  );
  await leader.stop('SIGKILL');
  await Promise.allSettled(calls);
  await until('another leader', async () => (await cluster.leader()) !== undefined);

  for (const [at, id] of asked.entries()) {
    const wanted = WANTED[at] ?? 'approved';
    await eventually(
      async () => {
        await decide(operator, id, wanted);
        return seen(operator, id);
      },
      ({ state, settled }) => assert.deepEqual([state, settled], [wanted, true]),
    );
  }
  await eventually(
    async () => {
      await move();
      const { rows } = await ada.call('GET', `/people/v1${own}/payments?kind=transfer`);
      return rows.map(({ state, settled }) => [state, settled]);
    },
    (found) => assert.deepEqual(found, [['done', true]]),
  );

  const count = (state: Wanted) => WANTED.filter((one) => one === state).length;
  const [done, left] = [count('done'), count('approved')];
  assert.equal(await money.of('payments-holding'), 11 * left);
  assert.equal(await money.of('payments-fees'), done);
  assert.equal(await money.of(other), 100);
  assert.equal(await money.of(ada.accountId), FUNDED - 100 - 11 * (done + left));
  assert.deepEqual(await money.totals(), [deposited, withdrawn + 10 * done]);
  return leader;
}
