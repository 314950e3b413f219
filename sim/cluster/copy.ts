/**
 * A process's copy of the log on its simulated disk: entries are durable when a sync has taken its
 * time, and a power cut takes what was not. Snapshots are kept by the venue's own code, in files.
 */
import { createHash } from 'node:crypto';
import { RULES_VERSION } from '#domain';
import { assert } from '#kernel';
import {
  type ChainLink,
  type CommandLog,
  GENESIS,
  type Journal,
  type JournalEntry,
  JournalFault,
  type JournalReader,
  logAt,
  type Snapshots,
} from '#log';
import type { Draw } from '../world/draw.ts';
import type { Life } from './world.ts';

/** What lies on the disk of one machine, whoever runs there. */
export class CopyOnDisk {
  entries: JournalEntry[] = [];
  /** How many of the entries a power cut cannot take. */
  durableCount = 0;
  base: ChainLink | undefined;
  /** How long a sync takes. */
  syncMs = 2;
  isFull = false;

  get end(): ChainLink {
    const last = this.entries.at(-1);
    if (last === undefined) return this.base ?? GENESIS;
    return { nextSeq: last.firstSeq + last.count, hash: last.hash };
  }

  powerCut(draw: Draw): void {
    const lost = draw.below(this.entries.length - this.durableCount + 1);
    this.entries.length -= lost;
    this.durableCount = this.entries.length;
  }

  wipe(): void {
    this.entries = [];
    this.durableCount = 0;
    this.base = undefined;
  }
}

export class SimulatedCopy implements CommandLog {
  readonly snapshots: Snapshots;
  readonly #disk: CopyOnDisk;
  readonly #life: Life;

  constructor(disk: CopyOnDisk, life: Life) {
    this.#disk = disk;
    this.#life = life;
    const { snapshots } = logAt({ kind: 'sqlite', directory: directoryOf(life.host) });
    this.snapshots = snapshots;
  }

  exists(): boolean {
    return this.#disk.base !== undefined;
  }

  async openWriter(): Promise<Journal> {
    this.#requireEnd();
    this.#disk.base ??= GENESIS;
    return new SimulatedJournal(this.#disk, this.#life);
  }

  async openReader(): Promise<JournalReader> {
    const disk = this.#disk;
    const { base } = disk;
    if (base === undefined) throw fault('disk', 'nothing was ever written');
    return {
      id: this.#life.host,
      keyedFromSeq: 0,
      base,
      file: 'copy',
      lastSeq: async () => disk.end.nextSeq - 1,
      end: async () => disk.end,
      chunks: (fromSeq) => chunks(disk, fromSeq),
      proveEnd: async () => this.#requireEnd(),
      close: async () => undefined,
    };
  }

  async beginAt(base: ChainLink): Promise<void> {
    this.#disk.wipe();
    this.#disk.base = base;
  }

  async keepAside(): Promise<void> {
    throw fault('disk', 'it has no other place');
  }

  #requireEnd(): void {
    if (this.snapshots.newestSeq() < this.#disk.end.nextSeq) return;
    throw fault('torn_tail', 'a snapshot knows more');
  }
}

async function* chunks(
  disk: CopyOnDisk,
  fromSeq: number,
): AsyncGenerator<readonly JournalEntry[], void> {
  const entries = disk.entries.filter((one) => one.firstSeq + one.count > fromSeq);
  for (let at = 0; at < entries.length; at += 3) yield entries.slice(at, at + 3);
}

class SimulatedJournal implements Journal {
  readonly notices: readonly string[] = [];
  readonly #disk: CopyOnDisk;
  readonly #life: Life;
  #nextSeq: number;
  #syncedMs = 0;
  #fault: Error | undefined;

  constructor(disk: CopyOnDisk, life: Life) {
    this.#disk = disk;
    this.#life = life;
    this.#nextSeq = disk.end.nextSeq;
  }

  get id(): string {
    return this.#life.host;
  }

  get lastSeq(): number {
    const last = this.#disk.entries[this.#disk.durableCount - 1];
    return last === undefined
      ? (this.#disk.base?.nextSeq ?? 1) - 1
      : last.firstSeq + last.count - 1;
  }

  append(
    firstSeq: number,
    count: number,
    payload: string,
    rules: number = RULES_VERSION,
  ): Promise<void> {
    assert(firstSeq === this.#nextSeq, 'the copy has no gap');
    this.#nextSeq += count;
    const [disk, { world }] = [this.#disk, this.#life];
    if (disk.isFull) this.#fault ??= fault('disk', 'no room');
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    const { hash: previous } = disk.end;
    const hash = createHash('sha256')
      .update(`${previous}\n${firstSeq}\n${count}\n${rules}\n${payload}`)
      .digest('hex');
    disk.entries.push({ firstSeq, count, rules, payload, hash });
    const position = disk.entries.length;
    this.#syncedMs = Math.max(this.#syncedMs, world.nowMs) + disk.syncMs;
    return new Promise((resolve) => {
      world.at(
        this.#syncedMs - world.nowMs,
        () => {
          disk.durableCount = Math.max(disk.durableCount, position);
          resolve();
        },
        this.#life,
      );
    });
  }

  async close(): Promise<void> {}
}

export function directoryOf(host: string): string {
  return `/machines/${host}`;
}

function fault(kind: JournalFault['kind'], reason: string): JournalFault {
  return new JournalFault({ kind, file: 'copy', reason });
}
