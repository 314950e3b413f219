/** What works once, or so many times: invitations and recovery codes. */
import type { Kysely } from 'kysely';
import { IS_MAKER_IN_FORCE } from '../operators/makers-in-force.ts';
import type { PeopleDatabase } from '../store/tables.ts';
import type { IdentitiesStore } from './port.ts';
import { invitationOf } from './rows.ts';

type Invitations = Pick<
  IdentitiesStore,
  'addInvitation' | 'invitations' | 'dropInvitation' | 'takeInvitation'
>;

export function invitationRows(db: Kysely<PeopleDatabase>): Invitations {
  return {
    addInvitation: async (invitation, codeHash) => {
      const { id, name } = invitation.madeBy;
      await db
        .insertInto('invitations')
        .values({ ...invitation, codeHash, belongsTo: null, madeBy: id, madeByName: name })
        .execute();
    },
    invitations: async (limit) => {
      const rows = await db
        .selectFrom('invitations')
        .selectAll()
        .where('belongsTo', 'is', null)
        .orderBy('createdMs', 'desc')
        .orderBy('invitationId')
        .limit(limit)
        .execute();
      return rows.map(invitationOf);
    },
    dropInvitation: async (invitationId) => {
      const dropped = await db
        .deleteFrom('invitations')
        .where('belongsTo', 'is', null)
        .where('invitationId', '=', invitationId)
        .returning('invitationId')
        .executeTakeFirst();
      return dropped !== undefined;
    },
    takeInvitation: async (codeHash, nowMs) => {
      const taken = await db
        .updateTable('invitations')
        .set((one) => ({ used: one('used', '+', 1) }))
        .where('codeHash', '=', codeHash)
        .where('belongsTo', 'is', null)
        .where('expiresMs', '>', nowMs)
        .where(IS_MAKER_IN_FORCE)
        .whereRef('used', '<', 'uses')
        .returning('invitationId')
        .executeTakeFirst();
      return taken?.invitationId;
    },
  };
}

type RecoveryCodes = Pick<
  IdentitiesStore,
  'replaceRecoveryCodes' | 'takeRecoveryCode' | 'recoveryCodesLeft'
>;

export function recoveryCodeRows(db: Kysely<PeopleDatabase>): RecoveryCodes {
  return {
    replaceRecoveryCodes: async (personId, codeHashes) => {
      await db.transaction().execute(async (all) => {
        await all.deleteFrom('recovery_codes').where('personId', '=', personId).execute();
        if (codeHashes.length === 0) return;
        const values = codeHashes.map((hash) => ({ personId, codeHash: hash }));
        await all.insertInto('recovery_codes').values(values).execute();
      });
    },
    takeRecoveryCode: async (personId, codeHash) => {
      const taken = await db
        .deleteFrom('recovery_codes')
        .where('personId', '=', personId)
        .where('codeHash', '=', codeHash)
        .returning('codeHash')
        .executeTakeFirst();
      return taken !== undefined;
    },
    recoveryCodesLeft: async (personId) => {
      const { left } = await db
        .selectFrom('recovery_codes')
        .select((one) => one.fn.countAll<number>().as('left'))
        .where('personId', '=', personId)
        .executeTakeFirstOrThrow();
      return Number(left);
    },
  };
}
