/**
 * Real etcd servers of one's own, on free ports of this machine and in a directory of their own,
 * for tests, benchmarks and clusters in development: started, killed, stopped, gone on with.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { HERE, type Machine } from './cluster/network.ts';
import { endWithUs } from './lifeline.ts';

const READY_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 20;
const ANSWER_WITHIN_MS = 1_000;
const HOST = '127.0.0.1';
/** For clients, for the other servers, and for its health, which is asked without TLS. */
const PORTS_EACH = 3;

export interface EtcdOptions {
  readonly size?: number | undefined;
  /** A new one below the system's temporary directory without it, gone when the cluster closes. */
  readonly directory?: string | undefined;
  /** True without it; else a crash of the machine loses what was written, as it may in a test. */
  readonly isSynced?: boolean | undefined;
  /** Files of certificates; clients have to show one that `ca` has signed. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly ca: string } | undefined;
  /** Where each server runs; without it all of them here. */
  readonly machines?: readonly Machine[] | undefined;
  /** More flags of etcd for each server. */
  readonly flags?: readonly string[] | undefined;
}

/** Debian's etcd-server, or another one in the path. */
export function haveEtcd(): boolean {
  return spawnSync('etcd', ['--version'], { stdio: 'ignore' }).status === 0;
}

export class EtcdServer {
  readonly name: string;
  /** host:port for clients. */
  readonly endpoint: string;
  readonly #healthUrl: string;
  /** The program and its flags, behind those of its machine. */
  readonly #words: readonly string[];
  #process: ChildProcess | undefined;

  constructor(name: string, endpoint: string, healthUrl: string, words: readonly string[]) {
    this.name = name;
    this.endpoint = endpoint;
    this.#healthUrl = healthUrl;
    this.#words = words;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  start(): void {
    // Settings of a system's own etcd are in the environment.
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('ETCD_'));
    const [program = '', ...words] = this.#words;
    this.#process = spawn(program, words, { stdio: 'ignore', env: Object.fromEntries(kept) });
    // Its failure to start shows as never being ready.
    this.#process.on('error', () => undefined);
    endWithUs(this.#process);
  }

  /** SIGKILL, as a crash; or SIGTERM, SIGSTOP, SIGCONT. */
  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    this.#process = undefined;
    const isOver = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
    const exit = isOver ? undefined : once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  /** Whether it knows itself as the leader; undefined when it does not answer, or asks for TLS. */
  async isLeader(): Promise<boolean | undefined> {
    const answer = await ask(`http://${this.endpoint}/v3/maintenance/status`, '{}');
    const header: unknown = answer.header;
    if (!isObject(header) || answer.leader === undefined) return undefined;
    return answer.leader === header.member_id;
  }

  /** Ready when it takes part in a quorum. */
  async isHealthy(): Promise<boolean> {
    return (await ask(`${this.#healthUrl}/health`)).health === 'true';
  }
}

export class EtcdCluster {
  readonly servers: readonly EtcdServer[];
  readonly #directory: string;
  readonly #isOwn: boolean;

  private constructor(servers: readonly EtcdServer[], directory: string, isOwn: boolean) {
    this.servers = servers;
    this.#directory = directory;
    this.#isOwn = isOwn;
  }

  /** Resolves when all servers are healthy; rejects, with none left, when they never are. */
  static async start(options: EtcdOptions = {}): Promise<EtcdCluster> {
    const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'outcry-etcd-'));
    const ports = await freePorts(PORTS_EACH * (options.size ?? 1));
    const servers = serversOf(directory, ports, options);
    const cluster = new EtcdCluster(servers, directory, options.directory === undefined);
    for (const server of servers) server.start();
    try {
      await cluster.ready();
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  get endpoints(): readonly string[] {
    return this.servers.map(({ endpoint }) => endpoint);
  }

  /** Waits until every server is healthy. */
  async ready(): Promise<void> {
    for (const server of this.servers) {
      await eventually(`${server.name} is healthy`, () => server.isHealthy());
    }
  }

  async leader(): Promise<EtcdServer> {
    let found: EtcdServer | undefined;
    await eventually('etcd has a leader', async () => {
      for (const server of this.servers) {
        if ((await server.isLeader()) === true) found = server;
      }
      return found !== undefined;
    });
    if (found === undefined) throw new Error('no leader');
    return found;
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.kill()));
    if (this.#isOwn && existsSync(this.#directory)) rmSync(this.#directory, { recursive: true });
  }
}

function serversOf(
  directory: string,
  ports: readonly number[],
  { isSynced = true, flags = [], tls, machines = [] }: EtcdOptions,
): EtcdServer[] {
  const scheme = tls === undefined ? 'http' : 'https';
  const names = ports.slice(0, ports.length / PORTS_EACH).map((_, at) => `etcd-${at + 1}`);
  const placeOf = (at: number): Machine => machines[at] ?? HERE;
  const addressOf = (kind: number) => (_: string, at: number) =>
    `${placeOf(at).host}:${ports[kind * names.length + at]}`;
  const endpoints = names.map(addressOf(0));
  const [peers, healths] = [1, 2].map((kind) =>
    names.map(addressOf(kind)).map((address) => `http://${address}`),
  );
  const cluster = names.map((name, at) => `${name}=${peers?.[at]}`).join(',');
  return names.map((name, at) => {
    const url = `${scheme}://${endpoints[at]}`;
    const own: Readonly<Record<string, string>> = {
      name,
      'data-dir': join(directory, name),
      'listen-client-urls': url,
      'advertise-client-urls': url,
      'listen-peer-urls': peers?.[at] ?? '',
      'initial-advertise-peer-urls': peers?.[at] ?? '',
      'listen-metrics-urls': healths?.[at] ?? '',
      'initial-cluster': cluster,
      'initial-cluster-token': directory,
      'heartbeat-interval': '50',
      'election-timeout': '500',
      logger: 'zap',
      'log-level': 'error',
    };
    const given = Object.entries(own).map(([flag, value]) => `--${flag}=${value}`);
    if (!isSynced) given.push('--unsafe-no-fsync');
    if (tls !== undefined) given.push(...tlsFlags(tls));
    return new EtcdServer(name, endpoints[at] ?? '', own['listen-metrics-urls'] ?? '', [
      ...placeOf(at).enter,
      'etcd',
      ...given,
      ...flags,
    ]);
  });
}

function tlsFlags({ key, cert, ca }: NonNullable<EtcdOptions['tls']>): string[] {
  return [
    `--key-file=${key}`,
    `--cert-file=${cert}`,
    `--trusted-ca-file=${ca}`,
    '--client-cert-auth',
  ];
}

/** So many free ports of this machine: all at once, so that none is given twice. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, HOST));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('a port has a number');
    return address.port;
  });
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  const giveUpMs = performance.now() + READY_WITHIN_MS;
  while (!(await holds())) {
    if (performance.now() > giveUpMs) throw new Error(`never: ${what}`);
    await wait(LOOK_EVERY_MS);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

async function ask(url: string, body?: string): Promise<Readonly<Record<string, unknown>>> {
  const method = body === undefined ? 'GET' : 'POST';
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  try {
    const options = body === undefined ? { method, signal } : { method, signal, body };
    const answer: unknown = await (await fetch(url, options)).json();
    return isObject(answer) ? answer : {};
  } catch {
    return {};
  }
}
