/**
 * The whole server in the process of the test, on a real socket: its venue can be looked into, its
 * clock can be moved, and whatever it logs as an error fails the test that closes it.
 */

import { strict as assert } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { loadConfig, type ServerSettings } from '#config';
import type { Clock } from '#kernel';
import { type Server, startServer } from '#server';

export const ADMIN_TOKEN = 'token-of-this-test-with-32-letters';

export interface ServerHere extends Server {
  readonly port: number;
  /** Closes it, and fails if it has logged an error. */
  close(): Promise<void>;
}

interface Choices {
  readonly rateLimits?: boolean;
  readonly sandbox?: boolean;
  readonly clock?: Clock;
  /** How it is reached, where that matters. */
  readonly server?: Partial<ServerSettings>;
}

const SYSTEM_CLOCK: Clock = { nowMs: () => Date.now() };

/** The demo venue without market maker; without rate limits unless asked for. */
export async function startHere(choices: Choices = {}): Promise<ServerHere> {
  const directory = mkdtempSync(join(tmpdir(), 'outcry-here-'));
  const rateLimits = choices.rateLimits === true ? 'on' : 'off';
  const flags = { data: directory, port: '0', participants: false, adminToken: ADMIN_TOKEN };
  const sandbox = choices.sandbox === true;
  const read = loadConfig({ ...flags, rateLimits, sandbox }, {});
  const config = { ...read, ...choices.server };
  let errors = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      errors += String(chunk);
      done();
    },
  });
  const log = pino({ level: 'error' }, sink);
  const server = await startServer(config, log, choices.clock ?? SYSTEM_CLOCK);
  const close = async () => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
    assert.equal(errors, '');
  };
  const { url, operatorUrl, venue } = server;
  return { url, operatorUrl, venue, port: Number(new URL(url).port), close };
}
