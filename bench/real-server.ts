/** Starts the real program on a data directory, waits until it is ready, and stops it. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { present } from '#kernel';
import type { Client } from './requests.ts';

const PROJECT = resolve(import.meta.dirname, '..');
const HISTORY_WAIT_MS = 60_000;
const ADMIN_TOKEN = 'bench-admin-token-with-32-letters';
const READY = /^Outcry is ready at (http:\/\/127\.0\.0\.1:([0-9]+))/;

export interface RealServer {
  readonly url: string;
  readonly port: number;
  readonly processId: number;
  /** From the start of the process to its answer that it is ready. */
  readonly readySeconds: number;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
}

/** A server and its operator's token, where that is not the benchmarks' own. */
interface Operated {
  readonly url: string;
  readonly adminToken?: string;
}

/** A new directory beside the demo's data: on a real disk, where the system's own may be memory. */
export function scratchDirectory(): string {
  const parent = join(PROJECT, 'data');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, 'bench-'));
}

export function removeDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}

/**
 * Starts `outcry serve` with its demo accounts, without market maker and usually rate limits. Of a
 * checkout that is named the sources run, bundle or not: so two of them can be compared. A file of
 * configuration takes the place of the demo's.
 */
export async function startServer(
  directory: string,
  rateLimits: 'on' | 'off' = 'off',
  httpThreads = 0,
  named?: string,
  configFile?: string,
): Promise<RealServer> {
  const checkout = named ?? PROJECT;
  const program = join(checkout, named === undefined ? 'bin/outcry.js' : 'src/app/main.ts');
  const startMs = performance.now();
  const words = [...process.execArgv, program, 'serve', '--port', '0', '--data', directory];
  words.push('--no-participants', '--rate-limits', rateLimits, '--admin-token', ADMIN_TOKEN);
  if (configFile !== undefined) words.push('--config', configFile);
  const flag = httpThreadsFlag(checkout);
  if (flag !== undefined) words.push(flag, String(httpThreads));
  const child = spawn(process.execPath, words, {
    cwd: checkout,
    env: { ...process.env, OUTCRY_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const { url, port } = await readyLine(child);
  const answer = await fetch(`${url}/health/ready`);
  assert.equal(answer.status, 200, 'a server that says so is ready');
  const readySeconds = (performance.now() - startMs) / 1_000;
  const kill = async () => {
    process.off('exit', killWithUs);
    if (child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return { url, port, processId: present(child.pid, 'process'), readySeconds, kill };
}

/** An earlier one may not. */
function httpThreadsFlag(checkout: string): string | undefined {
  const text = readFileSync(join(checkout, 'src/app/cli/program.ts'), 'utf8');
  return ['--http-threads', '--gateways'].find((flag) => text.includes(flag));
}

async function readyLine(child: ChildProcess): Promise<{ url: string; port: number }> {
  assert(child.stdout !== null);
  for await (const line of createInterface({ input: child.stdout })) {
    const found = READY.exec(line);
    if (found?.[1] !== undefined) return { url: found[1], port: Number(found[2]) };
  }
  throw new Error('the server ended before it was ready');
}

/** Waits until the history has caught up: what is still to be done is not done during a measure. */
export async function waitForHistory({ url }: RealServer): Promise<void> {
  const giveUpMs = performance.now() + HISTORY_WAIT_MS;
  while (performance.now() < giveUpMs) {
    const text = await (await fetch(`${url}/metrics`)).text();
    if (/^outcry_projection_lag_commands 0$/m.test(text)) return;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error('the history has not caught up');
}

/** Lets the demo's two accounts have as many orders open as a measure leaves in the book. */
export async function raiseCaps(server: Operated): Promise<void> {
  const openOrdersMax = 1_000_000;
  for (const account of ['demo', 'maker']) {
    await askOperator(server, 'PATCH', `/accounts/${account}`, { openOrdersMax });
  }
  await askOperator(server, 'PATCH', '/contracts/BTC-USDT-PERP', { openOrdersMax });
}

/** Gives the demo's two accounts margin enough for positions that only grow. */
export async function fundContracts(server: RealServer): Promise<void> {
  for (const account of ['demo', 'maker']) {
    const deposit = { wallet: 'BTC-USDT-PERP', coin: 'USDT', amount: '100000000' };
    await askOperator(server, 'POST', `/accounts/${account}/deposits`, deposit);
  }
}

/** Accounts of their own that may trade, each with so much to spend. */
export async function openAccounts(server: Operated, count: number): Promise<Client[]> {
  const clients: Client[] = [];
  for (let at = 0; at < count; at += 1) {
    const name = `client-${at}`;
    await askOperator(server, 'POST', '/accounts', { name });
    const deposit = { wallet: 'spot', coin: 'USDT', amount: '1000' };
    await askOperator(server, 'POST', `/accounts/${name}/deposits`, deposit);
    const made = await askOperator(server, 'POST', `/accounts/${name}/keys`, {});
    clients.push(JSON.parse(made).data);
  }
  return clients;
}

/** Resolves with the answer's text. */
export async function askOperator(
  { url, adminToken = ADMIN_TOKEN }: Operated,
  method: 'POST' | 'PATCH',
  path: string,
  body: object,
): Promise<string> {
  const answer = await fetch(`${url}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return text;
}
