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
  return { ...row, content, state: word(IMPORT_STATES, row.state) };
}

const WITHOUT_TEXT = [
  'reference',
  'digest',
  'state',
  'fault',
  'linesCount',
  'doneCount',
  'createdMs',
  'updatedMs',
] as const;

export function importRows(db: Kysely<PeopleDatabase>): ImportsStore {
  const all = () => db.selectFrom('account_imports').selectAll();
  return {
    addImport: async (one) => {
      const added = await db
        .insertInto('account_imports')
        .values(one)
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
        .orderBy('createdMs', 'desc')
        .orderBy('reference', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => importOf(row, ''));
    },
    nextImport: async () => {
      const row = await all()
        .where('state', '=', 'waiting')
        .orderBy('createdMs')
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
        .set({ state, fault, content, doneCount, updatedMs })
        .where('reference', '=', reference)
        .execute();
    },
    pruneImports: async (beforeMs) => {
      await db
        .deleteFrom('account_imports')
        .where('state', '!=', 'waiting')
        .where('updatedMs', '<', beforeMs)
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
    accountId: accountId(row.accountId),
    level: row.level,
    volume: BigInt(row.volume),
    countedMs: row.countedMs,
    applied: ratesOf(row.appliedTakerPpm, row.appliedMakerPpm),
    wanted: ratesOf(row.wantedTakerPpm, row.wantedMakerPpm),
  };
}

export function feeLevelRows(db: Kysely<PeopleDatabase>): FeeLevelsStore {
  const all = () => db.selectFrom('fee_levels').selectAll();
  return {
    feeLevel: async (id) => {
      const row = await all().where('accountId', '=', id).executeTakeFirst();
      return row && levelOf(row);
    },
    feeLevels: async (after, limit) => {
      const rows = await all()
        .where('accountId', '>', after ?? 0)
        .orderBy('accountId')
        .limit(limit)
        .execute();
      return rows.map(levelOf);
    },
    putFeeLevel: async ({ accountId: id, level, volume, countedMs, applied, wanted }) => {
      const columns = {
        level,
        volume: String(volume),
        countedMs,
        appliedTakerPpm: applied.takerFeePpm ?? NO_RATE,
        appliedMakerPpm: applied.makerFeePpm ?? NO_RATE,
        wantedTakerPpm: wanted.takerFeePpm ?? NO_RATE,
        wantedMakerPpm: wanted.makerFeePpm ?? NO_RATE,
      };
      await db
        .insertInto('fee_levels')
        .values({ accountId: id, ...columns })
        .onConflict((conflict) => conflict.column('accountId').doUpdateSet(columns))
        .execute();
    },
  };
}
