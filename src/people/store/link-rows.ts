/** Links that work once, by the hashes of their tokens. */
import type { Kysely } from 'kysely';
import type { PeopleStore, WaitingLink } from '../port.ts';
import { IS_MAKER_IN_FORCE } from './makers-in-force.ts';
import { linkOf } from './rows.ts';
import type { PeopleDatabase } from './tables.ts';

type Links = Pick<
  PeopleStore,
  | 'addLink'
  | 'seeLink'
  | 'takeLink'
  | 'dropLinks'
  | 'waitingLinks'
  | 'waitingLink'
  | 'handOutLink'
  | 'dropMadeBy'
>;

export function linkRows(db: Kysely<PeopleDatabase>): Links {
  return {
    ...usedLinks(db),
    waitingLinks: async ({ personId, nowMs, limit }) => {
      const rows = await waiting(db, nowMs)
        .$if(personId === undefined, (all) => all.where('is_mailed', '=', 0))
        .$if(personId !== undefined, (all) => all.where('links.person_id', '=', personId ?? ''))
        .orderBy('links.created_ms', 'desc')
        .orderBy('link_id')
        .limit(limit)
        .execute();
      return rows.map(waitingOf);
    },
    waitingLink: async (linkId, nowMs) => {
      const row = await waiting(db, nowMs).where('link_id', '=', linkId).executeTakeFirst();
      return row && waitingOf(row);
    },
    handOutLink: async (linkId, { tokenHash, madeBy, nowMs }) => {
      const handed = await db
        .updateTable('links')
        .set({ token_hash: tokenHash, made_by: madeBy.id, made_by_name: madeBy.name })
        .where('link_id', '=', linkId)
        .where('expires_ms', '>', nowMs)
        .returning('link_id')
        .executeTakeFirst();
      return handed !== undefined;
    },
    dropMadeBy: async (operatorId) => {
      for (const table of ['links', 'invitations'] as const) {
        await db.deleteFrom(table).where('made_by', '=', operatorId).execute();
      }
    },
  };
}

function usedLinks(
  db: Kysely<PeopleDatabase>,
): Pick<Links, 'addLink' | 'seeLink' | 'takeLink' | 'dropLinks'> {
  return {
    addLink: async (link) => {
      const { linkId, tokenHash, kind, personId, madeBy, email } = link;
      const named = { link_id: linkId, token_hash: tokenHash, kind, person_id: personId };
      const made = { made_by: madeBy.id, made_by_name: madeBy.name };
      const times = { created_ms: link.createdMs, expires_ms: link.expiresMs };
      await db
        .insertInto('links')
        .values({
          ...named,
          ...made,
          ...times,
          is_mailed: Number(link.isMailed),
          email: email ?? null,
        })
        .execute();
    },
    takeLink: async (tokenHash, nowMs) => {
      const row = await db
        .deleteFrom('links')
        .where('token_hash', '=', tokenHash)
        .where(IS_MAKER_IN_FORCE)
        .returningAll()
        .executeTakeFirst();
      return row === undefined || row.expires_ms <= nowMs ? undefined : linkOf(row);
    },
    seeLink: async (tokenHash, nowMs) => {
      const row = await db
        .selectFrom('links')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .where('expires_ms', '>', nowMs)
        .where(IS_MAKER_IN_FORCE)
        .executeTakeFirst();
      return row && linkOf(row);
    },
    dropLinks: async (personId, kind) => {
      await db
        .deleteFrom('links')
        .where('person_id', '=', personId)
        .where('kind', '=', kind)
        .execute();
    },
  };
}

/** With the address of the person. */
function waiting(db: Kysely<PeopleDatabase>, nowMs: number) {
  return db
    .selectFrom('links')
    .innerJoin('people', 'people.person_id', 'links.person_id')
    .selectAll('links')
    .select('people.email as address')
    .where('links.expires_ms', '>', nowMs);
}

function waitingOf(row: Parameters<typeof linkOf>[0] & { readonly address: string }): WaitingLink {
  const { tokenHash: _tokenHash, ...link } = linkOf(row);
  return { ...link, email: link.email ?? row.address };
}
