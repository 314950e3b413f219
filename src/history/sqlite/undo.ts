/**
 * Takes back what was projected after a checkpoint: the rows of later commands, and of the candles
 * what later trades added. Walks whole tables, so it is for sandboxes.
 */
import type { Database as SqliteFile } from 'better-sqlite3';
import type { VenueReset } from '#domain';
import { nextOpenTimeMs, openTimeMs, PERIODS } from '#domain';
import { CANDLE_COLUMNS } from './candle-writer.ts';
import { SummedInsert } from './summed-rows.ts';

/** Tables by the number that gives a row's command; `id` numbers come from the venue's sequence. */
const BY_SEQ = {
  orders: 'closed_seq',
  contract_orders: 'closed_seq',
  plan_orders: 'closed_seq',
  funding_rates: 'settled_seq',
  liquidations: 'seq',
} as const;
const BY_ID = {
  trades: 'trade_id',
  contract_trades: 'trade_id',
  balance_changes: 'bill_id',
  transfers: 'transfer_id',
} as const;

/** The trades of every book in a span of time, oldest first. */
const TRADES =
  'select instrument_id, trade_id, price_ticks, size_lots, quote_amount from trades ' +
  'where time_ms >= ? and time_ms <= ? union all ' +
  'select instrument_id, trade_id, price_ticks, size_lots, quote_amount from contract_trades ' +
  'where in_book = 1 and time_ms >= ? and time_ms <= ? order by trade_id';
const MINUTES =
  'select instrument_id, open_ticks, high_ticks, low_ticks, close_ticks, base_lots, quote_amount ' +
  'from candles where period_id = ? and open_time_ms >= ? and open_time_ms < ? ' +
  'order by open_time_ms';

interface TradeRow {
  readonly instrument_id: number;
  readonly price_ticks: number;
  readonly size_lots: number;
  readonly quote_amount: string;
}

interface CandleRow {
  readonly instrument_id: number;
  readonly open_ticks: number;
  readonly high_ticks: number;
  readonly low_ticks: number;
  readonly close_ticks: number;
  readonly base_lots: number;
  readonly quote_amount: string;
}

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

/** The candles of that moment are made again: minutes from trades, others from minutes. */
function undoCandles(db: SqliteFile, timeMs: number): void {
  const minuteMs = openTimeMs('1min', timeMs);
  const insert = new SummedInsert(db, 'candles', CANDLE_COLUMNS);
  for (const { period, id } of PERIODS) {
    const openMs = openTimeMs(period, timeMs);
    db.prepare('delete from candles where period_id = ? and open_time_ms >= ?').run(id, openMs);
    const rows =
      period === '1min'
        ? minutesOf(db, minuteMs)
        : periodOf(db, openMs, nextOpenTimeMs(period, openMs));
    for (const row of joinByMarket(rows)) {
      const { instrument_id, open_ticks, high_ticks, low_ticks, close_ticks } = row;
      const prices = [open_ticks, high_ticks, low_ticks, close_ticks];
      insert.run(instrument_id, id, openMs, ...prices, row.base_lots, row.quote_amount);
    }
  }
}

function minutesOf(db: SqliteFile, minuteMs: number): CandleRow[] {
  const span = [minuteMs, nextOpenTimeMs('1min', minuteMs) - 1];
  const trades = db.prepare<unknown[], TradeRow>(TRADES).all(...span, ...span);
  return trades.map(({ instrument_id, price_ticks, size_lots, quote_amount }) => ({
    instrument_id,
    open_ticks: price_ticks,
    high_ticks: price_ticks,
    low_ticks: price_ticks,
    close_ticks: price_ticks,
    base_lots: size_lots,
    quote_amount,
  }));
}

function periodOf(db: SqliteFile, openMs: number, endMs: number): CandleRow[] {
  const [minute] = PERIODS;
  return db.prepare<unknown[], CandleRow>(MINUTES).all(minute?.id, openMs, endMs);
}

/** One row per market from several in the order of time. */
function joinByMarket(rows: readonly CandleRow[]): Iterable<CandleRow> {
  const joined = new Map<number, CandleRow>();
  for (const row of rows) {
    const earlier = joined.get(row.instrument_id);
    joined.set(row.instrument_id, earlier === undefined ? row : join(earlier, row));
  }
  return joined.values();
}

function join(earlier: CandleRow, later: CandleRow): CandleRow {
  return {
    instrument_id: earlier.instrument_id,
    open_ticks: earlier.open_ticks,
    high_ticks: Math.max(earlier.high_ticks, later.high_ticks),
    low_ticks: Math.min(earlier.low_ticks, later.low_ticks),
    close_ticks: later.close_ticks,
    base_lots: Math.min(earlier.base_lots + later.base_lots, Number.MAX_SAFE_INTEGER),
    quote_amount: String(BigInt(earlier.quote_amount) + BigInt(later.quote_amount)),
  };
}
