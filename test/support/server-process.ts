/** The real program in a process of its own, with the demo venue in a scratch directory. */
import { strict as assert } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const PROJECT = resolve(import.meta.dirname, '../..');
const READY = /^Outcry is ready at (http:\/\/127\.0\.0\.1:[0-9]+)$/;
const ADMIN_TOKEN = 'token-of-this-test-with-32-letters';

export interface RunningServer {
  readonly url: string;
  /** Calls an operator's endpoint, which must succeed, and resolves with its data. */
  admin(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  /** Asks it to stop, and fails unless it stops in order and has complained of nothing. */
  stop(): Promise<void>;
}

/** Starts `outcry serve` without rate limits; without market maker, too, results are exact. */
export async function startProcess(hasMaker = false): Promise<RunningServer> {
  const directory = mkdtempSync(join(tmpdir(), 'outcry-process-'));
  const words = ['serve', '--port', '0', '--data', directory];
  if (!hasMaker) words.push('--no-participants');
  words.push('--rate-limits', 'off', '--admin-token', ADMIN_TOKEN);
  const child = spawn(process.execPath, [join(PROJECT, 'src/app/main.ts'), ...words], {
    cwd: PROJECT,
    env: { ...process.env, OUTCRY_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const url = await readyUrl(child, () => complaints);
  const stop = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const [exitCode] = await exited;
    process.off('exit', killWithUs);
    rmSync(directory, { recursive: true, force: true });
    assert.deepEqual([exitCode, complaints], [0, '']);
  };
  return { url, stop, admin: (...call) => callAdmin(url, ...call) };
}

async function readyUrl(child: ChildProcess, complaints: () => string): Promise<string> {
  assert.ok(child.stdout !== null);
  for await (const line of createInterface({ input: child.stdout })) {
    const found = READY.exec(line)?.[1];
    if (found === undefined) continue;
    child.stdout.resume();
    return found;
  }
  return assert.fail(`the server ended before it was ready: ${complaints()}`);
}

async function callAdmin(url: string, method: string, path: string, body?: object) {
  const answer = await fetch(`${url}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text).data;
}
