/**
 * One machine and the process of a cluster that runs on it: started as a server starts it, with the
 * cluster's own code, and started again when it has ended. Its disk stays.
 */
import type { StreamLimits } from '#api';
import { Member, prepareCopy, Suspension } from '#cluster';
import type { ReleaseVersions } from '#cluster/testing';
import { type Step, VenueHalted } from '#domain';
import type { Engine } from '#engine';
import { type Journal, JournalFault } from '#log';
import { EtcdStore, KeySpace, StoredSharedLog } from '#log/testing';
import { FaultRecord, recoverEngine, stateHash, stepsOf } from '#venue';
import type { Draw } from '../world/draw.ts';
import type { Auditor } from './auditor.ts';
import { CopyOnDisk, directoryOf, SimulatedCopy } from './copy.ts';
import { ETCD_SERVERS } from './etcd.ts';
import { Files } from './files.ts';
import type { LogRecord } from './record.ts';
import { NEXT_RELEASE } from './releases.ts';
import { Served } from './served.ts';
import { Life, type World } from './world.ts';

export interface Setting {
  readonly world: World;
  readonly record: LogRecord;
  readonly auditor: Auditor;
  readonly draw: Draw;
  readonly snapshotEvery: number;
  readonly keepCommands: number;
  readonly startMs: number;
  readonly streamLimits: Partial<StreamLimits>;
}

const PORT = 7001;
const PROCESSES_MAX = 64;
const OPEN_REQUESTS_MAX = 2_048;
const PLACE = { kind: 'etcd', venue: 'sim', shard: 'main' } as const;
const TICK_MS = 1_000;
const SNAPSHOT = /\/snapshot-(\d{16})\.ndjson$/;
/** What ends a process without a fault of its own. */
const USUAL_ENDS =
  /deposed|unavailable|closed|trimmed|no room|ENOSPC|stopping|took over|taken the place/;

export class SimulatedProcess {
  readonly name: string;
  readonly kind: 'member' | 'gateway';
  readonly files = new Files();
  readonly disk = new CopyOnDisk();
  #heldSeq = 0;
  /** What its release reads and writes: that of now, and that of the next start. */
  versions: ReleaseVersions = NEXT_RELEASE;
  nextVersions: ReleaseVersions = NEXT_RELEASE;
  /** An operator has put this release on it after the next one: that may be too late. */
  isDowngraded = false;
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

  /** Each process begins at another server. */
  get #endpoints(): readonly string[] {
    const at = this.#setting.draw.below(ETCD_SERVERS.length);
    return [...ETCD_SERVERS.slice(at), ...ETCD_SERVERS.slice(0, at)];
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

  get isOld(): boolean {
    return this.versions !== NEXT_RELEASE;
  }

  /** In order, and with another release from the next start on. */
  change(versions: ReleaseVersions): void {
    const { world } = this.#setting;
    world.coverage.count(versions === NEXT_RELEASE ? 'process upgraded' : 'process downgraded');
    this.nextVersions = versions;
    this.stop();
    world.at(3_100, () => this.start());
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
    const isBack = this.versions === NEXT_RELEASE && this.nextVersions !== NEXT_RELEASE;
    this.isDowngraded = isBack || (this.isDowngraded && this.nextVersions === this.versions);
    this.versions = this.nextVersions;
    world.coverage.count(`start of a ${this.kind}`);
    world.at(
      0,
      () => {
        this.#boot(life).then(
          () => this.#ready(),
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
    const { snapshotEvery } = this.#setting;
    const store = new EtcdStore({ ...PLACE, endpoints: this.#endpoints });
    const log = new StoredSharedLog(store, new KeySpace(PLACE.venue, PLACE.shard));
    const copy = new SimulatedCopy(this.disk, life);
    const about = { name: this.name, kind: this.kind, secret: 's'.repeat(32), release: '1', log };
    const onNotice = (text: string): void => this.#noticed(text);
    const suspension = new Suspension(directoryOf(this.name));
    const { versions } = this;
    const hold = await prepareCopy({
      ...about,
      copy,
      knows: versions,
      suspension,
      replayMax: snapshotEvery,
      onNotice,
    });
    const mirror = await copy.openWriter();
    const recovery = { log: copy, snapshotSeqMax: Number.MAX_SAFE_INTEGER, knows: versions };
    const engine = await recoverEngine(recovery);
    const reader = await copy.openReader();
    const { hash: mirrorHash } = await reader.end();
    const behind = await recoverEngine(recovery);
    const served = await Served.recovered({
      life,
      engine,
      clock: { nowMs: () => this.#wallMs() },
      published: this.#setting.record.published,
      limits: this.#setting.streamLimits,
    });
    const member = new Member({
      ...about,
      suspension,
      versions,
      isCandidate: this.kind === 'member',
      host: this.name,
      port: PORT,
      mirror: this.#followed(mirror, copy, behind),
      mirrorHash,
      snapshots: copy.snapshots,
      processesMax: PROCESSES_MAX,
      openRequestsMax: OPEN_REQUESTS_MAX,
      keepCommands: this.#setting.keepCommands,
      engine,
      clock: { nowMs: () => this.#wallMs() },
      faults: this.#faults(),
      onStep: (step) => {
        served.onStep(step);
        this.#shown(step);
      },
      onLead: (venue) => this.#leads(venue),
      onEnd: (reason) => this.#ended(life, reason),
      onSuspended: (reason) => this.#setting.world.fail(new Error(`${this.name}: ${reason}`)),
      onNotice,
    });
    this.#member = member;
    this.#engine = engine;
    await member.start();
    await hold?.end();
    await served.listen(member);
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
      for (const _ of stepsOf(engine, { ...entry, hash: '' }, 'copy', NEXT_RELEASE));
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
    this.#judge(reason);
    this.#isReady = false;
    this.stop();
    this.#again(life);
  }

  #failed(life: Life, error: unknown): void {
    this.#judge(error);
    this.#isReady = false;
    if (life.isAlive) this.stop();
    this.#again(life);
  }

  #ready(): void {
    this.#isReady = true;
    const { coverage } = this.#setting.world;
    if (this.disk.isDamaged) coverage.count('start over damage that is not read');
  }

  #judge(error: unknown): void {
    const { world } = this.#setting;
    const reason = error instanceof Error ? error : new Error(String(error));
    world.note(reason.message);
    const isUsual =
      USUAL_ENDS.test(reason.message) || this.disk.isFull || reason instanceof VenueHalted;
    if (this.disk.isDamaged && isDamage(reason)) {
      // As its operator does: what is damaged goes, and the process joins anew.
      world.coverage.count('damage of a copy found');
      this.wipe();
      return;
    }
    const mayBeLate = this.isDowngraded || (this.kind === 'gateway' && !this.#isReady);
    if (reason.name === 'VersionFault' && mayBeLate) {
      world.coverage.count('too old for its cluster');
      this.nextVersions = NEXT_RELEASE;
      return;
    }
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

/** What a start says of a copy that is not what was written. */
function isDamage(reason: Error): boolean {
  return reason.name === 'CopyFault' || (reason instanceof JournalFault && reason.kind !== 'disk');
}
