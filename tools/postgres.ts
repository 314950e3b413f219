/**
 * A PostgreSQL server of one's own, for tests, benchmarks and development: Debian's programs in a
 * directory that goes with it. It never syncs, so a machine that stops loses it. As root it runs as
 * another user, because the server refuses to be root.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithUs } from './lifeline.ts';

const DEBIAN = '/usr/lib/postgresql';
const LOCAL = '127.0.0.1';
const USER = 'outcry';
const PASSWORD = 'password-of-this-server';
const READY = 'database system is ready to accept connections';
/** After a SIGKILL its children hold the memory for a moment. */
const START_TRIES = 50;
const RETRY_MS = 200;

export interface PostgresServer {
  /** Of its first database, with user and password. */
  readonly url: string;
  /** The process that started last. */
  readonly pid: number;
  /** Another database of this server, which need not be there yet. */
  urlOf(database: string): string;
  signal(signal: NodeJS.Signals): void;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** On the same port with the same data. */
  startAgain(): Promise<void>;
  /** Ends it and removes its data. */
  close(): Promise<void>;
}

/** Undefined where it is not installed. */
export function postgresPrograms(): string | undefined {
  if (!existsSync(DEBIAN)) return undefined;
  const versions = readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one));
  return versions
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
}

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

class OwnServer implements PostgresServer {
  readonly #bin: string;
  readonly #owner: Owner;
  readonly #directory: string;
  readonly #host: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  constructor(
    bin: string,
    owner: Owner,
    directory: string,
    [host, port]: readonly [host: string, port: number],
  ) {
    this.#bin = bin;
    this.#owner = owner;
    this.#directory = directory;
    this.#host = host;
    this.#port = port;
  }

  get url(): string {
    return this.urlOf('postgres');
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  urlOf(database: string): string {
    return `postgres://${USER}:${PASSWORD}@${this.#host}:${this.#port}/${database}`;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async startAgain(): Promise<void> {
    for (let tried = 1; ; tried += 1) {
      const log = await this.#start();
      if (log === undefined) return;
      if (tried === START_TRIES) throw new Error(`PostgreSQL does not start: ${log}`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  async close(): Promise<void> {
    process.off('exit', this.#endWithUs);
    await this.#end('SIGQUIT');
    this.#remove();
  }

  initialize(): void {
    const passwords = join(this.#directory, 'password');
    writeFileSync(passwords, PASSWORD);
    const words = ['--pgdata', this.#data, '--username', USER, '--pwfile', passwords];
    words.push('--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C', '--no-sync');
    execFileSync(join(this.#bin, 'initdb'), words, { ...this.#owner, stdio: 'pipe' });
    appendFileSync(join(this.#data, 'pg_hba.conf'), 'host all all samenet scram-sha-256\n');
    process.once('exit', this.#endWithUs);
  }

  readonly #endWithUs = (): void => {
    this.#process?.kill('SIGQUIT');
    this.#remove();
  };

  get #data(): string {
    return join(this.#directory, 'data');
  }

  #remove(): void {
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.ref();
    running.kill('SIGCONT');
    running.kill(signal);
    await exited;
  }

  /** Gives what it logged when it does not come up. */
  async #start(): Promise<string | undefined> {
    const words = ['-D', this.#data, '-p', String(this.#port), '-h', this.#host];
    words.push('-k', this.#directory, '-F', '-c', 'full_page_writes=off');
    words.push('-c', 'synchronous_commit=off', '-c', 'max_connections=200');
    const started = spawn(join(this.#bin, 'postgres'), words, {
      ...this.#owner,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = started;
    endWithUs(started);
    let log = '';
    const isReady = await new Promise<boolean>((resolve) => {
      started.once('exit', () => resolve(false));
      started.stderr?.setEncoding('utf8').on('data', (text: string) => {
        log = (log + text).slice(-10_000);
        if (log.includes(READY)) resolve(true);
      });
    });
    // Whoever only waits for it may end.
    started.unref();
    if (started.stderr instanceof Socket) started.stderr.unref();
    return isReady ? undefined : log;
  }
}

/** Ready when it resolves. Ends with this process at the latest. */
export async function startPostgres(
  bin = postgresPrograms(),
  port = 0,
  host = LOCAL,
): Promise<PostgresServer> {
  if (bin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const owner = ownerOf();
  const directory = mkdtempSync(join(tmpdir(), 'outcry-postgres-'));
  chmodSync(directory, 0o700);
  if (owner.uid !== undefined && owner.gid !== undefined) {
    chownSync(directory, owner.uid, owner.gid);
  }
  const address = [host, port === 0 ? await freePort() : port] as const;
  const server = new OwnServer(bin, owner, directory, address);
  server.initialize();
  await server.startAgain();
  return server;
}

/** Debian's package makes a user for it. */
function ownerOf(): Owner {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, LOCAL);
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
