/**
 * A whole cluster as processes of this machine, each with a directory of its own: etcd's servers,
 * members, gateways. For development, tests and benchmarks; an operator runs the same programs
 * from a service manager.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { EtcdCluster, freePorts } from '../etcd-servers.ts';
import { endWithUs } from '../lifeline.ts';
import { HERE, type Machine, type Network } from './network.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const LOG_CHARACTERS_MAX = 40_000;
const VALUED_FLAGS: ReadonlySet<string> = new Set(['--rate-limits', '--config', '--host']);
/** Whoever reaches an address of a network of one's own is on this machine. */
const ON_NETWORK: readonly string[] = ['--allow-demo-on-network', '--yes-on-network'];
const GATEWAY_FLAGS: ReadonlySet<string> = new Set([...VALUED_FLAGS, ...ON_NETWORK]);

export interface ClusterChoices {
  readonly members?: number;
  readonly gateways?: number;
  /** Servers of etcd. */
  readonly stores?: number;
  /** Further words for every `outcry serve`, as in ['--no-participants']. */
  readonly flags?: readonly string[];
  /** The database of reports that every member writes. */
  readonly historyUrl?: string | undefined;
  /** Further lines of every cluster file. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** A machine for each member, with a server of etcd, and for each gateway. */
  readonly network?: Network | undefined;
  /** A new one below the system's temporary directory without it, gone when the cluster closes. */
  readonly directory?: string;
}

/** What every process of a cluster is started with. */
interface Common {
  readonly directory: string;
  readonly endpoints: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly flags: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secret: string;
  readonly adminToken: string;
}

/** A member or a gateway: started, killed, stopped, gone on with, started again. */
export class ClusterProcess {
  readonly name: string;
  readonly kind: 'member' | 'gateway';
  readonly machine: Machine;
  readonly #common: Common;
  readonly #addressPort: number;
  readonly #port: number;
  #child: ChildProcess | undefined;
  #log = '';

  constructor(
    name: string,
    kind: 'member' | 'gateway',
    common: Common,
    machine: Machine,
    ports: readonly [address: number, port: number],
  ) {
    this.name = name;
    this.kind = kind;
    this.machine = machine;
    this.#common = common;
    [this.#addressPort, this.#port] = ports;
  }

  get url(): string {
    return `http://${this.machine.clientHost}:${this.#port}`;
  }

  /** Where the other processes reach it. */
  get address(): string {
    return `${this.machine.host}:${this.#addressPort}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The end of what it has logged. */
  get log(): string {
    return this.#log;
  }

  get isRunning(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** Resolves once it is ready; rejects with its log when it ends before. */
  async start(): Promise<void> {
    const { env, flags, adminToken } = this.#common;
    const place = ['--data', this.directory, '--port', String(this.#port), '--json'];
    const own = this.kind === 'member' ? ['serve', ...flags] : ['gateway', ...ofGateway(flags)];
    const words = [...own, '--cluster', this.#writeFile(), ...place, '--admin-token', adminToken];
    const { enter } = this.machine;
    if (enter.length > 0) words.push('--host', '0.0.0.0', ...ON_NETWORK);
    const [program = '', ...rest] = [...enter, process.execPath, 'src/app/main.ts', ...words];
    const child = spawn(program, rest, {
      cwd: PROJECT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    endWithUs(child);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log = (this.#log + text).slice(-LOG_CHARACTERS_MAX);
    });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${this.name} has ended before it was ready:\n${this.#log}`);
    });
    ended.catch(() => undefined);
    const lines = createInterface({ input: child.stdout });
    await Promise.race([once(lines, 'line'), ended]);
  }

  /** SIGSTOP, SIGCONT; SIGTERM without waiting for its end. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends it, at once unless another signal is named. */
  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined || !this.isRunning) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    // One that was stopped gets a signal to end only when it goes on.
    child.kill('SIGCONT');
    await exit;
  }

  /** What it says of itself; undefined when it does not answer. */
  async status(): Promise<Readonly<Record<string, unknown>> | undefined> {
    try {
      const signal = AbortSignal.timeout(1_000);
      const answer: unknown = await (await fetch(`${this.url}/health/ready`, { signal })).json();
      return typeof answer === 'object' && answer !== null ? { ...answer } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Where its copy of the log is. */
  get directory(): string {
    return join(this.#common.directory, this.name);
  }

  #writeFile(): string {
    const { directory, endpoints, secret, settings } = this.#common;
    mkdirSync(this.directory, { recursive: true, mode: 0o700 });
    const file = join(directory, `${this.name}.yaml`);
    const { name, address } = this;
    const content = { venue: 'local', name, address, secret, etcd: { endpoints }, ...settings };
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(content, undefined, 2), { mode: 0o600 });
    return file;
  }
}

export class ClusterHere {
  readonly etcd: EtcdCluster;
  readonly members: readonly ClusterProcess[];
  readonly gateways: readonly ClusterProcess[];
  readonly adminToken: string;
  /** What its processes prove themselves with to each other. */
  readonly secret: string;
  readonly #directory: string;
  readonly #isOwn: boolean;

  private constructor(
    etcd: EtcdCluster,
    common: Common,
    processes: readonly ClusterProcess[],
    isOwn: boolean,
  ) {
    this.etcd = etcd;
    this.members = processes.filter(({ kind }) => kind === 'member');
    this.gateways = processes.filter(({ kind }) => kind === 'gateway');
    this.adminToken = common.adminToken;
    this.secret = common.secret;
    this.#directory = common.directory;
    this.#isOwn = isOwn;
  }

  /** Resolves when every process is ready; rejects, with none left, when one cannot start. */
  static async start(choices: ClusterChoices = {}): Promise<ClusterHere> {
    const { members = 3, gateways = 2, stores = 3, flags = [], settings = {} } = choices;
    const directory = choices.directory ?? mkdtempSync(join(tmpdir(), 'outcry-cluster-'));
    const machines = choices.network?.machines;
    const etcd = await EtcdCluster.start({ size: stores, machines });
    const adminToken = randomBytes(32).toString('base64url');
    const secret = randomBytes(32).toString('base64url');
    const masterKey = randomBytes(32).toString('base64');
    const env = {
      ...process.env,
      OUTCRY_LOG_LEVEL: 'info',
      OUTCRY_MASTER_KEY: masterKey,
      ...(choices.historyUrl !== undefined && { OUTCRY_HISTORY: choices.historyUrl }),
    };
    const { endpoints } = etcd;
    const common = { directory, endpoints, env, flags, settings, secret, adminToken };
    const ports = await freePorts(2 * (members + gateways));
    const processes = Array.from({ length: members + gateways }, (_, at) => {
      const kind = at < members ? 'member' : 'gateway';
      const name = `${kind}-${at < members ? at + 1 : at - members + 1}`;
      const own = [ports[2 * at] ?? 0, ports[2 * at + 1] ?? 0] as const;
      return new ClusterProcess(name, kind, common, machines?.[at] ?? HERE, own);
    });
    const cluster = new ClusterHere(etcd, common, processes, choices.directory === undefined);
    try {
      await Promise.all(processes.map((one) => one.start()));
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  get processes(): readonly ClusterProcess[] {
    return [...this.members, ...this.gateways];
  }

  /** The member that says it leads; undefined while none does. */
  async leader(): Promise<ClusterProcess | undefined> {
    for (const member of this.members) {
      if ((await member.status())?.role === 'leader') return member;
    }
    return undefined;
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((one) => one.stop()));
    await this.etcd.close();
    if (this.#isOwn) rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Those flags of a member that mean something to a gateway, with their values. */
function ofGateway(flags: readonly string[]): readonly string[] {
  return flags.filter((flag, at) => {
    const before = flags[at - 1] ?? '';
    return GATEWAY_FLAGS.has(flag) || VALUED_FLAGS.has(before);
  });
}
