/**
 * The writing side of a history: folds the engine's steps into rows. It decides nothing, and it
 * can always be done again from the journal.
 */
import type { Kysely } from 'kysely';
import type { Step } from '#domain';
import { assert } from '#kernel';
import type { ProjectedStep } from '../day-port.ts';
import { HistoryUnusable, type HistoryWriter, type Removed } from '../port.ts';
import type { Database } from '../tables/schema.ts';
import { RowRemoval } from './removal.ts';
import { readRowNumbers } from './row-numbers.ts';
import type { RowStore } from './row-store.ts';
import { RowWriter } from './row-writer.ts';

/** The database below a writer: its connection and what it says of its errors. */
export interface WrittenDatabase {
  readonly place: string;
  /** Several processes write it, each of them from its own copy of one log. */
  readonly isShared: boolean;
  /** The last step whose rows are there. */
  projectedSeq(): Promise<number>;
  /** Rows that no transaction has begun to add. */
  newStore(): RowStore;
  /**
   * What `work` does, in a transaction that is open until `advance` ends it. Resolves with false,
   * and nothing done, where none can stay open.
   */
  prepare(work: () => Promise<void>): Promise<boolean>;
  /**
   * In one transaction what `work` does and that the history has come from `before` to `seq`.
   * Resolves with false, and nothing done, when it was not at `before` any more.
   */
  advance(before: number, seq: number, work: () => Promise<void>): Promise<boolean>;
  /** In one transaction what `work` does and that nothing before this time need be there. */
  remove<T>(beforeMs: number, work: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  /** Takes every row back. */
  clear(): Promise<void>;
  asUnusable(error: unknown): HistoryUnusable;
  close(): Promise<void>;
}

/** Rejects with HistoryUnusable, the database closed. */
export async function openStepWriter(database: WrittenDatabase): Promise<HistoryWriter> {
  try {
    const projectedSeq = await database.projectedSeq();
    return new StepWriter(database, projectedSeq, await rowWriterOf(database));
  } catch (error) {
    await database.close();
    throw database.asUnusable(error);
  }
}

async function rowWriterOf(database: WrittenDatabase): Promise<RowWriter> {
  const store = database.newStore();
  return new RowWriter(store, await readRowNumbers(store.db));
}

class StepWriter implements HistoryWriter {
  readonly #database: WrittenDatabase;
  #rows: RowWriter;
  #projectedSeq: number;
  /** The last step whose rows are in the transaction that is open. */
  #preparedSeq: number;
  /** Steps that were prepared where no transaction can stay open. */
  #waiting: ProjectedStep[] = [];
  /** The removal that is under way. */
  #removal: RowRemoval | undefined;
  /** Rows and memory may differ: a projection has thrown. */
  #spent = false;

  constructor(database: WrittenDatabase, projectedSeq: number, rows: RowWriter) {
    this.#database = database;
    this.#projectedSeq = projectedSeq;
    this.#preparedSeq = projectedSeq;
    this.#rows = rows;
  }

  get projectedSeq(): number {
    return this.#projectedSeq;
  }

  async #beginAgain(): Promise<void> {
    this.#requireNothingPrepared();
    await this.#spending(async () => {
      await this.#database.clear();
      this.#rows = await rowWriterOf(this.#database);
    });
    this.#projectedSeq = 0;
    this.#preparedSeq = 0;
    this.#removal = undefined;
  }

  async removeBefore(timeMs: number): Promise<Removed> {
    this.#requireNothingPrepared();
    this.#removal ??= new RowRemoval(timeMs);
    const removal = this.#removal;
    const removed = await this.#spending(() =>
      this.#database.remove(removal.beforeMs, (db) => removal.step(db)),
    );
    if (removed.isDone) this.#removal = undefined;
    return removed;
  }

  async beginAfter(step: Step): Promise<void> {
    await this.#beginAgain();
    await this.#spending(() => this.#write([step], step.seq));
  }

  async prepare(steps: readonly ProjectedStep[]): Promise<void> {
    assert(!this.#spent, 'a history writer that has thrown is not used again');
    const due = this.#due(steps);
    const last = due.at(-1);
    if (last === undefined) return;
    const isAdded = await this.#spending(() =>
      this.#database.prepare(() => this.#rows.addSteps(due)),
    );
    if (!isAdded) this.#waiting.push(...due);
    this.#preparedSeq = last.seq;
  }

  async project(steps: readonly ProjectedStep[]): Promise<void> {
    assert(!this.#spent, 'a history writer that has thrown is not used again');
    let due: readonly ProjectedStep[] = [...this.#waiting, ...this.#due(steps)];
    this.#waiting = [];
    const seq = due.at(-1)?.seq ?? this.#preparedSeq;
    while (seq > this.projectedSeq) {
      await this.#spending(() => this.#write(due, seq));
      due = this.#due(due);
    }
  }

  /** Those that are neither there nor prepared; they have to follow what is. */
  #due(steps: readonly ProjectedStep[]): readonly ProjectedStep[] {
    const seq = this.#preparedSeq;
    const due = steps.filter((step) => step.seq > seq);
    this.#spent = true;
    requireOrder(due, seq);
    this.#spent = false;
    return due;
  }

  #requireNothingPrepared(): void {
    assert(this.#preparedSeq === this.projectedSeq, 'what was prepared is projected first');
  }

  async #write(due: readonly ProjectedStep[], seq: number): Promise<void> {
    const before = this.projectedSeq;
    const isNext = await this.#database.advance(before, seq, () => this.#rows.addSteps(due));
    if (isNext) this.#projectedSeq = seq;
    else await this.#goOnAfterOthers();
    this.#preparedSeq = this.projectedSeq;
  }

  /** Another process was first: what it has written is passed over. */
  async #goOnAfterOthers(): Promise<void> {
    const { place, isShared } = this.#database;
    const before = this.projectedSeq;
    this.#projectedSeq = await this.#database.projectedSeq();
    if (!isShared || this.projectedSeq <= before) {
      throw new HistoryUnusable(`history ${place} has another writer`);
    }
    this.#rows = await rowWriterOf(this.#database);
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #spending<T>(work: () => Promise<T>): Promise<T> {
    assert(!this.#spent, 'a history writer that has thrown is not used again');
    this.#spent = true;
    try {
      const result = await work();
      this.#spent = false;
      return result;
    } catch (error) {
      throw this.#database.asUnusable(error);
    }
  }
}

function requireOrder(steps: readonly Step[], projectedSeq: number): void {
  let seq = projectedSeq;
  for (const step of steps) {
    assert(step.seq === seq + 1, `step ${step.seq} does not follow ${seq}`);
    seq = step.seq;
  }
}
