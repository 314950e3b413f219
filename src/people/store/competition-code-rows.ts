/** Codes that people join a competition with: invitations that belong to one. */
import type { Kysely } from 'kysely';
import type { CompetitionStore } from '../ports/competition.ts';
import { IS_MAKER_IN_FORCE } from './makers-in-force.ts';
import { invitationOf } from './rows.ts';
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
      const { invitationId, label, uses, used, madeBy, createdMs, expiresMs } = code;
      const made = { made_by: madeBy.id, made_by_name: madeBy.name };
      const named = { invitation_id: invitationId, code_hash: codeHash, label };
      const times = { created_ms: createdMs, expires_ms: expiresMs };
      await db
        .insertInto('invitations')
        .values({ ...named, competition_id: competitionId, uses, used, ...made, ...times })
        .execute();
    },
    competitionCodes: async (competitionId) => {
      const rows = await db
        .selectFrom('invitations')
        .selectAll()
        .where('competition_id', '=', competitionId)
        .orderBy('created_ms', 'desc')
        .orderBy('invitation_id')
        .execute();
      return rows.map(invitationOf);
    },
    dropCompetitionCode: async (competitionId, invitationId) => {
      const dropped = await db
        .deleteFrom('invitations')
        .where('competition_id', '=', competitionId)
        .where('invitation_id', '=', invitationId)
        .returning('invitation_id')
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
        .select('competition_id')
        .where('code_hash', '=', codeHash)
        .where('expires_ms', '>', nowMs)
        .where(IS_MAKER_IN_FORCE)
        .executeTakeFirst();
      return row?.competition_id ?? undefined;
    },
    takeCompetitionCode: async (codeHash, nowMs) => {
      const taken = await db
        .updateTable('invitations')
        .set((one) => ({ used: one('used', '+', 1) }))
        .where('code_hash', '=', codeHash)
        .where('competition_id', 'is not', null)
        .where('expires_ms', '>', nowMs)
        .where(IS_MAKER_IN_FORCE)
        .whereRef('used', '<', 'uses')
        .returning('invitation_id')
        .executeTakeFirst();
      return taken !== undefined;
    },
    giveCompetitionCodeBack: async (codeHash) => {
      await db
        .updateTable('invitations')
        .set((one) => ({ used: one('used', '-', 1) }))
        .where('code_hash', '=', codeHash)
        .where('competition_id', 'is not', null)
        .where('used', '>', 0)
        .execute();
    },
  };
}
