/** The log of what operators do: appended behind its newest entry, never changed. */
import { type Kysely, type Selectable, sql } from 'kysely';
import type { PeopleDatabase } from '../store/tables.ts';
import { word } from '../store/words.ts';
import {
  ACTION_OUTCOMES,
  type ActionLogStore,
  type ActionOutcome,
  type ActionsQuery,
  type LogEntry,
  type LoggedAction,
  type LogHead,
} from './action-log-port.ts';
import { OPERATOR_ROLES } from './port.ts';

type LogRow = Selectable<PeopleDatabase['operator_log']>;

const NO_ENTRY: LogHead = { entryId: 0, hash: '' };

export function actionRows(db: Kysely<PeopleDatabase>): ActionLogStore {
  return {
    logHead: () => logHead(db),
    trimmedLog: () => trimmedLog(db),
    appendLog: (head, entries) => append(db, head, entries),
    logEntries: async (after, limit) => {
      const rows = await db
        .selectFrom('operator_log')
        .selectAll()
        .where('entryId', '>', after)
        .orderBy('entryId')
        .limit(limit)
        .execute();
      return rows.map(entryOf);
    },
    actions: (query) => actions(db, query),
    trimLog: (beforeMs, keepMax) => trim(db, beforeMs, keepMax),
  };
}

async function trimmedLog(db: Kysely<PeopleDatabase>): Promise<LogHead | undefined> {
  return db
    .selectFrom('operator_log_ends')
    .select(['entryId', 'hash'])
    .where('name', '=', 'trimmed')
    .executeTakeFirst();
}

async function logHead(db: Kysely<PeopleDatabase>): Promise<LogHead> {
  const last = await db
    .selectFrom('operator_log')
    .select(['entryId', 'hash'])
    .orderBy('entryId', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ?? (await trimmedLog(db)) ?? NO_ENTRY;
}

/** One statement, so all or none: of several processes the others find their numbers taken. */
async function append(
  db: Kysely<PeopleDatabase>,
  head: LogHead,
  entries: readonly LogEntry[],
): Promise<boolean> {
  try {
    await db
      .insertInto('operator_log')
      .values([...entries])
      .execute();
    return true;
  } catch (error) {
    const now = await logHead(db);
    if (now.entryId === head.entryId && now.hash === head.hash) throw error;
    // Ours after all, where only the answer was lost.
    return now.hash === entries.at(-1)?.hash;
  }
}

/** A part of a text, in any case; what stands for others in a pattern stands for itself. */
function part(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
}

async function actions(
  db: Kysely<PeopleDatabase>,
  { who, kind, account, fromMs, untilMs, text, before, limit }: ActionsQuery,
): Promise<readonly LoggedAction[]> {
  const has = (column: string, pattern: string) =>
    sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
  let query = db
    .selectFrom('operator_log as begun')
    .leftJoin('operator_log as ended', (join) =>
      join.onRef('ended.actionId', '=', 'begun.actionId').on('ended.outcome', '<>', ''),
    )
    .selectAll('begun')
    .select(['ended.outcome as endedAs', 'ended.answer as endedWith'])
    .where('begun.outcome', '=', '')
    .orderBy('begun.entryId', 'desc')
    .limit(limit);
  if (who !== undefined) {
    query = query.where((one) =>
      one.or([one('begun.operatorId', '=', who), has('begun.operatorName', part(who))]),
    );
  }
  if (kind !== undefined) query = query.where(has('begun.kind', part(kind)));
  if (account !== undefined) query = query.where('begun.account', '=', account);
  if (fromMs !== undefined) query = query.where('begun.timeMs', '>=', fromMs);
  if (untilMs !== undefined) query = query.where('begun.timeMs', '<', untilMs);
  if (before !== undefined) query = query.where('begun.entryId', '<', before);
  if (text !== undefined) {
    const columns = ['path', 'reason', 'asked', 'address', 'requestId', 'operatorName'];
    const names = [...columns.map((name) => `begun.${name}`), 'ended.answer'];
    query = query.where((one) => one.or(names.map((name) => has(name, part(text)))));
  }
  return (await query.execute()).map(({ endedAs, endedWith, ...row }) => ({
    ...entryOf(row),
    outcome: outcomeOf(endedAs ?? '') || undefined,
    answer: endedWith ?? '',
  }));
}

async function trim(db: Kysely<PeopleDatabase>, beforeMs: number, keepMax: number): Promise<void> {
  await db.transaction().execute(async (all) => {
    const head = await logHead(all);
    const last = await all
      .selectFrom('operator_log')
      .select(['entryId', 'hash'])
      .where((one) =>
        one.or([one('timeMs', '<', beforeMs), one('entryId', '<=', head.entryId - keepMax)]),
      )
      .orderBy('entryId', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (last === undefined) return;
    await all.deleteFrom('operator_log').where('entryId', '<=', last.entryId).execute();
    const { entryId, hash } = last;
    await all
      .insertInto('operator_log_ends')
      .values({ name: 'trimmed', entryId, hash })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ entryId, hash }))
      .execute();
  });
}

function entryOf(row: LogRow): LogEntry {
  return { ...row, role: word(OPERATOR_ROLES, row.role), outcome: outcomeOf(row.outcome) };
}

function outcomeOf(text: string): ActionOutcome | '' {
  return text === '' ? '' : word(ACTION_OUTCOMES, text);
}
