/** Sessions, by the hashes of their tokens. */
import { type Kysely, sql } from 'kysely';
import type { OpenSession, PeopleStore, SessionHolder } from '../port.ts';
import { OPERATOR_ROLES } from '../ports/operators.ts';
import { accessOfAll } from './people-rows.ts';
import { sessionOf, sessionRow, word } from './rows.ts';
import type { PeopleDatabase } from './tables.ts';

type Sessions = Pick<
  PeopleStore,
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
      await db.insertInto('sessions').values(sessionRow(session)).execute();
      return endOldest(db, session.personId, keepMax);
    },
    openSessions: async (tokenHashes) => openSessions(db, tokenHashes),
    sessionsOf: async (personId) => {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('person_id', '=', personId)
        .orderBy('last_seen_ms', 'desc')
        .execute();
      return rows.map(sessionOf);
    },
    touchSession: async (sessionId, lastSeenMs) => {
      await db
        .updateTable('sessions')
        .set({ last_seen_ms: lastSeenMs })
        .where('session_id', '=', sessionId)
        .where('last_seen_ms', '<', lastSeenMs)
        .execute();
    },
    renewSession: async (sessionId, { tokenHash, confirmedMs }) => {
      const renewed = await db
        .updateTable('sessions')
        .set({
          ...(tokenHash === undefined ? {} : { token_hash: tokenHash }),
          ...(confirmedMs === undefined ? {} : { confirmed_ms: confirmedMs }),
        })
        .where('session_id', '=', sessionId)
        .returning('session_id')
        .executeTakeFirst();
      return renewed !== undefined;
    },
    endSession: async (personId, sessionId) => {
      const ended = await db
        .deleteFrom('sessions')
        .where('person_id', '=', personId)
        .where('session_id', '=', sessionId)
        .returning('session_id')
        .executeTakeFirst();
      return ended !== undefined;
    },
    endSessions: async (personId, except = '') => {
      const ended = await db
        .deleteFrom('sessions')
        .where('person_id', '=', personId)
        .where('session_id', '<>', except)
        .returning('session_id')
        .execute();
      return ended.map((row) => row.session_id);
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
    .select('session_id')
    .where('person_id', '=', personId)
    .orderBy('last_seen_ms', 'desc')
    .orderBy('session_id')
    .limit(keepMax);
  const ended = await db
    .deleteFrom('sessions')
    .where('person_id', '=', personId)
    .where('session_id', 'not in', kept)
    .returning('session_id')
    .execute();
  return ended.map((row) => row.session_id);
}

async function openSessions(
  db: Kysely<PeopleDatabase>,
  tokenHashes: readonly string[],
): Promise<readonly OpenSession[]> {
  if (tokenHashes.length === 0) return [];
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('people', 'people.person_id', 'sessions.person_id')
    .leftJoin('operators', 'operators.person_id', 'sessions.person_id')
    .selectAll('sessions')
    .select(['people.email', 'people.sealed_factor', 'operators.role'])
    .where('token_hash', 'in', tokenHashes)
    .where('people.state', '=', sql.lit('active'))
    .execute();
  const personIds = [...new Set(rows.map((row) => row.person_id))];
  const access = await accessOfAll(db, personIds);
  return rows.map((row) => ({
    session: sessionOf(row),
    holder: holderOf(row),
    access: access.get(row.person_id) ?? [],
  }));
}

function holderOf(row: {
  readonly email: string;
  readonly sealed_factor: string | null;
  readonly role: string | null;
}): SessionHolder {
  const { email, sealed_factor: factor, role } = row;
  return {
    email,
    hasSecondFactor: factor !== null,
    role: role === null ? undefined : word(OPERATOR_ROLES, role),
  };
}
