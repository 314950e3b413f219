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
      const { invitationId, label, uses, used, madeBy, createdMs, expiresMs } = invitation;
      const times = { created_ms: createdMs, expires_ms: expiresMs };
      await db
        .insertInto('invitations')
        .values({
          ...{ invitation_id: invitationId, code_hash: codeHash, competition_id: null, label },
          ...{ uses, used, made_by: madeBy.id, made_by_name: madeBy.name, ...times },
        })
        .execute();
    },
    invitations: async (limit) => {
      const rows = await db
        .selectFrom('invitations')
        .selectAll()
        .where('competition_id', 'is', null)
        .orderBy('created_ms', 'desc')
        .orderBy('invitation_id')
        .limit(limit)
        .execute();
      return rows.map(invitationOf);
    },
    dropInvitation: async (invitationId) => {
      const dropped = await db
        .deleteFrom('invitations')
        .where('competition_id', 'is', null)
        .where('invitation_id', '=', invitationId)
        .returning('invitation_id')
        .executeTakeFirst();
      return dropped !== undefined;
    },
    takeInvitation: async (codeHash, nowMs) => {
      const taken = await db
        .updateTable('invitations')
        .set((one) => ({ used: one('used', '+', 1) }))
        .where('code_hash', '=', codeHash)
        .where('competition_id', 'is', null)
        .where('expires_ms', '>', nowMs)
        .where(IS_MAKER_IN_FORCE)
        .whereRef('used', '<', 'uses')
        .returning('invitation_id')
        .executeTakeFirst();
      return taken?.invitation_id;
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
      await db.deleteFrom('access_codes').where('made_by', '=', madeBy).execute();
    },
    takeAccessCode: async (codeHash, nowMs) => {
      const row = await db
        .deleteFrom('access_codes')
        .where('code_hash', '=', codeHash)
        .returningAll()
        .executeTakeFirst();
      return row === undefined || row.expires_ms <= nowMs ? undefined : accessCodeOf(row);
    },
    accessCodes: async (accountId, nowMs, limit) => {
      const rows = await db
        .selectFrom('access_codes')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('expires_ms', '>', nowMs)
        .orderBy('expires_ms')
        .orderBy('code_id')
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
        .where('account_id', '=', accountId)
        .where('code_id', '=', codeId)
        .returning('code_id')
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
        await all.deleteFrom('recovery_codes').where('person_id', '=', personId).execute();
        if (codeHashes.length === 0) return;
        const values = codeHashes.map((hash) => ({ person_id: personId, code_hash: hash }));
        await all.insertInto('recovery_codes').values(values).execute();
      });
    },
    takeRecoveryCode: async (personId, codeHash) => {
      const taken = await db
        .deleteFrom('recovery_codes')
        .where('person_id', '=', personId)
        .where('code_hash', '=', codeHash)
        .returning('code_hash')
        .executeTakeFirst();
      return taken !== undefined;
    },
    recoveryCodesLeft: async (personId) => {
      const { left } = await db
        .selectFrom('recovery_codes')
        .select((one) => one.fn.countAll<number>().as('left'))
        .where('person_id', '=', personId)
        .executeTakeFirstOrThrow();
      return Number(left);
    },
  };
}

/** One of a person after the other: the row of the person is taken first. */
async function addAccessCode(
  db: Kysely<PeopleDatabase>,
  { codeId, codeHash, accountId, rights, madeBy, expiresMs }: AccessCode,
  { nowMs, liveMax }: AccessCodeBound,
): Promise<boolean> {
  await db
    .updateTable('people')
    .set((one) => ({ accounts_count: one.ref('accounts_count') }))
    .where('person_id', '=', madeBy)
    .execute();
  const own = db.deleteFrom('access_codes').where('made_by', '=', madeBy);
  await own.where('expires_ms', '<=', nowMs).execute();
  const { live } = await db
    .selectFrom('access_codes')
    .select((one) => one.fn.countAll<number>().as('live'))
    .where('made_by', '=', madeBy)
    .executeTakeFirstOrThrow();
  if (Number(live) >= liveMax) return false;
  const to = { account_id: accountId, rights: rightsText(rights) };
  const named = { code_id: codeId, code_hash: codeHash, ...to };
  await db
    .insertInto('access_codes')
    .values({ ...named, made_by: madeBy, expires_ms: expiresMs })
    .execute();
  return true;
}
