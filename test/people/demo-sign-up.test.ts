/** Sign-up in a demo: its terminal shows the link, and the first account comes with money, once. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { loadConfig } from '#config';
import { accountOpener } from '#dialects';
import { ManualClock, present } from '#kernel';
import { fundedOpener } from '#server';
import { Operator, tokenOf } from '../support/operator.ts';
import { Browser, PASSWORD, START_MS } from '../support/people-venue.ts';
import { ADMIN_TOKEN, readyUrl, serve } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';
import { eventually } from '../support/until.ts';

const SIGN_UP = '/people/v1/sign-up';
const RESETS = '/people/v1/password-resets';
const COMPLETE = '/people/v1/password-resets/complete';

/** What the demo's own accounts have, by wallet. */
const MONEY = [
  'BTC-USD-PERP BTC 10.00000000',
  'margin USDT 200000.00000000',
  'spot BTC 100.00000000',
  'spot ETH 1000.00000000',
  'spot USDT 1000000.00000000',
];

const here = new ServerHere(scratchDirectory(), new ManualClock(START_MS));
after(() => here.stop());
await here.start();

/** What the terminal shows to an address, once there are so many lines. */
function shown(email: string, count: number): Promise<readonly string[]> {
  return eventually(
    async () =>
      here.lines.map(({ msg }) => msg).filter((line) => line?.startsWith(`To ${email}: `)),
    (found) => assert.equal(found.length, count, found.join('\n')),
  );
}

function tokenIn(line: string | undefined, url: string, kind: string): string {
  const [before = '', token = ''] = present(line, 'a line').split(`/account#${kind}=`);
  assert.ok(before.endsWith(`: ${url}`), line);
  assert.match(token, /^[\w-]{43}$/);
  return token;
}

async function signedUp(email: string): Promise<Browser> {
  const browser = new Browser(here.url);
  const { data } = await browser.done('POST', SIGN_UP, { email });
  assert.deepEqual(data, { next: 'confirm_terminal' });
  const [line] = await shown(email, 1);
  const token = tokenIn(line, here.url, 'confirm');
  await browser.done('POST', COMPLETE, { token, password: PASSWORD });
  return browser;
}

/** Of the life that it has now. */
function operator(): Operator {
  return new Operator(here.url, ADMIN_TOKEN);
}

/** By wallet, as the operator sees it. */
async function moneyOf(accountId: string): Promise<readonly string[]> {
  const { data } = await operator().call('GET', `/accounts/${accountId}`);
  assert.ok(Array.isArray(data.balances));
  return data.balances.map(({ wallet, coin, balance }) => `${wallet} ${coin} ${balance}`).sort();
}

test('a stranger signs up by the link of the terminal, and has money to trade', async () => {
  const email = 'ada@example.com';
  const ada = await signedUp(email);
  const { data } = await ada.done('GET', '/people/v1/venue');
  assert.deepEqual([data.signUp, data.next, data.mail], ['demo', 'confirm_terminal', false]);
  await ada.signIn(email);
  assert.deepEqual(await moneyOf(ada.accountId), MONEY);
  const order = { symbol: 'BTCUSDT_SPBL', side: 'buy', orderType: 'limit', force: 'normal' };
  const terms = { ...order, price: '29000', quantity: '1' };
  const placed = await ada.trade('POST', '/api/spot/v1/trade/orders', terms);
  assert.equal(placed.code, '00000', placed.msg);
});

test('nothing is signed in or opened before the link was used', async () => {
  const email = 'grace@example.com';
  const ada = new Browser(here.url);
  await ada.done('POST', SIGN_UP, { email });
  await shown(email, 1);
  const opened = () => here.venue.read((state) => state.accountsCount);
  const before = await opened();
  await ada.refused('60802', 'POST', '/people/v1/sessions', { email, password: PASSWORD });
  assert.equal(await opened(), before);
});

test('the money comes once: with the first sign-in, and not after a restart', async () => {
  const email = 'emmy@example.com';
  const emmy = await signedUp(email);
  await emmy.signIn(email);
  const { accountId } = emmy;
  assert.deepEqual(await moneyOf(accountId), MONEY);
  await here.stop();
  await here.start();
  const later = new Browser(here.url);
  await later.signIn(email);
  assert.equal(later.accountId, accountId);
  assert.deepEqual(await moneyOf(accountId), MONEY);
  const { data } = await later.done('POST', '/people/v1/accounts', { label: 'second' });
  assert.deepEqual(await moneyOf(String(data.accountId)), []);
});

test('of two that open the first account at once one gives the money', async () => {
  const { venue } = here;
  const plain = accountOpener(venue);
  const open = fundedOpener(plain, venue, loadConfig({}, {}).signUpDeposits);
  // It is there already, so that neither is ahead of the other.
  await plain('p-twice');
  const [first, second] = await Promise.all([open('p-twice'), open('p-twice')]);
  assert.equal(first, second);
  assert.deepEqual(await moneyOf(String(first)), MONEY);
});

test('a first sign-in that was cut off while the money came is gone on with', async () => {
  const email = 'sofia@example.com';
  const sofia = await signedUp(email);
  const { rows } = await operator().call('GET', `/people?email=${email}`);
  const name = `p-${present(rows[0], 'a person').personId}`;
  // As the venue does it, up to there.
  const opened = await operator().call('POST', '/accounts', { name });
  assert.equal(opened.code, '00000', opened.msg);
  const { accountId } = opened.data;
  for (const money of [
    { coin: 'USDT', amount: '1000000' },
    { coin: 'USDT', amount: '200000', wallet: 'BTC-USDT-PERP' },
  ]) {
    const path = `/accounts/${accountId}/deposits`;
    assert.equal((await operator().call('POST', path, money)).code, '00000');
  }
  await sofia.signIn(email);
  assert.equal(sofia.accountId, accountId);
  assert.deepEqual(await moneyOf(sofia.accountId), MONEY);
});

test('the terminal shows what else a mail would bring, and pages say where', async () => {
  const email = 'hedy@example.com';
  const ada = await signedUp(email);
  await ada.signIn(email);
  assert.deepEqual((await ada.done('POST', RESETS, { email })).data, { next: 'terminal' });
  const [, reset] = await shown(email, 2);
  tokenIn(reset, here.url, 'reset');
  await ada.done('POST', SIGN_UP, { email });
  const [, , known] = await shown(email, 3);
  assert.equal(known, `To ${email}: You already have an account at Outcry`);
  const changed = await ada.done('POST', '/people/v1/email-changes', { email: 'eve@example.com' });
  assert.deepEqual(changed.data, { next: 'terminal' });
  const [change] = await shown('eve@example.com', 1);
  const token = tokenIn(change, here.url, 'email');
  await ada.done('POST', '/people/v1/email-changes/complete', { token });
  const [, , , undo] = await shown(email, 4);
  tokenIn(undo, here.url, 'email_undo');
  // No mail carries them, so the desk has them, too.
  const links = await operator().call('GET', '/people-links');
  assert.ok(links.rows.some((link) => link.email === email && link.kind === 'email_undo'));
});

test('on a network nobody signs up, and who is let in gets no money', async (t) => {
  const flags = { host: '0.0.0.0', allowDemoOnNetwork: true };
  const open = await ServerHere.still(t, scratchDirectory(t), START_MS).start({
    rateLimits: true,
    flags,
  });
  const closed = 'people.signUp: demo is for one machine: on an address that others can reach';
  assert.ok(open.lines.some(({ msg }) => msg === `${closed} sign-up is closed`));
  const url = `http://127.0.0.1:${open.port}`;
  const alan = new Browser(url);
  const email = 'alan@example.com';
  await alan.refused('60806', 'POST', SIGN_UP, { email });
  const owner = new Operator(url, ADMIN_TOKEN);
  assert.equal((await owner.call('POST', '/people', { email })).code, '00000');
  const token = tokenOf(await owner.linkFor(email));
  await alan.done('POST', COMPLETE, { token, password: PASSWORD });
  await alan.signIn(email);
  const { data } = await owner.call('GET', `/accounts/${alan.accountId}`);
  assert.deepEqual(data.balances, []);
  assert.ok(open.lines.every(({ msg }) => !msg.startsWith('To ')));
});

test('npm start says where links are shown, and shows them as text', async (t) => {
  const program = serve({ directory: scratchDirectory(t) });
  const url = await readyUrl(program);
  const told = `sign up at ${url}/account: its link appears here`;
  await program.until(told, () => program.output.includes(told), 30_000);
  await new Browser(url).done('POST', SIGN_UP, { email: 'ada@example.com' });
  const line = /^To ada@example\.com: Confirm your e-mail address at Outcry: (\S+)$/m;
  await program.until('a link', () => line.test(program.log), 30_000);
  const [, token = ''] = line.exec(program.log)?.[1]?.split(`${url}/account#confirm=`) ?? [];
  await new Browser(url).done('POST', COMPLETE, { token, password: PASSWORD });
  program.signal('SIGTERM');
  assert.equal((await program.ended).code, 0);
});
