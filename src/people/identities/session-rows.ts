/** Sessions, by the hashes of their tokens. */
import { type Kysely, sql } from 'kysely';
import { accessOfAll } from '../access/access-rows.ts';
import { OPERATOR_ROLES } from '../operators/port.ts';
import type { PeopleDatabase } from '../store/tables.ts';
import { word } from '../store/words.ts';
import type { IdentitiesStore, OpenSession } from './port.ts';

type Sessions = Pick<
  IdentitiesStore,
  | 'addSession'
  | 'openSessions'
  | 'sessionsOf'
  | 'touchSession'
  | 'renewSession'
  | 'endSession'
  | 'endSessions'
>;

export function sessionRows(db: Kysely<PeopleDatabase>): Sessions {
  return {
    addSession: async (session, keepMax) => {
      await db.insertInto('sessions').values(session).execute();
      return endOldest(db, session.personId, keepMax);
    },
    openSessions: async (tokenHashes) => openSessions(db, tokenHashes),
    sessionsOf: (personId) =>
      db
        .selectFrom('sessions')
        .selectAll()
        .where('personId', '=', personId)
        .orderBy('lastSeenMs', 'desc')
        .execute(),
    touchSession: async (sessionId, lastSeenMs) => {
      await db
        .updateTable('sessions')
        .set({ lastSeenMs })
        .where('sessionId', '=', sessionId)
        .where('lastSeenMs', '<', lastSeenMs)
        .execute();
    },
    renewSession: async (sessionId, { tokenHash, confirmedMs }) => {
      const renewed = await db
        .updateTable('sessions')
        .set({
          tokenHash,
          confirmedMs,
        })
        .where('sessionId', '=', sessionId)
        .returning('sessionId')
        .executeTakeFirst();
      return renewed !== undefined;
    },
    endSession: async (personId, sessionId) => {
      const ended = await db
        .deleteFrom('sessions')
        .where('personId', '=', personId)
        .where('sessionId', '=', sessionId)
        .returning('sessionId')
        .executeTakeFirst();
      return ended !== undefined;
    },
    endSessions: async (personId, except = '') => {
      const ended = await db
        .deleteFrom('sessions')
        .where('personId', '=', personId)
        .where('sessionId', '<>', except)
        .returning('sessionId')
        .execute();
      return ended.map((row) => row.sessionId);
    },
  };
}

/** Those that were used last stay. */
async function endOldest(
  db: Kysely<PeopleDatabase>,
  personId: string,
  keepMax: number,
): Promise<readonly string[]> {
  const kept = db
    .selectFrom('sessions')
    .select('sessionId')
    .where('personId', '=', personId)
    .orderBy('lastSeenMs', 'desc')
    .orderBy('sessionId')
    .limit(keepMax);
  const ended = await db
    .deleteFrom('sessions')
    .where('personId', '=', personId)
    .where('sessionId', 'not in', kept)
    .returning('sessionId')
    .execute();
  return ended.map((row) => row.sessionId);
}

async function openSessions(
  db: Kysely<PeopleDatabase>,
  tokenHashes: readonly string[],
): Promise<readonly OpenSession[]> {
  if (tokenHashes.length === 0) return [];
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('people', 'people.personId', 'sessions.personId')
    .leftJoin('operators', 'operators.personId', 'sessions.personId')
    .selectAll('sessions')
    .select(['people.email', 'people.sealedFactor', 'operators.role'])
    .where('tokenHash', 'in', tokenHashes)
    .where('people.state', '=', sql.lit('active'))
    .execute();
  const personIds = [...new Set(rows.map((row) => row.personId))];
  const access = await accessOfAll(db, personIds);
  return rows.map(({ email, sealedFactor, role, ...session }) => ({
    session,
    holder: {
      email,
      hasSecondFactor: sealedFactor !== null,
      role: role === null ? undefined : word(OPERATOR_ROLES, role),
    },
    access: access.get(session.personId) ?? [],
  }));
}
