/** Imports of accounts, and the fee levels of accounts. */
import type { Kysely, Selectable } from 'kysely';
import { accountId } from '#domain';
import type { AccountLevel, FeeLevelsStore, LevelRates } from '../ports/fee-levels.ts';
import { type AccountImport, IMPORT_STATES, type ImportsStore } from '../ports/imports.ts';
import { listedBehind } from './listed-behind.ts';
import { word } from './rows.ts';
import type { PeopleDatabase } from './tables.ts';

type Row<T extends keyof PeopleDatabase> = Selectable<PeopleDatabase[T]>;

/** A rate that is each market's own. */
const NO_RATE = -1;

function importOf(row: Omit<Row<'account_imports'>, 'content'>, content: string): AccountImport {
  return {
    reference: row.reference,
    digest: row.digest,
    content,
    state: word(IMPORT_STATES, row.state),
    fault: row.fault,
    linesCount: row.lines_count,
    doneCount: row.done_count,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
  };
}

const WITHOUT_TEXT = [
  'reference',
  'digest',
  'state',
  'fault',
  'lines_count',
  'done_count',
  'created_ms',
  'updated_ms',
] as const;

export function importRows(db: Kysely<PeopleDatabase>): ImportsStore {
  const all = () => db.selectFrom('account_imports').selectAll();
  return {
    addImport: async (one) => {
      const added = await db
        .insertInto('account_imports')
        .values({
          reference: one.reference,
          digest: one.digest,
          content: one.content,
          state: one.state,
          fault: one.fault,
          lines_count: one.linesCount,
          done_count: one.doneCount,
          created_ms: one.createdMs,
          updated_ms: one.updatedMs,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('reference')
        .executeTakeFirst();
      return added !== undefined;
    },
    accountImport: async (reference) => {
      const row = await all().where('reference', '=', reference).executeTakeFirst();
      return row && importOf(row, row.content);
    },
    imports: async (limit, before) => {
      const rows = await db
        .selectFrom('account_imports')
        .select(WITHOUT_TEXT)
        .where(listedBehind('account_imports', before))
        .orderBy('created_ms', 'desc')
        .orderBy('reference', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => importOf(row, ''));
    },
    nextImport: async () => {
      const row = await all()
        .where('state', '=', 'waiting')
        .orderBy('created_ms')
        .orderBy('reference')
        .executeTakeFirst();
      return row && importOf(row, row.content);
    },
    waitingImportsCount: async () => {
      const { waiting } = await db
        .selectFrom('account_imports')
        .select((one) => one.fn.countAll<number>().as('waiting'))
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow();
      return Number(waiting);
    },
    moveImport: async (reference, { state, fault, doneCount, content, updatedMs }) => {
      await db
        .updateTable('account_imports')
        .set({ state, fault, content, done_count: doneCount, updated_ms: updatedMs })
        .where('reference', '=', reference)
        .execute();
    },
    pruneImports: async (beforeMs) => {
      await db
        .deleteFrom('account_imports')
        .where('state', '!=', 'waiting')
        .where('updated_ms', '<', beforeMs)
        .execute();
    },
  };
}

function ratesOf(takerPpm: number, makerPpm: number): LevelRates {
  return {
    takerFeePpm: takerPpm === NO_RATE ? null : takerPpm,
    makerFeePpm: makerPpm === NO_RATE ? null : makerPpm,
  };
}

function levelOf(row: Row<'fee_levels'>): AccountLevel {
  return {
    accountId: accountId(row.account_id),
    level: row.level,
    volume: BigInt(row.volume),
    countedMs: row.counted_ms,
    applied: ratesOf(row.applied_taker_ppm, row.applied_maker_ppm),
    wanted: ratesOf(row.wanted_taker_ppm, row.wanted_maker_ppm),
  };
}

export function feeLevelRows(db: Kysely<PeopleDatabase>): FeeLevelsStore {
  const all = () => db.selectFrom('fee_levels').selectAll();
  return {
    feeLevel: async (id) => {
      const row = await all().where('account_id', '=', id).executeTakeFirst();
      return row && levelOf(row);
    },
    feeLevels: async (after, limit) => {
      const rows = await all()
        .where('account_id', '>', after ?? 0)
        .orderBy('account_id')
        .limit(limit)
        .execute();
      return rows.map(levelOf);
    },
    putFeeLevel: async ({ accountId: id, level, volume, countedMs, applied, wanted }) => {
      const columns = {
        level,
        volume: String(volume),
        counted_ms: countedMs,
        applied_taker_ppm: applied.takerFeePpm ?? NO_RATE,
        applied_maker_ppm: applied.makerFeePpm ?? NO_RATE,
        wanted_taker_ppm: wanted.takerFeePpm ?? NO_RATE,
        wanted_maker_ppm: wanted.makerFeePpm ?? NO_RATE,
      };
      await db
        .insertInto('fee_levels')
        .values({ account_id: id, ...columns })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns))
        .execute();
    },
  };
}
