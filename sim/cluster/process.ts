/**
 * One machine and the process of a cluster that runs on it: started as a server starts it, with the
 * cluster's own code, and started again when it has ended. Its disk stays.
 */
import { Member, prepareCopy, Suspension } from '#cluster';
import { type Step, VenueHalted } from '#domain';
import type { Engine } from '#engine';
import { type Journal, JournalFault } from '#log';
import { KeySpace, type MemoryKeys, StoredSharedLog } from '#log/testing';
import { FaultRecord, recoverEngine, stateHash, stepsOf } from '#venue';
import type { Draw } from '../world/draw.ts';
import type { Auditor } from './auditor.ts';
import { CopyOnDisk, directoryOf, SimulatedCopy } from './copy.ts';
import { SimulatedStore } from './etcd.ts';
import { Files } from './files.ts';
import type { Network } from './network.ts';
import type { LogRecord } from './record.ts';
import { Life, type World } from './world.ts';

export interface Setting {
  readonly world: World;
  readonly network: Network;
  readonly keys: MemoryKeys;
  readonly record: LogRecord;
  readonly auditor: Auditor;
  readonly draw: Draw;
  readonly snapshotEvery: number;
  readonly keepCommands: number;
  readonly startMs: number;
}

const PORT = 7001;
const TICK_MS = 1_000;
const SNAPSHOT = /\/snapshot-(\d{16})\.ndjson$/;
/** What ends a process without a fault of its own. */
const USUAL_ENDS = /deposed|unavailable|closed|trimmed|no room|ENOSPC|stopping|took over/;

export class SimulatedProcess {
  readonly name: string;
  readonly kind: 'member' | 'gateway';
  readonly files = new Files();
  readonly disk = new CopyOnDisk();
  #heldSeq = 0;
  /** By which its wall clock is off. */
  skewMs = 0;
  readonly #setting: Setting;
  #life: Life | undefined;
  #member: Member | undefined;
  #engine: Engine | undefined;
  #isReady = false;

  constructor(name: string, kind: 'member' | 'gateway', setting: Setting) {
    this.name = name;
    this.kind = kind;
    this.#setting = setting;
  }

  get life(): Life | undefined {
    return this.#life?.isAlive === true ? this.#life : undefined;
  }

  /** Where clients can ask. */
  get member(): Member | undefined {
    return this.life !== undefined && this.#isReady ? this.#member : undefined;
  }

  get engine(): Engine | undefined {
    return this.life === undefined ? undefined : this.#engine;
  }

  /** By its own clock. */
  get isFresh(): boolean {
    return this.life?.within(() => this.member?.contact.isFresh) === true;
  }

  /** The newest snapshot that was ever safe on its disk. */
  get heldSeq(): number {
    const there = [...this.files.durableNames].map((name) => SNAPSHOT.exec(name)?.[1]);
    this.#heldSeq = Math.max(this.#heldSeq, ...there.map((digits) => Number(digits ?? 0)));
    return this.#heldSeq;
  }

  get status(): string {
    return JSON.stringify(this.life?.within(() => this.member?.status)) ?? 'away';
  }

  start(): void {
    if (this.life !== undefined) return;
    const { world, draw } = this.#setting;
    const rate = 1 + draw.between(-200, 200) / 10_000;
    const life = new Life(world, this.name, this.files, rate);
    this.#life = life;
    this.#isReady = false;
    world.coverage.count(`start of a ${this.kind}`);
    world.at(
      0,
      () => {
        this.#boot(life).then(
          () => {
            this.#isReady = true;
          },
          (error: unknown) => this.#failed(life, error),
        );
      },
      life,
    );
  }

  kill(): void {
    this.life?.kill();
  }

  powerCut(): void {
    this.kill();
    this.disk.powerCut(this.#setting.draw);
    this.files.powerCut(this.#setting.draw);
  }

  wipe(): void {
    this.kill();
    this.#heldSeq = this.heldSeq;
    this.disk.wipe();
    this.files.wipe();
  }

  /** As SIGTERM does. */
  stop(): void {
    const { life } = this;
    const { world } = this.#setting;
    if (life === undefined) return;
    const member = this.#member;
    world.at(0, () => void (member?.close().finally(() => life.kill()) ?? life.kill()), life);
    world.at(3_000, () => life.kill());
  }

  /** Only where an older one is left to start from. */
  rotNewestSnapshot(draw: Draw): boolean {
    const names = [...this.files.names.keys()].filter((name) => SNAPSHOT.test(name)).toSorted();
    const [older = '', newest] = names.slice(-2);
    const baseSeq = (this.disk.base?.nextSeq ?? 1) - 1;
    const file = newest === undefined ? undefined : this.files.names.get(newest);
    if (file === undefined || Number(SNAPSHOT.exec(older)?.[1]) < baseSeq) return false;
    const damaged = Buffer.from(file.bytes);
    const at = draw.below(damaged.length);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << draw.below(8));
    file.bytes = damaged;
    file.sync();
    return true;
  }

  compareState(): void {
    const { engine } = this;
    if (engine === undefined) return;
    this.#setting.record.compare(this.name, engine.seq, stateHash(engine));
  }

  async #boot(life: Life): Promise<void> {
    const { network, keys, snapshotEvery } = this.#setting;
    const store = new SimulatedStore(keys, network, life);
    const log = new StoredSharedLog(store, new KeySpace('sim', 'main'));
    const copy = new SimulatedCopy(this.disk, life);
    const about = { name: this.name, kind: this.kind, secret: 's'.repeat(32), release: '1', log };
    const onNotice = (text: string): void => this.#noticed(text);
    const suspension = new Suspension(directoryOf(this.name));
    const hold = await prepareCopy({
      ...about,
      copy,
      suspension,
      replayMax: snapshotEvery,
      onNotice,
    });
    const mirror = await copy.openWriter();
    const engine = await recoverEngine({ log: copy, snapshotSeqMax: Number.MAX_SAFE_INTEGER });
    const reader = await copy.openReader();
    const { hash: mirrorHash } = await reader.end();
    const behind = await recoverEngine({ log: copy, snapshotSeqMax: Number.MAX_SAFE_INTEGER });
    const member = new Member({
      ...about,
      suspension,
      isCandidate: this.kind === 'member',
      host: this.name,
      port: PORT,
      mirror: this.#followed(mirror, copy, behind),
      mirrorHash,
      snapshots: copy.snapshots,
      keepCommands: this.#setting.keepCommands,
      engine,
      clock: { nowMs: () => this.#wallMs() },
      faults: this.#faults(),
      onStep: (step) => this.#shown(step),
      onLead: (venue) => this.#leads(venue),
      onEnd: (reason) => this.#ended(life, reason),
      onSuspended: (reason) => this.#setting.world.fail(new Error(`${this.name}: ${reason}`)),
      onNotice,
    });
    this.#member = member;
    this.#engine = engine;
    await member.start();
    await hold?.end();
  }

  #faults(): FaultRecord {
    return new FaultRecord(directoryOf(this.name), (text) => this.#noticed(text));
  }

  #wallMs(): number {
    const { startMs, world } = this.#setting;
    return Math.round(startMs + world.nowMs + this.skewMs);
  }

  #leads(venue: Member['venue']): void {
    this.#setting.world.coverage.count('takeover');
    setInterval(() => void venue.submit({ kind: 'tick' }).catch(() => undefined), TICK_MS);
    venue.resumeWork();
  }

  /** What is durable of the copy is followed, and leaves snapshots at the multiples. */
  #followed(mirror: Journal, copy: SimulatedCopy, engine: Engine): Journal {
    const take = (entry: { firstSeq: number; count: number; payload: string; rules: number }) => {
      const { snapshotEvery: every } = this.#setting;
      const before = engine.seq;
      for (const _ of stepsOf(engine, { ...entry, hash: '' }, 'copy'));
      if (Math.floor(before / every) < Math.floor(engine.seq / every)) {
        this.#snapshot(copy, engine);
      }
    };
    return {
      id: mirror.id,
      notices: mirror.notices,
      get lastSeq() {
        return mirror.lastSeq;
      },
      append: async (firstSeq, count, payload, rules = 1) => {
        await mirror.append(firstSeq, count, payload, rules);
        take({ firstSeq, count, payload, rules });
      },
      close: () => mirror.close(),
    };
  }

  #snapshot(copy: SimulatedCopy, engine: Engine): void {
    const { world, record } = this.#setting;
    try {
      const { hash } = copy.snapshots.write(engine.seq, engine.dump());
      world.coverage.count('snapshot');
      record.compare(this.name, engine.seq, hash);
      this.#member?.noteSnapshot({ seq: engine.seq, stateHash: hash });
    } catch (error) {
      if (!(error instanceof JournalFault)) throw error;
      world.coverage.count('snapshot that finds no room');
    }
  }

  #shown(step: Step): void {
    this.#setting.auditor.shown(this.name, step);
  }

  #noticed(text: string): void {
    const { world } = this.#setting;
    world.note(text);
    if (text.startsWith('joined the cluster')) world.coverage.count('joined with a snapshot');
    if (text.includes('the log starts at')) world.coverage.count('copy behind the log');
  }

  /** It cannot go on: it closes, and is started again. */
  #ended(life: Life, reason: Error): void {
    this.#isReady = false;
    this.#judge(reason);
    this.stop();
    this.#again(life);
  }

  #failed(life: Life, error: unknown): void {
    this.#isReady = false;
    this.#judge(error);
    if (life.isAlive) this.stop();
    this.#again(life);
  }

  #judge(error: unknown): void {
    const { world } = this.#setting;
    const reason = error instanceof Error ? error : new Error(String(error));
    world.note(reason.message);
    const isUsual =
      USUAL_ENDS.test(reason.message) || this.disk.isFull || reason instanceof VenueHalted;
    const noSnapshot = /has a snapshot to join with/.test(reason.message);
    if (isUsual) world.coverage.count(`ends: ${/^[a-z]+/.exec(reason.message)?.[0]}`);
    else if (noSnapshot) world.coverage.count('nobody to join with');
    else world.fail(new Error(`${this.name} ends: ${reason.stack ?? reason.message}`));
  }

  #again(life: Life): void {
    const { world, draw } = this.#setting;
    world.at(3_100 + draw.below(1_000), () => {
      if (this.#life === life) this.start();
    });
  }
}
