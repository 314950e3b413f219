/**
 * Takes back what was projected after a checkpoint: the rows of later commands, and of the candles
 * what later trades added. Walks whole tables, so it is for sandboxes.
 */
import type { Database as SqliteFile } from 'better-sqlite3';
import type { VenueReset } from '#domain';
import { instrumentId, lots, nextOpenTimeMs, openTimeMs, PERIODS, ticks } from '#domain';
import { type CandleTrade, merge, type Tally, tallyOf } from './candle-writer.ts';
import { CANDLES, type TRADES } from './spot-tables.ts';
import { SummedInsert } from './summed-rows.ts';
import type { RowOf } from './table.ts';

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
  'select instrument_id, trade_id, price_ticks, size_lots, quote_amount from trades ' +
  'where time_ms >= ? and time_ms <= ? union all ' +
  'select instrument_id, trade_id, price_ticks, size_lots, quote_amount from contract_trades ' +
  'where in_book = 1 and time_ms >= ? and time_ms <= ? order by trade_id';
const MINUTES =
  'select * from candles where period_id = ? and open_time_ms >= ? and open_time_ms < ? ' +
  'order by open_time_ms';

type TradeRow = Pick<
  RowOf<typeof TRADES>,
  'instrument_id' | 'price_ticks' | 'size_lots' | 'quote_amount'
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

/** The candles of that moment are made again: minutes from trades, others from minutes. */
function undoCandles(db: SqliteFile, timeMs: number): void {
  const minuteMs = openTimeMs('1min', timeMs);
  const insert = new SummedInsert(db, CANDLES);
  for (const { period, id } of PERIODS) {
    const openMs = openTimeMs(period, timeMs);
    db.prepare('delete from candles where period_id = ? and open_time_ms >= ?').run(id, openMs);
    const parts =
      period === '1min'
        ? partsOfMinute(db, minuteMs)
        : partsOfPeriod(db, openMs, nextOpenTimeMs(period, openMs));
    for (const candle of joinByMarket(parts)) {
      insert.add({ ...candle, periodId: id, openTimeMs: openMs });
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
    };
    return { ...tallyOf(trade, minuteMs), instrumentId: trade.instrumentId };
  });
}

function partsOfPeriod(db: SqliteFile, openMs: number, endMs: number): Part[] {
  const [minute] = PERIODS;
  const rows = db.prepare<unknown[], RowOf<typeof CANDLES>>(MINUTES).all(minute?.id, openMs, endMs);
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
