/** What the public sees of the past: trades and candles. */

import type { Kysely } from 'kysely';
import { type Candle, type InstrumentId, LIMITS, lots, periodRow, ticks, tradeId } from '#domain';
import type { CandlesOf, HistoryReader } from '../port.ts';
import { assertLimit } from '../range.ts';
import type { Database } from '../tables/schema.ts';
import { CANDLES, candlePeriodId } from '../tables/spot-tables.ts';
import type { RowOf } from '../tables/table.ts';

const TRADE_COLUMNS = ['trade_id', 'price_ticks', 'size_lots', 'taker_side', 'time_ms'] as const;

export function marketPages(
  db: Kysely<Database>,
): Pick<HistoryReader, 'recentTrades' | 'candles' | 'lastCandleBefore'> {
  return {
    recentTrades: async (instrument, limit) => {
      assertLimit(limit, LIMITS.recentTradesMax);
      const rows = await tradesIn(db, instrument).limit(limit).execute();
      return rows.map((row) => ({
        tradeId: tradeId(row.trade_id),
        instrumentId: instrument,
        priceTicks: ticks(row.price_ticks),
        sizeLots: lots(row.size_lots),
        takerSide: row.taker_side,
        timeMs: row.time_ms,
      }));
    },
    // Ascending, whichever end of the window is kept.
    candles: async (query) => {
      assertLimit(query.limit, LIMITS.candlePageMax);
      const rows = await candlesOf(db, query)
        .where('open_time_ms', '>=', query.fromMs)
        .where('open_time_ms', '<=', query.toMs)
        .orderBy('open_time_ms', query.keep === 'oldest' ? 'asc' : 'desc')
        .limit(query.limit)
        .execute();
      const candles = rows.map(candleOf);
      return query.keep === 'oldest' ? candles : candles.reverse();
    },
    lastCandleBefore: async (candles, timeMs) => {
      const row = await candlesOf(db, candles)
        .where('open_time_ms', '<', timeMs)
        .orderBy('open_time_ms', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? undefined : candleOf(row);
    },
  };
}

/** A number is that of a pair or of a contract: one of the two brings no rows. */
function tradesIn(db: Kysely<Database>, instrument: InstrumentId) {
  return db
    .selectFrom('trades')
    .select(TRADE_COLUMNS)
    .where('instrument_id', '=', instrument)
    .unionAll(
      db
        .selectFrom('contract_trades')
        .select(TRADE_COLUMNS)
        .where('instrument_id', '=', instrument)
        .where('in_book', '=', 1),
    )
    .orderBy('trade_id', 'desc');
}

function candlesOf(
  db: Kysely<Database>,
  { instrumentId: instrument, period, price = 'last' }: CandlesOf,
) {
  return db
    .selectFrom('candles')
    .selectAll()
    .where('instrument_id', '=', instrument)
    .where('period_id', '=', candlePeriodId(periodRow(period), price));
}

function candleOf(row: RowOf<typeof CANDLES>): Candle {
  const { openTicks, highTicks, lowTicks, closeTicks, ...rest } = CANDLES.read(row);
  const { instrumentId: _of, periodId: _period, ...facts } = rest;
  const prices = { open: openTicks, high: highTicks, low: lowTicks, close: closeTicks };
  return { ...facts, ...prices };
}
