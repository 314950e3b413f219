/**
 * Processes of one cluster as whole servers in the process of the test, over a log in its memory.
 * Any of them can be cut off from the log.
 */
import type { ClusterKind, ServerSettings } from '#config';
import type { SharedLog } from '#log';
import { type Fate, KeySpace, MemoryKeys, MemoryStore, StoredSharedLog } from '#log/testing';
import { REAL_TIME } from '../support/real-time.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';

const AT_ONCE: Fate = { thereMs: 0, backMs: 0 };
const LOST: Fate = { thereMs: 0, backMs: 0, isLost: true };

interface Choices {
  readonly config?: string;
  readonly participants?: boolean;
  readonly rateLimits?: boolean;
  readonly server?: Partial<ServerSettings>;
  readonly env?: Readonly<Record<string, string>>;
  readonly openRequestsMax?: number;
  /** A log elsewhere, instead of the one in memory. */
  readonly openLog?: () => SharedLog;
}

/** One process: its server, and whether it reaches the log. */
export class ServerProcess {
  readonly here = new ServerHere(scratchDirectory());
  isCutOff = false;

  get url(): string {
    return this.here.url;
  }
}

export class ServerCluster {
  readonly #keys = new MemoryKeys();
  readonly processes: ServerProcess[] = [];

  /** Starts one process after the other; the first member leads. */
  static async start(
    scope: { after(close: () => Promise<void>): void },
    kinds: readonly ClusterKind[],
    choices: Choices = {},
  ): Promise<ServerCluster> {
    const cluster = new ServerCluster();
    scope.after(() => cluster.close());
    for (const kind of kinds) await cluster.add(kind, choices);
    return cluster;
  }

  async add(kind: ClusterKind, all: Choices = {}): Promise<ServerProcess> {
    const { openLog, openRequestsMax = 4_096, ...choices } = all;
    const process = new ServerProcess();
    const name = `${kind}-${this.processes.length + 1}`;
    this.processes.push(process);
    const cluster = {
      kind,
      venue: 'test',
      name,
      isCandidate: kind === 'member',
      host: '127.0.0.1',
      port: 0,
      secret: 's'.repeat(32),
      processesMax: 64,
      openRequestsMax,
      keepCommands: 1_000,
      etcd: { endpoints: [] },
    };
    const joined = { cluster, openLog: openLog ?? (() => this.#log(process)) };
    await process.here.start({ ...choices, joined });
    return process;
  }

  async close(): Promise<void> {
    // Whoever leads last gives the leadership up last: nobody takes it over meanwhile.
    for (const { here } of [...this.processes].reverse()) await here.stop();
  }

  /** The log as one more process has it; its owner closes it. */
  openLog(): SharedLog {
    return this.#log({ isCutOff: false });
  }

  #log(process: Pick<ServerProcess, 'isCutOff'>): SharedLog {
    const fateOf = () => (process.isCutOff ? LOST : AT_ONCE);
    const store = new MemoryStore(this.#keys, REAL_TIME, fateOf);
    return new StoredSharedLog(store, new KeySpace('test', 'main'));
  }
}
