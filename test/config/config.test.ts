/** What a configuration file may say, and how it is told where it is wrong. */
import { strict as assert } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '#config';
import { complaints, load } from '../support/config-file.ts';
import { scratchDirectory } from '../support/scratch.ts';

const ASSETS = `assets:
  - { code: BTC, coinId: 1, scale: 8 }
  - { code: USDT, coinId: 2, scale: 8 }
`;

const PAIR = `spot:
  - symbol: BTC-USDT
    base: BTC
    quote: USDT
    priceScale: 2
    quantityScale: 4
    minQuantity: "0.0001"
    maxQuantity: "100"
    takerFee: "0.001"
    makerFee: "0.0008"
`;

const DESK_KEYS = 'accounts:\n  - name: desk\n    keys:\n';
const PUBLIC_KEY = 'PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly told: readonly string[];
}

const WRONG: readonly Case[] = [
  { name: 'unknown key at the top', text: 'asets: []\n', told: ['1: asets: unknown key'] },
  {
    name: 'unknown key inside a list',
    text: 'assets:\n  - code: BTC\n    coinId: 1\n    scale: 8\n    colour: orange\n',
    told: ['5: assets[0].colour: unknown key'],
  },
  {
    name: 'a missing key, told at its parent',
    text: 'assets:\n  - code: BTC\n    coinId: 1\n',
    told: ['2: assets[0]: missing scale'],
  },
  {
    name: 'several faults, in the order of the lines',
    text: 'server:\n  port: 70000\n  host: 5\nlogLevel: loud\n',
    told: [
      '2: server.port: must be <= 65535',
      '3: server.host: must be text: put the number in quotes',
      '4: logLevel: must be one of silent, fatal, error, warn, info, debug, trace',
    ],
  },
  {
    name: 'money without quotes, which may have lost digits',
    text: ASSETS + PAIR.replace('"0.0001"', '0.0001'),
    told: ['10: spot[0].minQuantity: must be text: put the number in quotes'],
  },
  {
    name: 'a key twice',
    text: 'server: {}\nserver: {}\n',
    told: ['2: Map keys must be unique'],
  },
  {
    name: 'a value of the wrong kind, told at its key and not where the value begins',
    text: 'logLevel: info\nserver:\n  - host\n',
    told: ['2: server: must be object'],
  },
  { name: 'not a mapping', text: '- 1\n', told: ['1: must be object'] },
  {
    name: 'a key that would reach into JavaScript',
    text: '__proto__: { port: 1 }\n',
    told: ['1: __proto__: unknown key'],
  },
  {
    name: 'a coin that is not listed',
    text: ASSETS + PAIR.replace('quote: USDT', 'quote: EUR'),
    told: ['5: spot[0].symbol: must be BTC-EUR', '7: spot[0].quote: EUR is not among the assets'],
  },
  {
    name: 'scales whose product the quote coin cannot hold',
    text: ASSETS + PAIR.replace('priceScale: 2', 'priceScale: 5'),
    told: ['8: spot[0].priceScale: priceScale + quantityScale is above 8, the scale of USDT'],
  },
  {
    name: 'more decimals than the pair has',
    text: ASSETS + PAIR.replace('"0.0001"', '"0.00015"'),
    told: [
      '10: spot[0].minQuantity: takes at most 4 decimal places',
      '10: spot[0].minQuantity: must be above zero',
    ],
  },
  {
    name: 'an exponent',
    text: ASSETS + PAIR.replace('"100"', '"1e2"'),
    told: [
      '11: spot[0].maxQuantity: must be a plain decimal such as "0.001"',
      '11: spot[0].maxQuantity: is below minQuantity',
    ],
  },
  {
    name: 'a fee of everything',
    text: ASSETS + PAIR.replace('takerFee: "0.001"', 'takerFee: "1"'),
    told: ['12: spot[0].takerFee: must be below 1 (1 is 100 %)'],
  },
  {
    name: 'a negative fee',
    text: ASSETS + PAIR.replace('makerFee: "0.0008"', 'makerFee: "-0.0001"'),
    told: ['13: spot[0].makerFee: must not be negative'],
  },
  {
    name: 'an account twice',
    text: 'accounts:\n  - name: desk\n  - name: desk\n',
    told: ['3: accounts[1].name: desk is there twice'],
  },
  {
    name: 'a secret of your own in the file',
    text: `${DESK_KEYS}      - { key: mine, secret: s, passphrase: pass-phrase }\n`,
    told: [
      '4: accounts[0].keys[0].secret: a file is no place for secrets: ' +
        'give a publicKey, or make keys with `outcry key create`',
    ],
  },
  {
    name: 'a public key that is none, and one beside a secret',
    text:
      `${DESK_KEYS}      - { key: bot1, publicKey: abc, passphrase: pass-phrase }\n` +
      `      - { key: bot2, publicKey: ${PUBLIC_KEY}, secret: s, passphrase: pass-phrase }\n`,
    told: [
      '4: accounts[0].keys[0].publicKey: takes an Ed25519 public key: PEM or base64',
      '5: accounts[0].keys[1].secret: is not for a public key',
    ],
  },
  {
    name: 'a key that lasts for ever and a day',
    text:
      `${DESK_KEYS}      - { key: bot1, publicKey: ${PUBLIC_KEY}, passphrase: pass-phrase,` +
      ' expiresDays: 3651 }\n',
    told: ['4: accounts[0].keys[0].expiresDays: must be <= 3650'],
  },
  {
    name: 'a market maker without account or pair',
    text:
      'liquidity:\n  account: nobody\n  ladders:\n' +
      '    - { symbol: XY, levels: 3, spacing: "0.001", quantity: "1" }\n',
    told: [
      '2: liquidity.account: is not among the accounts',
      '4: liquidity.ladders[0].symbol: is neither a listed pair nor a contract',
    ],
  },
  {
    name: 'fee levels that do not rise, or charge more than a market',
    text:
      `${ASSETS}${PAIR}feeLevels:\n  coin: USDT\n  levels:\n` +
      '    - { volume: "0", takerFee: "0.001", makerFee: "0.0008" }\n' +
      '    - { volume: "5", takerFee: "0.0011", makerFee: "1" }\n',
    told: [
      '17: feeLevels.levels[0].volume: does not rise',
      '18: feeLevels.levels[1].makerFee: must be below 1 (1 is 100 %)',
      '18: feeLevels.levels[1].takerFee: is above the takerFee of BTC-USDT: it would rise',
      '18: feeLevels.levels[1].makerFee: is above the makerFee of BTC-USDT: it would rise',
    ],
  },
  {
    name: 'fee levels in a coin that is not there',
    text:
      `${ASSETS}feeLevels:\n  coin: DOGE\n  levels:\n` +
      '    - { volume: "1", takerFee: "0", makerFee: "0" }\n',
    told: ['5: feeLevels.coin: DOGE is not among the assets'],
  },
];

for (const { name, text, told } of WRONG) {
  test(`refused with its place: ${name}`, (context) => {
    assert.deepEqual(complaints(context, text), told);
  });
}

const CHOICES = [
  ['fillFees', 'positive, negative'],
  ['planLists', 'array, page'],
  ['openCount', 'object, scalar'],
] as const;

for (const [key, words] of CHOICES) {
  test(`compatibility.${key} takes ${words} and nothing else`, (context) => {
    const at = (value: string) => `compatibility:\n  # of clients\n  ${key}: ${value}\n`;
    for (const value of ['maybe', 'true', '1', '[]', '""', words.toUpperCase().split(',')[0]]) {
      const told = [`3: compatibility.${key}: must be one of ${words}`];
      assert.deepEqual(complaints(context, at(String(value))), told, value);
    }
    for (const word of words.split(', ')) {
      assert.equal(load(context, at(word)).compatibility[key], word);
    }
  });
}

test('an unknown key of the compatibility section is refused with its line', (context) => {
  const text = 'compatibility:\n  fillFee: positive\n';
  assert.deepEqual(complaints(context, text), ['2: compatibility.fillFee: unknown key']);
});

test('an empty file is a venue with nothing in it', (context) => {
  const config = load(context, '');
  assert.deepEqual(config.assets, []);
  assert.deepEqual(config.accounts, []);
  assert.equal(config.liquidity, null);
  assert.equal(config.port, 8787);
});

test('decimal text becomes ticks, lots and parts per million', (context) => {
  const [pair] = load(context, ASSETS + PAIR).spot;
  assert.equal(pair?.minLots, 1);
  assert.equal(pair?.maxLots, 1_000_000);
  assert.equal(pair?.takerFeePpm, 1_000);
  assert.equal(pair?.makerFeePpm, 800);
  assert.equal(pair?.referencePriceTicks, 0);
});

test('a start after a crash replays a bounded number of commands', (context) => {
  const file = join(scratchDirectory(context), 'venue.yaml');
  const flags = { config: file };
  writeFileSync(file, 'rateLimits: true\n');
  assert.equal(loadConfig(flags, {}).snapshotIntervalCommands, 250_000);
  writeFileSync(file, 'snapshotIntervalCommands: 7000\n');
  assert.equal(loadConfig(flags, {}).snapshotIntervalCommands, 7_000);
});

test('flags win over the file, and the environment brings the secrets', (context) => {
  const directory = scratchDirectory(context);
  const file = join(directory, 'venue.yaml');
  writeFileSync(file, 'server: { port: 1000, host: 127.0.0.2 }\nrateLimits: true\n');
  const flags = { config: file, port: '0', data: directory, rateLimits: 'off' };
  const env = { OUTCRY_ADMIN_TOKEN: 'from-environment', OUTCRY_MASTER_KEY: 'k' };
  const config = loadConfig(flags, env);
  assert.equal(config.port, 0);
  assert.equal(config.host, '127.0.0.2');
  assert.equal(config.rateLimits, false);
  assert.equal(config.dataDirectory, directory);
  assert.equal(config.adminToken, 'from-environment');
  assert.equal(config.masterKeyText, 'k');
  assert.equal(loadConfig({ ...flags, adminToken: 'flag' }, env).adminToken, 'flag');
});

const OTHER_ENCODINGS: readonly (readonly [bytes: Buffer, says: RegExp])[] = [
  [
    Buffer.from('\uFEFFrateLimits: true\n', 'utf16le'),
    /venue\.yaml: the file is UTF-16: save it as/,
  ],
  [Buffer.from('rateLimits: true\n# J\u00F6rg\n', 'latin1'), /venue\.yaml:2: not UTF-8: save the/],
];

for (const [bytes, message] of OTHER_ENCODINGS) {
  test(`a file in another encoding: ${message.source}`, (context) => {
    const file = join(scratchDirectory(context), 'venue.yaml');
    writeFileSync(file, bytes);
    assert.throws(() => loadConfig({ config: file }, {}), { name: 'ConfigFault', message });
  });
}

const WRONG_FLAGS = [
  [{ port: '70000' }, '--port takes a number from 0 to 65535, not 70000'],
  [{ port: 'http' }, '--port takes a number from 0 to 65535, not http'],
  [{ httpThreads: '17' }, '--http-threads takes a number from 0 to 16, not 17'],
  [{ rateLimits: 'no' }, '--rate-limits takes on or off, not no'],
  [{ config: '/nowhere/venue.yaml' }, /cannot read the configuration: ENOENT/],
] as const;

for (const [flags, message] of WRONG_FLAGS) {
  test(`refused flag: ${JSON.stringify(flags)}`, () => {
    assert.throws(() => loadConfig(flags, {}), { name: 'ConfigFault', message });
  });
}
