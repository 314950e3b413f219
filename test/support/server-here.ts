/**
 * The whole server in the process of the test, on a real socket: its venue can be looked into, its
 * clock can be moved, and what it logs is kept. One directory may see several lives of it.
 */
import { strict as assert } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Logger, pino } from 'pino';
import { type ClusterConfig, type ConfigFlags, loadConfig, type ServerSettings } from '#config';
import { type Clock, ManualClock, present } from '#kernel';
import type { SharedLog } from '#log';
import { type Server, startServer } from '#server';
import { HTTP_THREADS } from './http-threads.ts';
import { ADMIN_TOKEN } from './program.ts';
import { scratchDirectory } from './scratch.ts';

const SYSTEM_CLOCK: Clock = { nowMs: () => Date.now() };
const ERROR_LEVEL = 50;
/** A day like any other. */
const STILL_MS = Date.UTC(2026, 10, 22, 10, 48);

/** All processes of a cluster open the same keys. */
const OF_ALL = { masterKeyText: Buffer.alloc(32, 7).toString('base64') };

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly err?: unknown;
}

interface Choices {
  /** The demo venue without it. */
  readonly config?: string;
  readonly participants?: boolean;
  readonly rateLimits?: boolean;
  readonly sandbox?: boolean;
  /** The database of its history; a file without it. */
  readonly historyUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A token that it makes at its first start and keeps in its directory. */
  readonly ownToken?: boolean;
  /** What else the command line says. */
  readonly flags?: ConfigFlags;
  /** How it is reached, where that matters. */
  readonly server?: Partial<ServerSettings>;
  /** Its place in a cluster, and the log of that. */
  readonly joined?: { readonly cluster: ClusterConfig; openLog(): SharedLog };
}

export class ServerHere implements Server {
  readonly directory: string;
  readonly clock: Clock;
  readonly lines: LogLine[] = [];
  #server: Server | undefined;

  constructor(directory: string, clock: Clock = SYSTEM_CLOCK) {
    this.directory = directory;
    this.clock = clock;
  }

  /** On a clock that stands still, until the test is over; it is not started. */
  static still(context: TestContext, directory: string, nowMs = STILL_MS): ServerHere {
    const here = new ServerHere(directory, new ManualClock(nowMs));
    context.after(() => here.stop());
    return here;
  }

  /** Without simulated traders and rate limits unless asked for; rejects when it cannot start. */
  async start({ server, joined, ...choices }: Choices = {}): Promise<this> {
    const { config: file, participants = false, rateLimits = false, sandbox = false } = choices;
    const env = { OUTCRY_HISTORY: choices.historyUrl, ...choices.env };
    const adminToken = choices.ownToken === true ? undefined : ADMIN_TOKEN;
    const place = { data: this.directory, port: '0', adminToken, config: file };
    const limits = rateLimits ? 'on' : 'off';
    const said = { ...place, participants, sandbox, rateLimits: limits, ...choices.flags };
    const read = loadConfig(said, env);
    const config = {
      ...read,
      httpThreads: HTTP_THREADS,
      ...server,
      ...(joined && { ...OF_ALL, cluster: joined.cluster }),
    };
    this.#server = await startServer(config, this.#log(), this.clock, joined?.openLog);
    return this;
  }

  get url(): string {
    return this.#running.url;
  }

  get ended(): Promise<Error> {
    return this.#running.ended;
  }

  get operatorUrl(): string {
    return this.#running.operatorUrl;
  }

  consoleLink(): string | undefined {
    return this.#running.consoleLink();
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get waitsFor(): string | undefined {
    return this.#running.waitsFor;
  }

  get venue(): Server['venue'] {
    return this.#running.venue;
  }

  get errors(): readonly LogLine[] {
    return this.lines.filter(({ level }) => level >= ERROR_LEVEL);
  }

  /** Ends it, if it runs, and leaves its directory to the next life. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.close();
  }

  /** Ends it, and fails if it has logged an error. */
  async close(): Promise<void> {
    await this.stop();
    assert.deepEqual(this.errors, []);
  }

  get #running(): Server {
    return present(this.#server, 'a running server');
  }

  #log(): Logger {
    const write = (text: string) => this.lines.push(JSON.parse(text));
    return pino({ level: 'info' }, { write });
  }
}

/** One on data of its own, which end with the file. */
export function startHere({ clock, ...choices }: Choices & { readonly clock?: Clock } = {}) {
  return new ServerHere(scratchDirectory(), clock).start(choices);
}
