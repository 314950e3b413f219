/** The candles of one instrument and period: pages of REST joined with stream updates. */
import { native } from '#client';
import { type Bar, barOf, type CandleChange, CandleSeries } from '../../model/candles.ts';
import type { PeriodRow } from '../../model/periods.ts';
import { ask } from '../../wire/ask.ts';
import { stream } from '../../wire/stream.ts';
import type { Instrument } from '../context.ts';

/** What the venue gives at once. */
const PAGE_BARS = 1_000;
const BARS_MAX = 100_000;
/** After this long the newest page is asked for again where it could not be read. */
const RETRY_MS = 3_000;

export interface CandleListener {
  onChange(change: CandleChange): void;
  /** The newest page could not be read; it is asked for again. */
  onFault(error: unknown): void;
}

export class CandleSource {
  readonly #instrument: Instrument;
  readonly #period: PeriodRow;
  readonly #listener: CandleListener;
  readonly #series: CandleSeries;
  readonly #end: () => void;
  #isOver = false;
  #isReadingOlder = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #hasOlder = true;

  /** Begins at once; the listener gets every change until close(). */
  constructor(instrument: Instrument, period: PeriodRow, listener: CandleListener) {
    this.#instrument = instrument;
    this.#period = period;
    this.#listener = listener;
    this.#series = new CandleSeries(period.period, BARS_MAX);
    this.#end = this.#follow();
    this.#readNewest(false);
  }

  /** Oldest first. */
  get bars(): readonly Bar[] {
    return this.#series.bars;
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#retry);
    this.#end();
  }

  /** Reads the newest page: at the start, or in place of all there is when messages were missed. */
  #readNewest(isAnew: boolean): void {
    this.#page(undefined).then(
      (page) => {
        // The venue may have gone back to an earlier state: candles it does not send are gone.
        if (isAnew) this.#series.clear();
        if (isAnew) this.#hasOlder = true;
        this.#take(page);
      },
      (error: unknown) => {
        if (this.#isOver) return;
        this.#listener.onFault(error);
        this.#retry = setTimeout(() => this.#readNewest(isAnew), RETRY_MS);
      },
    );
  }

  /** Reads the page before the oldest bar, unless that is under way or there is none. */
  readOlder(): void {
    const { oldestMs, hasRoom } = this.#series;
    if (this.#isReadingOlder || !this.#hasOlder || !hasRoom || oldestMs === undefined) return;
    this.#isReadingOlder = true;
    this.#page(oldestMs - 1)
      .then((page) => {
        this.#hasOlder = page.length > 0;
        this.#take(page);
      })
      // The next scroll tries again.
      .catch(() => undefined)
      .finally(() => {
        this.#isReadingOlder = false;
      });
  }

  #take(bars: readonly Bar[]): void {
    if (this.#isOver) return;
    const change = this.#series.merge(bars);
    // An empty page is an answer as well: there are no older candles.
    if (change.kind !== 'none' || this.#series.bars.length === 0) this.#listener.onChange(change);
  }

  #follow(): () => void {
    const { period } = this.#period;
    let isBehind = false;
    return stream.follow(`candles:${period}:${this.#instrument.symbol}`, {
      onMessage: ({ type, data }) => {
        if (data.length > 0) this.#take(data.map(barOf));
        if (type === 'update') return;
        if (isBehind) this.#readNewest(true);
        isBehind = false;
      },
      onLost: () => {
        isBehind = true;
      },
    });
  }

  /** The bars that opened at this time or before, or the newest ones: as many as a page has. */
  async #page(to: number | undefined): Promise<readonly Bar[]> {
    const { symbol } = this.#instrument;
    const { period } = this.#period;
    const rows = await ask(native.candles, { symbol, period, to, limit: PAGE_BARS });
    return rows.map(barOf);
  }
}
