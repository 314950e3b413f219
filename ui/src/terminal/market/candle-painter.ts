/** Paints candles and volumes with lightweight-charts, in the colours of the page. */
import {
  type CandlestickData,
  CandlestickSeries,
  CrosshairMode,
  createChart,
  type HistogramData,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { assert } from '#kernel';
import type { Times } from '../../look/mod.ts';
import type { Bar, CandleChange } from '../../model/candles.ts';
import { grouped } from '../../model/numbers.ts';
import type { Instrument } from '../context.ts';

/** So many bars before the first one is seen, older ones are asked for. */
const BARS_AHEAD = 50;
const VOLUME_SCALE = 'volume';
const SECOND_MS = 1_000;
/** Of ":00", which no bar needs. */
const SECONDS_LENGTH = 3;
/** How far a key scrolls, in bars, and by how much it zooms. */
const KEY_BARS = 10;
const KEY_ZOOM = 1.25;
const BAR_SPACING_MIN = 0.5;
const BAR_SPACING_MAX = 60;

export interface PainterOptions {
  readonly instrument: Instrument;
  /** As in en or zh, for dates. */
  readonly locale: string;
  /** The zone of the axis; undefined for bars without a time of day, which are of UTC days. */
  readonly times: Times | undefined;
  readonly onNearStart: () => void;
  /** Index of the bar under the cursor; undefined when it is nowhere. */
  readonly onPoint: (at: number | undefined) => void;
}

export class CandlePainter {
  readonly #chart: IChartApi;
  readonly #candles: ISeriesApi<'Candlestick'>;
  readonly #volumes: ISeriesApi<'Histogram'>;
  readonly #element: HTMLElement;
  /** The library knows UTC only: bars are moved by what the zone is ahead of it now. */
  readonly #shiftS: number;
  #upWash = '';
  #downWash = '';

  constructor(element: HTMLElement, options: PainterOptions) {
    const { instrument, locale, times } = options;
    const { priceScale, priceStep } = instrument;
    this.#element = element;
    this.#shiftS = times === undefined ? 0 : times.offsetMs(Date.now()) / SECOND_MS;
    this.#chart = createChart(element, {
      autoSize: true,
      // The logo injects a <style>, which the policy of the page blocks: a link stands below.
      layout: { attributionLogo: false, fontSize: 11 },
      crosshair: { mode: CrosshairMode.Normal },
      localization: {
        locale,
        priceFormatter: (price: number) => grouped(price.toFixed(priceScale)),
        ...(times === undefined ? {} : { timeFormatter: (at: Time) => this.#exactText(at, times) }),
      },
      rightPriceScale: { scaleMargins: { top: 0.12, bottom: 0.24 } },
      timeScale: {
        timeVisible: times !== undefined,
        secondsVisible: false,
        rightOffset: 4,
        barSpacing: 8,
        tickMarkFormatter: (at: Time, kind: TickMarkType) =>
          times === undefined || kind !== TickMarkType.Time ? null : this.#clockText(at, times),
      },
    });
    const priceFormat = {
      type: 'price',
      precision: priceScale,
      minMove: Number(priceStep),
    } as const;
    this.#candles = this.#chart.addSeries(CandlestickSeries, { priceFormat });
    this.#volumes = this.#chart.addSeries(HistogramSeries, {
      priceScaleId: VOLUME_SCALE,
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.#chart.priceScale(VOLUME_SCALE).applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
    this.#listen(options);
    this.paintTheme();
  }

  remove(): void {
    this.#element.onkeydown = null;
    this.#chart.remove();
  }

  /** Takes the colours that the tokens have now; bars are coloured with the next paint of all. */
  paintTheme(): void {
    const style = getComputedStyle(this.#element);
    const token = (name: string): string => style.getPropertyValue(name).trim();
    const [up, down, edge] = [token('--up'), token('--down'), token('--edge')];
    this.#upWash = token('--up-wash');
    this.#downWash = token('--down-wash');
    const cursor = { color: token('--ink-soft'), labelBackgroundColor: token('--control-edge') };
    this.#chart.applyOptions({
      layout: {
        background: { color: token('--panel') },
        textColor: token('--ink-soft'),
        fontFamily: style.fontFamily,
      },
      grid: { vertLines: { color: token('--raised') }, horzLines: { color: token('--raised') } },
      crosshair: { vertLine: cursor, horzLine: cursor },
      rightPriceScale: { borderColor: edge },
      timeScale: { borderColor: edge },
    });
    const upDown = { upColor: up, borderUpColor: up, wickUpColor: up };
    const downUp = { downColor: down, borderDownColor: down, wickDownColor: down };
    this.#candles.applyOptions({ ...upDown, ...downUp });
  }

  /** Paints what has changed of the bars. */
  paint(bars: readonly Bar[], change: CandleChange): void {
    if (change.kind === 'none') return;
    if (change.kind === 'all') {
      this.#candles.setData(bars.map((bar) => this.#candleOf(bar)));
      this.#volumes.setData(bars.map((bar) => this.#volumeOf(bar)));
      return;
    }
    for (const bar of bars.slice(change.from)) {
      this.#candles.update(this.#candleOf(bar));
      this.#volumes.update(this.#volumeOf(bar));
    }
  }

  /** What the mouse does with wheel and drag. False for a key that does nothing. */
  #press(key: string): boolean {
    switch (key) {
      case 'ArrowLeft':
        return this.#scroll(-KEY_BARS);
      case 'ArrowRight':
        return this.#scroll(KEY_BARS);
      case '+':
        return this.#zoom(KEY_ZOOM);
      case '-':
        return this.#zoom(1 / KEY_ZOOM);
      case 'End':
        this.#chart.timeScale().scrollToRealTime();
        return true;
      default:
        return false;
    }
  }

  #scroll(bars: number): boolean {
    const time = this.#chart.timeScale();
    time.scrollToPosition(time.scrollPosition() + bars, false);
    return true;
  }

  #zoom(factor: number): boolean {
    const time = this.#chart.timeScale();
    const spacing = time.options().barSpacing * factor;
    const barSpacing = Math.min(BAR_SPACING_MAX, Math.max(BAR_SPACING_MIN, spacing));
    time.applyOptions({ barSpacing });
    return true;
  }

  #volumeOf({ time, open, close, volume }: Bar): HistogramData<UTCTimestamp> {
    const color = close < open ? this.#downWash : this.#upWash;
    return { time: timestamp(time + this.#shiftS), value: volume, color };
  }

  #candleOf({ time, open, high, low, close }: Bar): CandlestickData<UTCTimestamp> {
    return { time: timestamp(time + this.#shiftS), open, high, low, close };
  }

  /** Of the other side of a clock change, too, where the zone is not as far ahead as now. */
  #exactText(at: Time, times: Times): string {
    return times.dateTime((Number(at) - this.#shiftS) * SECOND_MS).slice(0, -SECONDS_LENGTH);
  }

  #clockText(at: Time, times: Times): string {
    return times.clock((Number(at) - this.#shiftS) * SECOND_MS).slice(0, -SECONDS_LENGTH);
  }

  #listen({ onNearStart, onPoint }: PainterOptions): void {
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range !== null && range.from < BARS_AHEAD) onNearStart();
    });
    this.#element.onkeydown = (event) => {
      if (this.#press(event.key)) event.preventDefault();
    };
    this.#chart.subscribeCrosshairMove(({ logical, point }) => {
      onPoint(point === undefined ? undefined : logical);
    });
  }
}

function timestamp(time: number): UTCTimestamp {
  assert(isTimestamp(time), `a bar opens at whole seconds: ${time}`);
  return time;
}

/** What the chart's library calls a number of seconds. */
function isTimestamp(time: number): time is UTCTimestamp {
  return Number.isInteger(time);
}
