/** A scenario fails when it should: spoiled copies, unexpected answers, no venue to play on. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { scenarioFile } from '#scenario';
import { startVenue } from '#testing';
import { scenario, scratchFile } from './program.ts';

/** Bob's and Ann's liquidation, each with a figure that is not what comes out. */
function spoiledCascade(): { readonly file: string; readonly bob: number; readonly ann: number } {
  const text = readFileSync(scenarioFile('liquidation-cascade'), 'utf8')
    .replace('bankruptcy: 28517.5', 'bankruptcy: 28517')
    .replace('fund: 0.165', 'fund: above 0.165');
  const lines = text.split('\n');
  const bob = lines.findIndex((line) => line.includes('bankruptcy: 28517,')) + 1;
  const ann = lines.findIndex((line) => line.includes('fund: above')) + 1;
  assert.ok(bob > 0 && ann > bob);
  return { file: scratchFile('spoiled.yaml', text), bob, ann };
}

const { file, bob, ann } = spoiledCascade();
const BOB = `${file}:${bob}: expect.liquidation.bankruptcy: expected 28517, got 28517.5`;
const ANN = `${file}:${ann}: expect.liquidation.fund: expected above 0.165, got 0.16500000`;

function failuresIn(stdout: string): string[] {
  return stdout.split('\n').filter((line) => line.startsWith(file));
}

describe('a wrong figure', { concurrency: true }, () => {
  test('is printed where it is not, and the run goes on', async () => {
    const { code, stdout } = await scenario('run', file);
    assert.equal(code, 0);
    assert.deepEqual(failuresIn(stdout), [BOB, ANN]);
    assert.match(stdout, /^18\/18 expect insurance USDT 0\.8417; /m);
  });

  test('ends the run with 1 where it is asserted, told to programs in one line', async () => {
    const { code, stdout, stderr } = await scenario('run', file, '--assert', '--json');
    assert.equal(code, 1);
    assert.deepEqual(JSON.parse(stdout), {
      scenario: 'Liquidation cascade to deleveraging, linear contract',
      passed: false,
      failures: [
        {
          file,
          line: bob,
          what: 'expect.liquidation.bankruptcy',
          expected: '28517',
          actual: '28517.5',
        },
      ],
    });
    assert.match(stderr, /^ 1\/18 index: BTC-USDT-PERP 30000$/m);
  });
});

const ANSWERS = `name: Answers
description: Each step but the first comes out otherwise than it says.
accounts:
  ann: { deposits: { spot: { USDT: 1000 } } }
steps:
  - order: { as: ann, market: BTC-USDT, side: buy, size: 0.01, price: 20000, save: bid }
  - order: { as: ann, market: BTC-USDT, side: buy, size: 1, price: 20000 }
  - cancel: { order: bid, answer: order_unknown }
  - cancel: { order: bid, answer: none }
  - withdraw: { as: ann, coin: USDT, amount: 5000 }
  - order: { as: ann, market: BTC-USDT, side: buy, size: 1, price: 9000, save: no }
  - cancel: { order: no }
`;

const FAILURES = [
  '7: order.answer: expected ok, got balance_insufficient Balance is insufficient',
  '8: cancel.answer: expected order_unknown, got ok',
  '9: cancel.answer: expected none, got order_unknown Order does not exist',
  '10: withdraw: expected to be done, got 50020 Balance is insufficient',
  '11: order.answer: expected ok, got balance_insufficient Balance is insufficient',
  '12: cancel.order: expected an order, got never placed',
];

test('answers are figures too, and a running sandbox is played on again and again', async () => {
  await using venue = await startVenue({ participants: false });
  const where = ['--url', venue.url, '--admin-token', venue.adminToken];
  const answers = scratchFile('answers.yaml', ANSWERS);
  const { code, stdout } = await scenario('run', answers, ...where);
  assert.equal(code, 0);
  const found = stdout.split('\n').filter((line) => line.startsWith(answers));
  assert.equal(found.length, FAILURES.length, found.join('\n'));
  for (const [at, failure] of FAILURES.entries()) {
    assert.ok(found[at]?.startsWith(`${answers}:${failure}`), found[at]);
  }
  for (const run of ['first', 'second']) {
    const played = await scenario('run', 'lost-answers', '--assert', ...where);
    assert.equal(played.code, 0, `${run}: ${played.stdout}${played.stderr}`);
  }
  const stranger = await scenario('run', 'lost-answers', '--url', venue.url, '--admin-token', 'x');
  assert.equal(stranger.code, 2);
  assert.match(stranger.stderr, /cannot set the scene: 60121 /);
});

test('a venue that is not there or cannot be started ends the program with 2', async () => {
  const nobody = ['--url', 'http://127.0.0.1:9'];
  const gone = await scenario('run', 'lost-answers', ...nobody, '--admin-token', 'x');
  assert.equal(gone.code, 2);
  assert.equal(gone.stderr, 'cannot reach a venue at http://127.0.0.1:9/sandbox/v1/clock/pause\n');
  const without = await scenario('run', 'lost-answers', ...nobody);
  assert.equal(without.code, 2);
  assert.match(without.stderr, /--url needs the admin token/);
  const text = ANSWERS.replace('steps:', 'venue: { config: missing.yaml }\nsteps:');
  const unstarted = await scenario('run', scratchFile('unstarted.yaml', text), '--assert');
  assert.equal(unstarted.code, 2);
  assert.match(unstarted.stderr, /did not start, exit code 2: .*missing\.yaml/s);
});
