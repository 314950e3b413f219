/**
 * Connections to the database that keeps the history. All tables are in one schema, which comes
 * first and alone in the search path, so that statements name tables only.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import {
  Client,
  type ClientConfig,
  type CustomTypesConfig,
  Pool,
  type QueryResult,
  types,
} from 'pg';
import type { Database } from '../tables/schema.ts';
import { asUnusable } from './errors.ts';
import { placeOf } from './place.ts';

export const SCHEMA = 'outcry';
/** Tables of a session, which go with it. */
export const TEMPORARY = 'pg_temp';

const CONNECT_TIMEOUT_MS = 3_000;
/** A page that takes longer finds a database that does not answer. */
const READ_TIMEOUT_MS = 10_000;
/** Of one statement of the writer: it inserts the rows of thousands of steps. */
const WRITE_TIMEOUT_MS = 30_000;
const READERS_MAX = 8;

const INT8 = types.builtins.INT8;
/** Whole numbers come as text otherwise; all of ours are below 2^53. */
const TYPES: CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 ? Number : types.getTypeParser(oid, format)),
};

function configOf(url: string, schema: string, timeoutMs: number): ClientConfig {
  return {
    connectionString: url,
    application_name: 'outcry',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    keepAlive: true,
    options: `-c search_path=${schema}`,
    types: TYPES,
  };
}

/** Runs one statement. */
type Run = (sql: string, values: readonly unknown[]) => Promise<QueryResult>;

/** Builds statements as PostgreSQL wants them, and hands them over. */
function kyselyOver(run: Run): Kysely<Database> {
  const connection: DatabaseConnection = {
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery) => {
      const { rows, rowCount } = await run(sql, parameters);
      return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
    },
    streamQuery: () => {
      throw new Error('the history is read in pages');
    },
  };
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new OneConnection(connection),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

/** Transactions are begun and ended by statements. */
class OneConnection extends DummyDriver {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    super();
    this.#connection = connection;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
}

/** One connection, for what belongs together in a transaction. Its errors are HistoryUnusable. */
export class Connection {
  readonly place: string;
  /** Inside whatever transaction is open. */
  readonly db: Kysely<Database> = kyselyOver((sql, values) => this.query(sql, values));
  readonly #client: Client;

  private constructor(place: string, client: Client) {
    this.place = place;
    this.#client = client;
  }

  static async open(url: string, schema: string = SCHEMA): Promise<Connection> {
    const place = placeOf(url);
    // Statements are sent without waiting for the answers to those before.
    const client = new Client({ ...configOf(url, schema, WRITE_TIMEOUT_MS), pipeline: true });
    // It broke while nothing was asked of it: the next statement fails.
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      throw asUnusable(place, error);
    }
    return new Connection(place, client);
  }

  /** A statement with a name is parsed once. */
  async query(sql: string, values: readonly unknown[] = [], name?: string): Promise<QueryResult> {
    try {
      return await this.#client.query({ text: sql, values: [...values], ...(name && { name }) });
    } catch (error) {
      throw asUnusable(this.place, error);
    }
  }

  /** The first row; undefined when there is none. */
  async first<Row>(sql: string): Promise<Row | undefined> {
    const { rows } = await this.query(sql);
    return rows[0] as Row | undefined;
  }

  /** All or nothing of what `work` does. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.query('begin');
    try {
      const result = await work();
      await this.query('commit');
      return result;
    } catch (error) {
      // Where the connection is gone, so is the transaction.
      await this.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  /** A transaction that is open on it ends with nothing done. */
  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }
}

/** As many connections as pages are read at once, made when they are needed. */
export interface ReadingPool {
  readonly db: Kysely<Database>;
  close(): Promise<void>;
}

/** `failing` makes of an error what a reader is given; `ready` comes before each statement. */
export function openReadingPool(
  url: string,
  failing: (error: unknown) => Error,
  ready: () => Promise<void>,
): ReadingPool {
  const pool = new Pool({
    ...configOf(url, SCHEMA, READ_TIMEOUT_MS),
    max: READERS_MAX,
    allowExitOnIdle: true,
  });
  pool.on('error', () => undefined);
  const db = kyselyOver(async (sql, values) => {
    try {
      await ready();
      return await pool.query(sql, [...values]);
    } catch (error) {
      throw failing(error);
    }
  });
  return { db, close: () => pool.end() };
}
