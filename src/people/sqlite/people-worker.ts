/**
 * The thread that has the file of people: a sync of the disk on the market thread would keep orders
 * waiting. Statements are run one by one, in the order in which they come.
 */
import { closeSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite, { type Database } from 'better-sqlite3';
import { present } from '#kernel';
import type { FileData, FromFile, ToFile } from './messages.ts';

const port = present(parentPort, 'parent port of the file of people');
const { file }: FileData = workerData;
/** Texts of statements that are kept parsed; there are fewer. */
const STATEMENTS_MAX = 200;
/** While a backup copies the file. */
const BUSY_TIMEOUT_MS = 5_000;

function post(message: FromFile): void {
  port.postMessage(message);
}

function open(): Database | undefined {
  try {
    // For its owner only, as SQLite would not make it; its log takes after it.
    closeSync(openSync(file, 'a', 0o600));
    const db = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
    db.pragma('journal_mode = WAL');
    // A session that was ended must not come back with the power.
    db.pragma('synchronous = FULL');
    return db;
  } catch (error) {
    post({ kind: 'unusable', reason: reasonOf(error) });
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

class Runner {
  readonly #db: Database;
  readonly #statements = new Map<string, Sqlite.Statement<unknown[]>>();

  constructor(db: Database) {
    this.#db = db;
  }

  take(message: ToFile): void {
    if (message.kind === 'close') {
      this.#db.close();
      port.close();
      return;
    }
    const { id, sql, values } = message;
    try {
      post({ kind: 'done', id, ...this.#run(sql, values) });
    } catch (error) {
      post({ kind: 'failed', id, reason: reasonOf(error) });
    }
  }

  #run(sql: string, values: unknown[]): { rows: unknown[]; changes: number } {
    const statement = this.#statement(sql);
    if (statement.reader) return { rows: statement.all(...values), changes: 0 };
    return { rows: [], changes: statement.run(...values).changes };
  }

  #statement(sql: string): Sqlite.Statement<unknown[]> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#db.prepare<unknown[]>(sql);
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear();
    this.#statements.set(sql, made);
    return made;
  }
}

const db = open();
if (db !== undefined) {
  const runner = new Runner(db);
  port.on('message', (message: ToFile) => runner.take(message));
  post({ kind: 'opened' });
}
