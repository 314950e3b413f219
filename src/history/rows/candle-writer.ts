/**
 * Candles on their way to the file, of trades and of the prices that contracts are run by. Those
 * of a minute are tallied first and then merged into the candle of every period, so that a trade
 * costs one addition and not fifteen. In memory is one candle per market, kind of price and
 * period; every other one is read back when a trade belongs to it.
 */

import {
  type Amount,
  CANDLE_PRICES,
  type CandlePrice,
  type Event,
  type InstrumentId,
  LIMITS,
  type Lots,
  lots,
  nextOpenTimeMs,
  openTimeMs,
  PERIODS,
  type PeriodRow,
  type Side,
  type Step,
  type Ticks,
  type TradeId,
  ZERO_LOTS,
} from '#domain';
import { assert } from '#kernel';
import { CANDLES, candlePeriodId } from '../tables/spot-tables.ts';
import type { CandleKey, CandleRows } from './row-store.ts';
import { isSound } from './row-sum.ts';

/** What a candle keeps of a trade in a book, spot or contract. */
export interface CandleTrade {
  readonly instrumentId: InstrumentId;
  /** Undefined for a price that nothing was traded at. */
  readonly tradeId: TradeId | undefined;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly quoteAmount: Amount;
  readonly takerSide: Side;
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
  tradesCount: number;
  takerBuyLots: Lots;
  takerBuyQuote: Amount;
  firstTradeId: TradeId | undefined;
  lastTradeId: TradeId | undefined;
}

interface HeldCandle extends Tally {
  /** Differs from its row. */
  changed: boolean;
  /** Goes on from a row that was not sound: no sum may make it look as if it were. */
  readonly damaged: boolean;
}

/** Candles of a market: the minute in progress, and one candle per period in PERIODS order. */
interface Market {
  readonly instrumentId: InstrumentId;
  readonly price: CandlePrice;
  minute: Tally | undefined;
  minuteEndMs: number;
  readonly candles: (HeldCandle | undefined)[];
}

/** What is published and not traded at. */
const UNTRADED = {
  tradeId: undefined,
  sizeLots: ZERO_LOTS,
  quoteAmount: 0n,
  takerSide: 'buy',
} as const;

/** How a candle that is there takes a later state of it. */
export const CANDLE_GROWS =
  'on conflict (instrument_id, period_id, open_time_ms) do update set ' +
  'high_ticks = excluded.high_ticks, low_ticks = excluded.low_ticks, ' +
  'close_ticks = excluded.close_ticks, base_lots = excluded.base_lots, ' +
  'quote_amount = excluded.quote_amount, trades_count = excluded.trades_count, ' +
  'taker_buy_lots = excluded.taker_buy_lots, taker_buy_quote = excluded.taker_buy_quote, ' +
  'last_trade_id = excluded.last_trade_id, ' +
  'row_sum = excluded.row_sum';

export class CandleWriter {
  readonly #markets: Readonly<Record<CandlePrice, Map<InstrumentId, Market>>> = {
    last: new Map(),
    mark: new Map(),
    index: new Map(),
  };
  /** What had trades or prices since the last flush. */
  readonly #touched = new Set<Market>();
  readonly #rows: CandleRows;

  constructor(rows: CandleRows) {
    this.#rows = rows;
  }

  add(trade: CandleTrade, timeMs: number): void {
    this.#take(this.#market(trade.instrumentId, 'last'), trade, timeMs);
  }

  /** A price that a contract is run by from this time on; none while it is zero. */
  addPrice(
    instrumentId: InstrumentId,
    price: CandlePrice,
    priceTicks: Ticks,
    timeMs: number,
  ): void {
    if (priceTicks === 0) return;
    const untraded = { instrumentId, priceTicks, ...UNTRADED };
    this.#take(this.#market(instrumentId, price), untraded, timeMs);
  }

  #take(market: Market, trade: CandleTrade, timeMs: number): void {
    this.#touched.add(market);
    const minute = market.minute;
    if (minute !== undefined && timeMs >= minute.openTimeMs && timeMs < market.minuteEndMs) {
      merge(minute, tallyOf(trade, minute.openTimeMs));
      return;
    }
    this.#settle(market);
    const openMs = openTimeMs('1min', timeMs);
    market.minute = tallyOf(trade, openMs);
    market.minuteEndMs = nextOpenTimeMs('1min', openMs);
  }

  /** Writes every candle that changed. Call it before the transaction ends. */
  flush(): void {
    for (const market of this.#touched) {
      this.#settle(market);
      for (const [index, row] of PERIODS.entries()) {
        this.#write(market, row, market.candles[index]);
      }
    }
    this.#touched.clear();
  }

  /** Forgets what is in memory, because the rows have become others. Everything is written. */
  forget(): void {
    assert(this.#touched.size === 0, 'candles are written before they are forgotten');
    for (const price of CANDLE_PRICES) this.#markets[price].clear();
  }

  /** The candles that these steps belong to and that are not in memory: they will be asked for. */
  *ahead(steps: readonly Step[]): Iterable<CandleKey> {
    const minutes = new Set<string>();
    for (const { events, timeMs } of steps) {
      for (const event of events) {
        for (const [instrumentId, price] of seriesOf(event)) {
          const minute = `${instrumentId} ${price} ${openTimeMs('1min', timeMs)}`;
          if (minutes.has(minute)) continue;
          minutes.add(minute);
          yield* this.#lacking(instrumentId, price, timeMs);
        }
      }
    }
  }

  *#lacking(instrumentId: InstrumentId, price: CandlePrice, timeMs: number): Iterable<CandleKey> {
    const held = this.#markets[price].get(instrumentId)?.candles;
    for (const [index, row] of PERIODS.entries()) {
      const openMs = openTimeMs(row.period, timeMs);
      if (held?.[index]?.openTimeMs === openMs) continue;
      yield { instrumentId, periodId: candlePeriodId(row, price), openTimeMs: openMs };
    }
  }

  #market(instrumentId: InstrumentId, price: CandlePrice): Market {
    const markets = this.#markets[price];
    const known = markets.get(instrumentId);
    if (known !== undefined) return known;
    assert(markets.size < LIMITS.instrumentsMax, 'no more markets than can be listed');
    const made = { instrumentId, price, minute: undefined, minuteEndMs: 0, candles: [] };
    markets.set(instrumentId, made);
    return made;
  }

  /** Merges the minute in progress into the candle of every period. */
  #settle(market: Market): void {
    const { minute } = market;
    if (minute === undefined) return;
    market.minute = undefined;
    for (const [index, row] of PERIODS.entries()) {
      const openMs = openTimeMs(row.period, minute.openTimeMs);
      let candle = market.candles[index];
      if (candle?.openTimeMs !== openMs) {
        this.#write(market, row, candle);
        candle = this.#load(market, row, openMs);
      }
      if (candle === undefined)
        candle = { ...minute, openTimeMs: openMs, changed: true, damaged: false };
      else merge(candle, minute);
      candle.changed = true;
      market.candles[index] = candle;
    }
  }

  #load({ instrumentId, price }: Market, row: PeriodRow, openMs: number): HeldCandle | undefined {
    const periodId = candlePeriodId(row, price);
    const stored = this.#rows.stored({ instrumentId, periodId, openTimeMs: openMs });
    if (stored === undefined) return undefined;
    return { ...CANDLES.read(stored), changed: false, damaged: !isSound(stored) };
  }

  #write({ instrumentId, price }: Market, row: PeriodRow, candle: HeldCandle | undefined): void {
    if (candle === undefined || !candle.changed) return;
    candle.changed = false;
    const record = { ...candle, instrumentId, periodId: candlePeriodId(row, price) };
    this.#rows.put(record, candle.damaged);
  }
}

/** The series of candles that an event belongs to. */
function seriesOf(event: Event): readonly (readonly [InstrumentId, CandlePrice])[] {
  if (event.kind === 'trade') return [[event.instrumentId, 'last']];
  if (event.kind === 'contract_trade') return event.inBook ? [[event.instrumentId, 'last']] : [];
  if (event.kind !== 'contract_priced') return [];
  const { instrumentId } = event.prices;
  return [
    [instrumentId, 'mark'],
    [instrumentId, 'index'],
  ];
}

export function tallyOf(trade: CandleTrade, openMs: number): Tally {
  const price = trade.priceTicks;
  const takerBuys = trade.takerSide === 'buy';
  return {
    openTimeMs: openMs,
    openTicks: price,
    highTicks: price,
    lowTicks: price,
    closeTicks: price,
    baseLots: trade.sizeLots,
    quoteAmount: trade.quoteAmount,
    tradesCount: trade.sizeLots > 0 ? 1 : 0,
    takerBuyLots: takerBuys ? trade.sizeLots : ZERO_LOTS,
    takerBuyQuote: takerBuys ? trade.quoteAmount : 0n,
    firstTradeId: trade.tradeId,
    lastTradeId: trade.tradeId,
  };
}

/** Adds a later tally to an earlier one. */
export function merge(into: Tally, later: Tally): void {
  if (later.highTicks > into.highTicks) into.highTicks = later.highTicks;
  if (later.lowTicks < into.lowTicks) into.lowTicks = later.lowTicks;
  into.closeTicks = later.closeTicks;
  // A volume is shown, never spent: beyond 2^53 lots it stands still and stops nothing.
  into.baseLots = volume(into.baseLots + later.baseLots);
  into.quoteAmount += later.quoteAmount;
  into.tradesCount += later.tradesCount;
  into.takerBuyLots = volume(into.takerBuyLots + later.takerBuyLots);
  into.takerBuyQuote += later.takerBuyQuote;
  into.firstTradeId ??= later.firstTradeId;
  into.lastTradeId = later.lastTradeId ?? into.lastTradeId;
}

function volume(sum: number): Lots {
  return lots(Math.min(sum, Number.MAX_SAFE_INTEGER));
}
