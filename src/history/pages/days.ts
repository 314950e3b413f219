/** What was owned when days began: an account's equity by coin, and the insurance funds. */
import type { Kysely } from 'kysely';
import { LIMITS } from '#domain';
import type { EquitiesQuery } from '../day-port.ts';
import type { HistoryReader } from '../port.ts';
import { DAY_EQUITIES, DAY_FUNDS } from '../tables/day-tables.ts';
import type { Database } from '../tables/schema.ts';

export function dayPages(db: Kysely<Database>): Pick<HistoryReader, 'equities' | 'funds'> {
  return {
    equities: async (query) => {
      const rows = await equitiesIn(db, query);
      return rows.map((row) => {
        const { seq, accountId, ...equity } = DAY_EQUITIES.read(row);
        return equity;
      });
    },
    funds: async ({ assetId, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER }) => {
      const rows = await db
        .selectFrom('day_funds')
        .selectAll()
        .where('asset_id', '=', assetId)
        .where('day_ms', '>=', fromMs)
        .where('day_ms', '<=', toMs)
        .orderBy('day_ms', 'desc')
        .limit(LIMITS.openingDaysMax)
        .execute();
      return rows.map((row) => {
        const { seq, ...fund } = DAY_FUNDS.read(row);
        return fund;
      });
    },
  };
}

/** As many whole days as the rows of a page hold. A day has a row for each coin at most. */
async function equitiesIn(db: Kysely<Database>, query: EquitiesQuery) {
  const { accountId, assetId, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = query;
  const rows = await db
    .selectFrom('day_equities')
    .selectAll()
    .where((row) =>
      row.and({ account_id: accountId, ...(assetId !== undefined && { asset_id: assetId }) }),
    )
    .where('day_ms', '>=', fromMs)
    .where('day_ms', '<=', toMs)
    .orderBy('day_ms', 'desc')
    .orderBy('asset_id', 'desc')
    .limit(LIMITS.historyRowsMax + 1)
    .execute();
  const beyond = rows[LIMITS.historyRowsMax];
  return beyond === undefined ? rows : rows.filter(({ day_ms }) => day_ms > beyond.day_ms);
}
