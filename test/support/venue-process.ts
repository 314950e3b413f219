/**
 * A real venue for a test: the program as a process of its own, on a free port. Given
 * a directory and the port of an earlier one it is that venue again, as after a restart.
 */
import { strict as assert } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { OutcryClient } from '#client';
import { endWithUs } from '../../tools/lifeline.ts';

import { HTTP_THREADS } from './http-threads.ts';
import { operatorClient } from './operator-client.ts';

const PROJECT = resolve(import.meta.dirname, '../..');

export interface VenueChoices {
  /** Further words for `outcry serve`, as in ['--sandbox']. */
  readonly flags?: readonly string[];
  /** False for empty books that only the test fills; true without it. */
  readonly participants?: boolean;
  /** Where data survive a restart; without it they end with the process. */
  readonly directory?: string;
  /** Zero, or nothing, for a free one. */
  readonly port?: number;
  /** Another program than the one that is shipped. */
  readonly main?: string;
}

export interface VenueProcess {
  readonly url: string;
  readonly adminToken: string;
  readonly admin: OutcryClient['admin'];
  readonly sandbox: OutcryClient['sandbox'];
  /** Ends it in order, or at once with SIGKILL. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Fails unless it stops in order and has complained of nothing. */
  close(): Promise<void>;
}

/** Resolves once the venue is ready; rejects with what it logged when it cannot start. */
export async function startVenueProcess(choices: VenueChoices = {}): Promise<VenueProcess> {
  const adminToken = 'token-of-this-test-with-32-letters';
  const words = [...argumentsOf(choices), '--admin-token', adminToken];
  const child = spawn(process.execPath, [choices.main ?? 'src/app/main.ts', ...words], {
    cwd: PROJECT,
    env: { ...process.env, OUTCRY_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithUs(child);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-10_000);
  });
  const url = await readyUrl(child.stdout, () => log);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  const close = async () => {
    await stop();
    assert.deepEqual([child.exitCode, log], [0, '']);
  };
  const { admin, sandbox } = operatorClient(url, adminToken);
  return { url, adminToken, stop, close, admin, sandbox };
}

function argumentsOf({ flags = [], participants, directory, port = 0 }: VenueChoices): string[] {
  const words = ['serve', '--port', String(port), '--json', '--rate-limits', 'off'];
  words.push('--http-threads', String(HTTP_THREADS));
  words.push(...(directory === undefined ? ['--ephemeral'] : ['--data', directory]));
  if (participants === false) words.push('--no-participants');
  return [...words, ...flags];
}

async function readyUrl(stdout: Readable, log: () => string): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const { url } = JSON.parse(line);
    stdout.resume();
    return url;
  }
  throw new Error(`the venue ended before it was ready: ${log()}`);
}
