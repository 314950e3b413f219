/** What works once, or so many times: links, invitations, access codes, recovery codes. */
import type { Kysely } from 'kysely';
import type { AccessCode, AccessCodeBound, PeopleStore } from '../port.ts';
import { accessCodeOf, invitationOf, linkOf, rightsText } from './rows.ts';
import type { PeopleDatabase } from './tables.ts';

type Links = Pick<PeopleStore, 'addLink' | 'seeLink' | 'takeLink' | 'dropLinks' | 'linksToHandOut'>;

export function linkRows(db: Kysely<PeopleDatabase>): Links {
  return {
    addLink: async ({ tokenHash, kind, personId, sealedToken, email, createdMs, expiresMs }) => {
      const times = { created_ms: createdMs, expires_ms: expiresMs };
      const named = { token_hash: tokenHash, kind, person_id: personId };
      await db
        .insertInto('links')
        .values({ ...named, ...times, sealed_token: sealedToken ?? null, email: email ?? null })
        .execute();
    },
    takeLink: async (tokenHash, nowMs) => {
      const row = await db
        .deleteFrom('links')
        .where('token_hash', '=', tokenHash)
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
    linksToHandOut: async (nowMs, limit) => {
      const rows = await db
        .selectFrom('links')
        .selectAll()
        .where('sealed_token', 'is not', null)
        .where('expires_ms', '>', nowMs)
        .orderBy('created_ms', 'desc')
        .limit(limit)
        .execute();
      return rows.map(linkOf);
    },
  };
}

type Invitations = Pick<
  PeopleStore,
  'addInvitation' | 'invitations' | 'dropInvitation' | 'takeInvitation'
>;

export function invitationRows(db: Kysely<PeopleDatabase>): Invitations {
  return {
    addInvitation: async (invitation, codeHash) => {
      const { invitationId, label, uses, used, createdMs, expiresMs } = invitation;
      const times = { created_ms: createdMs, expires_ms: expiresMs };
      await db
        .insertInto('invitations')
        .values({
          ...{ invitation_id: invitationId, code_hash: codeHash, competition_id: null, label },
          ...{ uses, used, ...times },
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
        .whereRef('used', '<', 'uses')
        .returning('invitation_id')
        .executeTakeFirst();
      return taken?.invitation_id;
    },
  };
}

type Codes = Pick<
  PeopleStore,
  | 'addAccessCode'
  | 'dropAccessCodes'
  | 'takeAccessCode'
  | 'replaceRecoveryCodes'
  | 'takeRecoveryCode'
  | 'recoveryCodesLeft'
>;

export function codeRows(db: Kysely<PeopleDatabase>): Codes {
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
  { codeHash, accountId, rights, madeBy, expiresMs }: AccessCode,
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
  const named = { code_hash: codeHash, account_id: accountId, rights: rightsText(rights) };
  await db
    .insertInto('access_codes')
    .values({ ...named, made_by: madeBy, expires_ms: expiresMs })
    .execute();
  return true;
}
