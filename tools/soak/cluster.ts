/**
 * A soak of a whole cluster: the demo venue with its simulated market on three members and two
 * gateways, loaded at an even pace by two accounts, while each round the leader is killed, stopped
 * or asked to stop. Now and then the load rests, and all that the streams have told is compared
 * with REST; at the end the copies of all processes are compared with the log.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { formatId } from '#dialects';
import { decodeEntry } from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { logAt, openSharedLog, type SharedEntry } from '#log';
import { replayJournal } from '#venue';
import { ClusterHere, type ClusterProcess } from '../cluster/processes.ts';
import { type Hand, lostBy, settle } from './hand.ts';
import { Load } from './load.ts';
import { ResumingClient } from './resuming.ts';
import type { ResumingStream } from './resuming-stream.ts';
import { closeHands, openHands, sum } from './run.ts';
import { eventually } from './waiting.ts';

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
  /** Until an answer that was none of 503, all that was sent again included. */
  readonly longestAnswerMs: number;
  readonly requests: number;
  /** Answered 503, or not at all, and sent again. */
  readonly outages: number;
  readonly errors: number;
  readonly orders: number;
  readonly privateRows: number;
  readonly compared: number;
  /** Streams that connected anew, those of the client at the leader included. */
  readonly resumes: number;
  /** Rows that went by meanwhile, and that REST has made up for. */
  readonly mendedRows: number;
  /** Gaps in numbers, rows that do not follow, orders without an end, and what REST says else. */
  readonly lost: number;
  /** Ends of orders that the client at the leader did not know after it had connected anew. */
  readonly lostByResuming: number;
  /** Acknowledged to one of the accounts, and not in the log. */
  readonly lostOrders: number;
  /** Orders of both accounts in the log, beyond those that they know of. */
  readonly unknownOrders: number;
  /** Processes whose copy or whose snapshot is not what the log says. */
  readonly differingCopies: number;
  readonly commands: number;
}

export interface ClusterSoakResult {
  readonly report: ClusterSoakReport;
  readonly errors: readonly string[];
  /** What went wrong with the processes themselves. */
  readonly failures: readonly string[];
}

type End = 'SIGKILL' | 'SIGTERM' | 'SIGSTOP';
const ENDS: readonly End[] = ['SIGKILL', 'SIGTERM', 'SIGSTOP'];
/** The whole log stays, so that it can be judged at the end. */
const KEEP_COMMANDS = 100_000_000;
const AWAY_MS = 2_000;
/** Longer than anything takes on a machine with other work. */
const PATIENCE_MS = 60_000;
const LOG_CHARACTERS_SHOWN = 1_000;
const ACCOUNTS = ['demo', 'maker'];

export async function soakCluster(
  plan: ClusterSoakPlan,
  print: (line: string) => void,
): Promise<ClusterSoakResult> {
  const flags = ['--rate-limits', 'off'];
  const cluster = await ClusterHere.start({ flags, settings: { keepCommands: KEEP_COMMANDS } });
  try {
    const urls = cluster.gateways.map(({ url }) => url);
    const hands = await Promise.all(
      ACCOUNTS.map((name, at) => {
        const who = { key: `${name}-key`, secret: `${name}-secret`, passphrase: `${name}-pass` };
        return openHands([...urls.slice(at), ...urls.slice(0, at)], who, PATIENCE_MS);
      }),
    );
    print('the cluster runs');
    const run = new ClusterSoak(plan, cluster, hands.flat(), print);
    await run.rounds();
    return await run.end();
  } finally {
    await cluster.close();
  }
}

class ClusterSoak {
  readonly #plan: ClusterSoakPlan;
  readonly #cluster: ClusterHere;
  readonly #hands: readonly Hand[];
  readonly #print: (line: string) => void;
  readonly #load: Load;
  readonly #resuming: ResumingClient;
  readonly #startMs = performance.now();
  readonly #missing = new Set<string>();
  readonly #takeoversMs: number[] = [];
  readonly #failures: string[] = [];
  #roundsCount = 0;
  #unsettled = 0;

  constructor(
    plan: ClusterSoakPlan,
    cluster: ClusterHere,
    hands: readonly Hand[],
    print: (line: string) => void,
  ) {
    this.#plan = plan;
    this.#cluster = cluster;
    this.#hands = hands;
    this.#print = print;
    this.#load = new Load(hands);
    const who = { key: 'demo-key', secret: 'demo-secret', passphrase: 'demo-pass' };
    this.#resuming = new ResumingClient(who, () => this.#urlOfLeader());
  }

  async rounds(): Promise<void> {
    const { lengthMs, roundMs, requestsPerSecond } = this.#plan;
    await Promise.all(this.#hands.map((hand) => eventually(hand.refresh)));
    for (let leftMs = lengthMs; leftMs > 0; leftMs = lengthMs - this.#spentMs()) {
      const lastsMs = Math.min(roundMs, leftMs);
      await Promise.all([
        this.#load.run(lastsMs, requestsPerSecond),
        this.#noting(() => this.#disturb(lastsMs * (0.2 + 0.4 * Math.random()))),
      ]);
      this.#roundsCount += 1;
      await this.#noting(() => this.#revive());
      this.#unsettled += await settle(this.#hands);
      await eventually(() => this.#missedEnds().length === 0);
      for (const orderId of this.#missedEnds()) this.#missing.add(orderId);
      this.#print(this.#line());
    }
  }

  async end(): Promise<ClusterSoakResult> {
    await this.#resuming.stream.close();
    await closeHands(this.#hands);
    this.#print('comparing the copies of all processes with the log');
    const { processes } = this.#cluster;
    await Promise.all(processes.map((one) => this.#noting(() => this.#stopInOrder(one))));
    const entries = await logOf(this.#cluster);
    const logged = ordersIn(entries);
    const known = new Set(this.#hands.flatMap(({ orders }) => [...orders.stories.placedIds]));
    const report: ClusterSoakReport = {
      ...this.#figures(),
      lostOrders: known.difference(logged).size,
      unknownOrders: logged.difference(known).size,
      differingCopies: await this.#differing(entries),
      commands: sum(entries.map(({ count }) => count)),
    };
    const errors = this.#hands.flatMap(({ rest }) => rest.errors);
    return { report, errors, failures: [...this.#failures, ...this.#refusals()] };
  }

  #spentMs(): number {
    return performance.now() - this.#startMs;
  }

  /** A failure is a finding, and not the end of the soak. */
  async #noting(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    }
  }

  #fail(text: string): void {
    const failure = `after ${(this.#spentMs() / 1_000).toFixed(0)} s: ${text}`;
    this.#failures.push(failure);
    this.#print(failure);
  }

  async #disturb(afterMs: number): Promise<void> {
    await wait(afterMs);
    await this.#moveLeadership();
    if (this.#roundsCount % 2 === 0) await this.#restartGateway();
  }

  /** One after the other of three ways; the one that led comes back as a follower. */
  async #moveLeadership(): Promise<void> {
    const before = await this.#leader();
    const how = present(ENDS[this.#roundsCount % ENDS.length], 'a way to end');
    const startMs = performance.now();
    const ending = how === 'SIGSTOP' ? before.signal(how) : before.stop(how);
    try {
      await this.#leader(before);
      this.#takeoversMs.push(performance.now() - startMs);
    } finally {
      if (how === 'SIGSTOP') await wait(AWAY_MS).then(() => before.signal('SIGCONT'));
      else await this.#return(before, ending);
    }
  }

  /** Its clients connect to the other one. */
  async #restartGateway(): Promise<void> {
    const { gateways } = this.#cluster;
    const turn = this.#roundsCount / 2;
    const gateway = present(gateways[turn % gateways.length], 'gateway');
    await this.#return(gateway, gateway.stop(turn % ENDS.length === 1 ? 'SIGTERM' : 'SIGKILL'));
  }

  async #return(one: ClusterProcess, ending: Promise<void> | void): Promise<void> {
    await ending;
    await wait(AWAY_MS);
    await one.start();
  }

  /** Starts what has ended without being told to. */
  async #revive(): Promise<void> {
    for (const one of this.#cluster.processes.filter(({ isRunning }) => !isRunning)) {
      this.#fail(`${one.name} has ended by itself: ${one.log.slice(-LOG_CHARACTERS_SHOWN)}`);
      await one.start();
    }
  }

  async #stopInOrder(one: ClusterProcess): Promise<void> {
    const late = setTimeout(() => {
      this.#fail(`${one.name} does not stop: ${one.log.slice(-LOG_CHARACTERS_SHOWN)}`);
      one.signal('SIGKILL');
    }, PATIENCE_MS);
    await one.stop('SIGTERM');
    clearTimeout(late);
  }

  /** Waits until another one leads. */
  async #leader(before?: ClusterProcess): Promise<ClusterProcess> {
    const others = this.#cluster.members.filter((member) => member !== before);
    for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs; ) {
      const statuses = await Promise.all(others.map((member) => member.status()));
      const leader = others[statuses.findIndex((status) => status?.role === 'leader')];
      if (leader !== undefined) return leader;
      await wait(10);
    }
    throw new Error(`nobody leads for ${PATIENCE_MS / 1_000} s`);
  }

  async #urlOfLeader(): Promise<string> {
    const [first] = this.#cluster.members;
    const leader = await this.#leader().catch(() => first);
    return present(leader, 'member').url;
  }

  /** Ends of orders that the client at the leader should know of. */
  #missedEnds(): string[] {
    const { stories } = present(this.#hands[0], 'hand of the demo account in a pair').orders;
    return this.#resuming.missing(stories.lastEnds());
  }

  #streams(): readonly ResumingStream[] {
    return [this.#resuming.stream, ...this.#hands.map(({ orders }) => orders.stream)];
  }

  /** What the venue refused a stream; that a connection broke is no failure here. */
  #refusals(): readonly string[] {
    const counts = this.#streams().flatMap(({ faults }) => [...faults]);
    return counts.filter(([fault]) => fault.includes('"event":"error"')).map(([fault]) => fault);
  }

  #figures(): Omit<
    ClusterSoakReport,
    'lostOrders' | 'unknownOrders' | 'differingCopies' | 'commands'
  > {
    const rests = this.#hands.map(({ rest }) => rest);
    const stories = this.#hands.map(({ orders }) => orders.stories);
    return {
      seconds: this.#spentMs() / 1_000,
      takeovers: this.#takeoversMs.length,
      longestTakeoverMs: Math.max(0, ...this.#takeoversMs),
      longestAnswerMs: Math.max(...rests.map(({ longestMs }) => longestMs)),
      requests: sum(rests.map(({ requestsCount }) => requestsCount)),
      outages: sum(rests.map(({ outagesCount }) => outagesCount)),
      errors: sum(rests.map(({ errorsCount }) => errorsCount)),
      orders: sum(stories.map(({ ordersCount }) => ordersCount)),
      privateRows: sum(stories.map(({ rowsCount }) => rowsCount)),
      compared: this.#load.comparedCount,
      resumes: sum(this.#streams().map(({ resumesCount }) => resumesCount)),
      mendedRows: sum(stories.map(({ mendedRowsCount }) => mendedRowsCount)),
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
      `${figures.privateRows} private rows, ${figures.resumes} resumes, ${figures.mendedRows} ` +
      `rows made up for, ${figures.lost} lost, ${figures.lostByResuming} ends lost, ` +
      `${figures.errors} errors, ${this.#failures.length} failures`
    );
  }

  async #differing(entries: readonly SharedEntry[]): Promise<number> {
    const hashAt = new Map(entries.map(({ firstSeq, count, hash }) => [firstSeq + count, hash]));
    let count = 0;
    for (const one of this.#cluster.processes) {
      const isSame = await isCopyOf(one, hashAt).catch((error: unknown) => {
        this.#fail(`the copy of ${one.name}: ${String(error)}`);
        return false;
      });
      if (!isSame) count += 1;
    }
    return count;
  }
}

/** The chain is proven by the reading itself. */
async function logOf({ etcd: { endpoints } }: ClusterHere): Promise<readonly SharedEntry[]> {
  const log = await openSharedLog({ kind: 'etcd', venue: 'local', shard: 'main', endpoints });
  try {
    return (await Array.fromAsync(log.read(1))).flat();
  } finally {
    await log.close();
  }
}

/** The orders that both accounts have placed; asserts that the money adds up. */
function ordersIn(entries: readonly SharedEntry[]): ReadonlySet<string> {
  const engine = Engine.empty();
  const placed: { readonly accountId: number; readonly orderId: number }[] = [];
  for (const { payload, rules } of entries) {
    for (const { command, timeMs, origin } of decodeEntry(payload)) {
      for (const event of engine.apply(command, timeMs, rules, origin).events) {
        if (event.kind === 'order_accepted' || event.kind === 'contract_order_accepted') {
          placed.push(event);
        }
      }
    }
  }
  engine.check();
  const accounts = [...engine.accounts()].filter(({ name }) => ACCOUNTS.includes(name));
  const ids = new Set<number>(accounts.map(({ accountId }) => accountId));
  const own = placed.filter(({ accountId }) => ids.has(accountId));
  return new Set(own.map(({ orderId }) => formatId(orderId)));
}

/** Whether the copy ends where an entry of the log does, and its snapshot is its state. */
async function isCopyOf(
  { directory }: ClusterProcess,
  hashAt: ReadonlyMap<number, string>,
): Promise<boolean> {
  const copy = logAt({ kind: 'sqlite', directory, masterKey: undefined, synced: false });
  const { snapshot } = await replayJournal(copy, () => undefined);
  const reader = await copy.openReader();
  const { nextSeq, hash } = await reader.end();
  await reader.close();
  return snapshot === 'matches' && hashAt.get(nextSeq) === hash;
}
