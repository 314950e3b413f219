/** A log in memory whose every step waits: a second adapter, far from a file and its speed. */
import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { RULES_VERSION } from '#domain';
import { assert } from '#kernel';
import {
  type CommandLog,
  GENESIS,
  type JournalEntry,
  JournalFault,
  type JournalReader,
  type OwnJournal,
} from '#log';
import { logOf } from './logs.ts';
import { scratchDirectory } from './scratch.ts';

const CHUNK_ENTRIES = 3;
const QUEUED_ENTRIES_MAX = 1_000;
const QUEUED_CHARACTERS_MAX = 32 * 1024 * 1024;

export class MemoryLog implements CommandLog {
  /** Files all the same, as with every log. */
  readonly snapshots = logOf(scratchDirectory()).snapshots;
  readonly id = randomUUID();
  readonly entries: JournalEntry[] = [];
  #isMade = false;
  #isTaken = false;

  get lastSeq(): number {
    const last = this.entries.at(-1);
    return last === undefined ? 0 : last.firstSeq + last.count - 1;
  }

  exists(): boolean {
    return this.#isMade;
  }

  /** Copies of a shared log lie in files. */
  async beginAt(): Promise<void> {
    throw this.fault('disk', 'it starts at command 1');
  }

  async keepAside(): Promise<void> {
    throw this.fault('disk', 'it has no other place');
  }

  async openWriter(): Promise<OwnJournal> {
    await setImmediate();
    if (this.#isTaken) throw this.fault('in_use', 'it has a writer');
    this.requireEnd();
    this.#isMade = true;
    this.#isTaken = true;
    return new MemoryJournal(this, () => {
      this.#isTaken = false;
    });
  }

  async openReader(): Promise<JournalReader> {
    await setImmediate();
    if (!this.#isMade) throw this.fault('disk', 'nothing was ever written');
    return {
      id: this.id,
      keyedFromSeq: 0,
      base: GENESIS,
      file: 'memory',
      lastSeq: async () => this.lastSeq,
      end: async () => {
        const hash = this.entries.at(-1)?.hash ?? GENESIS.hash;
        return { nextSeq: this.lastSeq + 1, hash };
      },
      chunks: (fromSeq) => this.#chunks(fromSeq),
      proveEnd: async () => this.requireEnd(),
      close: () => setImmediate(),
    };
  }

  requireEnd(): void {
    if (this.snapshots.newestSeq() <= this.lastSeq) return;
    throw this.fault('torn_tail', 'a snapshot knows more');
  }

  fault(kind: JournalFault['kind'], reason: string): JournalFault {
    return new JournalFault({ kind, file: 'memory', reason });
  }

  async *#chunks(fromSeq: number): AsyncGenerator<readonly JournalEntry[], void> {
    const first = this.entries.findIndex((one) => one.firstSeq + one.count > fromSeq);
    for (let at = first; at >= 0 && at < this.entries.length; at += CHUNK_ENTRIES) {
      await setImmediate();
      yield this.entries.slice(at, at + CHUNK_ENTRIES);
    }
  }
}

class MemoryJournal implements OwnJournal {
  readonly firstSeq = 1;
  readonly notices: readonly string[] = [];
  readonly #log: MemoryLog;
  readonly #leave: () => void;
  #nextSeq: number;
  #queued = 0;
  #characters = 0;
  #isClosing = false;
  #underWay = Promise.resolve();

  constructor(log: MemoryLog, leave: () => void) {
    this.#log = log;
    this.#leave = leave;
    this.#nextSeq = log.lastSeq + 1;
  }

  get id(): string {
    return this.#log.id;
  }

  get lastSeq(): number {
    return this.#log.lastSeq;
  }

  append(
    firstSeq: number,
    count: number,
    payload: string,
    rules: number = RULES_VERSION,
  ): Promise<void> {
    assert(!this.#isClosing && firstSeq === this.#nextSeq, 'the next number, before the close');
    assert(Number.isSafeInteger(count) && count > 0, 'some commands');
    assert(Number.isSafeInteger(firstSeq + count) && payload.isWellFormed(), 'what can be stored');
    assert(this.#queued < QUEUED_ENTRIES_MAX, 'a queue with an end');
    assert(this.#characters + payload.length <= QUEUED_CHARACTERS_MAX, 'a queue with an end');
    this.#nextSeq += count;
    this.#queued += 1;
    this.#characters += payload.length;
    const characters = payload.length;
    this.#underWay = this.#underWay
      .then(() => this.#store({ firstSeq, count, rules, payload }))
      .then(() => {
        this.#queued -= 1;
        this.#characters -= characters;
      });
    return this.#underWay;
  }

  /** It has room. */
  async trim(): Promise<number> {
    return this.firstSeq;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#underWay;
    this.#leave();
  }

  async #store(entry: Omit<JournalEntry, 'hash'>): Promise<void> {
    await setImmediate();
    const { firstSeq, count, rules, payload } = entry;
    const genesis = createHash('sha256').update('outcry journal 1').digest('hex');
    const previous = this.#log.entries.at(-1)?.hash ?? genesis;
    const text = `${previous}\n${firstSeq}\n${count}\n${rules}\n${payload}`;
    const hash = createHash('sha256').update(text).digest('hex');
    this.#log.entries.push({ ...entry, hash });
  }
}
