/** The database as a writer has it: transactions, and how far it has come. */
import type { Kysely } from 'kysely';
import { present } from '#kernel';
import type { HistoryUnusable, HistoryWriter } from '../port.ts';
import type { RowStore } from '../rows/row-store.ts';
import { rowSum } from '../rows/row-sum.ts';
import { openStepWriter, type WrittenDatabase } from '../rows/step-writer.ts';
import { type Database, TABLES } from '../tables/schema.ts';
import { META } from '../tables/spot-tables.ts';
import type { RecordOf } from '../tables/table.ts';
import { Connection } from './connection.ts';
import { asUnusable, damaged } from './errors.ts';
import { prepare } from './migrations.ts';
import { PostgresRowStore } from './row-store.ts';

/** Creates or upgrades the tables. Rejects with HistoryUnusable. */
export async function openPostgresWriter(
  url: string,
  venueId: string,
  isShared: boolean,
): Promise<HistoryWriter> {
  const connection = await Connection.open(url);
  try {
    await prepare(connection, venueId);
  } catch (error) {
    await connection.close();
    throw asUnusable(connection.place, error);
  }
  return openStepWriter(new WrittenSchema(connection, isShared));
}

const STANDS =
  'update meta set projected_seq = $1, kept_from_ms = $2, row_sum = $3 where projected_seq = $4';
/** Locks the row: another writer waits. */
const LOCKED = 'select 1 from meta for update';

export class WrittenSchema implements WrittenDatabase {
  readonly isShared: boolean;
  readonly #connection: Connection;

  constructor(connection: Connection, isShared = false) {
    this.isShared = isShared;
    this.#connection = connection;
  }

  get place(): string {
    return this.#connection.place;
  }

  async projectedSeq(): Promise<number> {
    return (await this.#meta()).projectedSeq;
  }

  newStore(): RowStore {
    return new PostgresRowStore(this.#connection);
  }

  /** A transaction is sent at one go, and begun again when another writer was first. */
  async prepare(): Promise<boolean> {
    return false;
  }

  /** The number goes first: it locks its row, and another writer waits for what comes of this. */
  async advance(before: number, seq: number, work: () => Promise<void>): Promise<boolean> {
    return this.#connection.transaction(async () => {
      if (!(await this.#moveTo(seq, before))) return false;
      await work();
      return true;
    });
  }

  async remove<T>(beforeMs: number, work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
    return this.#connection.transaction(async () => {
      await this.#connection.query(LOCKED);
      const meta = await this.#meta();
      if (meta.keptFromMs < beforeMs) await this.#stand(meta, { ...meta, keptFromMs: beforeMs });
      return work(this.#connection.db);
    });
  }

  async clear(): Promise<void> {
    await this.#connection.transaction(async () => {
      const names = TABLES.map(({ name }) => name).filter((name) => name !== 'meta');
      await this.#connection.query(`truncate ${names}`);
      const { projectedSeq } = await this.#meta();
      await this.#moveTo(0, projectedSeq);
    });
  }

  /** What is none of the database's errors comes from rows that do not fit together. */
  asUnusable(error: unknown): HistoryUnusable {
    return damaged(this.place, error);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #meta() {
    const row = await this.#connection.db.selectFrom('meta').selectAll().executeTakeFirst();
    return META.read(present(row, 'what the history says of itself'));
  }

  /** Of a history that was cleared nothing was removed for its age. */
  async #moveTo(seq: number, before: number): Promise<boolean> {
    const meta = await this.#meta();
    const keptFromMs = seq > 0 ? meta.keptFromMs : 0;
    const stands = { ...meta, projectedSeq: seq, keptFromMs };
    return this.#stand({ projectedSeq: before }, stands);
  }

  async #stand(
    { projectedSeq: before }: Pick<RecordOf<typeof META>, 'projectedSeq'>,
    stands: RecordOf<typeof META>,
  ): Promise<boolean> {
    const { projectedSeq, keptFromMs } = stands;
    const sum = rowSum(META.valuesOf(stands));
    const values = [projectedSeq, keptFromMs, sum, before];
    const { rowCount } = await this.#connection.query(STANDS, values);
    return rowCount === 1;
  }
}
