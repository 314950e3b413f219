/** The candles of one instrument and period: pages of REST joined with stream updates. */
import {
  type Bar,
  barOfSpot,
  barOfValues,
  type CandleChange,
  CandleSeries,
  type CandleValues,
  type SpotCandleRow,
} from '../../model/candles.ts';
import type { PeriodRow } from '../../model/periods.ts';
import { venueTimeMs } from '../../wire/clock.ts';
import { publicGet } from '../../wire/rest.ts';
import { spotStream, swapStream } from '../../wire/streams.ts';
import type { Instrument } from '../context.ts';

/** What the venue gives at once. */
const PAGE_BARS = 1_000;
const BARS_MAX = 100_000;
/** After this long the newest page is asked for again where it could not be read. */
const RETRY_MS = 3_000;

interface SwapCandleRow {
  readonly candle: CandleValues;
}

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
    const { kind, symbol } = this.#instrument;
    let isBehind = false;
    const hear = (bars: readonly Bar[], isSnapshot: boolean): void => {
      if (bars.length > 0) this.#take(bars);
      if (isSnapshot && isBehind) this.#readNewest(true);
      if (isSnapshot) isBehind = false;
    };
    const lose = (): void => {
      isBehind = true;
    };
    if (kind === 'spot') {
      const topic = { channel: this.#period.spotChannel, symbol };
      return spotStream.follow<CandleValues>(
        topic,
        ({ rows, isSnapshot }) => hear(rows.map(barOfValues), isSnapshot),
        lose,
      );
    }
    const topic = { channel: `candle${this.#period.swapSeconds}s`, symbol };
    return swapStream.follow<SwapCandleRow>(
      topic,
      ({ rows, isSnapshot }) =>
        hear(
          rows.map(({ candle }) => barOfValues(candle)),
          isSnapshot,
        ),
      lose,
    );
  }

  /** The bars that opened at this time or before, or the newest ones: as many as a page has. */
  async #page(lastMs: number | undefined): Promise<readonly Bar[]> {
    const { symbol, kind } = this.#instrument;
    if (kind === 'spot') {
      const { period } = this.#period;
      const query = { symbol, period, before: lastMs, limit: PAGE_BARS };
      const rows = await publicGet<readonly SpotCandleRow[]>('/api/spot/v1/market/candles', query);
      return rows.map(barOfSpot);
    }
    const { swapSeconds: granularity = 0 } = this.#period;
    const firstMs = (lastMs ?? (await venueTimeMs())) - PAGE_BARS * granularity * 1_000;
    const query = { symbol, granularity, startTime: Math.max(0, firstMs), endTime: lastMs };
    const rows = await publicGet<readonly CandleValues[]>('/api/swap/v3/market/candles', query);
    return rows.map(barOfValues);
  }
}
