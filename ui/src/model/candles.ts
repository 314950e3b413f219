/**
 * The candles of one market and period, put together from pages of REST and messages of a stream,
 * in the shape that lightweight-charts takes: numbers for pixels, and times in seconds.
 */
import type { native } from '#client';
import type { Period } from '#domain';
import { chartNumber } from './numbers.ts';
import { nextOpenMs } from './periods.ts';

export interface Bar {
  /** When it opened: UTC, in whole seconds. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** In base coin (spot) or contracts. */
  readonly volume: number;
}

export function barOf({ time, open, high, low, close, volume }: native.CandlesRow): Bar {
  return {
    time: time / 1_000,
    open: chartNumber(open),
    high: chartNumber(high),
    low: chartNumber(low),
    close: chartNumber(close),
    volume: chartNumber(volume),
  };
}

/**
 * What a chart has to do: nothing, update its last bar or append some (from this index on), or take
 * all bars anew.
 */
export type CandleChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'tail'; readonly from: number }
  | { readonly kind: 'all' };

const NONE: CandleChange = { kind: 'none' };
const ALL: CandleChange = { kind: 'all' };

export class CandleSeries {
  readonly #period: Period;
  readonly #barsMax: number;
  /** Oldest first, one for every period from the first to the last. */
  #bars: Bar[] = [];

  /** Older bars are not taken any more when there are as many as this. */
  constructor(period: Period, barsMax: number) {
    this.#period = period;
    this.#barsMax = barsMax;
  }

  /** Oldest first, without gaps. The array is the series' own: it changes with the next message. */
  get bars(): readonly Bar[] {
    return this.#bars;
  }

  /** Open time of the oldest bar, for the page before it; undefined when there is none. */
  get oldestMs(): number | undefined {
    const first = this.#bars[0];
    return first === undefined ? undefined : first.time * 1_000;
  }

  /** Whether older bars may still be asked for. */
  get hasRoom(): boolean {
    return this.#bars.length < this.#barsMax;
  }

  clear(): void {
    this.#bars = [];
  }

  /**
   * Takes bars from wherever, ascending: a page of REST, a snapshot or an update of the stream. Of
   * two states of one bar the one with more volume is the later one. Where a period has no bar
   * nothing traded, and the price stays where it was.
   */
  merge(given: readonly Bar[]): CandleChange {
    const last = this.#bars.at(-1);
    const first = given[0];
    if (first === undefined) return NONE;
    if (last === undefined || first.time < last.time) return this.#mergeAll(given);
    const from = this.#bars.length - (first.time === last.time ? 1 : 0);
    const isNews = given.length > 1 || first.time > last.time || isLater(first, last);
    return isNews ? this.#append(given, from) : NONE;
  }

  #append(given: readonly Bar[], from: number): CandleChange {
    for (const one of given) {
      const last = this.#bars.at(-1);
      if (last?.time === one.time) {
        if (isLater(one, last)) this.#bars[this.#bars.length - 1] = one;
      } else this.#push(one);
    }
    if (this.#bars.length <= this.#barsMax) return { kind: 'tail', from };
    this.#bars = this.#bars.slice(-this.#barsMax);
    return ALL;
  }

  /** Adds a bar behind the last one, and one for every period between them. */
  #push(one: Bar): void {
    const last = this.#bars.at(-1);
    if (last !== undefined) {
      let time = this.#next(last.time);
      // A hole that is longer than the series leaves nothing of what was before it.
      for (let made = 0; time < one.time && made < this.#barsMax; made += 1) {
        this.#bars.push(flatBar(time, last.close));
        time = this.#next(time);
      }
      if (time < one.time) this.#bars = [];
    }
    this.#bars.push(one);
  }

  #mergeAll(given: readonly Bar[]): CandleChange {
    const byTime = new Map(this.#bars.map((known) => [known.time, known]));
    for (const one of given) {
      const known = byTime.get(one.time);
      if (known === undefined || isLater(one, known)) byTime.set(one.time, one);
    }
    const ascending = [...byTime.values()].sort((one, other) => one.time - other.time);
    this.#bars = [];
    for (const one of ascending) this.#push(one);
    this.#bars = this.#bars.slice(-this.#barsMax);
    return ALL;
  }

  #next(time: number): number {
    return nextOpenMs(this.#period, time * 1_000) / 1_000;
  }
}

/** A bar only ever grows. One without volume may have been a guess about a hole. */
function isLater(one: Bar, known: Bar): boolean {
  return one.volume > known.volume || (one.volume === known.volume && one.close !== known.close);
}

function flatBar(time: number, close: number): Bar {
  return { time, open: close, high: close, low: close, close, volume: 0 };
}
