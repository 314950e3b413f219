/**
 * A process's copy of the log on its simulated disk: entries are durable when a sync has taken its
 * time, and a power cut takes what was not. Snapshots are kept by the venue's own code, in files.
 */
import { RULES_VERSION } from '#domain';
import { assert } from '#kernel';
import {
  type ChainLink,
  type CommandLog,
  GENESIS,
  type JournalEntry,
  JournalFault,
  type JournalReader,
  logAt,
  type OwnJournal,
  type Snapshots,
} from '#log';
import { entryHash, linkAfter, prove } from '#log/testing';
import type { Draw } from '../world/draw.ts';
import type { Life } from './world.ts';

const CHUNK_ENTRIES = 3;
/** Commands at the end that a start proves, besides those it replays. */
const PROVEN_MAX = 64;

/** What lies on the disk of one machine, whoever runs there. */
export class CopyOnDisk {
  entries: JournalEntry[] = [];
  /** How many of the entries a power cut cannot take. */
  durableCount = 0;
  base: ChainLink | undefined;
  /** How long a sync takes. */
  syncMs = 2;
  isFull = false;

  /** Something on it is not what was written, and nobody has found it yet. */
  isDamaged = false;

  get end(): ChainLink {
    const last = this.entries.at(-1);
    return last === undefined ? (this.base ?? GENESIS) : linkAfter(last);
  }

  /** A bit of an entry flips. False where there is none. */
  rot(draw: Draw): boolean {
    const at = draw.below(this.entries.length);
    const entry = this.entries[at];
    if (entry === undefined) return false;
    const { payload, hash, firstSeq, count, rules } = entry;
    const bit = 1 << draw.below(3);
    const damaged = draw.of([
      { payload: flipped(draw, payload) },
      { payload: flipped(draw, payload) },
      { hash: flipped(draw, hash) },
      { firstSeq: firstSeq ^ bit },
      { count: count ^ bit },
      { rules: rules ^ bit },
    ]);
    this.entries[at] = { ...entry, ...damaged };
    this.isDamaged = true;
    return true;
  }

  /** Its end is gone, though it was synced. */
  tear(draw: Draw): boolean {
    if (this.entries.length === 0) return false;
    this.entries.length -= 1 + draw.below(Math.min(40, this.entries.length));
    this.durableCount = this.entries.length;
    this.isDamaged = true;
    return true;
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
    this.isDamaged = false;
  }
}

function flipped(draw: Draw, text: string): string {
  const bytes = Buffer.from(text);
  const at = draw.below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << draw.below(7));
  return bytes.toString();
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

  async openWriter(): Promise<OwnJournal> {
    this.#disk.base ??= GENESIS;
    const { nextSeq } = this.#disk.base;
    for (const _ of pages(this.#disk, Math.max(nextSeq, this.#disk.end.nextSeq - PROVEN_MAX)));
    this.#requireEnd();
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
  yield* pages(disk, fromSeq);
}

/** Proven as those of a file are: the entry before the first one is taken as it is. */
function* pages(
  { entries, base = GENESIS }: CopyOnDisk,
  fromSeq: number,
): Generator<readonly JournalEntry[], void> {
  const first = entries.findIndex((one) => one.firstSeq + one.count > fromSeq);
  if (first < 0) return;
  const known = entries[first - 1];
  let link = known === undefined ? base : linkAfter(known);
  for (let at = first; at < entries.length; at += CHUNK_ENTRIES) {
    const proven = prove(link, entries.slice(at, at + CHUNK_ENTRIES), undefined, 'copy');
    if (proven.entries.length > 0) yield proven.entries;
    if (proven.fault !== undefined) throw proven.fault;
    link = proven.link;
  }
}

class SimulatedJournal implements OwnJournal {
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

  get firstSeq(): number {
    return (this.#disk.base ?? GENESIS).nextSeq;
  }

  /** Simulated processes keep everything. */
  async trim(): Promise<number> {
    return this.firstSeq;
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
    const entry = { firstSeq, count, rules, payload };
    disk.entries.push({ ...entry, hash: entryHash(disk.end.hash, entry, undefined) });
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
