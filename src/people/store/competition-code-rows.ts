/** Codes that people join a competition with: invitations that belong to one. */
import type { Kysely } from 'kysely';
import { invitationOf } from '../identities/rows.ts';
import { IS_MAKER_IN_FORCE } from '../operators/makers-in-force.ts';
import type { CompetitionStore } from '../ports/competition.ts';
import type { PeopleDatabase } from './tables.ts';

type Codes = Pick<
  CompetitionStore,
  | 'addCompetitionCode'
  | 'competitionCodes'
  | 'dropCompetitionCode'
  | 'competitionByCode'
  | 'takeCompetitionCode'
  | 'giveCompetitionCodeBack'
>;

export function competitionCodeRows(db: Kysely<PeopleDatabase>): Codes {
  return {
    addCompetitionCode: async (competitionId, code, codeHash) => {
      const { id, name } = code.madeBy;
      await db
        .insertInto('invitations')
        .values({ ...code, codeHash, competitionId, madeBy: id, madeByName: name })
        .execute();
    },
    competitionCodes: async (competitionId) => {
      const rows = await db
        .selectFrom('invitations')
        .selectAll()
        .where('competitionId', '=', competitionId)
        .orderBy('createdMs', 'desc')
        .orderBy('invitationId')
        .execute();
      return rows.map(invitationOf);
    },
    dropCompetitionCode: async (competitionId, invitationId) => {
      const dropped = await db
        .deleteFrom('invitations')
        .where('competitionId', '=', competitionId)
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
): Pick<Codes, 'competitionByCode' | 'takeCompetitionCode' | 'giveCompetitionCodeBack'> {
  return {
    competitionByCode: async (codeHash, nowMs) => {
      const row = await db
        .selectFrom('invitations')
        .select('competitionId')
        .where('codeHash', '=', codeHash)
        .where('expiresMs', '>', nowMs)
        .where(IS_MAKER_IN_FORCE)
        .executeTakeFirst();
      return row?.competitionId ?? undefined;
    },
    takeCompetitionCode: async (codeHash, nowMs) => {
      const taken = await db
        .updateTable('invitations')
        .set((one) => ({ used: one('used', '+', 1) }))
        .where('codeHash', '=', codeHash)
        .where('competitionId', 'is not', null)
        .where('expiresMs', '>', nowMs)
        .where(IS_MAKER_IN_FORCE)
        .whereRef('used', '<', 'uses')
        .returning('invitationId')
        .executeTakeFirst();
      return taken !== undefined;
    },
    giveCompetitionCodeBack: async (codeHash) => {
      await db
        .updateTable('invitations')
        .set((one) => ({ used: one('used', '-', 1) }))
        .where('codeHash', '=', codeHash)
        .where('competitionId', 'is not', null)
        .where('used', '>', 0)
        .execute();
    },
  };
}
