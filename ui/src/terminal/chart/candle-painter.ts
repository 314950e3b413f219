/** Paints bars and volumes with lightweight-charts, in the colours of the page. */
import {
  CrosshairMode,
  createChart,
  type HistogramData,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type Logical,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { assert } from '#kernel';
import type { Times } from '../../look/mod.ts';
import type { Bar, CandleChange } from '../../model/candles.ts';
import type { ChartStyle } from '../../model/chart-style.ts';
import { grouped } from '../../model/numbers.ts';
import type { Instrument } from '../context.ts';
import type { CanvasLayer } from './canvas-layer.ts';
import { type Colours, coloursOf } from './chart-colours.ts';
import { PriceSeries } from './price-series.ts';

const VOLUME_SCALE = 'volume';
const SECOND_MS = 1_000;
/** Of ":00", which no bar needs. */
const SECONDS_LENGTH = 3;
const ZOOM = 1.25;
const BAR_SPACING_MIN = 0.5;
const BAR_SPACING_MAX = 60;

export interface PainterOptions {
  readonly instrument: Instrument;
  readonly style: ChartStyle;
  /** As in en or zh, for dates. */
  readonly locale: string;
  /** The zone of the axis; undefined for bars without a time of day, which are of UTC days. */
  readonly times: Times | undefined;
  /** Other bars are seen than before. */
  readonly onSeen: () => void;
  /** Index of the bar under the cursor; undefined when it is nowhere. */
  readonly onPoint: (at: number | undefined) => void;
}

/** The bars that are seen, as indices that may lie outside of what there is. */
export interface SeenRange {
  readonly from: number;
  readonly to: number;
}

export class CandlePainter {
  readonly chart: IChartApi;
  readonly #prices: PriceSeries;
  readonly #volumes: ISeriesApi<'Histogram'>;
  readonly #element: HTMLElement;
  readonly #layers: CanvasLayer[] = [];
  /** The library knows UTC only: bars are moved by what the zone is ahead of it now. */
  readonly #shiftS: number;
  #colours: Colours;
  /** Index of the first bar that the library has: it works on all of its bars at each change. */
  #start = 0;

  constructor(element: HTMLElement, options: PainterOptions) {
    const { instrument, style, times } = options;
    this.#element = element;
    this.#colours = coloursOf(element);
    this.#shiftS = times === undefined ? 0 : times.offsetMs(Date.now()) / SECOND_MS;
    this.chart = createChart(element, this.#chartOptions(options));
    this.#prices = new PriceSeries(this.chart, instrument, style, (time) => this.stamp(time));
    this.#volumes = this.chart.addSeries(HistogramSeries, {
      priceScaleId: VOLUME_SCALE,
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.chart.priceScale(VOLUME_SCALE).applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
    this.#listen(options);
    this.paintTheme();
  }

  get colours(): Colours {
    return this.#colours;
  }

  remove(): void {
    this.chart.remove();
  }

  /** The layers move to the new series; all bars have to be painted again. */
  setStyle(style: ChartStyle): void {
    for (const layer of this.#layers) this.#prices.api.detachPrimitive(layer);
    this.#prices.setStyle(style);
    this.#prices.setColours(this.#colours);
    for (const layer of this.#layers) this.#prices.api.attachPrimitive(layer);
  }

  attach(layer: CanvasLayer): void {
    this.#layers.push(layer);
    this.#prices.api.attachPrimitive(layer);
  }

  /** Takes the colours that the tokens have now; bars are coloured with the next paint of all. */
  paintTheme(): void {
    const colours = coloursOf(this.#element);
    this.#colours = colours;
    const { panel, raised, edge, inkSoft, controlEdge } = colours;
    const cursor = { color: inkSoft, labelBackgroundColor: controlEdge };
    this.chart.applyOptions({
      layout: {
        background: { color: panel },
        textColor: inkSoft,
        fontFamily: colours.font,
        panes: { separatorColor: edge, separatorHoverColor: raised },
      },
      grid: { vertLines: { color: raised }, horzLines: { color: raised } },
      crosshair: { vertLine: cursor, horzLine: cursor },
      rightPriceScale: { borderColor: edge },
      timeScale: { borderColor: edge },
    });
    this.#prices.setColours(colours);
  }

  /** Bars before this index are not painted; takes effect with the next paint of all. */
  setStart(start: number): void {
    this.#start = start;
  }

  get start(): number {
    return this.#start;
  }

  /** Paints what has changed of the bars. */
  paint(bars: readonly Bar[], change: CandleChange): void {
    if (change.kind === 'none') return;
    this.#prices.paint(bars, change, this.#start);
    if (change.kind === 'all') {
      this.#volumes.setData(bars.slice(this.#start).map((bar) => this.#volumeOf(bar)));
      return;
    }
    for (const bar of bars.slice(change.from)) this.#volumes.update(this.#volumeOf(bar));
  }

  /** The time of a bar as the library takes it. */
  stamp(time: number): UTCTimestamp {
    const shifted = time + this.#shiftS;
    assert(isTimestamp(shifted), `a bar opens at whole seconds: ${time}`);
    return shifted;
  }

  /** Pixels from the left of the middle of a bar, which need not be there yet. */
  xOf(index: number): number | undefined {
    return this.chart.timeScale().logicalToCoordinate(asLogical(index - this.#start)) ?? undefined;
  }

  yOf(price: number): number | undefined {
    return this.#prices.api.priceToCoordinate(price) ?? undefined;
  }

  /** As yOf; undefined above and below the prices that are shown now. */
  yShown(price: number): number | undefined {
    const y = this.yOf(price);
    return y === undefined || y < 0 || y > this.size.height ? undefined : y;
  }

  /** Index of the bar at these pixels from the left, which need not be there yet. */
  indexAt(x: number): number | undefined {
    const logical = this.chart.timeScale().coordinateToLogical(x);
    return logical === null ? undefined : logical + this.#start;
  }

  priceAt(y: number): number | undefined {
    return this.#prices.api.coordinateToPrice(y) ?? undefined;
  }

  get seen(): SeenRange | undefined {
    const range = this.chart.timeScale().getVisibleLogicalRange();
    if (range === null) return undefined;
    return { from: range.from + this.#start, to: range.to + this.#start };
  }

  /** Width and height of the prices, without axes and other panes. */
  get size(): { readonly width: number; readonly height: number } {
    return this.chart.paneSize(0);
  }

  /** Whether dragging and wheeling move the chart. */
  setMoving(isOn: boolean): void {
    this.chart.applyOptions({ handleScroll: isOn, handleScale: isOn });
  }

  scroll(bars: number): void {
    const time = this.chart.timeScale();
    time.scrollToPosition(time.scrollPosition() + bars, false);
  }

  zoom(inOrOut: 'in' | 'out'): void {
    const time = this.chart.timeScale();
    const spacing = time.options().barSpacing * (inOrOut === 'in' ? ZOOM : 1 / ZOOM);
    const barSpacing = Math.min(BAR_SPACING_MAX, Math.max(BAR_SPACING_MIN, spacing));
    time.applyOptions({ barSpacing });
  }

  scrollToNow(): void {
    this.chart.timeScale().scrollToRealTime();
  }

  #chartOptions({ instrument: { priceScale }, locale, times }: PainterOptions) {
    return {
      autoSize: true,
      // The logo injects a <style>, which the policy of the page blocks: a link stands below.
      layout: { attributionLogo: false, fontSize: 11, panes: { enableResize: true } },
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
    };
  }

  #volumeOf({ time, open, close, volume }: Bar): HistogramData<UTCTimestamp> {
    const { downWash, upWash } = this.#colours;
    return { time: this.stamp(time), value: volume, color: close < open ? downWash : upWash };
  }

  /** Of the other side of a clock change, too, where the zone is not as far ahead as now. */
  #exactText(at: Time, times: Times): string {
    return times.dateTime((Number(at) - this.#shiftS) * SECOND_MS).slice(0, -SECONDS_LENGTH);
  }

  #clockText(at: Time, times: Times): string {
    return times.clock((Number(at) - this.#shiftS) * SECOND_MS).slice(0, -SECONDS_LENGTH);
  }

  #listen({ onSeen, onPoint }: PainterOptions): void {
    this.chart.timeScale().subscribeVisibleLogicalRangeChange(onSeen);
    this.chart.subscribeCrosshairMove(({ logical, point }) => {
      const isOnBar = point !== undefined && logical !== undefined;
      onPoint(isOnBar ? logical + this.#start : undefined);
    });
  }
}

/** What the chart's library calls a number of seconds. */
function isTimestamp(time: number): time is UTCTimestamp {
  return Number.isInteger(time);
}

function asLogical(index: number): Logical {
  assert(isLogical(index), 'an index is a number');
  return index;
}

/** What the chart's library calls the index of a bar, whole or not. */
function isLogical(index: number): index is Logical {
  return !Number.isNaN(index);
}
