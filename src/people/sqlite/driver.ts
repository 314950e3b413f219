/** The file of people for kysely: statements go to the thread that has it, one user at a time. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { PeopleUnavailable } from '#domain';
import type { PeopleStore } from '../port.ts';
import type { StorePart } from '../store/part.ts';
import { PEOPLE_SCHEMA, type PeopleSchema, prepare, withPart } from '../store/schema.ts';
import { storeOver } from '../store/store.ts';
import { type PeopleDatabase, PLUGINS } from '../store/tables.ts';
import type { FileData, FromFile, ToFile } from './messages.ts';

/** Statements that may wait for the file: more are refused, so that none are piled up. */
const WAITING_MAX = 2_000;

interface Waiting {
  resolve(answer: Extract<FromFile, { kind: 'done' }>): void;
  reject(error: PeopleUnavailable): void;
}

/** The thread, and what it has been asked. */
class FileThread {
  readonly #file: string;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #ended: PeopleUnavailable | undefined;

  private constructor(file: string, worker: Worker) {
    this.#file = file;
    this.#worker = worker;
    worker.on('message', (message: FromFile) => this.#take(message));
    worker.on('error', (error: Error) => this.#end(error.message));
    worker.on('exit', () => this.#end('its thread has ended'));
  }

  static async open(file: string): Promise<FileThread> {
    const workerData: FileData = { file };
    const worker = new Worker(new URL('./people-worker.ts', import.meta.url), { workerData });
    const first: FromFile[] = await once(worker, 'message');
    const [message] = first;
    if (message?.kind === 'opened') return new FileThread(file, worker);
    await worker.terminate();
    const reason = message?.kind === 'unusable' ? message.reason : 'its thread says nothing';
    throw new PeopleUnavailable(`people ${file}: ${reason}`);
  }

  run(text: string, values: readonly unknown[]): Promise<Extract<FromFile, { kind: 'done' }>> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (this.#waiting.size >= WAITING_MAX) {
      return Promise.reject(this.#unavailable('too many wait for it'));
    }
    this.#lastId += 1;
    const id = this.#lastId;
    const message: ToFile = { kind: 'run', id, sql: text, values: [...values] };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage(message);
    });
  }

  async close(): Promise<void> {
    if (this.#ended !== undefined) return;
    const message: ToFile = { kind: 'close' };
    const exit = once(this.#worker, 'exit');
    this.#worker.postMessage(message);
    await exit;
  }

  #take(message: FromFile): void {
    if (message.kind !== 'done' && message.kind !== 'failed') return;
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === 'done') waiting?.resolve(message);
    else waiting?.reject(this.#unavailable(message.reason));
  }

  #end(reason: string): void {
    this.#ended ??= this.#unavailable(reason);
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended);
    this.#waiting.clear();
  }

  #unavailable(reason: string): PeopleUnavailable {
    return new PeopleUnavailable(`people ${this.#file}: ${reason}`);
  }
}

class FileConnection implements DatabaseConnection {
  readonly #thread: FileThread;

  constructor(thread: FileThread) {
    this.#thread = thread;
  }

  async executeQuery<Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes } = await this.#thread.run(text, parameters);
    return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
  }

  // biome-ignore lint/correctness/useYield: the store reads whole pages and streams nothing
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('people are read in pages');
  }
}

/** One connection, so a transaction has the file to itself. */
class FileDriver implements Driver {
  readonly #thread: FileThread;
  readonly #connection: FileConnection;
  #last: Promise<void> = Promise.resolve();
  #release: (() => void) | undefined;

  constructor(thread: FileThread) {
    this.#thread = thread;
    this.#connection = new FileConnection(thread);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    this.#release = resolve;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release?.();
  }

  async beginTransaction(): Promise<void> {
    await this.#thread.run('begin immediate', []);
  }

  async commitTransaction(): Promise<void> {
    await this.#thread.run('commit', []);
  }

  async rollbackTransaction(): Promise<void> {
    await this.#thread.run('rollback', []);
  }

  async destroy(): Promise<void> {
    await this.#thread.close();
  }
}

/** Opens the file, making what is missing. Rejects with PeopleUnavailable. */
export async function openSqlitePeople<Added extends object>(
  file: string,
  part: StorePart<Added>,
  schema: PeopleSchema = PEOPLE_SCHEMA,
): Promise<PeopleStore & Added> {
  const thread = await FileThread.open(file);
  const db = new Kysely<PeopleDatabase>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new FileDriver(thread),
      createIntrospector: (one) => new SqliteIntrospector(one),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    plugins: PLUGINS,
  });
  try {
    await sql`select 1`.execute(db);
    await prepare(db, { place: file, numbers: 'autoincrement' }, withPart(schema, part));
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return storeOver(db, part);
}
