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

/** How far a history has come. */
export interface Standing {
  readonly projectedSeq: number;
  readonly lacksPast: boolean;
}

/** The database below a writer: its connection and what it says of its errors. */
export interface WrittenDatabase {
  readonly place: string;
  /** Several processes write it, each of them from its own copy of one log. */
  readonly isShared: boolean;
  standing(): Promise<Standing>;
  /** Rows that no transaction has begun to add. */
  newStore(): RowStore;
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
    const standing = await database.standing();
    return new StepWriter(database, standing, await rowWriterOf(database));
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
  #standing: Standing;
  /** The removal that is under way. */
  #removal: RowRemoval | undefined;
  /** Rows and memory may differ: a projection has thrown. */
  #spent = false;

  constructor(database: WrittenDatabase, standing: Standing, rows: RowWriter) {
    this.#database = database;
    this.#standing = standing;
    this.#rows = rows;
  }

  get projectedSeq(): number {
    return this.#standing.projectedSeq;
  }

  get lacksPast(): boolean {
    return this.#standing.lacksPast;
  }

  async beginAgain(): Promise<void> {
    await this.#spending(async () => {
      await this.#database.clear();
      this.#rows = await rowWriterOf(this.#database);
    });
    this.#standing = { projectedSeq: 0, lacksPast: false };
    this.#removal = undefined;
  }

  async removeBefore(timeMs: number): Promise<Removed> {
    this.#removal ??= new RowRemoval(timeMs);
    const removal = this.#removal;
    const removed = await this.#spending(() =>
      this.#database.remove(removal.beforeMs, (db) => removal.step(db)),
    );
    if (removed.isDone) this.#removal = undefined;
    return removed;
  }

  async beginAfter(step: Step): Promise<void> {
    await this.beginAgain();
    await this.#spending(() => this.#write([step]));
  }

  async project(steps: readonly ProjectedStep[]): Promise<void> {
    assert(!this.#spent, 'a history writer that has thrown is not used again');
    for (let due = this.#due(steps); due.length > 0; due = this.#due(steps)) {
      this.#spent = true;
      requireOrder(due, this.projectedSeq);
      this.#spent = false;
      await this.#spending(() => this.#write(due));
    }
  }

  #due(steps: readonly ProjectedStep[]): readonly ProjectedStep[] {
    const { projectedSeq } = this.#standing;
    return steps.filter(({ seq }) => seq > projectedSeq);
  }

  async #write(due: readonly ProjectedStep[]): Promise<void> {
    const before = this.projectedSeq;
    const seq = due.at(-1)?.seq ?? before;
    const isNext = await this.#database.advance(before, seq, () => this.#rows.addSteps(due));
    if (isNext) this.#standing = { ...this.#standing, projectedSeq: seq };
    else await this.#goOnAfterOthers();
  }

  /** Another process was first: what it has written is passed over. */
  async #goOnAfterOthers(): Promise<void> {
    const { place, isShared } = this.#database;
    const before = this.projectedSeq;
    this.#standing = await this.#database.standing();
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
