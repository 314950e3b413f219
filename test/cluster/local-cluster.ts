/**
 * A cluster whose processes are all here, with a log in memory unless another one is given: each
 * has an engine, a copy of the log and an address of its own, and real connections to the others.
 */
import { strict as assert } from 'node:assert/strict';
import { join } from 'node:path';
import { Member, prepareCopy, Suspension } from '#cluster';
import { type ReleaseVersions, THIS_RELEASE } from '#cluster/testing';
import type { Command, Event, Step } from '#domain';
import type { Engine } from '#engine';
import type { Clock } from '#kernel';
import type { SharedEntry, SharedLog } from '#log';
import { KeySpace, MemoryKeys, MemoryStore, StoredSharedLog } from '#log/testing';
import { FaultRecord, recoverEngine, stateHash } from '#venue';
import { MemoryLog } from '../support/memory-log.ts';
import { REAL_TIME } from '../support/real-time.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { readAll } from '../support/shared-hands.ts';
import { until } from '../support/until.ts';

const SECRET = 's'.repeat(32);

export interface ProcessChoices {
  readonly kind?: 'member' | 'gateway';
  readonly versions?: ReleaseVersions;
  readonly processesMax?: number;
}

/** Opens a log in memory, the same one each time. */
function logInMemory(): () => SharedLog {
  const [memory, keys] = [new MemoryKeys(), new KeySpace('test', 'main')];
  return () => new StoredSharedLog(new MemoryStore(memory, REAL_TIME), keys);
}

export class LocalCluster {
  readonly #openLog: () => SharedLog;
  readonly #directory = scratchDirectory();
  readonly #copies = new Map<string, MemoryLog>();
  readonly #running = new Map<string, ProcessHere>();
  readonly #clock: Clock;

  constructor(clock: Clock = { nowMs: () => Date.now() }, openLog = logInMemory()) {
    this.#clock = clock;
    this.#openLog = openLog;
  }

  /** Those that run, in the order of their last starts. */
  get processes(): readonly ProcessHere[] {
    return [...this.#running.values()];
  }

  /** The log as one more process has it; its owner closes it. */
  openLog(): SharedLog {
    return this.#openLog();
  }

  /** Resolves once it follows a leader, or leads; rejects when it is refused. */
  async start(name: string, choices: ProcessChoices = {}): Promise<ProcessHere> {
    const log = this.openLog();
    try {
      const copy = this.#copies.get(name) ?? new MemoryLog();
      this.#copies.set(name, copy);
      const place = { directory: join(this.#directory, name), clock: this.#clock };
      const started = await ProcessHere.start(name, log, copy, place, choices);
      this.#running.set(name, started);
      return started;
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  /** Ends it in order, or as kill -9 does: without a word to the others. */
  async stop(name: string, how: 'in order' | 'killed'): Promise<void> {
    const one = this.#running.get(name);
    this.#running.delete(name);
    if (how === 'killed') await one?.log.close();
    await one?.member.close();
    await one?.close();
  }

  async close(): Promise<void> {
    for (const { name } of this.processes) await this.stop(name, 'in order');
  }

  async leader(): Promise<ProcessHere> {
    let leader: ProcessHere | undefined;
    await until('somebody leads', () => {
      leader = this.processes.find(({ member }) => member.status.role === 'leader');
      return leader !== undefined;
    });
    assert.ok(leader !== undefined);
    return leader;
  }

  async entries(): Promise<SharedEntry[]> {
    const log = this.openLog();
    try {
      return await readAll(log);
    } finally {
      await log.close();
    }
  }

  /** The hash of the state that all processes have come to; asserts that it is one. */
  async stateHash(): Promise<string> {
    const log = this.openLog();
    const { lastSeq } = await log.head();
    await log.close();
    await until('all have applied the log', () =>
      this.processes.every(({ engine }) => engine.seq === lastSeq),
    );
    const hashes = new Set(this.processes.map(({ engine }) => stateHash(engine)));
    assert.equal(hashes.size, 1, 'one state');
    return [...hashes].join('');
  }
}

export class ProcessHere {
  readonly name: string;
  readonly engine: Engine;
  readonly member: Member;
  readonly log: SharedLog;
  readonly copy: MemoryLog;
  readonly steps: Step[];
  /** Why it has lost its place in the cluster, if it has. */
  readonly ends: Error[];
  readonly notices: string[];
  readonly #closeCopy: () => Promise<void>;

  private constructor(
    parts: Omit<ProcessHere, 'submit' | 'close'>,
    closeCopy: () => Promise<void>,
  ) {
    this.name = parts.name;
    this.engine = parts.engine;
    this.member = parts.member;
    this.log = parts.log;
    this.copy = parts.copy;
    this.steps = parts.steps;
    this.ends = parts.ends;
    this.notices = parts.notices;
    this.#closeCopy = closeCopy;
  }

  /** As a server starts it. */
  static async start(
    name: string,
    log: SharedLog,
    copy: MemoryLog,
    { directory, clock }: { readonly directory: string; readonly clock: Clock },
    { kind = 'member', versions = THIS_RELEASE, processesMax = 64 }: ProcessChoices,
  ): Promise<ProcessHere> {
    const steps: Step[] = [];
    const ends: Error[] = [];
    const notices: string[] = [];
    const about = { name, kind, secret: SECRET, release: '1', log } as const;
    const onNotice = (text: string): number => notices.push(text);
    const suspension = new Suspension(directory);
    const hold = await prepareCopy({
      ...about,
      copy,
      suspension,
      knows: versions,
      replayMax: 100_000,
      onNotice,
    });
    const mirror = await copy.openWriter();
    try {
      const engine = await recoverEngine({
        log: copy,
        snapshotSeqMax: Number.MAX_SAFE_INTEGER,
        knows: versions,
      });
      const reader = await copy.openReader();
      const { hash: mirrorHash } = await reader.end();
      const member = new Member({
        ...about,
        suspension,
        isCandidate: kind === 'member',
        host: '127.0.0.1',
        port: 0,
        versions,
        mirror,
        mirrorHash,
        snapshots: copy.snapshots,
        processesMax,
        openRequestsMax: 2_048,
        keepCommands: 100_000,
        engine,
        clock,
        faults: new FaultRecord(directory, () => undefined),
        onStep: (step) => steps.push(step),
        onLead: () => undefined,
        onEnd: (reason) => ends.push(reason),
        onSuspended: (reason) => notices.push(reason),
        onNotice,
      });
      const parts = { name, engine, member, log, copy, steps, ends, notices };
      try {
        await member.start();
        await hold?.end();
      } catch (error) {
        await member.close();
        throw error;
      }
      return new ProcessHere(parts, () => mirror.close());
    } catch (error) {
      await mirror.close();
      throw error;
    }
  }

  submit(command: Command): Promise<readonly Event[]> {
    return this.member.venue.submit(command);
  }

  async close(): Promise<void> {
    await this.#closeCopy();
    await this.log.close();
  }
}
