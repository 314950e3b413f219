/** What comes and goes by request: its rules, and the system outside that is told. */
import { strict as assert } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadConfig } from '#config';
import { scratchDirectory } from '../support/scratch.ts';

const SECRET = { OUTCRY_WEBHOOK_SECRET: 'a secret of thirty-two characters' };

function fileWith(t: TestContext, lines: string): string {
  const file = join(scratchDirectory(t), 'venue.yaml');
  writeFileSync(file, lines);
  return file;
}

function paymentsOf(t: TestContext, lines: string, env = {}) {
  return loadConfig({ config: fileWith(t, lines) }, env).people?.payments;
}

test('without the section nothing comes or goes by request', (t) => {
  assert.deepEqual(paymentsOf(t, 'assets: []\n'), { coins: [], webhook: undefined });
});

test('a coin that is named is open both ways, and one approval is enough', (t) => {
  const payments = paymentsOf(t, 'payments: { coins: [{ coin: USDT }] }\n');
  assert.deepEqual(payments?.coins, [
    {
      ...{ coin: 'USDT', deposits: true, withdrawals: true, minDeposit: '0', minWithdraw: '0' },
      ...{ fee: undefined, dailyLimit: undefined, approvals: 1, twoApprovalsAbove: undefined },
      addressPattern: undefined,
    },
  ]);
});

test('a pattern is held against the whole address', (t) => {
  const coin = '{ coin: USDT, addressPattern: "a|b" }';
  const pattern = paymentsOf(t, `payments: { coins: [${coin}] }\n`)?.coins[0]?.addressPattern;
  assert.deepEqual(
    ['a', 'b', 'ab', 'xa', ''].map((address) => pattern?.test(address)),
    [true, true, false, false, false],
  );
});

const hooks = (url: string) => `payments: { coins: [], webhooks: { url: "${url}" } }\n`;

test('webhooks go to https, or stay on this machine', (t) => {
  for (const url of ['https://pay.example/x', 'http://127.0.0.1:9/x', 'http://[::1]:9/x']) {
    const { OUTCRY_WEBHOOK_SECRET: secret } = SECRET;
    assert.deepEqual(paymentsOf(t, hooks(url), SECRET)?.webhook, { url, secret });
  }
});

const refused: readonly (readonly [string, string, RegExp])[] = [
  ['plain HTTP to others', hooks('http://10.0.0.1/x'), /https is needed beyond this machine/],
  ['a name and password', hooks('https://a:b@pay.example/x'), /venue\.yaml:1/],
  ['a coin twice', 'payments: { coins: [{ coin: A }, { coin: A }] }\n', /A is there twice/],
  ['no pattern', 'payments: { coins: [{ coin: A, addressPattern: "(" }] }\n', /no pattern/],
  ['three approvals', 'payments: { coins: [{ coin: A, approvals: 3 }] }\n', /venue\.yaml:1/],
  ['a sandbox', 'sandbox: true\npayments: { coins: [] }\n', /a sandbox goes back/],
];
for (const [name, lines, why] of refused) {
  test(`${name} is refused where it stands`, (t) => {
    assert.throws(() => paymentsOf(t, lines, SECRET), why);
  });
}

test('a secret that is missing or short is asked for, and not repeated', (t) => {
  for (const given of [undefined, 'too-short-for-us']) {
    const env = { OUTCRY_WEBHOOK_SECRET: given };
    assert.throws(
      () => paymentsOf(t, hooks('https://pay.example/x'), env),
      (error: Error) => {
        assert.match(error.message, /OUTCRY_WEBHOOK_SECRET needs 32 characters/);
        assert.doesNotMatch(error.message, /too-short-for-us/);
        return true;
      },
    );
  }
});
