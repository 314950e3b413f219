/** The first minute of the README, word for word, against the real demo server. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { closedAtEnd } from '../support/at-end.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { until } from '../support/until.ts';
import { startVenueProcess } from '../support/venue-process.ts';

const PROJECT = `${import.meta.dirname}/../..`;
const README_URL = 'http://127.0.0.1:8787';
const run = promisify(execFile);

const server = closedAtEnd(await startVenueProcess());
await quoted('/api/swap/v3/market/depth?symbol=cmt_btcusdt&limit=5');
await quoted('/api/spot/v1/market/depth?symbol=BTCUSDT&limit=5');

/** Resolves once the market maker offers something here, as it does right after the start. */
async function quoted(path: string): Promise<void> {
  await until(`an offer at ${path}`, async () => {
    const text = await (await fetch(`${server.url}${path}`)).text();
    return !text.includes('"asks":[]');
  });
}

/** The block of code under a heading, pointed at the server of this test. */
function example(heading: string, language: string): string {
  const page = readFileSync(`${PROJECT}/README.md`, 'utf8');
  const section = page.slice(page.indexOf(`\n## ${heading}\n`));
  const fence = `\`\`\`${language}\n`;
  const start = section.indexOf(fence) + fence.length;
  const code = section.slice(start, section.indexOf('```', start));
  assert.ok(code.includes(README_URL), `${heading} shows the server's address`);
  return code.replaceAll(README_URL, server.url);
}

function missingTools(): string[] {
  return ['bash', 'curl', 'openssl'].filter((tool) => {
    try {
      execFileSync(tool, [tool === 'openssl' ? 'version' : '--version'], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
}

test('a first trade with curl', async (t) => {
  const missing = missingTools();
  if (missing.length > 0) return t.skip(`this machine has no ${missing.join(', ')}`);
  const { stdout } = await run('bash', ['-c', example('A first trade with curl', 'sh')]);
  const bodies = stdout.split(/(?<=\})(?=\{"code")/).map((text) => JSON.parse(text));
  assert.deepEqual(
    bodies.map(({ code }) => code),
    ['00000', '00000'],
  );
  assert.match(bodies[0].data.orderId, /^1[0-9]{15}$/);
  assert.ok(Array.isArray(bodies[1].data.asks));
});

test('a first contract with curl', async (t) => {
  const missing = missingTools();
  if (missing.length > 0) return t.skip(`this machine has no ${missing.join(', ')}`);
  const { stdout } = await run('bash', ['-c', example('A first contract with curl', 'sh')]);
  const [mode, settings, order, position] = stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  assert.deepEqual([mode.resultHoldMode, mode.switchSuccess], [1, true]);
  assert.equal(settings.long_leverage, '10');
  assert.match(order.order_id, /^1[0-9]{15}$/);
  const [long] = position.holding;
  assert.deepEqual([long.holdSide, long.position, long.leverage], ['1', '20', '10']);
  assert.ok(Number(long.liquidation_price) > 26_000 && Number(long.liquidation_price) < 28_000);
});

/** A project of its own with a file and the ccxt of this name, run by the Node of this test. */
async function runInProject(
  context: TestContext,
  ccxt: 'ccxt' | 'ccxt4',
  file: string,
  code: string,
): Promise<string> {
  const directory = scratchDirectory(context);
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(`${PROJECT}/node_modules/${ccxt}`, join(directory, 'node_modules/ccxt'));
  writeFileSync(join(directory, 'package.json'), '{ "private": true }\n');
  writeFileSync(join(directory, file), code);
  return (await run(process.execPath, [file], { cwd: directory })).stdout;
}

for (const [file, language] of [
  ['trade.mjs', 'js'],
  ['trade.py', 'python'],
] as const) {
  test(`examples/${file} is what the README shows`, () => {
    const shown = example('A first trade with ccxt', language);
    const kept = readFileSync(`${PROJECT}/examples/${file}`, 'utf8');
    assert.equal(shown, kept.replaceAll(README_URL, server.url));
  });
}

test('a first trade with ccxt 4.5, a pair and a contract', async (context) => {
  const code = example('A first trade with ccxt', 'js');
  const stdout = await runInProject(context, 'ccxt4', 'trade.mjs', code);
  const [bought, open, position, money] = stdout.trim().split('\n');
  assert.match(bought ?? '', /^bought 0\.01 BTC at \d+(\.\d+)?$/);
  assert.equal(open, 'open orders 1');
  assert.match(position ?? '', /^long 0\.0[24] liquidated at \d+(\.\d+)?$/);
  assert.match(money ?? '', /^USDT \d+(\.\d+)?$/);
});

test('a first trade with ccxt 1.89, which speaks the classic API', async (context) => {
  const code = example('Clients of the classic API', 'js');
  const stdout = await runInProject(context, 'ccxt', 'classic.mjs', code);
  assert.match(stdout, /symbol: 'BTC\/USDT'/);
  assert.match(stdout, /status: 'open'/);
  assert.match(stdout, /USDT: \{ free: /);
});
