/** What goes wrong in a run, drawn from its seed: some of it never, some of it all the time. */
import { THIS_RELEASE } from '#cluster/testing';
import type { Draw } from '../world/draw.ts';
import { ETCD_SERVERS, type EtcdServer, type EtcdServers } from './etcd.ts';
import { FAULT_KINDS, type FaultKind, USUAL_FAULTS } from './fault-kinds.ts';
import type { Network } from './network.ts';
import type { SimulatedProcess } from './process.ts';
import { NEXT_RELEASE } from './releases.ts';
import type { World } from './world.ts';

/** Until what needs everybody to be there is tried again. */
const AGAIN_MS = 300;

type Processes = readonly SimulatedProcess[];

export class Faults {
  readonly #world: World;
  readonly #network: Network;
  readonly #etcd: EtcdServers;
  readonly #processes: Processes;
  readonly #draw: Draw;
  readonly #weights = new Map<FaultKind, number>();
  readonly #everyMs: number;
  /** Two releases at once. */
  readonly #isMixed: boolean;
  /** Kinds that are left out: a failing run is made smaller by it. */
  readonly #without: ReadonlySet<string>;
  isOver = false;

  constructor(
    world: World,
    network: Network,
    etcd: EtcdServers,
    processes: Processes,
    without: ReadonlySet<string>,
  ) {
    this.#world = world;
    this.#network = network;
    this.#etcd = etcd;
    this.#processes = processes;
    this.#draw = world.draw('faults');
    this.#isMixed = processes.some(({ isOld }) => isOld);
    this.#without = without;
    for (const kind of FAULT_KINDS) {
      if (!this.#draw.percent(30)) this.#weights.set(kind, USUAL_FAULTS[kind]);
    }
    this.#everyMs = this.#draw.of([800, 2_500, 2_500, 6_000]);
  }

  begin(): void {
    this.#next();
  }

  /** Everything works again, and everybody is there. */
  heal(): void {
    this.isOver = true;
    this.#network.heal();
    this.#etcd.heal();
    this.#network.isCalm = true;
    for (const process of this.#processes) {
      if (process.isOld) process.change(NEXT_RELEASE);
      if (process.life?.isPaused === true) process.life.resume();
      process.disk.isFull = false;
      process.files.isFull = false;
      process.disk.syncMs = 2;
      process.start();
    }
  }

  #next(): void {
    this.#world.at(this.#draw.below(2 * this.#everyMs) + 1, () => {
      if (this.isOver) return;
      const kind = this.#draw.weighted(this.#weights);
      const [one, other] = [this.#any(), this.#any()];
      const forMs = this.#draw.of([60, 300, 700, 1_500, 4_000, 9_000]);
      if (kind !== undefined && one !== undefined && other !== undefined) {
        if (!this.#without.has(kind)) this.#strike(kind, one, other, forMs);
      }
      this.#next();
    });
  }

  #strike(kind: FaultKind, one: SimulatedProcess, other: SimulatedProcess, forMs: number): void {
    this.#world.coverage.count(`fault ${kind}`);
    this.#world.note(kind);
    const leader = this.#leader() ?? one;
    if (kind === 'kill') this.#kill(one, forMs);
    else if (kind === 'kill_leader') this.#kill(leader, forMs);
    else if (kind === 'both_leader_and_next') {
      this.#kill(leader, forMs);
      this.#world.at(this.#draw.below(700), () => this.#kill(this.#leader() ?? one, forMs));
    } else if (kind === 'power_cut') {
      one.powerCut();
      this.#world.at(forMs, () => one.start());
    } else if (kind === 'stop_in_order') {
      one.stop();
      this.#world.at(3_200 + forMs, () => one.start());
    } else if (kind === 'pause') this.#pause(one, forMs);
    else if (kind === 'pause_leader') this.#pause(leader, forMs);
    else if (kind === 'new_machine') this.#replace(one, forMs);
    else if (kind === 'rotten_snapshot') this.#rot(one, forMs);
    else if (kind === 'rotten_copy' || kind === 'torn_copy') this.#spoil(kind, one, forMs);
    else if (kind === 'release') this.#release(one);
    else if (kind === 'clock_jump') one.skewMs = this.#draw.between(-900, 900);
    else if (kind === 'slow_disk') {
      one.disk.syncMs = 300;
      this.#world.at(forMs, () => {
        one.disk.syncMs = 2;
      });
    } else if (kind === 'full_disk') this.#fill(one, forMs);
    else this.#part(kind, one, other, forMs);
  }

  #part(kind: FaultKind, one: SimulatedProcess, other: SimulatedProcess, forMs: number): void {
    const leader = this.#leader() ?? one;
    const others = this.#processes.filter(({ name }) => name !== one.name).map(({ name }) => name);
    const server = this.#draw.of(ETCD_SERVERS);
    if (kind === 'log_server_lags') this.#etcd.lag(server, this.#draw.of([100, 700, 3_000]));
    else if (kind === 'log_server_ends') this.#endServer(server);
    else if (kind === 'log_leader_lost') this.#loseLeader();
    else if (kind === 'part_from_log_server') this.#cut([one.name], [server]);
    else if (kind === 'late_watches') this.#network.stall(one.name);
    else if (kind === 'part_from_all') this.#cut([one.name], [...others, ...ETCD_SERVERS]);
    else if (kind === 'part_from_log') this.#cut([one.name], ETCD_SERVERS);
    else if (kind === 'no_log') this.#cut([one.name, ...others], ETCD_SERVERS);
    else if (kind === 'part_leader_from_others') {
      const all = this.#processes.map(({ name }) => name).filter((name) => name !== leader.name);
      this.#cut([leader.name], all);
    } else if (this.#draw.percent(50))
      this.#network.cut(one.name, this.#draw.of([other.name, server]));
    else this.#network.cut(this.#draw.of([other.name, server]), one.name);
    this.#world.at(forMs, () => {
      if (this.isOver) return;
      this.#network.heal();
      this.#etcd.heal();
    });
  }

  /** Somebody else leads the log after a while. */
  #loseLeader(): void {
    this.#etcd.loseLeader();
    this.#world.at(this.#draw.of([200, 900, 2_500]), () => this.#etcd.elect());
  }

  #endServer(server: EtcdServer): void {
    this.#etcd.end(server);
    this.#world.at(this.#draw.of([200, 900, 2_500]), () => this.#etcd.elect());
  }

  #cut(some: readonly string[], others: readonly string[]): void {
    for (const one of some) {
      for (const other of others) {
        this.#network.cut(one, other);
        this.#network.cut(other, one);
      }
    }
  }

  #kill(process: SimulatedProcess, forMs: number): void {
    process.kill();
    this.#world.at(forMs, () => process.start());
  }

  #pause(process: SimulatedProcess, forMs: number): void {
    const { life } = process;
    life?.pause();
    this.#world.at(forMs, () => {
      if (life?.isPaused === true) life.resume();
    });
  }

  /** One member at a time, as an operator would: the others have to hold what it held. */
  #replace(process: SimulatedProcess, forMs: number): void {
    const isAnyAway = this.#processes.some(({ member }) => member === undefined);
    if (isAnyAway) return;
    this.#world.coverage.count('machine replaced');
    process.wipe();
    this.#world.at(forMs, () => process.start());
  }

  /** A byte of its newest snapshot is another one when it starts again; an older one is there. */
  #rot(process: SimulatedProcess, forMs: number): void {
    this.#kill(process, forMs);
    if (process.rotNewestSnapshot(this.#draw)) this.#world.coverage.count('snapshot rotten');
  }

  /** Of a process of this release; now and then one goes back to it. */
  #release(process: SimulatedProcess): void {
    const old = this.#processes.find(({ isOld }) => isOld);
    if (old !== undefined && !this.#draw.percent(20)) old.change(NEXT_RELEASE);
    else if (this.#isMixed && !process.isOld) process.change(THIS_RELEASE);
  }

  /** Where the others are there, who hold what it may have to give up. */
  #spoil(kind: 'rotten_copy' | 'torn_copy', process: SimulatedProcess, forMs: number): void {
    if (this.isOver) return;
    if (this.#processes.some(({ member }) => member === undefined)) {
      this.#world.at(AGAIN_MS, () => this.#spoil(kind, process, forMs));
      return;
    }
    this.#kill(process, forMs);
    const { disk } = process;
    const isSpoilt = kind === 'rotten_copy' ? disk.rot(this.#draw) : disk.tear(this.#draw);
    if (isSpoilt) this.#world.coverage.count('copy spoilt');
  }

  #fill(process: SimulatedProcess, forMs: number): void {
    process.files.isFull = true;
    if (this.#draw.percent(50)) process.disk.isFull = true;
    this.#world.at(forMs, () => {
      process.files.isFull = false;
      process.disk.isFull = false;
    });
  }

  #any(): SimulatedProcess | undefined {
    return this.#draw.of(this.#processes);
  }

  #leader(): SimulatedProcess | undefined {
    return this.#processes.find(({ member }) => member?.leads === true);
  }
}
