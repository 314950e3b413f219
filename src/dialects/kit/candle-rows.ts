/** The candles of a window, from memory and, where that begins too late, from the history. */
import type { Services } from '#api';
import type { Candle, CandlePrice, InstrumentId, Period } from '#domain';
import { type CandleWindow, fillGaps, type NeedsHistory } from '#market-data';

type CandleOptions = Pick<Services, 'live' | 'history' | 'historyReady'>;

/** Ascending, periods without trades filled in, the current candle included. */
export async function candleRows(
  options: CandleOptions,
  instrumentId: InstrumentId,
  period: Period,
  window: CandleWindow,
  price: CandlePrice = 'last',
): Promise<readonly Candle[]> {
  const answer = options.live.candles(instrumentId, period, window, price);
  if (answer.kind === 'rows') return answer.rows;
  return olderRows(options, { instrumentId, period, price }, answer);
}

/** The rows of an answer that reaches further back than memory. */
async function olderRows(
  { history, historyReady }: CandleOptions,
  candles: { instrumentId: InstrumentId; period: Period; price: CandlePrice },
  { range, recent, recentFromMs }: NeedsHistory,
): Promise<readonly Candle[]> {
  await historyReady();
  const { fromMs, limit } = range;
  const toMs = Math.min(range.toMs, recentFromMs - 1);
  const [stored, before] = await Promise.all([
    history.candles({ ...candles, fromMs, toMs, limit, keep: 'oldest' }),
    history.lastCandleBefore(candles, fromMs),
  ]);
  return fillGaps(range, [...stored, ...recent], before?.close);
}
