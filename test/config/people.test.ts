/** Who may sign up, and where people are kept: read from file or environment. */
import { strict as assert } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ConfigFault, loadConfig } from '#config';
import { scratchDirectory } from '../support/scratch.ts';

const URL = 'postgres://venue:s3cret@db.example:5433/outcry';
const CLUSTER = `
venue: pit
name: a
address: 127.0.0.1:7000
secret: a-secret-of-the-tests-with-32-letters
etcd: { endpoints: ["127.0.0.1:2379"] }
`;

function fileWith(t: TestContext, lines: string): string {
  const file = join(scratchDirectory(t), 'venue.yaml');
  writeFileSync(file, lines);
  return file;
}

test('a venue that says nothing lets nobody sign up, and keeps people in its directory', (t) => {
  const { people } = loadConfig({ config: fileWith(t, 'assets: []\n') }, {});
  assert.equal(people?.settings.signUp, 'closed');
  assert.equal(people?.settings.smtp, undefined);
  assert.equal(people?.url, undefined);
});

test('people are where they are said to be, or else where the history is', (t) => {
  const named = fileWith(t, `people: { database: "${URL}" }\nhistory: postgres://h@h/h\n`);
  assert.equal(loadConfig({ config: named }, {}).people?.url, URL);
  const other = 'postgres://other@db.example/people';
  assert.equal(loadConfig({ config: named }, { OUTCRY_PEOPLE: other }).people?.url, other);
  const history = fileWith(t, `history: "${URL}"\n`);
  assert.equal(loadConfig({ config: history }, {}).people?.url, URL);
});

test('what is said of mail has defaults, and its password may come from the environment', (t) => {
  const smtp = 'smtp: { host: mail.example, user: pit, password: in-file, from: pit@example.com }';
  const config = fileWith(t, `people:\n  ${smtp}\n  url: https://Venue.example\n`);
  const { people } = loadConfig({ config }, { OUTCRY_SMTP_PASSWORD: 'given' });
  assert.equal(people?.settings.url, 'https://venue.example');
  const { host, port, secure, password } = people?.settings.smtp ?? {};
  assert.deepEqual([host, port, secure, password], ['mail.example', 465, true, 'given']);
});

test('people of a cluster need a database, and a start without it says so', (t) => {
  const cluster = fileWith(t, CLUSTER);
  const config = fileWith(t, 'people: { signUp: open }\n');
  const refused = /venue\.yaml:1: people of a cluster are kept in PostgreSQL/;
  assert.throws(() => loadConfig({ config, cluster }, {}), refused);
  assert.equal(loadConfig({ config, cluster }, { OUTCRY_PEOPLE: URL }).people?.url, URL);
  const silent = fileWith(t, 'assets: []\n');
  assert.equal(loadConfig({ config: silent, cluster }, {}).people, undefined);
  const coin = 'assets:\n  - { code: USDT, coinId: 2, scale: 8 }\n';
  const limited = fileWith(t, `${coin}operators: { twoPersonAbove: { USDT: "10" } }\n`);
  const unshared = /limits of a cluster take a database that every process shares/;
  assert.throws(() => loadConfig({ config: limited, cluster }, {}), unshared);
  assert.ok(loadConfig({ config: limited, cluster }, { OUTCRY_PEOPLE: URL }));
});

test('an address that is none is refused where it stands, and not repeated', (t) => {
  const config = fileWith(t, 'people: { database: "mysql://s3cret@db/x" }\n');
  for (const flags of [{ config }, { config: fileWith(t, `people: { database: "${URL}" }\n`) }]) {
    const isOdd = flags.config === config;
    assert.throws(
      () => loadConfig({ ...flags, ephemeral: !isOdd }, {}),
      (error) => {
        assert.ok(error instanceof ConfigFault);
        assert.match(error.message, isOdd ? /people are kept in a database/ : /keeps nothing/);
        assert.doesNotMatch(error.message, /s3cret/);
        return true;
      },
    );
  }
});

const DEMO = 'signUp: demo';
const SMTP = 'smtp: { host: mail.example, from: pit@example.com }';
const COIN = 'assets:\n  - { code: USDT, coinId: 2, scale: 8 }\n';
const MONEY = 'deposits: [{ wallet: spot, coin: USDT, amount: "5" }]';
const WEBHOOKS = 'payments: { coins: [], webhooks: { url: "https://pay.example" } }\n';

const MIXTURES: readonly (readonly [what: string, text: string, complaint: RegExp])[] = [
  ['mails', `people: { ${DEMO}, ${SMTP} }\n`, /:1: a venue that sends mails has no sign-up as in/],
  ['an address', `people:\n  ${DEMO}\n  url: https://pit.example\n`, /:3: a venue with an address/],
  ['proxies', `people: { ${DEMO} }\nserver: { trustedProxies: ["::1"] }\n`, /:2: a venue behind a/],
  [
    'names',
    `people: { ${DEMO} }\nserver: { hosts: [pit.example] }\n`,
    /:2: a venue with names that/,
  ],
  ['payments', `people: { ${DEMO} }\n${WEBHOOKS}`, /:2: a venue that has money paid out/],
  ['open doors', `people: { signUp: open, ${MONEY} }\n${COIN}`, /:1: money for whoever signs up/],
  ['no sign-up', `people: { ${MONEY} }\n${COIN}`, /:1: money for whoever signs up/],
  [
    'no such coin',
    `people:\n  ${DEMO}\n  ${MONEY}\n`,
    /:3: people\.deposits\[0\]\.coin: USDT is not/,
  ],
  ['a host', `people: { ${DEMO} }\nserver: { host: 0.0.0.0 }\n`, /gives money to whoever signs up/],
];

test('sign-up as in a demo goes with nothing that others know of', (t) => {
  for (const [what, text, complaint] of MIXTURES) {
    assert.throws(() => loadConfig({ config: fileWith(t, text) }, {}), complaint, what);
  }
  const alone = 'server: { host: "::1", trustedProxies: [], hosts: [] }\n';
  const config = fileWith(t, `people: { ${DEMO}, ${MONEY} }\n${COIN}${alone}`);
  const { people, signUpDeposits, signUpClosed } = loadConfig({ config }, {});
  assert.equal(people?.settings.signUp, 'demo');
  assert.deepEqual(signUpDeposits, [{ wallet: 'spot', coin: 'USDT', amount: 500_000_000n }]);
  assert.equal(signUpClosed, undefined);
});

test('the demo lets whoever is at the machine sign up, and nobody else', (t) => {
  assert.equal(loadConfig({}, {}).people?.settings.signUp, 'demo');
  const cluster = fileWith(t, CLUSTER);
  const joined = loadConfig({ cluster }, {});
  assert.equal(joined.people, undefined, 'as a venue of a cluster that says nothing of people');
  assert.match(joined.signUpClosed ?? '', /on a cluster sign-up is closed/);
  const shared = loadConfig({ cluster }, { OUTCRY_PEOPLE: URL });
  assert.equal(shared.people?.settings.signUp, 'closed');
  const shown = loadConfig({ host: '0.0.0.0', allowDemoOnNetwork: true }, {});
  assert.equal(shown.people?.settings.signUp, 'closed');
  assert.match(shown.signUpClosed ?? '', /on an address that others can reach sign-up is closed/);
});
