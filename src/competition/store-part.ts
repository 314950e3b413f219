/** Competitions as a part of the store of people: their tables, and what ends with an account. */
import type { StorePart } from '#people';
import { competitionRows } from './competition-rows.ts';
import { entryRows } from './entry-rows.ts';
import type { CompetitionStore } from './port.ts';
import { roundRows } from './round-rows.ts';
import { COMPETITION_TABLES, type CompetitionDb, type CompetitionTables } from './tables.ts';

export const COMPETITION_PART: StorePart<CompetitionStore> = {
  tables: COMPETITION_TABLES,
  rows: (people, dropCodesOf) => {
    const db = people.withTables<CompetitionTables>();
    return { ...competitionRows(people, dropCodesOf), ...entryRows(db), ...roundRows(db) };
  },
  accountsKept: async (people) => {
    const db = people.withTables<CompetitionTables>();
    const rows = await db.selectFrom('competition_entries').select('accountId').execute();
    return rows.map((row) => row.accountId);
  },
  accountsIn: async (people, competitionId) => {
    const db = people.withTables<CompetitionTables>();
    const rows = await db
      .selectFrom('competition_entries')
      .select('accountId')
      .where('competitionId', '=', competitionId)
      .execute();
    return rows.map((row) => row.accountId);
  },
  dropAccounts: async (within, accountIds) => {
    const db = within.withTables<CompetitionTables>();
    await db
      .deleteFrom('competition_entries')
      .where('accountId', 'in', [...accountIds])
      .execute();
  },
  forgetOwner: (within, accountIds) =>
    forgetTrader(within.withTables<CompetitionTables>(), accountIds),
};

/** What a round keeps of who took part, as JSON. */
interface NamedSeat {
  readonly accountId: number;
  readonly name: string;
}

/**
 * Takes the names under which accounts took part out of all rounds: their figures stay, in results
 * that others are compared by. They take part in no further round.
 */
async function forgetTrader(db: CompetitionDb, accountIds: readonly number[]): Promise<void> {
  for (const account of accountIds) {
    await db.deleteFrom('competition_entries').where('accountId', '=', account).execute();
    const rounds = await db
      .selectFrom('competition_rounds')
      .select(['roundId', 'seats', 'note'])
      .where('seats', 'like', `%"accountId":${account},%`)
      .execute();
    for (const { roundId, seats, note } of rounds) {
      const all: readonly NamedSeat[] = JSON.parse(seats);
      const at = all.findIndex((seat) => seat.accountId === account);
      const { name = '' } = all[at] ?? {};
      await db
        .updateTable('competition_rounds')
        .set({
          seats: JSON.stringify(
            all.map((seat, one) => (one === at ? { ...seat, name: '' } : seat)),
          ),
          note: name !== '' && note.includes(name) ? '' : note,
        })
        .where('roundId', '=', roundId)
        .execute();
    }
  }
}
