/**
 * Candles on their way to the file. The trades of a minute are tallied first and then merged into
 * the candle of every period, so that a trade costs one addition and not fourteen. In memory is
 * one candle per market and period; every other one is read back when a trade belongs to it.
 */

import type { Database as SqliteFile, Statement } from 'better-sqlite3';
import {
  type Amount,
  type InstrumentId,
  LIMITS,
  type Lots,
  lots,
  nextOpenTimeMs,
  openTimeMs,
  PERIODS,
  type PeriodRow,
  type Ticks,
} from '#domain';
import { assert } from '#kernel';
import { CANDLES } from './spot-tables.ts';
import { isSound, SummedInsert } from './summed-rows.ts';
import type { RowOf } from './table.ts';

/** What a candle keeps of a trade in a book, spot or contract. */
export interface CandleTrade {
  readonly instrumentId: InstrumentId;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly quoteAmount: Amount;
}

/** A candle that grows. */
export interface Tally {
  openTimeMs: number;
  openTicks: Ticks;
  highTicks: Ticks;
  lowTicks: Ticks;
  closeTicks: Ticks;
  baseLots: Lots;
  quoteAmount: Amount;
}

interface HeldCandle extends Tally {
  /** Differs from its row. */
  changed: boolean;
  /** Goes on from a row that was not sound: no sum may make it look as if it were. */
  readonly damaged: boolean;
}

/** The candles of a market: its minute in progress, and one candle per period in PERIODS order. */
interface Market {
  minute: Tally | undefined;
  minuteEndMs: number;
  readonly candles: (HeldCandle | undefined)[];
}

const SELECT =
  'select * from candles where instrument_id = ? and period_id = ? and open_time_ms = ?';
const ON_CONFLICT =
  'on conflict (instrument_id, period_id, open_time_ms) do update set ' +
  'high_ticks = excluded.high_ticks, low_ticks = excluded.low_ticks, ' +
  'close_ticks = excluded.close_ticks, base_lots = excluded.base_lots, ' +
  'quote_amount = excluded.quote_amount, row_sum = excluded.row_sum';

export class CandleWriter {
  readonly #markets = new Map<InstrumentId, Market>();
  /** Markets that traded since the last flush. */
  readonly #touched = new Set<InstrumentId>();
  readonly #select: Statement<unknown[], RowOf<typeof CANDLES>>;
  readonly #upsert: SummedInsert<(typeof CANDLES)['columns']>;

  constructor(db: SqliteFile) {
    this.#select = db.prepare(SELECT);
    this.#upsert = new SummedInsert(db, CANDLES, ON_CONFLICT);
  }

  add(trade: CandleTrade, timeMs: number): void {
    const market = this.#market(trade.instrumentId);
    this.#touched.add(trade.instrumentId);
    const minute = market.minute;
    if (minute !== undefined && timeMs >= minute.openTimeMs && timeMs < market.minuteEndMs) {
      merge(minute, tallyOf(trade, minute.openTimeMs));
      return;
    }
    this.#settle(trade.instrumentId, market);
    const openMs = openTimeMs('1min', timeMs);
    market.minute = tallyOf(trade, openMs);
    market.minuteEndMs = nextOpenTimeMs('1min', openMs);
  }

  /** Writes every candle that changed. Call it before the transaction ends. */
  flush(): void {
    for (const instrument of this.#touched) {
      const market = this.#market(instrument);
      this.#settle(instrument, market);
      for (const [index, row] of PERIODS.entries()) {
        this.#write(instrument, row, market.candles[index]);
      }
    }
    this.#touched.clear();
  }

  /** Forgets what is in memory, because the rows have become others. Everything is written. */
  forget(): void {
    assert(this.#touched.size === 0, 'candles are written before they are forgotten');
    this.#markets.clear();
  }

  #market(instrument: InstrumentId): Market {
    const known = this.#markets.get(instrument);
    if (known !== undefined) return known;
    assert(this.#markets.size < LIMITS.instrumentsMax, 'no more markets than can be listed');
    const market: Market = { minute: undefined, minuteEndMs: 0, candles: [] };
    this.#markets.set(instrument, market);
    return market;
  }

  /** Merges the minute in progress into the candle of every period. */
  #settle(instrument: InstrumentId, market: Market): void {
    const { minute } = market;
    if (minute === undefined) return;
    market.minute = undefined;
    for (const [index, row] of PERIODS.entries()) {
      const openMs = openTimeMs(row.period, minute.openTimeMs);
      let candle = market.candles[index];
      if (candle?.openTimeMs !== openMs) {
        this.#write(instrument, row, candle);
        candle = this.#load(instrument, row, openMs);
      }
      if (candle === undefined)
        candle = { ...minute, openTimeMs: openMs, changed: true, damaged: false };
      else merge(candle, minute);
      candle.changed = true;
      market.candles[index] = candle;
    }
  }

  #load(instrument: InstrumentId, row: PeriodRow, openMs: number): HeldCandle | undefined {
    const stored = this.#select.get(instrument, row.id, openMs);
    if (stored === undefined) return undefined;
    return { ...CANDLES.read(stored), changed: false, damaged: !isSound(stored) };
  }

  #write(instrument: InstrumentId, row: PeriodRow, candle: HeldCandle | undefined): void {
    if (candle === undefined || !candle.changed) return;
    candle.changed = false;
    const record = { ...candle, instrumentId: instrument, periodId: row.id };
    if (candle.damaged) this.#upsert.addDamaged(record);
    else this.#upsert.add(record);
  }
}

export function tallyOf(trade: CandleTrade, openMs: number): Tally {
  const price = trade.priceTicks;
  return {
    openTimeMs: openMs,
    openTicks: price,
    highTicks: price,
    lowTicks: price,
    closeTicks: price,
    baseLots: trade.sizeLots,
    quoteAmount: trade.quoteAmount,
  };
}

/** Adds a later tally to an earlier one. */
export function merge(into: Tally, later: Tally): void {
  if (later.highTicks > into.highTicks) into.highTicks = later.highTicks;
  if (later.lowTicks < into.lowTicks) into.lowTicks = later.lowTicks;
  into.closeTicks = later.closeTicks;
  // A volume is shown, never spent: beyond 2^53 lots it stands still and stops nothing.
  into.baseLots = lots(Math.min(into.baseLots + later.baseLots, Number.MAX_SAFE_INTEGER));
  into.quoteAmount += later.quoteAmount;
}
