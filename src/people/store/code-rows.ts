/** What works once, or so many times: invitations, access codes, recovery codes. */
import type { Kysely } from 'kysely';
import type { AccessCode, AccessCodeBound, PeopleStore } from '../port.ts';
import { IS_MAKER_IN_FORCE } from './makers-in-force.ts';
import { accessCodeOf, invitationOf, rightsText } from './rows.ts';
import type { PeopleDatabase } from './tables.ts';

type Invitations = Pick<
  PeopleStore,
  'addInvitation' | 'invitations' | 'dropInvitation' | 'takeInvitation'
>;

export function invitationRows(db: Kysely<PeopleDatabase>): Invitations {
  return {
    addInvitation: async (invitation, codeHash) => {
      const { id, name } = invitation.madeBy;
      await db
        .insertInto('invitations')
        .values({ ...invitation, codeHash, competitionId: null, madeBy: id, madeByName: name })
        .execute();
    },
    invitations: async (limit) => {
      const rows = await db
        .selectFrom('invitations')
        .selectAll()
        .where('competitionId', 'is', null)
        .orderBy('createdMs', 'desc')
        .orderBy('invitationId')
        .limit(limit)
        .execute();
      return rows.map(invitationOf);
    },
    dropInvitation: async (invitationId) => {
      const dropped = await db
        .deleteFrom('invitations')
        .where('competitionId', 'is', null)
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
        .where('competitionId', 'is', null)
        .where('expiresMs', '>', nowMs)
        .where(IS_MAKER_IN_FORCE)
        .whereRef('used', '<', 'uses')
        .returning('invitationId')
        .executeTakeFirst();
      return taken?.invitationId;
    },
  };
}

type AccessCodes = Pick<
  PeopleStore,
  'addAccessCode' | 'dropAccessCodes' | 'takeAccessCode' | 'accessCodes' | 'dropAccessCode'
>;

export function accessCodeRows(db: Kysely<PeopleDatabase>): AccessCodes {
  return {
    addAccessCode: (code, bound) =>
      db.transaction().execute((within) => addAccessCode(within, code, bound)),
    dropAccessCodes: async (madeBy) => {
      await db.deleteFrom('access_codes').where('madeBy', '=', madeBy).execute();
    },
    takeAccessCode: async (codeHash, nowMs) => {
      const row = await db
        .deleteFrom('access_codes')
        .where('codeHash', '=', codeHash)
        .returningAll()
        .executeTakeFirst();
      return row === undefined || row.expiresMs <= nowMs ? undefined : accessCodeOf(row);
    },
    accessCodes: async (accountId, nowMs, limit) => {
      const rows = await db
        .selectFrom('access_codes')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('expiresMs', '>', nowMs)
        .orderBy('expiresMs')
        .orderBy('codeId')
        .limit(limit)
        .execute();
      return rows.map((row) => {
        const { codeHash: _codeHash, ...shown } = accessCodeOf(row);
        return shown;
      });
    },
    dropAccessCode: async (accountId, codeId) => {
      const dropped = await db
        .deleteFrom('access_codes')
        .where('accountId', '=', accountId)
        .where('codeId', '=', codeId)
        .returning('codeId')
        .executeTakeFirst();
      return dropped !== undefined;
    },
  };
}

type RecoveryCodes = Pick<
  PeopleStore,
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

/** One of a person after the other: the row of the person is taken first. */
async function addAccessCode(
  db: Kysely<PeopleDatabase>,
  code: AccessCode,
  { nowMs, liveMax }: AccessCodeBound,
): Promise<boolean> {
  const { madeBy, rights } = code;
  await db
    .updateTable('people')
    .set((one) => ({ accountsCount: one.ref('accountsCount') }))
    .where('personId', '=', madeBy)
    .execute();
  const own = db.deleteFrom('access_codes').where('madeBy', '=', madeBy);
  await own.where('expiresMs', '<=', nowMs).execute();
  const { live } = await db
    .selectFrom('access_codes')
    .select((one) => one.fn.countAll<number>().as('live'))
    .where('madeBy', '=', madeBy)
    .executeTakeFirstOrThrow();
  if (Number(live) >= liveMax) return false;
  await db
    .insertInto('access_codes')
    .values({ ...code, rights: rightsText(rights) })
    .execute();
  return true;
}
