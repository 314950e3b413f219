/** Codes that belong to something else than the sign-up: invitations all the same. */
import type { Kysely } from 'kysely';
import { IS_MAKER_IN_FORCE } from '../operators/makers-in-force.ts';
import type { PeopleDatabase } from '../store/tables.ts';
import type { CodesStore } from './invitation-port.ts';
import { invitationOf } from './rows.ts';

export async function dropCodesOf(db: Kysely<PeopleDatabase>, belongsTo: string): Promise<void> {
  await db.deleteFrom('invitations').where('belongsTo', '=', belongsTo).execute();
}

export function ownedCodeRows(db: Kysely<PeopleDatabase>): CodesStore {
  return {
    addCode: async (belongsTo, code, codeHash) => {
      const { id, name } = code.madeBy;
      await db
        .insertInto('invitations')
        .values({ ...code, codeHash, belongsTo, madeBy: id, madeByName: name })
        .execute();
    },
    codesOf: async (belongsTo) => {
      const rows = await db
        .selectFrom('invitations')
        .selectAll()
        .where('belongsTo', '=', belongsTo)
        .orderBy('createdMs', 'desc')
        .orderBy('invitationId')
        .execute();
      return rows.map(invitationOf);
    },
    dropCode: async (belongsTo, invitationId) => {
      const dropped = await db
        .deleteFrom('invitations')
        .where('belongsTo', '=', belongsTo)
        .where('invitationId', '=', invitationId)
        .returning('invitationId')
        .executeTakeFirst();
      return dropped !== undefined;
    },
    ...usedCodes(db),
  };
}

function usedCodes(
  db: Kysely<PeopleDatabase>,
): Pick<CodesStore, 'ownerOfCode' | 'takeCode' | 'giveCodeBack'> {
  return {
    ownerOfCode: async (codeHash, nowMs) => {
      const row = await db
        .selectFrom('invitations')
        .select('belongsTo')
        .where('codeHash', '=', codeHash)
        .where('expiresMs', '>', nowMs)
        .where(IS_MAKER_IN_FORCE)
        .executeTakeFirst();
      return row?.belongsTo ?? undefined;
    },
    takeCode: async (codeHash, nowMs) => {
      const taken = await db
        .updateTable('invitations')
        .set((one) => ({ used: one('used', '+', 1) }))
        .where('codeHash', '=', codeHash)
        .where('belongsTo', 'is not', null)
        .where('expiresMs', '>', nowMs)
        .where(IS_MAKER_IN_FORCE)
        .whereRef('used', '<', 'uses')
        .returning('invitationId')
        .executeTakeFirst();
      return taken !== undefined;
    },
    giveCodeBack: async (codeHash) => {
      await db
        .updateTable('invitations')
        .set((one) => ({ used: one('used', '-', 1) }))
        .where('codeHash', '=', codeHash)
        .where('belongsTo', 'is not', null)
        .where('used', '>', 0)
        .execute();
    },
  };
}
