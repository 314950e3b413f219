/** What happened, and what failed in a row; and what is over is deleted. */
import { type Kysely, sql } from 'kysely';
import type { PeopleStore } from '../port.ts';
import { dropUnproved } from './personal-rows.ts';
import { eventOf } from './rows.ts';
import type { PeopleDatabase } from './tables.ts';

export function eventRows(
  db: Kysely<PeopleDatabase>,
): Pick<PeopleStore, 'addEvent' | 'events' | 'prune'> {
  return {
    addEvent: async ({ personId, kind, address, agent, detail, timeMs }) => {
      const values = { person_id: personId, kind, address, agent, detail, time_ms: timeMs };
      await db.insertInto('security_events').values(values).execute();
    },
    events: async ({ personId, kind, before, limit }) => {
      let query = db
        .selectFrom('security_events')
        .selectAll()
        .orderBy('event_id', 'desc')
        .limit(limit);
      if (personId !== undefined) query = query.where('person_id', '=', personId);
      if (kind !== undefined) query = query.where('kind', '=', kind);
      if (before !== undefined) query = query.where('event_id', '<', before);
      return (await query.execute()).map(eventOf);
    },
    prune: async ({ nowMs, eventsBeforeMs, failuresBeforeMs, unprovedBeforeMs }) => {
      await db.deleteFrom('sessions').where('expires_ms', '<=', nowMs).execute();
      await db.deleteFrom('links').where('expires_ms', '<=', nowMs).execute();
      await db.deleteFrom('access_codes').where('expires_ms', '<=', nowMs).execute();
      await db.deleteFrom('security_events').where('time_ms', '<', eventsBeforeMs).execute();
      await db.deleteFrom('failures').where('last_ms', '<', failuresBeforeMs).execute();
      await dropUnproved(db, unprovedBeforeMs);
    },
  };
}

/** PostgreSQL takes a value beside others for a small one. */
function whole(value: number) {
  return sql<number>`cast(${value} as bigint)`;
}

type FailureRows = Pick<
  PeopleStore,
  'failures' | 'noteAttempt' | 'takeBackAttempt' | 'holdOff' | 'forgetFailures'
>;

export function failureRows(db: Kysely<PeopleDatabase>): FailureRows {
  return {
    failures: async (subject) => {
      const row = await db
        .selectFrom('failures')
        .select(['count', 'until_ms as untilMs'])
        .where('subject', '=', subject)
        .executeTakeFirst();
      return row;
    },
    noteAttempt: async ({ subject, nowMs, forgetBeforeMs, freeMax, momentMs }) => {
      const row = await db
        .insertInto('failures')
        .values({ subject, count: 1, last_ms: nowMs, until_ms: 0 })
        .onConflict((conflict) =>
          conflict
            .column('subject')
            .doUpdateSet((one) => ({
              count: one
                .case()
                .when('failures.last_ms', '<', forgetBeforeMs)
                .then(whole(1))
                .else(one('failures.count', '+', 1))
                .end(),
              last_ms: whole(nowMs),
              until_ms: one
                .case()
                .when('failures.count', '>=', freeMax)
                .then(whole(nowMs + momentMs))
                .else(whole(0))
                .end(),
            }))
            .where('failures.until_ms', '<=', nowMs),
        )
        .returning('count')
        .executeTakeFirst();
      return row?.count;
    },
    takeBackAttempt: async (subject) => {
      await db
        .updateTable('failures')
        .set((one) => ({ count: one('count', '-', 1), until_ms: 0 }))
        .where('subject', '=', subject)
        .where('count', '>', 0)
        .execute();
    },
    holdOff: async (subject, untilMs) => {
      await db
        .updateTable('failures')
        .set({ until_ms: untilMs })
        .where('subject', '=', subject)
        .execute();
    },
    forgetFailures: async (subject) => {
      await db.deleteFrom('failures').where('subject', '=', subject).execute();
    },
  };
}
