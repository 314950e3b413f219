/** The same market data, recomputed from all trades the slow and obvious way. */
import {
  type Candle,
  lots,
  nextOpenTimeMs,
  openTimeMs,
  type Period,
  type PublicTrade,
  type Side,
} from '#domain';
import { present } from '#kernel';
import { type Market, MINUTE_MS, type Tape } from './tape.ts';

export type NaiveTrade = PublicTrade & { readonly quoteAmount: bigint };

export function naiveTrades(tape: Tape, instrument: Market): NaiveTrade[] {
  return tape.tradesOf(instrument).map((trade) => ({ ...trade, quoteAmount: tape.quoteOf(trade) }));
}

/** The trades of one candle, in order; never none. */
function candleOf(openMs: number, trades: readonly NaiveTrade[]): Candle {
  const prices = trades.map((trade) => trade.priceTicks).sort((a, b) => a - b);
  const bought = trades.filter(({ takerSide }) => takerSide === 'buy');
  return {
    openTimeMs: openMs,
    open: present(trades[0], 'first trade').priceTicks,
    high: present(prices.at(-1), 'highest price'),
    low: present(prices[0], 'lowest price'),
    close: present(trades.at(-1), 'last trade').priceTicks,
    baseLots: lots(trades.reduce((sum, trade) => sum + trade.sizeLots, 0)),
    quoteAmount: trades.reduce((sum, trade) => sum + trade.quoteAmount, 0n),
    tradesCount: trades.length,
    takerBuyLots: lots(bought.reduce((sum, trade) => sum + trade.sizeLots, 0)),
    takerBuyQuote: bought.reduce((sum, trade) => sum + trade.quoteAmount, 0n),
    firstTradeId: trades[0]?.tradeId,
    lastTradeId: trades.at(-1)?.tradeId,
  };
}

/** Candles with trades, ascending. */
export function naiveCandles(period: Period, trades: readonly NaiveTrade[]): Candle[] {
  const groups = Map.groupBy(trades, (trade) => openTimeMs(period, trade.timeMs));
  return [...groups].map(([openMs, group]) => candleOf(openMs, group));
}

/** Every row from the first candle ever to that of nowMs, then the window's share of them. */
export function naiveRows(
  period: Period,
  candles: readonly Candle[],
  window: { fromMs?: number | undefined; toMs?: number | undefined; limit: number; nowMs: number },
): Candle[] {
  const byOpen = new Map(candles.map((candle) => [candle.openTimeMs, candle]));
  const rows: Candle[] = [];
  let openMs = candles[0]?.openTimeMs ?? Number.POSITIVE_INFINITY;
  let close = candles[0]?.open;
  while (openMs <= window.nowMs && close !== undefined) {
    const flat = { open: close, high: close, low: close, close };
    const row = byOpen.get(openMs) ?? {
      openTimeMs: openMs,
      ...flat,
      baseLots: lots(0),
      quoteAmount: 0n,
      tradesCount: 0,
      takerBuyLots: lots(0),
      takerBuyQuote: 0n,
      firstTradeId: undefined,
      lastTradeId: undefined,
    };
    rows.push(row);
    close = row.close;
    openMs = nextOpenTimeMs(period, openMs);
  }
  const { fromMs, toMs, limit } = window;
  const within = rows.filter(
    (row) => row.openTimeMs >= (fromMs ?? 0) && row.openTimeMs <= (toMs ?? window.nowMs),
  );
  return fromMs === undefined ? within.slice(-limit) : within.slice(0, limit);
}

/** The 24 h numbers from single trades: since the minute that was current 24 hours before. */
export function naiveDay(trades: readonly NaiveTrade[], nowMs: number) {
  const startMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS - 1_440 * MINUTE_MS;
  const dayMs = 1_440 * MINUTE_MS;
  const inside = trades.filter((trade) => trade.timeMs >= startMs);
  const bought = inside.filter(({ takerSide }) => takerSide === 'buy');
  const today = trades.filter((trade) => trade.timeMs >= Math.floor(nowMs / dayMs) * dayMs);
  const last = trades.at(-1)?.priceTicks ?? 0;
  const prices = inside.map((trade) => trade.priceTicks as number);
  return {
    openTimeMs: startMs,
    last,
    open: inside[0]?.priceTicks ?? last,
    openUtc0: today[0]?.priceTicks ?? last,
    high: prices.length === 0 ? last : Math.max(...prices),
    low: prices.length === 0 ? last : Math.min(...prices),
    baseLots: inside.reduce((sum, trade) => sum + trade.sizeLots, 0),
    quoteAmount: inside.reduce((sum, trade) => sum + trade.quoteAmount, 0n),
    tradesCount: inside.length,
    takerBuyLots: bought.reduce((sum, trade) => sum + trade.sizeLots, 0),
    takerBuyQuote: bought.reduce((sum, trade) => sum + trade.quoteAmount, 0n),
  };
}

/** The book from single orders, best first, merged to a width in ticks. */
export function naiveLevels(
  tape: Tape,
  instrument: Market,
  side: Side,
  width: number,
): [number, number][] {
  const totals = new Map<number, number>();
  for (const order of tape.resting) {
    if (order.instrument !== instrument || order.side !== side) continue;
    const steps = order.price / width;
    const price = (side === 'buy' ? Math.floor(steps) : Math.ceil(steps)) * width;
    totals.set(price, (totals.get(price) ?? 0) + order.size);
  }
  return [...totals].sort(([a], [b]) => (side === 'buy' ? b - a : a - b));
}
