/** The server in the process of the test, on a directory of its choice, and what it has logged. */

import { Writable } from 'node:stream';
import { pino } from 'pino';
import { loadConfig } from '#config';
import { type Clock, ManualClock } from '#kernel';
import { type Server, startServer } from '#server';
import { ADMIN_TOKEN } from '../support/program.ts';

/** Shortly after the last command of the kept directories. */
const NOW_MS = Date.UTC(2026, 10, 22, 10, 48);

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly err?: unknown;
}

export class ServerHere {
  readonly clock: Clock;
  readonly lines: LogLine[] = [];
  readonly #directory: string;
  #server: Server | undefined;

  constructor(directory: string, nowMs = NOW_MS) {
    this.clock = new ManualClock(nowMs);
    this.#directory = directory;
  }

  /** Rejects when the directory is refused. */
  async start(configFile?: string, sandbox = false): Promise<Server> {
    const place = { data: this.#directory, port: '0', adminToken: ADMIN_TOKEN };
    const flags = { ...place, participants: false, rateLimits: 'off', config: configFile, sandbox };
    const sink = new Writable({
      write: (chunk, _encoding, done) => {
        this.lines.push(JSON.parse(String(chunk)));
        done();
      },
    });
    const log = pino({ level: 'info' }, sink);
    this.#server = await startServer(loadConfig(flags, {}), log, this.clock);
    return this.#server;
  }

  async stop(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }
}
