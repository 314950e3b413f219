/** Competitions as they are kept. */
import type { Kysely, Selectable } from 'kysely';
import type { DropCodesOf, PeopleDatabase } from '#people';
import type { Competition, CompetitionStore } from './port.ts';
import type { CompetitionTables } from './tables.ts';

function competitionOf(row: Selectable<CompetitionTables['competitions']>): Competition {
  return { ...row, terms: JSON.parse(row.terms), cancelledMs: row.cancelledMs ?? undefined };
}

type Competitions = Pick<
  CompetitionStore,
  'addCompetition' | 'competitions' | 'competition' | 'changeCompetition' | 'removeCompetition'
>;

export function competitionRows(
  people: Kysely<PeopleDatabase>,
  dropCodesOf: DropCodesOf,
): Competitions {
  const db = people.withTables<CompetitionTables>();
  return {
    addCompetition: async ({ competitionId, terms, createdMs, cancelledMs }) => {
      const texts = { terms: JSON.stringify(terms), cancelledMs: cancelledMs ?? null };
      await db
        .insertInto('competitions')
        .values({ competitionId, createdMs, ...texts })
        .execute();
    },
    competitions: async (limit) => {
      const rows = await db
        .selectFrom('competitions')
        .selectAll()
        .orderBy('createdMs', 'desc')
        .orderBy('competitionId', 'desc')
        .limit(limit)
        .execute();
      return rows.map(competitionOf);
    },
    competition: async (competitionId) => {
      const row = await db
        .selectFrom('competitions')
        .selectAll()
        .where('competitionId', '=', competitionId)
        .executeTakeFirst();
      return row && competitionOf(row);
    },
    changeCompetition: async (competitionId, changes) => {
      const changed = await db
        .updateTable('competitions')
        .set({
          competitionId,
          ...(changes.terms === undefined ? {} : { terms: JSON.stringify(changes.terms) }),
          ...(changes.cancelledMs === undefined ? {} : { cancelledMs: changes.cancelledMs }),
        })
        .where('competitionId', '=', competitionId)
        .returning('competitionId')
        .executeTakeFirst();
      return changed !== undefined;
    },
    removeCompetition: (competitionId) => removed(people, dropCodesOf, competitionId),
  };
}

async function removed(
  people: Kysely<PeopleDatabase>,
  dropCodesOf: DropCodesOf,
  competitionId: string,
): Promise<boolean> {
  return people.transaction().execute(async (within) => {
    const all = within.withTables<CompetitionTables>();
    const rounds = all
      .selectFrom('competition_rounds')
      .select('roundId')
      .where('competitionId', '=', competitionId);
    await all.deleteFrom('competition_samples').where('roundId', 'in', rounds).execute();
    const ofIt = ['competition_rounds', 'competition_entries'] as const;
    for (const table of ofIt) {
      await all.deleteFrom(table).where('competitionId', '=', competitionId).execute();
    }
    await dropCodesOf(within, competitionId);
    const gone = await all
      .deleteFrom('competitions')
      .where('competitionId', '=', competitionId)
      .returning('competitionId')
      .executeTakeFirst();
    return gone !== undefined;
  });
}
