/**
 * The ccxt client of today in Python trades on a real server. Its package is installed once, into
 * an environment of its own that is kept: without python3, or without its packages, it is skipped.
 */
import { strict as assert } from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { closedAtEnd } from '../support/at-end.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { startHere } from '../support/server-here.ts';
import { until } from '../support/until.ts';
import { startVenueProcess } from '../support/venue-process.ts';

const VERSION = '4.5.84';
const ENVIRONMENT = join(tmpdir(), `outcry-ccxt-${VERSION}`);
const SCRIPT = join(import.meta.dirname, 'ccxt4_core.py');
/** Of the environment; there is none yet where nothing was installed. */
const PYTHON = join(ENVIRONMENT, 'bin', 'python');

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

function isInstalled(): boolean {
  const check = `import ccxt; assert ccxt.__version__ == '${VERSION}'`;
  return existsSync(PYTHON) && succeeds(PYTHON, ['-c', check]);
}

function install(): boolean {
  const pip = ['-m', 'pip', 'install', '--quiet', `ccxt==${VERSION}`];
  return succeeds('python3', ['-m', 'venv', ENVIRONMENT]) && succeeds(PYTHON, pip);
}

const isReady = isInstalled() || install();

const run = promisify(execFile);
const SKIPPED = { skip: !isReady && 'no ccxt for Python here' };

test('ccxt in Python trades pairs and a contract', SKIPPED, async () => {
  const server = closedAtEnd(await startHere());
  const { stdout } = await run(PYTHON, [SCRIPT, server.url]);
  assert.equal(stdout.trim(), 'done');
});

test('examples/trade.py, as the README shows it', SKIPPED, async (context) => {
  const server = closedAtEnd(await startVenueProcess());
  await until('offers of both markets', async () => {
    const paths = ['/api/v3/market/depth', '/capi/v3/market/depth'];
    const books = paths.map(async (path) => fetch(`${server.url}${path}?symbol=BTCUSDT`));
    const texts = (await Promise.all(books)).map((answer) => answer.text());
    return !(await Promise.all(texts)).some((text) => text.includes('"asks":[]'));
  });
  const file = join(scratchDirectory(context), 'trade.py');
  const kept = readFileSync(join(import.meta.dirname, '../../examples/trade.py'), 'utf8');
  writeFileSync(file, kept.replaceAll('http://127.0.0.1:8787', server.url));
  const { stdout } = await run(PYTHON, [file]);
  assert.match(
    stdout,
    /^bought 0\.01 BTC at [\d.]+\nopen orders 1\nlong 0\.02 liquidated at [\d.]+\nUSDT [\d.]+\n$/,
  );
});
