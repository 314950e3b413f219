/** The log of what operators do: appended behind its newest entry, never changed. */
import { type Kysely, type Selectable, sql } from 'kysely';
import {
  ACTION_OUTCOMES,
  type ActionLogStore,
  type ActionOutcome,
  type ActionsQuery,
  type LogEntry,
  type LoggedAction,
  type LogHead,
} from '../ports/action-log.ts';
import { OPERATOR_ROLES } from '../ports/operators.ts';
import { word } from './rows.ts';
import type { PeopleDatabase } from './tables.ts';

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
        .where('entry_id', '>', after)
        .orderBy('entry_id')
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
    .select(['entry_id as entryId', 'hash'])
    .where('name', '=', 'trimmed')
    .executeTakeFirst();
}

async function logHead(db: Kysely<PeopleDatabase>): Promise<LogHead> {
  const last = await db
    .selectFrom('operator_log')
    .select(['entry_id as entryId', 'hash'])
    .orderBy('entry_id', 'desc')
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
    await db.insertInto('operator_log').values(entries.map(rowOf)).execute();
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
      join.onRef('ended.action_id', '=', 'begun.action_id').on('ended.outcome', '<>', ''),
    )
    .selectAll('begun')
    .select(['ended.outcome as ended_as', 'ended.answer as ended_with'])
    .where('begun.outcome', '=', '')
    .orderBy('begun.entry_id', 'desc')
    .limit(limit);
  if (who !== undefined) {
    query = query.where((one) =>
      one.or([one('begun.operator_id', '=', who), has('begun.operator_name', part(who))]),
    );
  }
  if (kind !== undefined) query = query.where(has('begun.kind', part(kind)));
  if (account !== undefined) query = query.where('begun.account', '=', account);
  if (fromMs !== undefined) query = query.where('begun.time_ms', '>=', fromMs);
  if (untilMs !== undefined) query = query.where('begun.time_ms', '<', untilMs);
  if (before !== undefined) query = query.where('begun.entry_id', '<', before);
  if (text !== undefined) {
    const columns = ['path', 'reason', 'asked', 'address', 'request_id', 'operator_name'];
    const names = [...columns.map((name) => `begun.${name}`), 'ended.answer'];
    query = query.where((one) => one.or(names.map((name) => has(name, part(text)))));
  }
  return (await query.execute()).map((row) => ({
    ...entryOf(row),
    outcome: outcomeOf(row.ended_as ?? '') || undefined,
    answer: row.ended_with ?? '',
  }));
}

async function trim(db: Kysely<PeopleDatabase>, beforeMs: number, keepMax: number): Promise<void> {
  await db.transaction().execute(async (all) => {
    const head = await logHead(all);
    const last = await all
      .selectFrom('operator_log')
      .select(['entry_id', 'hash'])
      .where((one) =>
        one.or([one('time_ms', '<', beforeMs), one('entry_id', '<=', head.entryId - keepMax)]),
      )
      .orderBy('entry_id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (last === undefined) return;
    await all.deleteFrom('operator_log').where('entry_id', '<=', last.entry_id).execute();
    const { entry_id, hash } = last;
    await all
      .insertInto('operator_log_ends')
      .values({ name: 'trimmed', entry_id, hash })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ entry_id, hash }))
      .execute();
  });
}

function rowOf(entry: LogEntry): LogRow {
  return {
    entry_id: entry.entryId,
    action_id: entry.actionId,
    time_ms: entry.timeMs,
    operator_id: entry.operatorId,
    operator_name: entry.operatorName,
    role: entry.role,
    kind: entry.kind,
    path: entry.path,
    account: entry.account,
    address: entry.address,
    request_id: entry.requestId,
    reason: entry.reason,
    asked: entry.asked,
    outcome: entry.outcome,
    answer: entry.answer,
    hash: entry.hash,
  };
}

function entryOf(row: LogRow): LogEntry {
  return {
    entryId: row.entry_id,
    actionId: row.action_id,
    timeMs: row.time_ms,
    operatorId: row.operator_id,
    operatorName: row.operator_name,
    role: word(OPERATOR_ROLES, row.role),
    kind: row.kind,
    path: row.path,
    account: row.account,
    address: row.address,
    requestId: row.request_id,
    reason: row.reason,
    asked: row.asked,
    outcome: outcomeOf(row.outcome),
    answer: row.answer,
    hash: row.hash,
  };
}

function outcomeOf(text: string): ActionOutcome | '' {
  return text === '' ? '' : word(ACTION_OUTCOMES, text);
}
