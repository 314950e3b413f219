/** The recent public trades of one market, newest first. */
import type { Push } from './frames.ts';

export interface TradeLine {
  /** The venue's id; rows of the spot stream have none and are numbered as they come. */
  readonly id: string;
  readonly timeMs: number;
  readonly price: string;
  readonly size: string;
  /** What the taker did. */
  readonly side: 'buy' | 'sell';
}

/** Channel `trade` of the spot stream, newest first in each message. */
export type SpotTradeRow = readonly [
  timeMs: string,
  price: string,
  size: string,
  side: 'buy' | 'sell',
];

/** Channel `trade` of the contract stream, oldest first, and market/trades, newest first. */
export interface SwapTradeRow {
  readonly trade_id: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly size: string;
  readonly timestamp: string;
}

/** market/fills of the spot interface. */
export interface SpotTradeRestRow {
  readonly tradeId: string;
  readonly side: 'buy' | 'sell';
  readonly fillPrice: string;
  readonly fillQuantity: string;
  readonly fillTime: string;
}

/** A push of the spot stream. Only the stream has every trade once, so do not mix in REST. */
export function spotTrades({ isWhole, rows, seq }: Push<SpotTradeRow>): Push<TradeLine> {
  const lines = rows.map(([time, price, size, side], at) => {
    const id = `${seq}.${at}`;
    return { id, timeMs: Number(time), price, size, side };
  });
  return { isWhole, seq, rows: lines };
}

/** A push of the contract stream. */
export function swapTrades({ isWhole, rows, seq }: Push<SwapTradeRow>): Push<TradeLine> {
  return { isWhole, seq, rows: rows.map(swapTrade).reverse() };
}

export function swapTrade(row: SwapTradeRow): TradeLine {
  const { trade_id: id, side, price, size, timestamp } = row;
  return { id, side, price, size, timeMs: Number(timestamp) };
}

export function spotTrade(row: SpotTradeRestRow): TradeLine {
  const { tradeId: id, side, fillPrice: price, fillQuantity: size, fillTime } = row;
  return { id, side, price, size, timeMs: Number(fillTime) };
}

/** A bounded list in which each trade stands once. */
export class TradeList {
  readonly #linesMax: number;
  #lines: readonly TradeLine[] = [];

  constructor(linesMax: number) {
    this.#linesMax = linesMax;
  }

  /** Newest first; another array after every change. */
  get lines(): readonly TradeLine[] {
    return this.#lines;
  }

  /** Takes a push whose rows are newest first; a whole one replaces what was known. */
  apply({ isWhole, rows }: Push<TradeLine>): void {
    const known = isWhole ? [] : this.#lines;
    const ids = new Set(known.map(({ id }) => id));
    const fresh: TradeLine[] = [];
    for (const line of rows) {
      if (ids.has(line.id)) continue;
      ids.add(line.id);
      fresh.push(line);
    }
    this.#lines = [...fresh, ...known].slice(0, this.#linesMax);
  }
}
