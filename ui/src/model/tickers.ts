/** The last 24 hours of every market in one shape, from REST and both streams. */
import { formatTrimmed } from '#kernel';
import { exact } from './numbers.ts';

export interface TickerLine {
  /** Without the ending of names of pairs. */
  readonly symbol: string;
  /** Zero where there is none, as for every price here. */
  readonly last: string;
  readonly bid: string;
  readonly ask: string;
  readonly high: string;
  readonly low: string;
  /** In base coin; for sorting and showing volumes of one market. */
  readonly baseVolume: string;
  /** In quote coin; not published for contracts. */
  readonly quoteVolume: string | undefined;
  /** Change of 24 hours as a ratio: "0.0123" is 1.23 %. */
  readonly change: string;
  readonly timeMs: number;
}

/** market/ticker and market/tickers of the spot interface. */
export interface SpotTickerRestRow {
  readonly symbol: string;
  readonly close: string;
  readonly buyOne: string;
  readonly sellOne: string;
  readonly high24h: string;
  readonly low24h: string;
  readonly baseVol: string;
  readonly quoteVol: string;
  readonly change: string;
  readonly ts: string;
}

/** Channel `ticker` of the spot stream. */
export interface SpotTickerRow {
  readonly instId: string;
  readonly last: string;
  readonly open24h: string;
  readonly bestBid: string;
  readonly bestAsk: string;
  readonly high24h: string;
  readonly low24h: string;
  readonly baseVolume: string;
  readonly quoteVolume: string;
  readonly ts: number;
}

/** market/ticker, market/tickers and the channel `ticker` of contracts. */
export interface SwapTickerRow {
  readonly symbol: string;
  readonly last: string;
  readonly best_bid: string;
  readonly best_ask: string;
  readonly high_24h: string;
  readonly low_24h: string;
  readonly base_volume: string;
  readonly priceChangePercent: string;
  readonly timestamp: string;
}

const RATIO_SCALE = 6;

/** (last - open) / open, rounded toward zero; zero before the first trade. */
export function changeRatio(open: string, last: string): string {
  const from = exact(open);
  const to = exact(last);
  if (from.value === 0n) return '0';
  const scale = Math.max(from.scale, to.scale);
  const before = from.value * 10n ** BigInt(scale - from.scale);
  const after = to.value * 10n ** BigInt(scale - to.scale);
  return formatTrimmed(((after - before) * 10n ** BigInt(RATIO_SCALE)) / before, RATIO_SCALE);
}

export function spotRestTicker(row: SpotTickerRestRow): TickerLine {
  const { symbol, close: last, buyOne: bid, sellOne: ask, change } = row;
  const { high24h: high, low24h: low, baseVol: baseVolume, quoteVol: quoteVolume } = row;
  const prices = { last, bid, ask, high, low, change };
  return { symbol, ...prices, baseVolume, quoteVolume, timeMs: Number(row.ts) };
}

export function spotStreamTicker(row: SpotTickerRow): TickerLine {
  const { instId: symbol, last, bestBid: bid, bestAsk: ask, baseVolume, quoteVolume } = row;
  const { high24h: high, low24h: low, ts: timeMs } = row;
  const change = changeRatio(row.open24h, last);
  return { symbol, last, bid, ask, high, low, baseVolume, quoteVolume, change, timeMs };
}

export function swapTicker(row: SwapTickerRow): TickerLine {
  const { symbol, last, best_bid: bid, best_ask: ask, high_24h: high, low_24h: low } = row;
  const percent = exact(row.priceChangePercent);
  return {
    ...{ symbol, last, bid, ask, high, low },
    baseVolume: row.base_volume,
    quoteVolume: undefined,
    change: formatTrimmed(percent.value, percent.scale + 2),
    timeMs: Number(row.timestamp),
  };
}

/** The tickers with these in place of older ones; the same map when none has changed. */
export function withTickers(
  known: ReadonlyMap<string, TickerLine>,
  lines: readonly TickerLine[],
): ReadonlyMap<string, TickerLine> {
  const news = lines.filter(({ symbol, timeMs }) => timeMs >= (known.get(symbol)?.timeMs ?? 0));
  if (news.length === 0) return known;
  const made = new Map(known);
  for (const line of news) made.set(line.symbol, line);
  return made;
}
