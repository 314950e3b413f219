/** Everything that is read from a history, over one database. Each file has its own queries. */
import type { Kysely } from 'kysely';
import type { HistoryReader } from '../port.ts';
import type { Database } from '../tables/schema.ts';
import { activityPages } from './activity.ts';
import { billPages } from './bills.ts';
import { contractFillPages } from './contract-fills.ts';
import { contractLedgerPages } from './contract-ledger.ts';
import { contractOrderPages } from './contract-orders.ts';
import { contractPastPages } from './contract-past.ts';
import { dayPages } from './days.ts';
import { fillPages } from './fills.ts';
import { fundingRatePages } from './funding-rates.ts';
import { HistoryInstruments } from './instruments.ts';
import { liquidationPages } from './liquidations.ts';
import { marketPages } from './market.ts';
import { orderPages } from './orders.ts';
import type { Planner } from './planner.ts';
import { transferPages } from './transfers.ts';
import { triggerOrderPages } from './trigger-orders.ts';
import { volumePages } from './volumes.ts';
import { wholeSeries } from './whole-series.ts';
import { wholeTables } from './whole-tables.ts';

export function historyPages(db: Kysely<Database>, planner: Planner): Omit<HistoryReader, 'close'> {
  const instruments = new HistoryInstruments(db);
  return {
    ...orderPages(db),
    ...fillPages(db, instruments),
    ...billPages(db, instruments),
    ...transferPages(db, planner),
    ...contractOrderPages(db, planner),
    ...contractFillPages(db),
    ...contractLedgerPages(db, planner),
    ...contractPastPages(db, planner),
    ...triggerOrderPages(db, planner),
    ...dayPages(db),
    ...fundingRatePages(db),
    ...liquidationPages(db),
    ...marketPages(db),
    ...volumePages(db),
    ...activityPages(db),
    ...wholeTables(db),
    ...wholeSeries(db),
    projectedSeq: async () => {
      const meta = db.selectFrom('meta').select('projected_seq');
      return (await meta.executeTakeFirstOrThrow()).projected_seq;
    },
    forget: () => instruments.forget(),
  };
}
