/**
 * One run of a whole cluster: a seed draws its network, its clocks, its clients and what goes wrong
 * with it. In the end everything is healed, everybody has to come to one state, and every process
 * has to take a command.
 */
import { THIS_RELEASE } from '#cluster/testing';
import type { AccountId, AccountSettings, AssetId, Command, InstrumentId } from '#domain';
import { MemoryKeys } from '#log/testing';
import { COINS, CONTRACTS, coin, PAIRS, START_MS } from '../workload/listings.ts';
import { Auditor } from './auditor.ts';
import { beginMarks, Client, type Market } from './clients.ts';
import { EtcdServers } from './etcd.ts';
import { Faults } from './faults.ts';
import { enter } from './here.ts';
import { Network } from './network.ts';
import { type Setting, SimulatedProcess } from './process.ts';
import { LogRecord } from './record.ts';
import { NEXT_RELEASE } from './releases.ts';
import { Follower, STREAM_KINDS } from './streams/follower.ts';
import { World } from './world.ts';

export interface ClusterRun {
  readonly trace: string;
  readonly message: string | undefined;
  readonly rule: string | undefined;
  readonly counts: readonly (readonly [string, number])[];
}

export interface ClusterChoices {
  /** How long faults strike, in simulated milliseconds. */
  readonly length: number;
  /** Kinds of faults, `clients` and `streams` that are left out. */
  readonly without?: readonly string[];
  /** How long nothing but time goes by first: what takes hours shows then. */
  readonly quietHours?: number | undefined;
}

export const USUAL_LENGTH_MS = 15_000;
const ACCOUNTS = 3;
const CALM_MS = 40_000;
const QUIET_MS = 6_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** So that readers fall behind who read nothing for a second. */
const NARROW = { behindBytes: 2_000, unsentBytesMax: 40_000 };
/** Behind contracts; so much that some of it is liquidated. */
const CONTRACT_MONEY = 20_000n * 10n ** 8n;

export async function runCluster(seed: number, choices: ClusterChoices): Promise<ClusterRun> {
  const world = new World(seed);
  beginMarks();
  const onRejection = (error: unknown): void => world.fail(error);
  process.on('unhandledRejection', onRejection);
  try {
    await new Scenario(world, choices).play();
  } finally {
    process.off('unhandledRejection', onRejection);
  }
  world.coverage.count('event', world.eventsDone);
  world.coverage.count('simulated second', Math.round(world.nowMs / 1_000));
  const { found, trace, coverage } = world;
  const rule = found === undefined ? undefined : 'rule' in found ? String(found.rule) : 'process';
  return { trace, rule, message: found?.stack ?? found?.message, counts: [...coverage.counts] };
}

class Scenario {
  readonly #world: World;
  readonly #choices: ClusterChoices;
  readonly #network: Network;
  readonly #etcd: EtcdServers;
  readonly #record: LogRecord;
  readonly #auditor: Auditor;
  readonly #processes: readonly [SimulatedProcess, ...SimulatedProcess[]];

  constructor(world: World, choices: ClusterChoices) {
    this.#world = world;
    this.#choices = choices;
    const draw = world.draw('setting');
    const network = new Network(world, {
      usualMs: draw.of([1, 1, 4]),
      slowPercent: draw.of([0, 0.5, 3, 12]),
      lostPercent: draw.of([0, 0.1, 1]),
      twicePercent: draw.of([0, 0.3]),
    });
    network.isCalm = true;
    this.#network = network;
    const keys = new MemoryKeys();
    this.#etcd = new EtcdServers(network, keys);
    enter(network, this.#etcd);
    this.#record = new LogRecord(world, keys);
    this.#auditor = new Auditor(world, this.#record);
    const setting: Setting = {
      world,
      record: this.#record,
      auditor: this.#auditor,
      draw,
      snapshotEvery: draw.of([25, 60, 200]),
      keepCommands: draw.of([0, 20, 150]),
      startMs: START_MS,
      streamLimits: draw.of([{}, NARROW, NARROW]),
    };
    world.onSent = (host, text) => this.#auditor.said(host, text);
    const member = (number: number) => new SimulatedProcess(`member-${number}`, 'member', setting);
    const gateway = (number: number) =>
      new SimulatedProcess(`gateway-${number}`, 'gateway', setting);
    this.#processes = [member(1), member(2), member(3), gateway(1), gateway(2)];
    if (draw.percent(30)) {
      for (const one of this.#processes) {
        one.versions = THIS_RELEASE;
        one.nextVersions = THIS_RELEASE;
      }
    }
    this.#record.rulesMax = () => this.#rulesMax();
    this.#record.trimMax = () => this.#trimMax(setting.keepCommands);
  }

  async play(): Promise<void> {
    const world = this.#world;
    const isLeftOut = new Set(this.#choices.without);
    for (const process of this.#processes) process.start();
    await this.#until(() => this.#processes.every(({ member }) => member !== undefined), 'start');
    const market = await this.#open();
    const clients = isLeftOut.has('clients') ? [] : this.#clients(market);
    const followers = isLeftOut.has('streams') ? [] : this.#followers();
    for (const follower of followers) follower.begin();
    await this.#beQuiet(followers);
    const faults = new Faults(world, this.#network, this.#etcd, this.#processes, isLeftOut);
    this.#network.isCalm = false;
    for (const client of clients) client.begin();
    faults.begin();
    await this.#run(this.#choices.length);
    faults.heal();
    const isBack = new Set<SimulatedProcess>();
    await this.#until(() => this.#isWhole(isBack), 'everybody is there again');
    for (const client of clients) client.isOver = true;
    for (const follower of followers) follower.isCalm = true;
    await this.#run(QUIET_MS);
    await this.#takesCommands(market);
    await this.#conclude(followers);
  }

  /** Lets time pass, and compares states now and then. */
  async #run(ms: number): Promise<void> {
    for (let left = ms; left > 0 && this.#world.found === undefined; left -= 1_000) {
      await this.#world.run(Math.min(1_000, left));
      for (const process of this.#processes) {
        if (process.member?.leads === false) process.compareState();
      }
    }
  }

  /** Hours of a venue that only its clock moves, with readers that stay. */
  async #beQuiet(followers: readonly Follower[]): Promise<void> {
    const world = this.#world;
    const endMs = world.nowMs + (this.#choices.quietHours ?? 0) * HOUR_MS;
    while (world.nowMs < endMs && world.found === undefined) {
      for (const follower of followers) follower.isCalm = true;
      await world.run(MINUTE_MS);
      for (const process of this.#processes) {
        const what = () => `${process.name} ${process.status}`;
        world.check(process.isFresh, 'stays', what);
        if (process.member?.leads === false) process.compareState();
      }
      world.coverage.count('quiet minute');
    }
    for (const follower of followers) follower.isCalm = false;
  }

  async #until(holds: () => boolean, what: string): Promise<void> {
    const world = this.#world;
    const endMs = world.nowMs + CALM_MS;
    while (!holds() && world.found === undefined) {
      await world.run(200);
      const state = () => this.#processes.map(({ name, status }) => `${name} ${status}`).join(', ');
      world.check(world.nowMs < endMs, 'comes back', () => `${what}: ${state()}`);
    }
  }

  /** Each of them has been up to date once. */
  #isWhole(isBack: Set<SimulatedProcess>): boolean {
    for (const process of this.#processes) {
      if (process.isFresh && !process.isOld) isBack.add(process);
    }
    return isBack.size === this.#processes.length;
  }

  async #open(): Promise<Market> {
    const [first] = this.#processes;
    for (const command of opening()) {
      const { life, member } = first;
      if (life === undefined || member === undefined) continue;
      let isDone = false;
      const submit = (): void => {
        void member.venue.submit(command).then(([event]) => {
          isDone = event?.kind !== 'refused';
        });
      };
      this.#world.at(0, submit, life);
      await this.#until(() => isDone, `the opening: ${command.kind}`);
    }
    return {
      accountsCount: ACCOUNTS,
      markedCoin: COINS.length as AssetId,
      pair: 0 as InstrumentId,
      startMs: START_MS,
    };
  }

  #clients(market: Market): Client[] {
    const parts = { world: this.#world, auditor: this.#auditor, market };
    const [one, two, three, four, five] = this.#processes;
    const all = [one, two, three, four, five].filter((process) => process !== undefined);
    const gateways = all.filter(({ kind }) => kind === 'gateway');
    const [gateway = one, other = one] = gateways;
    return [
      new Client(parts, 'client 1', [gateway]),
      new Client(parts, 'client 2', [other]),
      new Client(parts, 'client 3', [gateway, other]),
      new Client(parts, 'client 4', [one, ...all]),
      new Client(parts, 'client 5', [one, ...all]),
      new Client(parts, 'reader', [one, ...all], true),
    ];
  }

  /** After everything is healed each process has to take a command at once. */
  async #takesCommands(market: Market): Promise<void> {
    const parts = { world: this.#world, auditor: this.#auditor, market };
    for (const process of this.#processes) {
      const { life } = process;
      if (life === undefined || this.#world.found !== undefined) continue;
      const asked = new Client(parts, `last ${process.name}`, [process]).pay(life);
      await this.#until(() => asked.outcome === 'acknowledged', `${process.name} takes a command`);
    }
  }

  /** Each stream once, of an account that is drawn. */
  #followers(): Follower[] {
    const draw = this.#world.draw('followers');
    const parts = {
      network: this.#network,
      published: this.#record.published,
      processes: this.#processes,
      startMs: START_MS,
    };
    return STREAM_KINDS.map((kind, at) => {
      const accountId = (1 + draw.below(ACCOUNTS)) as AccountId;
      return new Follower(`follower ${at + 1}`, kind, accountId, parts);
    });
  }

  async #conclude(followers: readonly Follower[]): Promise<void> {
    const world = this.#world;
    const { lastSeq } = this.#record;
    const isFollowed = (): boolean =>
      this.#processes.every(({ engine }) => (engine?.seq ?? 0) >= lastSeq);
    await this.#until(isFollowed, `all follow up to ${lastSeq}`);
    await this.#foldedIsRead(followers);
    for (const process of this.#processes) {
      if (process.member?.leads === false) process.compareState();
    }
    const isRaised = this.#record.rules === NEXT_RELEASE.rulesMax;
    world.check(isRaised, 'all write anew', () => `the log ends under ${this.#record.rules}`);
    this.#auditor.conclude();
    world.note(this.#record.stateHash);
  }

  /** With nothing but time going by, what clients have folded becomes what is there to be read. */
  async #foldedIsRead(followers: readonly Follower[]): Promise<void> {
    const world = this.#world;
    const left = new Set(followers);
    for (const endMs = world.nowMs + CALM_MS; left.size > 0 && world.found === undefined; ) {
      await world.run(200);
      for (const follower of left) if (follower.isCurrent) left.delete(follower);
      const what = () => [...left].map(({ status }) => status).join(', ');
      world.check(world.nowMs < endMs, 'what is folded is what is read', what);
    }
  }

  /** A gateway that stops in order holds nothing back: what it reads shows when it starts. */
  #rulesMax(): number {
    const members = this.#processes.filter(({ kind }) => kind === 'member');
    const left = members.filter(({ isDowngraded }) => !isDowngraded);
    return Math.min(...left.map(({ versions }) => versions.rulesMax));
  }

  /** What two members have had on their disks may go, less what is to be kept. */
  #trimMax(keepCommands: number): number {
    const held = this.#processes
      .filter(({ kind }) => kind === 'member')
      .map(({ heldSeq }) => heldSeq)
      .toSorted((one, other) => other - one);
    return (held[1] ?? 0) + 1 - keepCommands;
  }
}

/** Listings, accounts and their first money; the last coin is only ever paid in. */
function opening(): Command[] {
  const coins = [...COINS, coin(9, 'MARKED', 0, false)];
  const accounts = Array.from({ length: ACCOUNTS }, (_, at) => at + 1);
  return [
    ...coins.map((spec): Command => ({ kind: 'list_asset', spec })),
    ...PAIRS.map((spec): Command => ({ kind: 'list_spot', spec })),
    ...CONTRACTS.slice(0, 2).map((spec): Command => ({ kind: 'list_contract', spec })),
    ...accounts.map((number): Command => ({ kind: 'create_account', settings: settings(number) })),
    ...accounts.flatMap((accountId) => [
      ...COINS.map((_, assetId) => deposit(accountId, 'spot', assetId, 10n ** 14n)),
      deposit(accountId, 'margin', 0, CONTRACT_MONEY),
    ]),
  ];
}

function deposit(
  accountId: number,
  wallet: 'spot' | 'margin',
  assetId: number,
  amount: bigint,
): Command {
  return {
    kind: 'deposit',
    accountId: accountId as AccountId,
    wallet,
    assetId: assetId as AssetId,
    amount,
  };
}

function settings(number: number): AccountSettings {
  return {
    name: `trader${number}`,
    frozen: false,
    selfTradePrevention: 'cancel_maker',
    openOrdersMax: 100,
    takerFeePpm: null,
    makerFeePpm: null,
    wallets: 'coin',
  };
}
