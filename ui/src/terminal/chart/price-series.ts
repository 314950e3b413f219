/** The series of prices in the style that the reader has chosen. */
import {
  AreaSeries,
  BarSeries,
  CandlestickSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type SeriesType,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Bar, CandleChange } from '../../model/candles.ts';
import { type ChartStyle, heikinAshi } from '../../model/chart-style.ts';
import type { Instrument } from '../context.ts';
import { type Colours, translucent } from './chart-colours.ts';

const AREA_TOP = 0.3;
const AREA_BOTTOM = 0.02;

export type AnySeries = ISeriesApi<SeriesType>;

export class PriceSeries {
  readonly #chart: IChartApi;
  readonly #instrument: Instrument;
  readonly #stamp: (time: number) => UTCTimestamp;
  #style: ChartStyle;
  #api: AnySeries;
  /** Of Heikin-Ashi alone. */
  readonly #averaged: Bar[] = [];

  /** `stamp` gives the time of a bar as the library takes it. */
  constructor(
    chart: IChartApi,
    instrument: Instrument,
    style: ChartStyle,
    stamp: (time: number) => UTCTimestamp,
  ) {
    this.#chart = chart;
    this.#instrument = instrument;
    this.#style = style;
    this.#stamp = stamp;
    this.#api = this.#add();
  }

  get api(): AnySeries {
    return this.#api;
  }

  /** The bars have to be painted anew afterwards, in the colours that are set anew. */
  setStyle(style: ChartStyle): void {
    this.#chart.removeSeries(this.#api);
    this.#style = style;
    this.#api = this.#add();
    this.#api.setSeriesOrder(0);
  }

  setColours({ up, down, accent }: Colours): void {
    switch (this.#style) {
      case 'line':
        this.#api.applyOptions({ color: accent });
        break;
      case 'area':
        this.#api.applyOptions({
          lineColor: accent,
          topColor: translucent(accent, AREA_TOP),
          bottomColor: translucent(accent, AREA_BOTTOM),
        });
        break;
      case 'bars':
        this.#api.applyOptions({ upColor: up, downColor: down });
        break;
      default:
        this.#api.applyOptions({
          ...{ upColor: up, borderUpColor: up, wickUpColor: up },
          ...{ downColor: down, borderDownColor: down, wickDownColor: down },
        });
    }
  }

  /** Bars before `start` are not painted. */
  paint(bars: readonly Bar[], change: CandleChange, start: number): void {
    if (change.kind === 'none') return;
    const from = change.kind === 'all' ? 0 : change.from;
    const shown = this.#shown(bars, from);
    if (change.kind === 'all') {
      this.#api.setData(shown.slice(start).map((bar) => this.#pointOf(bar)));
      return;
    }
    for (const bar of shown.slice(from)) this.#api.update(this.#pointOf(bar));
  }

  #shown(bars: readonly Bar[], from: number): readonly Bar[] {
    if (this.#style !== 'heikin_ashi') return bars;
    heikinAshi(bars, from, this.#averaged);
    return this.#averaged;
  }

  #pointOf({ time, open, high, low, close }: Bar) {
    const at = this.#stamp(time);
    const isLine = this.#style === 'line' || this.#style === 'area';
    return isLine ? { time: at, value: close } : { time: at, open, high, low, close };
  }

  #add(): AnySeries {
    const { priceScale: precision, priceStep } = this.#instrument;
    const priceFormat = { type: 'price', precision, minMove: Number(priceStep) } as const;
    switch (this.#style) {
      case 'line':
        return this.#chart.addSeries(LineSeries, { priceFormat, lineWidth: 2 });
      case 'area':
        return this.#chart.addSeries(AreaSeries, { priceFormat, lineWidth: 2 });
      case 'bars':
        return this.#chart.addSeries(BarSeries, { priceFormat, thinBars: false });
      default:
        return this.#chart.addSeries(CandlestickSeries, { priceFormat });
    }
  }
}
