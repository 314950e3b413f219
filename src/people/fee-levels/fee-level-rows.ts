/** The fee levels of accounts. */
import type { Kysely, Selectable } from 'kysely';
import { accountId } from '#domain';
import type { PeopleDatabase } from '../store/tables.ts';
import type { AccountLevel, FeeLevelsStore, LevelRates } from './port.ts';

type Row = Selectable<PeopleDatabase['fee_levels']>;

/** A rate that is each market's own. */
const NO_RATE = -1;

function ratesOf(takerPpm: number, makerPpm: number): LevelRates {
  return {
    takerFeePpm: takerPpm === NO_RATE ? null : takerPpm,
    makerFeePpm: makerPpm === NO_RATE ? null : makerPpm,
  };
}

function levelOf(row: Row): AccountLevel {
  return {
    accountId: accountId(row.accountId),
    level: row.level,
    volume: BigInt(row.volume),
    countedMs: row.countedMs,
    applied: ratesOf(row.appliedTakerPpm, row.appliedMakerPpm),
    wanted: ratesOf(row.wantedTakerPpm, row.wantedMakerPpm),
  };
}

export function feeLevelRows(db: Kysely<PeopleDatabase>): FeeLevelsStore {
  const all = () => db.selectFrom('fee_levels').selectAll();
  return {
    feeLevel: async (id) => {
      const row = await all().where('accountId', '=', id).executeTakeFirst();
      return row && levelOf(row);
    },
    feeLevels: async (after, limit) => {
      const rows = await all()
        .where('accountId', '>', after ?? 0)
        .orderBy('accountId')
        .limit(limit)
        .execute();
      return rows.map(levelOf);
    },
    putFeeLevel: async ({ accountId: id, level, volume, countedMs, applied, wanted }) => {
      const columns = {
        level,
        volume: String(volume),
        countedMs,
        appliedTakerPpm: applied.takerFeePpm ?? NO_RATE,
        appliedMakerPpm: applied.makerFeePpm ?? NO_RATE,
        wantedTakerPpm: wanted.takerFeePpm ?? NO_RATE,
        wantedMakerPpm: wanted.makerFeePpm ?? NO_RATE,
      };
      await db
        .insertInto('fee_levels')
        .values({ accountId: id, ...columns })
        .onConflict((conflict) => conflict.column('accountId').doUpdateSet(columns))
        .execute();
    },
  };
}
