/** Imports of accounts. */
import type { Kysely, Selectable } from 'kysely';
import { listedBehind } from '../store/listed-behind.ts';
import type { PeopleDatabase } from '../store/tables.ts';
import { word } from '../store/words.ts';
import { type AccountImport, IMPORT_STATES, type ImportsStore } from './port.ts';

type Row = Selectable<PeopleDatabase['account_imports']>;

function importOf(row: Omit<Row, 'content'>, content: string): AccountImport {
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
