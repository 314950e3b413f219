/**
 * Takes back what was projected after a checkpoint: the rows of later commands, and of the candles
 * what later trades added. Walks whole tables, so it is for sandboxes.
 */
import { type Kysely, sql } from 'kysely';
import type { CandlePrice, VenueReset } from '#domain';
import {
  CANDLE_PRICES,
  instrumentId,
  lots,
  nextOpenTimeMs,
  openTimeMs,
  PERIODS,
  periodRow,
  ticks,
  tradeId,
} from '#domain';
import type { Database } from '../tables/schema.ts';
import { CANDLES, candlePeriodId } from '../tables/spot-tables.ts';
import { type CandleTrade, merge, type Tally, tallyOf } from './candle-writer.ts';
import type { RowStore } from './row-store.ts';

/** Tables by the number that gives a row's command; `id` numbers come from the venue's sequence. */
const BY_SEQ = {
  orders: 'closed_seq',
  contract_orders: 'closed_seq',
  trigger_orders: 'closed_seq',
  funding_rates: 'settled_seq',
  liquidations: 'seq',
  contract_ledger: 'seq',
  day_equities: 'seq',
  day_funds: 'seq',
} as const;
const BY_ID = {
  trades: 'trade_id',
  contract_trades: 'trade_id',
  balance_changes: 'bill_id',
  transfers: 'transfer_id',
} as const;

const OF_TRADE = [
  'instrument_id',
  'trade_id',
  'price_ticks',
  'size_lots',
  'quote_amount',
  'taker_side',
] as const;

/** Part of a candle of a market. */
type Part = Tally & Pick<CandleTrade, 'instrumentId'>;

/** Leaves the rows that were there when the checkpoint was saved, inside the open transaction. */
export async function undoBeyond(store: RowStore, reset: VenueReset): Promise<void> {
  const { checkpoint, lastId, instrumentsCount } = reset;
  for (const [table, column] of Object.entries(BY_SEQ)) {
    await deleteBeyond(store.db, table, column, checkpoint.seq);
  }
  for (const [table, column] of Object.entries(BY_ID)) {
    await deleteBeyond(store.db, table, column, lastId);
  }
  await deleteBeyond(store.db, 'instruments', 'instrument_id', instrumentsCount - 1);
  await undoCandles(store, checkpoint.timeMs);
}

async function deleteBeyond(
  db: Kysely<Database>,
  table: string,
  column: string,
  last: number,
): Promise<void> {
  await sql`delete from ${sql.table(table)} where ${sql.ref(column)} > ${last}`.execute(db);
}

/**
 * The candles of that moment are made again: minutes from trades, others from minutes. Of mark and
 * index prices nothing finer than a minute is kept, so that minute begins again after the reset.
 */
async function undoCandles(store: RowStore, timeMs: number): Promise<void> {
  const { db, candles } = store;
  const minuteMs = openTimeMs('1min', timeMs);
  for (const price of CANDLE_PRICES) {
    for (const row of PERIODS) {
      const openMs = openTimeMs(row.period, timeMs);
      const periodId = candlePeriodId(row, price);
      await db
        .deleteFrom('candles')
        .where('period_id', '=', periodId)
        .where('open_time_ms', '>=', openMs)
        .execute();
      const parts =
        row.period !== '1min'
          ? await partsOfPeriod(db, price, openMs, nextOpenTimeMs(row.period, openMs))
          : price === 'last'
            ? await partsOfMinute(db, minuteMs)
            : [];
      for (const candle of joinByMarket(parts)) {
        candles.put({ ...candle, periodId, openTimeMs: openMs }, false);
      }
      await store.flush();
    }
  }
}

/** The trades of every book in a minute, oldest first. */
async function partsOfMinute(db: Kysely<Database>, minuteMs: number): Promise<Part[]> {
  const endMs = nextOpenTimeMs('1min', minuteMs);
  const rows = await db
    .selectFrom('trades')
    .select(OF_TRADE)
    .where('time_ms', '>=', minuteMs)
    .where('time_ms', '<', endMs)
    .unionAll(
      db
        .selectFrom('contract_trades')
        .select(OF_TRADE)
        .where('in_book', '=', 1)
        .where('time_ms', '>=', minuteMs)
        .where('time_ms', '<', endMs),
    )
    .orderBy('trade_id')
    .execute();
  return rows.map((row) => {
    const trade = {
      instrumentId: instrumentId(row.instrument_id),
      tradeId: tradeId(row.trade_id),
      priceTicks: ticks(row.price_ticks),
      sizeLots: lots(row.size_lots),
      quoteAmount: BigInt(row.quote_amount),
      takerSide: row.taker_side,
    };
    return { ...tallyOf(trade, minuteMs), instrumentId: trade.instrumentId };
  });
}

async function partsOfPeriod(
  db: Kysely<Database>,
  price: CandlePrice,
  openMs: number,
  endMs: number,
): Promise<Part[]> {
  const rows = await db
    .selectFrom('candles')
    .selectAll()
    .where('period_id', '=', candlePeriodId(periodRow('1min'), price))
    .where('open_time_ms', '>=', openMs)
    .where('open_time_ms', '<', endMs)
    .orderBy('open_time_ms')
    .execute();
  return rows.map((row) => CANDLES.read(row));
}

/** One candle per market from parts in the order of time. */
function joinByMarket(parts: readonly Part[]): Iterable<Part> {
  const joined = new Map<number, Part>();
  for (const part of parts) {
    const earlier = joined.get(part.instrumentId);
    if (earlier === undefined) joined.set(part.instrumentId, { ...part });
    else merge(earlier, part);
  }
  return joined.values();
}
