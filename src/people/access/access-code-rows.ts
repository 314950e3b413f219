/** Codes that let somebody into an account, once. */
import type { Kysely } from 'kysely';
import type { PeopleDatabase } from '../store/tables.ts';
import type { AccessCode, AccessCodeBound, AccessStore } from './port.ts';
import { accessCodeOf, rightsText } from './rows.ts';

type AccessCodes = Pick<
  AccessStore,
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
