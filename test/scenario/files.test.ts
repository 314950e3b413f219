/** Files that would not work are refused before anything is played, each with place and line. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigFault } from '#config';
import { CLASSIC_SPELLING } from '#dialects';
import { readScenario } from '#scenario';
import { scenario, scratchFile } from './program.ts';

/** Lines 1 to 6 of every file below; the step under test is line 7. */
const HEAD = `name: A file
description: One step of it is wrong.
accounts:
  ann: { deposits: { spot: { USDT: 10 } } }
steps:
  - note: begin
`;

interface Case {
  readonly step: string;
  readonly complaint: string;
}

const WRONG_STEPS: readonly Case[] = [
  { step: 'fly: away', complaint: '7: steps[1].fly: unknown key' },
  {
    step: 'order: { as: ann, market: BTC-USDT, side: buy, size: 1, prize: 3 }',
    complaint: '7: steps[1].order.prize: unknown key',
  },
  {
    step: 'order: { as: ann, market: BTC-USDT, side: bye, size: 1 }',
    complaint: '7: steps[1].order.side: must be one of buy, sell',
  },
  {
    step: 'order: { as: ann, market: BTC-USDT, side: buy, size: 1e3 }',
    complaint: '7: steps[1].order.size: must be a plain decimal such as 0.5',
  },
  {
    step: 'order: { as: ann, side: buy, size: 1 }',
    complaint: '7: steps[1].order: missing market',
  },
  {
    step: 'order: { as: bob, market: BTC-USDT, side: buy, size: 1 }',
    complaint: '7: steps[1].order.as: bob is not among the accounts',
  },
  { step: 'cancel_all: bob', complaint: '7: steps[1].cancel_all: bob is not among the accounts' },
  {
    step: 'cancel: { order: first }',
    complaint: '7: steps[1].cancel.order: no order was saved as first before',
  },
  {
    step: 'expect: { order: { is: first, status: filled } }',
    complaint: '7: steps[1].expect.order.is: no order was saved as first before',
  },
  {
    step: 'reset: start',
    complaint: '7: steps[1].reset: nothing was saved as start before',
  },
  {
    step: 'pass: 3 days',
    complaint: '7: steps[1].pass: must be a time such as 500ms, 60s, 5m or 8h',
  },
  { step: 'index: { btc: 3 }', complaint: '7: steps[1].index.btc: unknown key' },
  {
    step: 'expect: { market: { is: BTC-USDT-PERP, mark: above all } }',
    complaint:
      '7: steps[1].expect.market.mark: must be a figure, above/below/at least/at most/not ' +
      'FIGURE, or about FIGURE within FIGURE',
  },
  {
    step: 'pass: 1s\n    note: and',
    complaint: '7: steps[1]: a step does one thing: begin the next one with a dash',
  },
  {
    step: 'expect:\n      balance:\n        { as: ann, coin: USDT,\n          availble: 3 }',
    complaint: '10: steps[1].expect.balance.availble: unknown key',
  },
];

function complaintsAbout(text: string): readonly string[] {
  const file = scratchFile('wrong.yaml', text);
  try {
    readScenario(file, CLASSIC_SPELLING);
  } catch (error) {
    assert.ok(error instanceof ConfigFault);
    return error.complaints.map((complaint) => complaint.replace(`${file}:`, ''));
  }
  return [];
}

describe('a wrong step', () => {
  for (const { step, complaint } of WRONG_STEPS) {
    test(complaint, () => assert.deepEqual(complaintsAbout(`${HEAD}  - ${step}\n`), [complaint]));
  }
});

test('the same file without a wrong step is read, and numbers keep every digit', () => {
  const price = '0.12345678901234567890';
  const step = `order: { as: ann, market: BTC-USDT, side: buy, size: 1, price: ${price} }`;
  const { steps } = readScenario(
    scratchFile('right.yaml', `${HEAD}  - ${step}\n`),
    CLASSIC_SPELLING,
  );
  assert.equal(Object(steps[1]?.content).price, price);
});

const OLD_STEPS = `
  - index: { cmt_btcusdt: 3 }
  - ramp: { index: cmt_btcusdt, from: 30000, to: 24000, steps: 30 }
  - before_funding: cmt_btcusdt
  - mode: { as: ann, market: cmt_soleur, margin: crossed }
  - transfer: { as: ann, coin: USDT, amount: 1, from: spot, to: cmt_btcusdt }
  - terms: { cmt_btcusdt: { index: { sources: [{ spot: ETHBTC_SPBL }] } } }
  - expect: { market: { is: BTCUSDT_SPBL, last: 1 } }
  - call: { as: ann, post: /api/spot/v1/trade/orders, body: { symbol: BTCUSDT_SPBL } }
`;

test('old spellings are read, with one warning each, and calls are sent as they are', () => {
  const file = scratchFile('old.yaml', `${HEAD}${OLD_STEPS.slice(1)}`);
  const { steps, warnings } = readScenario(file, CLASSIC_SPELLING);
  assert.deepEqual(
    steps.slice(1).map(({ content }) => JSON.stringify(content)),
    [
      '{"BTC-USDT-PERP":"3"}',
      '{"index":"BTC-USDT-PERP","from":"30000","to":"24000","steps":"30"}',
      '"BTC-USDT-PERP"',
      '{"as":"ann","market":"SOL-EUR-PERP","margin":"cross"}',
      '{"as":"ann","coin":"USDT","amount":"1","from":"spot","to":"BTC-USDT-PERP"}',
      '{"BTC-USDT-PERP":{"index":{"sources":[{"spot":"ETH-BTC"}]}}}',
      '{"market":{"is":"BTC-USDT","last":"1"}}',
      '{"as":"ann","post":"/api/spot/v1/trade/orders","body":{"symbol":"BTCUSDT_SPBL"}}',
    ],
  );
  assert.deepEqual(warnings, [
    `${file}: market \`cmt_btcusdt\` is the old spelling; write BTC-USDT-PERP`,
    `${file}: market \`cmt_soleur\` is the old spelling; write SOL-EUR-PERP`,
    `${file}: margin \`crossed\` is the old spelling; write cross`,
    `${file}: market \`ETHBTC_SPBL\` is the old spelling; write ETH-BTC`,
    `${file}: market \`BTCUSDT_SPBL\` is the old spelling; write BTC-USDT`,
  ]);
});

test('every fault of a file is found at once', () => {
  const text = `${HEAD}  - fly: away\n  - cancel_all: bob\nvenue: { config: x, players: 3 }\n`;
  assert.deepEqual(complaintsAbout(text), [
    '7: steps[1].fly: unknown key',
    '9: venue.players: unknown key',
  ]);
});

test('a wrong file ends the program with 2 and says where', async () => {
  const file = scratchFile('wrong.yaml', `${HEAD}  - fly: away\n`);
  const { code, stdout, stderr } = await scenario('run', file, '--assert');
  assert.equal(code, 2);
  assert.equal(stdout, '');
  assert.equal(stderr, `${file}:7: steps[1].fly: unknown key\n`);
  const missing = await scenario('run', '/nowhere.yaml');
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /cannot read the scenario: .*nowhere/);
});
