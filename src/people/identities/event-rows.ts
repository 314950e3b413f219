/** What happened, and what failed in a row. */
import { type Kysely, sql } from 'kysely';
import type { PeopleDatabase } from '../store/tables.ts';
import type { Attempt, IdentitiesStore } from './port.ts';
import { eventOf } from './rows.ts';

export function eventRows(
  db: Kysely<PeopleDatabase>,
): Pick<IdentitiesStore, 'addEvent' | 'events'> {
  return {
    addEvent: async (event) => {
      await db.insertInto('security_events').values(event).execute();
    },
    events: async ({ personId, kind, before, limit }) => {
      let query = db
        .selectFrom('security_events')
        .selectAll()
        .orderBy('eventId', 'desc')
        .limit(limit);
      if (personId !== undefined) query = query.where('personId', '=', personId);
      if (kind !== undefined) query = query.where('kind', '=', kind);
      if (before !== undefined) query = query.where('eventId', '<', before);
      return (await query.execute()).map(eventOf);
    },
  };
}

/** PostgreSQL takes a value beside others for a small one. */
function whole(value: number) {
  return sql<number>`cast(${value} as bigint)`;
}

type FailureRows = Pick<
  IdentitiesStore,
  'failures' | 'heldUntil' | 'noteAttempt' | 'takeBackAttempt' | 'holdOff' | 'forgetFailures'
>;

export function failureRows(db: Kysely<PeopleDatabase>): FailureRows {
  return {
    failures: async ({ subject, network }) => {
      const row = await db
        .selectFrom('failures')
        .select(['count', 'untilMs'])
        .where('subject', '=', subject)
        .where('network', '=', network)
        .executeTakeFirst();
      return row;
    },
    heldUntil: async (subject) => {
      const { last } = await db
        .selectFrom('failures')
        .select((all) => all.fn.max<number | null>('untilMs').as('last'))
        .where('subject', '=', subject)
        .executeTakeFirstOrThrow();
      return Number(last ?? 0);
    },
    noteAttempt: (attempt) => noteAttempt(db, attempt),
    takeBackAttempt: async ({ subject, network }) => {
      await db
        .updateTable('failures')
        .set((one) => ({ count: one('count', '-', 1), untilMs: 0 }))
        .where('subject', '=', subject)
        .where('network', '=', network)
        .where('count', '>', 0)
        .execute();
    },
    holdOff: async ({ subject, network }, untilMs) => {
      await db
        .updateTable('failures')
        .set({ untilMs })
        .where('subject', '=', subject)
        .where('network', '=', network)
        .execute();
    },
    forgetFailures: async ({ subject, network }) => {
      let query = db.deleteFrom('failures').where('subject', '=', subject);
      if (network !== undefined) query = query.where('network', '=', network);
      await query.execute();
    },
  };
}

async function noteAttempt(
  db: Kysely<PeopleDatabase>,
  { subject, network, nowMs, forgetBeforeMs, freeMax, momentMs }: Attempt,
): Promise<number | undefined> {
  const row = await db
    .insertInto('failures')
    .values({ subject, network, count: 1, lastMs: nowMs, untilMs: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['subject', 'network'])
        .doUpdateSet((one) => ({
          count: one
            .case()
            .when('failures.lastMs', '<', forgetBeforeMs)
            .then(whole(1))
            .else(one('failures.count', '+', 1))
            .end(),
          lastMs: whole(nowMs),
          untilMs: one
            .case()
            .when('failures.count', '>=', freeMax)
            .then(whole(nowMs + momentMs))
            .else(whole(0))
            .end(),
        }))
        .where('failures.untilMs', '<=', nowMs),
    )
    .returning('count')
    .executeTakeFirst();
  return row?.count;
}
