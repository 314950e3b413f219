/** People in PostgreSQL: every process of a cluster uses the same tables, in a schema of theirs. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type CustomTypesConfig, Pool, types } from 'pg';
import { PeopleUnavailable } from '#domain';
import type { PeopleStore } from '../port.ts';
import type { StorePart } from '../store/part.ts';
import { PEOPLE_SCHEMA, type PeopleSchema, prepare, withPart } from '../store/schema.ts';
import { storeOver } from '../store/store.ts';
import { type PeopleDatabase, PLUGINS } from '../store/tables.ts';

/** Not that of the history, which may be dropped and is made again. */
const SCHEMA = 'outcry_people';
/** Whoever holds it may change the tables; it goes with the transaction. */
const LOCK = sql`select pg_advisory_xact_lock(hashtext('outcry people'))`;
const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 4;

const INT8 = types.builtins.INT8;
/** Whole numbers come as text otherwise; all of ours are below 2^53. */
const TYPES: CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 ? Number : types.getTypeParser(oid, format)),
};

/** Opens the tables, making what is missing. Rejects with PeopleUnavailable. */
export async function openPostgresPeople<Added extends object>(
  url: string,
  part: StorePart<Added>,
  schema: PeopleSchema = PEOPLE_SCHEMA,
): Promise<PeopleStore & Added> {
  const pool = new Pool({
    connectionString: url,
    application_name: 'outcry people',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    options: `-c search_path=${SCHEMA}`,
    types: TYPES,
    max: CONNECTIONS_MAX,
    allowExitOnIdle: true,
  });
  // It broke: a statement that is under way fails by itself, the next one makes another connection.
  pool.on('error', () => undefined);
  // The pool hears this of idle connections only; of one in use nobody would.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<PeopleDatabase>({
    dialect: new PostgresDialect({ pool }),
    plugins: PLUGINS,
  });
  const place = new URL(url).host;
  try {
    // Of several processes that start at once one makes it; the others' failure says no more.
    await sql`create schema if not exists ${sql.id(SCHEMA)}`.execute(db).catch(() => undefined);
    const making = {
      place: `in PostgreSQL at ${place}`,
      numbers: 'bigserial',
      schema: SCHEMA,
    } as const;
    await prepare(db, { ...making, lock: LOCK }, withPart(schema, part));
  } catch (error) {
    await db.destroy();
    throw unavailable(place, error);
  }
  return guarded(storeOver(db, part), place);
}

/** Whatever the database says is one thing to callers: it cannot be asked now. */
function guarded<Store extends PeopleStore>(store: Store, place: string): Store {
  return new Proxy(store, {
    get: (target, name, receiver) => {
      const found: unknown = Reflect.get(target, name, receiver);
      if (typeof found !== 'function') return found;
      return async (...given: unknown[]) => {
        try {
          return await Reflect.apply(found, target, given);
        } catch (error) {
          throw unavailable(place, error);
        }
      };
    },
  });
}

function unavailable(place: string, cause: unknown): PeopleUnavailable {
  if (cause instanceof PeopleUnavailable) return cause;
  return new PeopleUnavailable(`people in PostgreSQL at ${place}: ${textOf(cause)}`, { cause });
}

/** A name with several addresses that all fail has an empty text of its own. */
function textOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(textOf).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}
