/**
 * A soak of a whole cluster: the demo venue with its simulated market on three members and two
 * gateways, loaded at an even pace by two accounts, while each round the leader is killed, stopped
 * or asked to stop. Now and then the load rests, and all that the streams have told is compared
 * with REST; at the end the copies of all processes are compared with the log.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { decodeEntry, isKnownRules } from '#domain';
import { Engine } from '#engine';
import { assert, present } from '#kernel';
import { logAt, type SharedEntry, sharedLogAt } from '#log';
import { replayJournal } from '#venue';
import { ClusterHere, type ClusterProcess } from '../cluster/processes.ts';
import { eventually, type Hand, lostBy, settle } from './hand.ts';
import { Load, type Seat } from './load.ts';
import { Rest } from './rest.ts';
import { ResumingClient } from './resuming.ts';
import { seatOf, sum } from './run.ts';

export interface ClusterSoakPlan {
  readonly lengthMs: number;
  readonly requestsPerSecond: number;
  /** Load between two rests; in each the leadership moves once. */
  readonly roundMs: number;
}

export interface ClusterSoakReport {
  readonly seconds: number;
  readonly takeovers: number;
  readonly longestTakeoverMs: number;
  readonly longestAnswerMs: number;
  readonly requests: number;
  /** Answered 503, or not at all. */
  readonly outages: number;
  readonly errors: number;
  readonly orders: number;
  /** Their placing was not answered, and they were carried out. */
  readonly unansweredOrders: number;
  readonly privateRows: number;
  readonly compared: number;
  readonly resumes: number;
  /** Gaps in numbers, rows that do not follow, orders without an end, and what REST says else. */
  readonly lost: number;
  /** Ends of orders that the client did not know which had to connect anew. */
  readonly lostByResuming: number;
  /** Orders of both accounts in the log, beyond those that they know of. */
  readonly twice: number;
  /** Processes whose copy or whose snapshot is not what the log says. */
  readonly differingCopies: number;
  readonly commands: number;
}

type End = 'SIGKILL' | 'SIGTERM' | 'SIGSTOP';
const ENDS: readonly End[] = ['SIGKILL', 'SIGTERM', 'SIGSTOP'];
/** The whole log stays, so that it can be judged at the end. */
const KEEP_COMMANDS = 100_000_000;
const AWAY_MS = 2_000;
const ACCOUNTS = ['demo', 'maker'];

export async function soakCluster(
  plan: ClusterSoakPlan,
  print: (line: string) => void,
): Promise<{ report: ClusterSoakReport; errors: readonly string[] }> {
  const flags = ['--rate-limits', 'off'];
  const cluster = await ClusterHere.start({ flags, settings: { keepCommands: KEEP_COMMANDS } });
  try {
    const seats = await Promise.all(
      ACCOUNTS.map((name, at) => {
        const who = { key: `${name}-key`, secret: `${name}-secret`, passphrase: `${name}-pass` };
        const { url } = present(cluster.gateways[at], 'gateway');
        return seatOf(url, name, who, new Rest(url, who, true));
      }),
    );
    const run = new ClusterSoak(plan, cluster, seats);
    await run.rounds(print);
    return await run.end();
  } finally {
    await cluster.close();
  }
}

class ClusterSoak {
  readonly #plan: ClusterSoakPlan;
  readonly #cluster: ClusterHere;
  readonly #seats: readonly Seat[];
  readonly #hands: readonly Hand[];
  readonly #load: Load;
  readonly #resuming: ResumingClient;
  readonly #startMs = performance.now();
  readonly #missing = new Set<string>();
  readonly #takeoversMs: number[] = [];
  #unsettled = 0;
  #adopted = 0;

  constructor(plan: ClusterSoakPlan, cluster: ClusterHere, seats: readonly Seat[]) {
    this.#plan = plan;
    this.#cluster = cluster;
    this.#seats = seats;
    this.#hands = seats.flatMap(({ hands }) => hands);
    this.#load = new Load(seats);
    const who = { key: 'demo-key', secret: 'demo-secret', passphrase: 'demo-pass' };
    this.#resuming = new ResumingClient(who, async () => (await this.#leader()).url);
  }

  async rounds(print: (line: string) => void): Promise<void> {
    const { lengthMs, roundMs, requestsPerSecond } = this.#plan;
    this.#resuming.start();
    await Promise.all(this.#hands.map((hand) => eventually(hand.refresh)));
    for (let leftMs = lengthMs; leftMs > 0; leftMs = lengthMs - this.#spentMs()) {
      const lastsMs = Math.min(roundMs, leftMs);
      await Promise.all([
        this.#load.run(lastsMs, requestsPerSecond),
        this.#moveLeadership(lastsMs * (0.2 + 0.4 * Math.random())),
      ]);
      this.#unsettled += await settle(this.#hands, () => this.#adopt());
      await eventually(() => this.#missedEnds().length === 0);
      for (const orderId of this.#missedEnds()) this.#missing.add(orderId);
      print(this.#line());
    }
  }

  async end(): Promise<{ report: ClusterSoakReport; errors: readonly string[] }> {
    await this.#resuming.close();
    for (const { stream } of this.#hands) await stream.close();
    for (const { rest } of this.#seats) rest.close();
    await Promise.all(this.#cluster.processes.map((one) => one.stop('SIGTERM')));
    const entries = await logOf(this.#cluster);
    const { orders } = this.#figures();
    const report: ClusterSoakReport = {
      ...this.#figures(),
      twice: placedIn(entries) - orders,
      differingCopies: await differing(this.#cluster.processes, entries),
      commands: sum(entries.map(({ count }) => count)),
    };
    return { report, errors: this.#seats.flatMap(({ rest }) => rest.errors) };
  }

  #spentMs(): number {
    return performance.now() - this.#startMs;
  }

  /** One after the other of three ways; the one that led comes back as a follower. */
  async #moveLeadership(afterMs: number): Promise<void> {
    await wait(afterMs);
    const before = await this.#leader();
    const how = present(ENDS[this.#takeoversMs.length % ENDS.length], 'a way to end');
    const startMs = performance.now();
    const ending = how === 'SIGSTOP' ? before.signal(how) : before.stop(how);
    await this.#leader(before);
    this.#takeoversMs.push(performance.now() - startMs);
    await ending;
    await wait(AWAY_MS);
    if (how === 'SIGSTOP') before.signal('SIGCONT');
    else await before.start();
  }

  /** Waits until another one leads. */
  async #leader(before?: ClusterProcess): Promise<ClusterProcess> {
    for (;;) {
      const others = this.#cluster.members.filter((member) => member !== before);
      const statuses = await Promise.all(others.map((member) => member.status()));
      const leader = others[statuses.findIndex((status) => status?.role === 'leader')];
      if (leader !== undefined) return leader;
      await wait(10);
    }
  }

  /** The answers to some placings were lost, at most as many as there were outages. */
  #adopt(): void {
    const outages = sum(this.#seats.map(({ rest }) => rest.outagesCount));
    for (const { stories } of this.#hands) {
      this.#adopted += stories.adopt(outages - this.#adopted);
    }
  }

  /** Ends of orders that the resuming client should know of. */
  #missedEnds(): string[] {
    const stories = present(this.#seats[0]?.hands[0], 'hand of the demo account in a pair').stories;
    return this.#resuming.missing(stories.lastEnds());
  }

  #figures(): Omit<ClusterSoakReport, 'twice' | 'differingCopies' | 'commands'> {
    const rests = this.#seats.map(({ rest }) => rest);
    return {
      seconds: this.#spentMs() / 1_000,
      takeovers: this.#takeoversMs.length,
      longestTakeoverMs: Math.max(0, ...this.#takeoversMs),
      longestAnswerMs: Math.max(...rests.map(({ longestMs }) => longestMs)),
      requests: sum(rests.map(({ requestsCount }) => requestsCount)),
      outages: sum(rests.map(({ outagesCount }) => outagesCount)),
      errors: sum(rests.map(({ errorsCount }) => errorsCount)),
      orders: sum(this.#hands.map(({ stories }) => stories.ordersCount)),
      unansweredOrders: this.#adopted,
      privateRows: sum(this.#hands.map(({ stories }) => stories.rowsCount)),
      compared: this.#load.comparedCount,
      resumes: this.#resuming.resumesCount,
      lost: sum(this.#hands.map(lostBy)) + this.#load.differingCount + this.#unsettled,
      lostByResuming: this.#missing.size,
    };
  }

  #line(): string {
    const figures = this.#figures();
    return (
      `${figures.seconds.toFixed(0)} s: ${figures.takeovers} takeovers (longest ` +
      `${figures.longestTakeoverMs.toFixed(0)} ms), ${figures.orders} orders, longest answer ` +
      `${figures.longestAnswerMs.toFixed(0)} ms, ${figures.outages} outages, ` +
      `${figures.privateRows} private rows, ${figures.lost} lost, ${figures.resumes} resumes, ` +
      `${figures.lostByResuming} lost by them, ${figures.errors} errors`
    );
  }
}

/** The chain is proven by the reading itself. */
async function logOf({ etcd: { endpoints } }: ClusterHere): Promise<readonly SharedEntry[]> {
  const log = sharedLogAt({ kind: 'etcd', venue: 'local', shard: 'main', endpoints });
  try {
    return (await Array.fromAsync(log.read(1))).flat();
  } finally {
    await log.close();
  }
}

/** How many orders both accounts have placed; asserts that the money adds up. */
function placedIn(entries: readonly SharedEntry[]): number {
  const engine = Engine.empty();
  const placed = new Map<number, number>();
  for (const { payload, rules } of entries) {
    assert(isKnownRules(rules), 'this release wrote it');
    for (const { command, timeMs, origin } of decodeEntry(payload)) {
      engine.apply(command, timeMs, rules, origin);
      if (command.kind !== 'place_spot_order' && command.kind !== 'place_contract_order') continue;
      placed.set(command.accountId, (placed.get(command.accountId) ?? 0) + 1);
    }
  }
  engine.check();
  const accounts = [...engine.accounts()].filter(({ name }) => ACCOUNTS.includes(name));
  return sum(accounts.map(({ accountId }) => placed.get(accountId) ?? 0));
}

async function differing(
  processes: readonly ClusterProcess[],
  entries: readonly SharedEntry[],
): Promise<number> {
  const hashAt = new Map(entries.map(({ firstSeq, count, hash }) => [firstSeq + count, hash]));
  let count = 0;
  for (const { directory } of processes) {
    const copy = logAt({ kind: 'sqlite', directory, masterKey: undefined, synced: false });
    const { snapshot } = await replayJournal(copy, () => undefined);
    const reader = await copy.openReader();
    const { nextSeq, hash } = await reader.end();
    await reader.close();
    if (snapshot !== 'matches' || hashAt.get(nextSeq) !== hash) count += 1;
  }
  return count;
}
