/** Links that work once, by the hashes of their tokens. */
import type { Kysely } from 'kysely';
import { IS_MAKER_IN_FORCE } from '../operators/makers-in-force.ts';
import type { PeopleDatabase } from '../store/tables.ts';
import type { IdentitiesStore, WaitingLink } from './port.ts';
import { linkOf } from './rows.ts';

type Links = Pick<
  IdentitiesStore,
  | 'addLink'
  | 'seeLink'
  | 'takeLink'
  | 'dropLinks'
  | 'hasLink'
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
        .$if(personId === undefined, (all) => all.where('isMailed', '=', 0))
        .$if(personId !== undefined, (all) => all.where('links.personId', '=', personId ?? ''))
        .orderBy('links.createdMs', 'desc')
        .orderBy('linkId')
        .limit(limit)
        .execute();
      return rows.map(waitingOf);
    },
    waitingLink: async (linkId, nowMs) => {
      const row = await waiting(db, nowMs).where('linkId', '=', linkId).executeTakeFirst();
      return row && waitingOf(row);
    },
    hasLink: async (personId, kind, nowMs) => {
      const found = await db
        .selectFrom('links')
        .select('linkId')
        .where('personId', '=', personId)
        .where('kind', '=', kind)
        .where('expiresMs', '>', nowMs)
        .executeTakeFirst();
      return found !== undefined;
    },
    handOutLink: async (linkId, { tokenHash, madeBy, nowMs }) => {
      const handed = await db
        .updateTable('links')
        .set({ tokenHash, madeBy: madeBy.id, madeByName: madeBy.name })
        .where('linkId', '=', linkId)
        .where('expiresMs', '>', nowMs)
        .returning('linkId')
        .executeTakeFirst();
      return handed !== undefined;
    },
    dropMadeBy: async (operatorId) => {
      for (const table of ['links', 'invitations'] as const) {
        await db.deleteFrom(table).where('madeBy', '=', operatorId).execute();
      }
    },
  };
}

function usedLinks(
  db: Kysely<PeopleDatabase>,
): Pick<Links, 'addLink' | 'seeLink' | 'takeLink' | 'dropLinks'> {
  return {
    addLink: async (link) => {
      const { id, name } = link.madeBy;
      await db
        .insertInto('links')
        .values({
          ...link,
          madeBy: id,
          madeByName: name,
          isMailed: Number(link.isMailed),
          email: link.email ?? null,
        })
        .execute();
    },
    takeLink: async (tokenHash, nowMs) => {
      const row = await db
        .deleteFrom('links')
        .where('tokenHash', '=', tokenHash)
        .where(IS_MAKER_IN_FORCE)
        .returningAll()
        .executeTakeFirst();
      return row === undefined || row.expiresMs <= nowMs ? undefined : linkOf(row);
    },
    seeLink: async (tokenHash, nowMs) => {
      const row = await db
        .selectFrom('links')
        .selectAll()
        .where('tokenHash', '=', tokenHash)
        .where('expiresMs', '>', nowMs)
        .where(IS_MAKER_IN_FORCE)
        .executeTakeFirst();
      return row && linkOf(row);
    },
    dropLinks: async (personId, kind) => {
      await db
        .deleteFrom('links')
        .where('personId', '=', personId)
        .where('kind', '=', kind)
        .execute();
    },
  };
}

/** With the address of the person. */
function waiting(db: Kysely<PeopleDatabase>, nowMs: number) {
  return db
    .selectFrom('links')
    .innerJoin('people', 'people.personId', 'links.personId')
    .selectAll('links')
    .select('people.email as address')
    .where('links.expiresMs', '>', nowMs);
}

function waitingOf({
  address,
  ...row
}: Parameters<typeof linkOf>[0] & { readonly address: string }): WaitingLink {
  const { tokenHash: _tokenHash, ...link } = linkOf(row);
  return { ...link, email: link.email ?? address };
}
