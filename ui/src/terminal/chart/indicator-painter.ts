/** Paints the indicators of a chart: lines among the prices, and panes below them. */
import {
  HistogramSeries,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Period } from '#domain';
import type { Bar } from '../../model/candles.ts';
import {
  definitionOf,
  type IndicatorChoice,
  type LineName,
  shiftOf,
} from '../../model/indicators.ts';
import { compact, grouped } from '../../model/numbers.ts';
import { nextOpenMs } from '../../model/periods.ts';
import type { ProfileRow } from '../../model/volume-profile.ts';
import type { CandlePainter } from './candle-painter.ts';
import { type Canvas, CanvasLayer } from './canvas-layer.ts';
import { translucent } from './chart-colours.ts';
import type { FromWorker } from './indicator-messages.ts';

type LineApi = ISeriesApi<'Line'> | ISeriesApi<'Histogram'>;

interface ShownLine {
  readonly name: LineName;
  readonly api: LineApi;
  readonly shift: number;
  values: Float64Array;
}

interface Shown {
  readonly choice: IndicatorChoice;
  readonly pane: number;
  readonly lines: readonly ShownLine[];
  profile: readonly ProfileRow[];
}

/** What stands in the legend of an indicator, at one bar. */
export interface Reading {
  readonly id: string;
  readonly choice: IndicatorChoice;
  readonly pane: number;
  readonly values: readonly {
    readonly name: LineName;
    readonly text: string;
    readonly colour: string;
  }[];
}

/** How much higher the prices are than a pane of an indicator. */
const PRICES_STRETCH = 3;
const CLOUD_OPACITY = 0.12;
/** Of the width of the prices, the longest row of a profile. */
const PROFILE_SHARE = 0.25;
const PROFILE_OPACITY = 0.45;
const RATIO_DECIMALS = 4;
const PLAIN_DECIMALS = 2;

export class IndicatorPainter {
  readonly #painter: CandlePainter;
  readonly #priceScale: number;
  readonly #period: Period;
  readonly #layer: CanvasLayer;
  #shown: readonly Shown[] = [];
  #bars: readonly Bar[] = [];

  constructor(painter: CandlePainter, priceScale: number, period: Period) {
    this.#painter = painter;
    this.#priceScale = priceScale;
    this.#period = period;
    this.#layer = new CanvasLayer({ zOrder: 'bottom', draw: (canvas) => this.#draw(canvas) });
    painter.attach(this.#layer);
  }

  /** Shows these and no others; their values come later. */
  choose(choices: readonly IndicatorChoice[]): void {
    const { chart } = this.#painter;
    for (const { lines } of this.#shown) for (const { api } of lines) chart.removeSeries(api);
    for (let pane = chart.panes().length - 1; pane > 0; pane -= 1) chart.removePane(pane);
    let panes = 0;
    this.#shown = choices.map((choice, at) => {
      const { pane: place } = definitionOf(choice.kind);
      if (place === 'own') panes += 1;
      return this.#add(choice, place === 'own' ? panes : 0, at);
    });
    chart.panes()[0]?.setStretchFactor(PRICES_STRETCH);
    this.#layer.invalidate();
  }

  /** The bars that values of lines are about; they are drawn when values come. */
  takeBars(bars: readonly Bar[]): void {
    this.#bars = bars;
  }

  /** Paints all values again, as when other bars are painted than before. */
  repaint(): void {
    for (const { lines } of this.#shown) for (const line of lines) this.#paintLine(line, 0);
  }

  hear(message: FromWorker): void {
    const shown = this.#shown.find(({ choice }) => choice.id === message.id);
    if (shown === undefined) return;
    if (message.kind === 'profile') shown.profile = message.rows;
    else this.#takeLines(shown, message.from, message.lines);
    this.#layer.invalidate();
  }

  /** Each indicator at a bar. */
  readingsAt(index: number): readonly Reading[] {
    return this.#shown.map(({ choice, pane, lines }, at) => ({
      id: choice.id,
      choice,
      pane,
      values: lines.flatMap(({ name, shift, values }) => {
        const value = values[index - shift];
        if (value === undefined || Number.isNaN(value)) return [];
        return [
          { name, text: this.#text(choice, value), colour: this.#colourOf(choice, name, at) },
        ];
      }),
    }));
  }

  /** Pixels from the top at which a pane begins. */
  topOf(pane: number): number {
    const { chart } = this.#painter;
    let top = 0;
    for (let above = 0; above < pane; above += 1) top += chart.paneSize(above).height + 1;
    return top;
  }

  #takeLines(shown: Shown, from: number, fresh: readonly Float64Array[]): void {
    for (const [index, line] of shown.lines.entries()) {
      const values = fresh[index];
      if (values === undefined) continue;
      const isTail = from > 0 && from <= line.values.length;
      // A line that was added meanwhile gets all its values with the next message.
      if (from > 0 && !isTail) continue;
      line.values = isTail ? joined(line.values, from, values) : values;
      this.#paintLine(line, isTail ? from : 0);
    }
  }

  /** A message may be of bars that have been replaced meanwhile: what has no bar is left out. */
  #paintLine({ name, api, shift, values }: ShownLine, from: number): void {
    const point = (at: number) => {
      const time = this.#timeOf(at + shift);
      const value = values[at];
      if (time === undefined || value === undefined) return undefined;
      if (Number.isNaN(value)) return { time };
      const isColumn = name === 'histogram';
      const { up, down } = this.#painter.colours;
      return isColumn ? { time, value, color: value < 0 ? down : up } : { time, value };
    };
    const points = [];
    const { start } = this.#painter;
    for (let at = Math.max(from, start - shift); at < values.length; at += 1) {
      const made = point(at);
      if (made !== undefined) points.push(made);
    }
    if (from === 0) api.setData(points);
    else for (const made of points) api.update(made, shift < 0);
  }

  #timeOf(index: number): UTCTimestamp | undefined {
    const known = this.#bars[index];
    if (known !== undefined) return this.#painter.stamp(known.time);
    const last = this.#bars.at(-1);
    if (index < 0 || last === undefined) return undefined;
    let time = last.time;
    for (let at = this.#bars.length - 1; at < index; at += 1) {
      time = nextOpenMs(this.#period, time * 1_000) / 1_000;
    }
    return this.#painter.stamp(time);
  }

  #add(choice: IndicatorChoice, pane: number, at: number): Shown {
    const { lines, guides = [] } = definitionOf(choice.kind);
    const shown = lines.map((name) => this.#addLine(choice, name, pane, at));
    for (const price of guides) {
      shown[0]?.api.createPriceLine({
        price,
        color: this.#painter.colours.controlEdge,
        lineStyle: LineStyle.Dashed,
        lineWidth: 1,
        axisLabelVisible: false,
      });
    }
    return { choice, pane, lines: shown, profile: [] };
  }

  #addLine(choice: IndicatorChoice, name: LineName, pane: number, at: number): ShownLine {
    const { chart } = this.#painter;
    const color = this.#colourOf(choice, name, at);
    const options = {
      color,
      priceLineVisible: false,
      lastValueVisible: pane > 0 && name !== 'histogram',
      priceFormat: this.#formatOf(choice),
    };
    const api =
      name === 'histogram'
        ? chart.addSeries(HistogramSeries, options, pane)
        : chart.addSeries(
            LineSeries,
            { ...options, lineWidth: 1, crosshairMarkerVisible: false },
            pane,
          );
    return { name, api, shift: shiftOf(choice, name), values: new Float64Array() };
  }

  #formatOf(choice: IndicatorChoice) {
    const formatter = (value: number): string => this.#text(choice, value);
    return { type: 'custom', formatter, minMove: 10 ** -this.#decimalsOf(choice) } as const;
  }

  #decimalsOf({ kind }: IndicatorChoice): number {
    const { values } = definitionOf(kind);
    if (values === 'price') return this.#priceScale;
    return values === 'ratio' ? RATIO_DECIMALS + 2 : PLAIN_DECIMALS;
  }

  #text(choice: IndicatorChoice, value: number): string {
    switch (definitionOf(choice.kind).values) {
      case 'price':
        return grouped(value.toFixed(this.#priceScale));
      case 'plain':
        return value.toFixed(PLAIN_DECIMALS);
      case 'volume':
        return compact(value.toFixed(PLAIN_DECIMALS));
      case 'ratio':
        return `${(value * 100).toFixed(RATIO_DECIMALS)}%`;
    }
  }

  #colourOf({ kind }: IndicatorChoice, name: LineName, at: number): string {
    const { up, down, inkSoft, lines } = this.#painter.colours;
    const own = (next: number): string => lines[(at + next) % lines.length] ?? inkSoft;
    switch (name) {
      case 'up':
      case 'spanA':
        return up;
      case 'down':
      case 'spanB':
        return down;
      case 'histogram':
      case 'lagging':
        return inkSoft;
      case 'middle':
      case 'signal':
      case 'd':
        return own(1);
      case 'base':
        return kind === 'ichimoku' ? own(1) : own(0);
      default:
        return own(0);
    }
  }

  #draw(canvas: Canvas): void {
    for (const [at, shown] of this.#shown.entries()) {
      const { cloud } = definitionOf(shown.choice.kind);
      if (cloud !== undefined) this.#drawCloud(canvas, shown, cloud, at);
      if (shown.profile.length > 0) this.#drawProfile(canvas, shown.profile);
    }
  }

  /** Between two lines, bar by bar, in the colour of the one that is above. */
  #drawCloud(
    { context }: Canvas,
    { choice, lines }: Shown,
    cloud: readonly [LineName, LineName],
    at: number,
  ): void {
    const [one, other] = cloud.map((name) => lines.find((line) => line.name === name));
    const range = this.#painter.seen;
    if (one === undefined || other === undefined || range === undefined) return;
    const first = Math.max(0, Math.floor(range.from) - 1 - one.shift);
    const last = Math.min(one.values.length - 2, Math.ceil(range.to) + 1 - one.shift);
    for (let bar = first; bar <= last; bar += 1) {
      const corners = [
        this.#corner(one, bar),
        this.#corner(one, bar + 1),
        this.#corner(other, bar + 1),
        this.#corner(other, bar),
      ];
      if (corners.some((corner) => corner === undefined)) continue;
      const isAbove = (one.values[bar] ?? 0) >= (other.values[bar] ?? 0);
      const colour = this.#colourOf(choice, isAbove ? one.name : other.name, at);
      context.fillStyle = translucent(colour, CLOUD_OPACITY);
      context.beginPath();
      for (const corner of corners) if (corner !== undefined) context.lineTo(corner.x, corner.y);
      context.fill();
    }
  }

  #corner({ values, shift }: ShownLine, bar: number) {
    const value = values[bar];
    if (value === undefined || Number.isNaN(value)) return undefined;
    const [x, y] = [this.#painter.xOf(bar + shift), this.#painter.yOf(value)];
    return x === undefined || y === undefined ? undefined : { x, y };
  }

  /** Rows from the right edge, as long as their volume. */
  #drawProfile({ context, width }: Canvas, rows: readonly ProfileRow[]): void {
    const most = Math.max(...rows.map(({ up, down }) => up + down));
    const { up: upColour, down: downColour } = this.#painter.colours;
    for (const { low, high, up, down } of rows) {
      const [top, bottom] = [this.#painter.yOf(high), this.#painter.yOf(low)];
      if (top === undefined || bottom === undefined || most === 0) continue;
      const height = Math.max(1, bottom - top - 1);
      const long = (volume: number): number => (volume / most) * width * PROFILE_SHARE;
      context.fillStyle = translucent(upColour, PROFILE_OPACITY);
      context.fillRect(width - long(up), top, long(up), height);
      context.fillStyle = translucent(downColour, PROFILE_OPACITY);
      context.fillRect(width - long(up) - long(down), top, long(down), height);
    }
  }
}

function joined(known: Float64Array, from: number, fresh: Float64Array): Float64Array {
  const values = new Float64Array(from + fresh.length);
  values.set(known.subarray(0, from));
  values.set(fresh, from);
  return values;
}
