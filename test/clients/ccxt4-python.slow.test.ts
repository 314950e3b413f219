/**
 * The ccxt client of today in Python trades on a real server. Its package is installed once, into
 * an environment of its own that is kept: without python3, or without its packages, it is skipped.
 */
import { strict as assert } from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { closedAtEnd } from '../support/at-end.ts';
import { startHere } from '../support/server-here.ts';

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

test('ccxt in Python trades pairs', { skip: !isReady && 'no ccxt for Python here' }, async () => {
  const server = closedAtEnd(await startHere());
  const { stdout } = await promisify(execFile)(PYTHON, [SCRIPT, server.url]);
  assert.equal(stdout.trim(), 'done');
});
