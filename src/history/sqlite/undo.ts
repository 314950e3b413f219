/**
 * Takes back what was projected after a checkpoint: the rows of later commands, and of the candles
 * what later trades added. Walks whole tables, so it is for sandboxes.
 */
import type { Database as SqliteFile } from 'better-sqlite3';
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
} from '#domain';
import { SummedInsert } from '../sqlite/summed-rows.ts';
import { CANDLES, candlePeriodId, type TRADES } from '../tables/spot-tables.ts';
import type { RowOf } from '../tables/table.ts';
import { type CandleTrade, merge, type Tally, tallyOf } from './candle-writer.ts';

/** Tables by the number that gives a row's command; `id` numbers come from the venue's sequence. */
const BY_SEQ = {
  orders: 'closed_seq',
  contract_orders: 'closed_seq',
  plan_orders: 'closed_seq',
  funding_rates: 'settled_seq',
  liquidations: 'seq',
  contract_ledger: 'seq',
} as const;
const BY_ID = {
  trades: 'trade_id',
  contract_trades: 'trade_id',
  balance_changes: 'bill_id',
  transfers: 'transfer_id',
} as const;

/** The trades of every book in a span of time, oldest first. */
const TRADES_BETWEEN =
  'select instrument_id, trade_id, price_ticks, size_lots, quote_amount, taker_side from trades ' +
  'where time_ms >= ? and time_ms <= ? union all ' +
  'select instrument_id, trade_id, price_ticks, size_lots, quote_amount, taker_side ' +
  'from contract_trades ' +
  'where in_book = 1 and time_ms >= ? and time_ms <= ? order by trade_id';
const UNDONE = 'delete from candles where period_id = ? and open_time_ms >= ?';
const MINUTES =
  'select * from candles where period_id = ? and open_time_ms >= ? and open_time_ms < ? ' +
  'order by open_time_ms';

type TradeRow = Pick<
  RowOf<typeof TRADES>,
  'instrument_id' | 'price_ticks' | 'size_lots' | 'quote_amount' | 'taker_side'
>;

/** Part of a candle of a market. */
type Part = Tally & Pick<CandleTrade, 'instrumentId'>;

/** Leaves the rows that were there when the checkpoint was saved, inside the open transaction. */
export function undoBeyond(db: SqliteFile, reset: VenueReset): void {
  const { checkpoint, lastId, instrumentsCount } = reset;
  for (const [table, column] of Object.entries(BY_SEQ)) {
    db.prepare(`delete from ${table} where ${column} > ?`).run(checkpoint.seq);
  }
  for (const [table, column] of Object.entries(BY_ID)) {
    db.prepare(`delete from ${table} where ${column} > ?`).run(lastId);
  }
  db.prepare('delete from instruments where instrument_id >= ?').run(instrumentsCount);
  undoCandles(db, checkpoint.timeMs);
}

/**
 * The candles of that moment are made again: minutes from trades, others from minutes. Of mark and
 * index prices nothing finer than a minute is kept, so that minute begins again after the reset.
 */
function undoCandles(db: SqliteFile, timeMs: number): void {
  const minuteMs = openTimeMs('1min', timeMs);
  const insert = new SummedInsert(db, CANDLES);
  for (const price of CANDLE_PRICES) {
    for (const row of PERIODS) {
      const openMs = openTimeMs(row.period, timeMs);
      const periodId = candlePeriodId(row, price);
      db.prepare(UNDONE).run(periodId, openMs);
      const parts =
        row.period !== '1min'
          ? partsOfPeriod(db, price, openMs, nextOpenTimeMs(row.period, openMs))
          : price === 'last'
            ? partsOfMinute(db, minuteMs)
            : [];
      for (const candle of joinByMarket(parts)) {
        insert.add({ ...candle, periodId, openTimeMs: openMs });
      }
    }
  }
}

function partsOfMinute(db: SqliteFile, minuteMs: number): Part[] {
  const span = [minuteMs, nextOpenTimeMs('1min', minuteMs) - 1];
  const rows = db.prepare<unknown[], TradeRow>(TRADES_BETWEEN).all(...span, ...span);
  return rows.map((row) => {
    const trade = {
      instrumentId: instrumentId(row.instrument_id),
      priceTicks: ticks(row.price_ticks),
      sizeLots: lots(row.size_lots),
      quoteAmount: BigInt(row.quote_amount),
      takerSide: row.taker_side,
    };
    return { ...tallyOf(trade, minuteMs), instrumentId: trade.instrumentId };
  });
}

function partsOfPeriod(db: SqliteFile, price: CandlePrice, openMs: number, endMs: number): Part[] {
  const minuteId = candlePeriodId(periodRow('1min'), price);
  const rows = db.prepare<unknown[], RowOf<typeof CANDLES>>(MINUTES).all(minuteId, openMs, endMs);
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
