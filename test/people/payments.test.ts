/** Money in and out by request, over HTTP: its life, its rules, and what a crash leaves of it. */
import { strict as assert } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { FEES_ACCOUNT, HOLDING_ACCOUNT } from '#people';
import { operatorIn } from '../support/operator-hands.ts';
import { PASSWORD, PeopleVenue, type Row } from '../support/people-venue.ts';

const SECTIONS = `
payments:
  coins:
    - { coin: USDT, minDeposit: "5", minWithdraw: "10", fee: "1", dailyLimit: "1000",
        twoApprovalsAbove: "500", addressPattern: "T[a-z0-9]{3,40}" }
    - { coin: BTC, deposits: false }
    - { coin: SOL, minWithdraw: "0.1" }
`;
const DAY_MS = 86_400_000;
const OK = '00000';

const venue = await PeopleVenue.open({ after }, { sections: SECTIONS });
const ada = await venue.person('ada@example.com');
const opened = await ada.done('POST', '/people/v1/accounts', { label: 'two' });
const second = String(opened.data.accountId);

before(() => fund(ada.accountId, '5000'));

async function fund(account: string, amount: string, coin = 'USDT'): Promise<void> {
  const { code, msg } = await venue.operator.call('POST', `/accounts/${account}/deposits`, {
    ...{ coin, amount },
  });
  assert.equal(code, OK, msg);
}

async function balance(account: string, coin = 'USDT'): Promise<string> {
  const { data } = await venue.operator.call('GET', `/accounts/${account}`);
  const { balances } = data;
  assert.ok(Array.isArray(balances));
  const found = balances.find((one) => one.coin === coin && one.wallet === 'spot');
  return String(found?.balance ?? '0');
}

const paths = (account = ada.accountId) => `/people/v1/accounts/${account}`;

async function withdrawal(amount: string, more: Row = {}): Promise<Row> {
  const asked = { coin: 'USDT', amount, address: 'Taddress', ...more };
  return (await ada.done('POST', `${paths()}/withdrawals`, asked)).data;
}

async function decide(payment: Row, what: string, body: Row = {}): Promise<Row> {
  const path = `/payments/${payment.paymentId}/${what}`;
  const { code, msg, data } = await venue.operator.call('POST', path, body);
  assert.equal(code, OK, msg);
  assert.equal(data.settled, true);
  return data;
}

async function balanced(): Promise<void> {
  const { data } = await venue.operator.call('GET', '/audit');
  assert.equal(data.balanced, true);
  for (const { coin, locked, moving, held } of (await venue.operator.call('GET', '/payments-held'))
    .rows) {
    assert.equal(moving, '0.00000000');
    assert.equal(locked, held, `what is locked of ${coin} is held`);
  }
}

/** A day later, nothing of before counts; the session of the person would be over. */
async function nextDay(): Promise<void> {
  await venue.advance(DAY_MS);
  await ada.signIn('ada@example.com');
}

test('a withdrawal is kept apart, approved, sent and done; its fee stays', async () => {
  const start = Number(await balance(ada.accountId));
  const asked = await withdrawal('100', { clientId: 'first' });
  assert.equal(asked.state, 'requested');
  assert.equal(asked.fee, '1.00000000');
  assert.equal(Number(await balance(ada.accountId)), start - 101);
  assert.equal(await balance(HOLDING_ACCOUNT), '101.00000000');
  await balanced();
  const approved = await decide(asked, 'approve');
  assert.equal(approved.state, 'approved');
  const sent = await decide(asked, 'sent', { reference: 'tx-1' });
  assert.equal(sent.reference, 'tx-1');
  const done = await decide(asked, 'done');
  assert.equal(done.state, 'done');
  assert.equal(done.reference, 'tx-1');
  assert.equal(Number(await balance(HOLDING_ACCOUNT)), 0);
  assert.equal(await balance(FEES_ACCOUNT), '1.00000000');
  await balanced();
  await ada.refused('43118', 'POST', `${paths()}/withdrawals`, {
    ...{ coin: 'USDT', amount: '10', address: 'Taddress', clientId: 'first' },
  });
  const { rows } = await ada.done('GET', `${paths()}/payments`);
  assert.equal(rows[0]?.paymentId, asked.paymentId);
});

test('operators do not move what requests keep apart', async () => {
  await nextDay();
  const asked = await withdrawal('30');
  const account = `/accounts/${HOLDING_ACCOUNT}`;
  const money = { coin: 'USDT', amount: '1' };
  const { data: holding } = await venue.operator.call('GET', account);
  const foreign = await venue.operator.call('POST', '/accounts', { name: 'renamed' });
  const reserved: readonly (readonly ['POST' | 'PATCH' | 'PUT', string, Row])[] = [
    ['POST', `${account}/deposits`, money],
    ['POST', `${account}/withdrawals`, money],
    ['POST', `/accounts/${holding.accountId}/withdrawals`, money],
    ['POST', `${account}/locks`, money],
    ['POST', `${account}/transfers`, { ...money, from: 'spot', to: 'margin' }],
    ['POST', `${account}/keys`, { label: 'bot', permissions: ['read'] }],
    ['POST', `${account}/cancel-orders`, {}],
    ['POST', `${account}/close-positions`, {}],
    ['PATCH', account, { frozen: false }],
    ['POST', `/accounts/${FEES_ACCOUNT}/deposits`, money],
    ['PATCH', `/accounts/${foreign.data.accountId}`, { name: HOLDING_ACCOUNT }],
    ['POST', '/accounts', { name: FEES_ACCOUNT }],
    ['POST', '/accounts', { name: 'Payments-Ho1ding' }],
    ['PATCH', `/accounts/${foreign.data.accountId}`, { name: 'payments-HOLDlNG' }],
    ['PUT', `/people/${asked.personId}/accounts/${HOLDING_ACCOUNT}`, { permissions: ['read'] }],
  ];
  for (const [method, path, body] of reserved) {
    const { code } = await venue.operator.call(method, path, body);
    assert.equal(code, '60618', `${method} ${path}`);
  }
  const fees = await venue.operator.call('POST', `/accounts/${FEES_ACCOUNT}/withdrawals`, {
    ...{ coin: 'USDT', amount: '0.5' },
  });
  assert.equal(fees.code, OK, 'fees are taken out');
  const { data } = await venue.operator.call('GET', '/audit');
  const { coins } = data;
  assert.ok(Array.isArray(coins));
  const line = coins.find(({ coin }) => coin === 'USDT');
  assert.equal(line.paymentsHolding, '31.00000000');
  assert.equal(line.paymentsFees, '0.50000000');
  await decide(asked, 'refuse', { reason: 'no' });
  await balanced();
});

test('what was kept apart comes back whole: cancelled, refused, failed', async () => {
  await nextDay();
  const start = await balance(ada.accountId);
  const cancelled = await withdrawal('50');
  const back = await ada.done('DELETE', `${paths()}/payments/${cancelled.paymentId}`);
  assert.equal(back.data.state, 'cancelled');
  const refused = await withdrawal('60');
  const said = await decide(refused, 'refuse', { reason: 'no such address' });
  assert.equal(said.reason, 'no such address');
  const failed = await withdrawal('70');
  await decide(failed, 'approve');
  await ada.refused('60833', 'DELETE', `${paths()}/payments/${failed.paymentId}`);
  await decide(failed, 'sent', { reference: 'tx-2' });
  await decide(failed, 'fail', { reason: 'bounced' });
  assert.equal(await balance(ada.accountId), start);
  await balanced();
});

test('each step is taken once, and only where it may be', async () => {
  await nextDay();
  const asked = await withdrawal('20');
  const states: readonly (readonly [string, Row])[] = [
    ['sent', { reference: 'x' }],
    ['done', {}],
    ['fail', { reason: 'x' }],
  ];
  for (const [what, body] of states) {
    const { code } = await venue.operator.call(
      'POST',
      `/payments/${asked.paymentId}/${what}`,
      body,
    );
    assert.equal(code, '60833', `${what} of what nobody approved`);
  }
  await decide(asked, 'approve');
  await decide(asked, 'done', { reference: 'tx-3' });
  for (const [what, body] of [...states, ['approve', {}], ['refuse', { reason: 'x' }]] as const) {
    const { code } = await venue.operator.call(
      'POST',
      `/payments/${asked.paymentId}/${what}`,
      body,
    );
    assert.equal(code, '60833', `${what} of what is done`);
  }
  const { code } = await venue.operator.call('POST', '/payments/none/approve', {});
  assert.equal(code, '60832');
  await balanced();
});

test('one operator never counts twice', async () => {
  await nextDay();
  const asked = await withdrawal('501');
  assert.equal(asked.approvalsNeeded, 2);
  for (const _again of [1, 2]) {
    const once = await decide(asked, 'approve');
    assert.equal(once.state, 'requested');
    assert.ok(Array.isArray(once.approvals));
    assert.equal(once.approvals.length, 1);
  }
  await decide(asked, 'refuse', { reason: 'nobody else is there' });
});

test('two operators approve what takes two, and none approves a request of their own', async () => {
  const [one, two] = [
    await operatorIn(venue, 'operator', 'one@example.com'),
    await operatorIn(venue, 'operator', 'two@example.com'),
  ];
  const auditor = await operatorIn(venue, 'auditor');
  await nextDay();
  const asked = await withdrawal('600');
  for (const { browser, nextCode } of [one, two, auditor]) {
    const email = String(Object(browser.session.person).email);
    await browser.signIn(email, PASSWORD, await nextCode());
  }
  const approve = `/admin/v1/payments/${asked.paymentId}/approve`;
  assert.equal((await auditor.browser.call('POST', approve, {})).status, 403);
  for (const [browser, state, count] of [
    [one.browser, 'requested', 1],
    [one.browser, 'requested', 1],
    [two.browser, 'approved', 2],
  ] as const) {
    const { data } = await browser.done('POST', approve, {});
    assert.ok(Array.isArray(data.approvals));
    assert.deepEqual([data.state, data.approvals.length], [state, count]);
  }
  await decide(asked, 'refuse', { reason: 'test' });
  const own = one.browser.accountId;
  await fund(own, '100');
  const { data } = await one.browser.done('POST', `${paths(own)}/withdrawals`, {
    ...{ coin: 'USDT', amount: '10', address: 'Taddress' },
  });
  const path = `/admin/v1/payments/${data.paymentId}/approve`;
  assert.match((await one.browser.call('POST', path, {})).msg, /your own request/);
  await two.browser.done('POST', path, {});
  await balanced();
});

test('a deposit is credited when it is approved, and only then', async () => {
  await nextDay();
  const start = Number(await balance(ada.accountId));
  const asked = { coin: 'USDT', amount: '25', reference: 'from my bank' };
  const { data } = await ada.done('POST', `${paths()}/deposits`, asked);
  assert.equal(data.state, 'requested');
  assert.equal(Number(await balance(ada.accountId)), start);
  assert.equal((await decide(data, 'approve')).state, 'done');
  assert.equal(Number(await balance(ada.accountId)), start + 25);
  const other = await ada.done('POST', `${paths()}/deposits`, { ...asked, amount: '30' });
  await decide(other.data, 'refuse', { reason: 'nothing came' });
  assert.equal(Number(await balance(ada.accountId)), start + 25);
  await balanced();
});

test('between own accounts money moves at once', async () => {
  await nextDay();
  const start = Number(await balance(ada.accountId));
  const before = Number(await balance(second));
  const asked = { coin: 'USDT', amount: '40', to: second };
  const { data } = await ada.done('POST', `${paths()}/transfers`, asked);
  assert.equal(data.state, 'done');
  assert.equal(Number(await balance(ada.accountId)), start - 40);
  assert.equal(Number(await balance(second)), before + 40);
  const { rows } = await ada.done('GET', `${paths(second)}/payments?kind=transfer`);
  assert.equal(rows[0]?.paymentId, data.paymentId);
  await ada.refused('50020', 'POST', `${paths(second)}/transfers`, {
    ...{ coin: 'USDT', amount: '999999', to: ada.accountId },
  });
  const grace = await venue.person('grace@example.com');
  await ada.refused('60601', 'POST', `${paths()}/transfers`, { ...asked, to: grace.accountId });
  await ada.refused('40020', 'POST', `${paths()}/transfers`, { ...asked, to: ada.accountId });
  await grace.refused('60601', 'POST', `${paths()}/transfers`, asked);
  await balanced();
});

describe('what is refused', () => {
  interface Case {
    readonly name: string;
    readonly what: 'withdrawals' | 'deposits';
    readonly asked: Row;
    readonly code: string;
  }
  const out = { coin: 'USDT', amount: '20', address: 'Taddress' };
  const into = { coin: 'USDT', amount: '20', reference: 'tx' };
  const cases: readonly Case[] = [
    ...(
      [
        ['below the minimum', { ...out, amount: '9.99' }, '40020'],
        ['nothing', { ...out, amount: '0' }, '40020'],
        ['finer than the coin', { ...out, amount: '20.000000001' }, '40020'],
        ['more than there is', { ...out, amount: '999' }, OK],
        ['an address of another form', { ...out, address: '0xabc' }, '40017'],
        ['a network that is not there', { ...out, chain: 'ERC20' }, '40017'],
        ['an unknown coin', { ...out, coin: 'XYZ' }, '40034'],
        ['a field of no meaning', { ...out, to: '1' }, '40017'],
        ['an id of another alphabet', { ...out, clientId: 'a b' }, '40305'],
        ['above the limit of a day', { ...out, amount: '1000.01' }, '60834'],
      ] as const
    ).map(([name, asked, code]) => ({ name, what: 'withdrawals' as const, asked, code })),
    ...(
      [
        ['below the minimum', { ...into, amount: '4' }, '40020'],
        ['a coin that is closed', { ...into, coin: 'BTC' }, '60831'],
        ['no reference', { coin: 'USDT', amount: '20' }, '40017'],
      ] as const
    ).map(([name, asked, code]) => ({ name, what: 'deposits' as const, asked, code })),
  ];
  for (const { name, what, asked, code } of cases.filter((one) => one.code !== OK)) {
    test(`${what}: ${name}`, async () => {
      await nextDay();
      const start = await balance(ada.accountId);
      await ada.refused(code, 'POST', `${paths()}/${what}`, asked);
      assert.equal(await balance(ada.accountId), start);
    });
  }

  test('more than there is, which stays as a refused request', async () => {
    await nextDay();
    const poor = await venue.person('poor@example.com');
    await poor.refused('50020', 'POST', `${paths(poor.accountId)}/withdrawals`, out);
    const { rows } = await poor.done('GET', `${paths(poor.accountId)}/payments`);
    assert.equal(rows[0]?.state, 'refused');
    assert.equal(rows[0]?.reason, 'balance_insufficient');
  });

  test('by the day: what was cancelled does not count, what is a day old neither', async () => {
    await nextDay();
    const first = await withdrawal('400');
    const more = { ...out, amount: '601' };
    await ada.refused('60834', 'POST', `${paths()}/withdrawals`, more);
    await ada.done('DELETE', `${paths()}/payments/${first.paymentId}`);
    const { data } = await ada.done('POST', `${paths()}/withdrawals`, more);
    await ada.refused('60834', 'POST', `${paths()}/withdrawals`, { ...out, amount: '400' });
    await decide(data, 'refuse', { reason: 'test' });
    await nextDay();
    const again = await withdrawal('1000');
    await decide(again, 'refuse', { reason: 'test' });
  });

  test('without a fresh proof, without the right, and of a frozen account', async () => {
    await nextDay();
    await venue.advance(16 * 60_000);
    await ada.refused('60804', 'POST', `${paths()}/withdrawals`, out);
    await ada.done('POST', '/people/v1/session/confirm', { password: PASSWORD });
    const bob = await venue.person('bob@example.com');
    const code = await ada.done('POST', `${paths()}/access-codes`, {
      permissions: ['read', 'trade', 'transfer'],
    });
    await bob.done('POST', '/people/v1/access-codes', { code: code.data.code });
    await bob.refused('40014', 'POST', `${paths()}/withdrawals`, out);
    await bob.refused('40014', 'POST', `${paths()}/transfers`, {
      ...{ coin: 'USDT', amount: '1', to: bob.accountId },
    });
    await venue.operator.call('PATCH', `/accounts/${ada.accountId}`, { frozen: true });
    const frozen = await ada.call('POST', `${paths()}/withdrawals`, out);
    assert.notEqual(frozen.code, OK);
    await venue.operator.call('PATCH', `/accounts/${ada.accountId}`, { frozen: false });
    assert.equal((await withdrawal('20')).state, 'requested');
  });
});

describe('the networks of a listing', () => {
  const open = { chain: 'SOL', needTag: true, withdrawFee: '0.01', minWithdrawAmount: '0.5' };
  const closed = { chain: 'OLD', withdrawable: false, rechargeable: false };
  const asked = { coin: 'SOL', amount: '1', address: 'somewhere', chain: 'SOL', tag: '77' };

  before(async () => {
    const chains = [{ ...open, minDepositAmount: '0.2' }, closed];
    const spec = { code: 'SOL', coinId: 4, scale: 8, chains };
    assert.equal((await venue.operator.call('POST', '/assets', spec)).code, OK);
    await fund(ada.accountId, '10', 'SOL');
    await nextDay();
  });

  test('are shown to everybody as requests are held to them, and as they are changed', async () => {
    const shown = async (chain: string) => {
      const coins = await (await fetch(`${venue.url}/api/v3/coins`)).json();
      assert.ok(Array.isArray(coins));
      const networks = coins.find(({ coin }) => coin === 'SOL')?.networkList;
      assert.ok(Array.isArray(networks));
      return networks.find(({ network }: Row) => network === chain) ?? {};
    };
    const sol = await shown('SOL');
    assert.deepEqual([sol.withdrawMin, sol.depositDust, sol.withdrawFee], ['0.5', '0.2', '0.01']);
    const chains = [{ ...open, minWithdrawAmount: '0.4', minDepositAmount: '0.2' }, closed];
    await venue.operator.call('PATCH', '/assets/SOL', { chains });
    assert.equal((await shown('SOL')).withdrawMin, '0.4');
    await venue.operator.call('PATCH', '/assets/SOL', {
      chains: [{ ...open, minDepositAmount: '0.2' }, closed],
    });
  });

  const cases: readonly (readonly [string, 'withdrawals' | 'deposits', Row, string])[] = [
    ['of two one has to be named', 'withdrawals', { ...asked, chain: '' }, '40017'],
    ['one that is closed', 'withdrawals', { ...asked, chain: 'OLD' }, '60831'],
    ['without its tag', 'withdrawals', { ...asked, tag: '' }, '40017'],
    [
      'below its minimum, which is above that of the rules',
      'withdrawals',
      { ...asked, amount: '0.49' },
      '40020',
    ],
    [
      'a deposit below its minimum',
      'deposits',
      { coin: 'SOL', chain: 'SOL', amount: '0.1', reference: 'x' },
      '40020',
    ],
    [
      'a deposit by one that is closed',
      'deposits',
      { coin: 'SOL', chain: 'OLD', amount: '1', reference: 'x' },
      '60831',
    ],
  ];
  for (const [name, what, body, code] of cases) {
    test(name, async () => {
      await ada.refused(code, 'POST', `${paths()}/${what}`, body);
    });
  }

  test('its fee is taken besides the amount', async () => {
    const { data } = await ada.done('POST', `${paths()}/withdrawals`, asked);
    assert.deepEqual([data.chain, data.tag, data.fee], ['SOL', '77', '0.01000000']);
    assert.equal(await balance(ada.accountId, 'SOL'), '8.99000000');
    await decide(data, 'refuse', { reason: 'test' });
    assert.equal(await balance(ada.accountId, 'SOL'), '10.00000000');
  });
});

test('nobody is deleted while money of theirs is under way', async () => {
  const leaver = await venue.person('leaver@example.com');
  await fund(leaver.accountId, '21');
  const asked = { coin: 'USDT', amount: '20', address: 'Taddress' };
  const { data } = await leaver.done('POST', `${paths(leaver.accountId)}/withdrawals`, asked);
  const refused = await leaver.call('DELETE', '/people/v1/person');
  assert.match(refused.msg, /under way/);
  await decide(data, 'refuse', { reason: 'test' });
});

test('who is deleted leaves the books, and nothing that was said of where money went', async () => {
  const leaver = await venue.person('gone@example.com');
  const account = leaver.accountId;
  await fund(account, '21');
  const asked = { coin: 'USDT', amount: '20', address: 'Tgone', tag: 'of gone', clientId: 'mine' };
  const first = await leaver.done('POST', `${paths(account)}/withdrawals`, asked);
  await decide(first.data, 'refuse', { reason: 'wrote to gone@example.com' });
  // No id that a person can choose is in the way of the one that takes its place.
  const clientId = String(first.data.paymentId);
  const again = await leaver.done('POST', `${paths(account)}/withdrawals`, { ...asked, clientId });
  await decide(again.data, 'approve');
  await decide(again.data, 'done', { reference: 'tx-gone' });
  await leaver.done('DELETE', '/people/v1/person');
  const { rows } = await venue.operator.call('GET', `/payments?account=${account}`);
  const left = rows.map(({ state, amount, address, tag, reason, reference, accountId }) => {
    return [state, amount, address, tag, reason, reference, accountId];
  });
  // The clock stands still, so either may be the newer one.
  assert.deepEqual(left.toSorted(), [
    ['done', '20.00000000', '', '', '', 'tx-gone', account],
    ['refused', '20.00000000', '', '', '', '', account],
  ]);
  assert.doesNotMatch(JSON.stringify(rows), /gone@|Tgone|mine/);
});

test('the rules are shown as they hold', async () => {
  const { rows } = await ada.done('GET', '/people/v1/payment-rules');
  const usdt = rows.find(({ coin }) => coin === 'USDT');
  assert.deepEqual(usdt, {
    ...{ coin: 'USDT', dailyLimit: '1000' },
    chains: [
      {
        ...{ chain: '', depositable: true, withdrawable: true, needTag: false },
        ...{ minDeposit: '5.00000000', minWithdraw: '10.00000000', fee: '1.00000000' },
      },
    ],
  });
});
