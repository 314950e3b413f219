/** A chart that is drawn: its source of bars, its painter, its indicators and its layers. */

import { theme, timesIn } from '../../look/mod.ts';
import { indexOfTime, timeOfIndex } from '../../model/bar-times.ts';
import type { Bar, CandleChange } from '../../model/candles.ts';
import type { Anchor, Pixel } from '../../model/drawings.ts';
import { isIntraday } from '../../model/periods.ts';
import { atNextFrame, createStore, type Store } from '../../store/store.ts';
import type { Instrument } from '../context.ts';
import type { PointedBar } from './candle-legend.tsx';
import { CandlePainter } from './candle-painter.ts';
import { CandleSource } from './candle-source.ts';
import { CanvasLayer } from './canvas-layer.ts';
import type { CandleChartProps } from './chart-props.ts';
import { chartStyle, indicators } from './chart-settings.ts';
import { followFunding } from './funding-source.ts';
import { IndicatorClient } from './indicator-client.ts';
import { IndicatorPainter, type Reading } from './indicator-painter.ts';

const ALL: CandleChange = { kind: 'all' };
const NO_CHANGE: CandleChange = { kind: 'none' };
/** More new bars than this are painted faster with all the others. */
const TAIL_MAX = 500;
/** So many are painted to begin with, which is more than the widest screen shows at once. */
const WINDOW_BARS = 8_000;
/** So many bars before the first that is seen, more are painted, and older ones are read. */
const WINDOW_MARGIN = 1_000;
const BARS_AHEAD = 50;
const MONTH_MS = 30 * 86_400_000;

export interface ChartState {
  readonly isLoaded: boolean;
  readonly fault: unknown;
  readonly pointed: PointedBar | undefined;
  readonly readings: readonly Reading[];
}

export const NOTHING: ChartState = {
  isLoaded: false,
  fault: undefined,
  pointed: undefined,
  readings: [],
};

export class ChartView {
  readonly instrument: Instrument;
  readonly element: HTMLElement;
  readonly painter: CandlePainter;
  readonly indicatorPainter: IndicatorPainter;
  readonly state: Store<ChartState> = createStore(NOTHING);
  readonly #periodS: number;
  readonly #source: CandleSource;
  readonly #client: IndicatorClient;
  readonly #ends: (() => void)[] = [];
  readonly #onPaint = new Set<() => void>();
  #due: CandleChange = NO_CHANGE;
  /** The first of the bars that are painted, and how many there are. */
  #first: Bar | undefined;
  #count = 0;
  #pointedAt: number | undefined;
  #isOver = false;

  constructor(element: HTMLElement, props: CandleChartProps, locale: string) {
    const { instrument, row, zone } = props;
    this.instrument = instrument;
    this.element = element;
    this.#periodS = (row.lengthMs ?? MONTH_MS) / 1_000;
    this.painter = new CandlePainter(element, {
      instrument,
      style: chartStyle.get(),
      locale,
      times: isIntraday(row) ? timesIn(zone) : undefined,
      onSeen: () => atNextFrame(this.#see),
      onPoint: (at) => {
        this.#pointedAt = at;
        this.#point();
      },
    });
    this.indicatorPainter = new IndicatorPainter(this.painter, instrument.priceScale, row.period);
    this.#client = new IndicatorClient((message) => {
      this.indicatorPainter.hear(message);
      atNextFrame(this.#point);
    });
    this.#source = new CandleSource(instrument, row, {
      onChange: (change) => this.#take(change),
      onFault: (fault) => this.#tell({ fault }),
    });
    this.#follow();
  }

  get bars(): readonly Bar[] {
    return this.#source.bars;
  }

  close(): void {
    this.#isOver = true;
    for (const end of this.#ends) end();
    this.#source.close();
    this.#client.close();
    this.painter.remove();
  }

  /** Calls the listener whenever the chart has painted, with prices and bars where they are now. */
  onPaint(listener: () => void): () => void {
    this.#onPaint.add(listener);
    return () => this.#onPaint.delete(listener);
  }

  /** Pixels of an anchor; undefined while there are no prices. */
  pixelOf({ time, price }: Anchor): Pixel | undefined {
    const x = this.painter.xOf(indexOfTime(this.bars, this.#periodS, time));
    const y = this.painter.yOf(price);
    return x === undefined || y === undefined ? undefined : { x, y };
  }

  /** The anchor at pixels: on a bar, and at a price with the decimals of the market. */
  anchorAt({ x, y }: Pixel): Anchor | undefined {
    const [index, price] = [this.painter.indexAt(x), this.painter.priceAt(y)];
    if (index === undefined || price === undefined || this.bars.length === 0) return undefined;
    return { time: timeOfIndex(this.bars, this.#periodS, index), price: this.rounded(price) };
  }

  rounded(price: number): number {
    return Number(price.toFixed(this.instrument.priceScale));
  }

  /** How many bars lie between two times. */
  barsBetween(from: number, to: number): number {
    const index = (time: number) => indexOfTime(this.bars, this.#periodS, time);
    return Math.round(index(to) - index(from));
  }

  get periodS(): number {
    return this.#periodS;
  }

  #take(change: CandleChange): void {
    this.#due = joined(this.#due, change);
    this.#tell({ isLoaded: true, fault: undefined });
    atNextFrame(this.#paint);
  }

  readonly #paint = (): void => {
    if (this.#isOver) return;
    const { bars, painter } = this;
    // Of many bars, a change that is out of sight can wait.
    const isIdle = this.#due.kind === 'tail' && this.#count > WINDOW_BARS && !this.#isLastSeen();
    if (isIdle || this.#due.kind === 'none') return;
    const change = this.#chosenChange();
    this.#due = NO_CHANGE;
    this.#client.takeBars(bars, change);
    this.indicatorPainter.takeBars(bars);
    if (change.kind === 'tail' || this.#isNewWindow()) painter.paint(bars, change);
    this.#first = bars[painter.start];
    this.#count = bars.length - painter.start;
    this.#point();
  };

  /** Takes all bars for very many new ones, and when far more than are seen are painted. */
  #chosenChange(): CandleChange {
    const { bars, painter } = this;
    const due = this.#due;
    const isLong = due.kind === 'tail' && bars.length - due.from > TAIL_MAX;
    const isWide = bars.length - painter.start > 2 * WINDOW_BARS && this.#isLastSeen();
    const newest = Math.max(0, bars.length - WINDOW_BARS);
    if (this.#first === undefined || isLong || isWide) {
      painter.setStart(newest);
      return ALL;
    }
    if (due.kind === 'all') {
      // Where the stream came first, the page from before it is painted and does not wait.
      const known = bars.indexOf(this.#first);
      painter.setStart(known === -1 ? newest : Math.min(known, newest));
    }
    return due;
  }

  /** Whether other bars are to be painted; older ones may be there that are not painted yet. */
  #isNewWindow(): boolean {
    const { bars, painter } = this;
    const isSame = bars[painter.start] === this.#first && bars.length > 0;
    return !isSame || bars.length - painter.start !== this.#count || painter.start === 0;
  }

  /** Whether the last bar that was painted is in sight. */
  #isLastSeen(): boolean {
    return (this.painter.seen?.to ?? 0) >= this.painter.start + this.#count - 1;
  }

  /** Tells the worker what is seen, and sees to bars before it. */
  readonly #see = (): void => {
    const seen = this.painter.seen;
    if (this.#isOver || seen === undefined) return;
    const { start } = this.painter;
    this.#client.see(Math.max(0, Math.floor(seen.from)), Math.max(0, Math.ceil(seen.to)));
    if (seen.from < BARS_AHEAD) this.#source.readOlder();
    if (start > 0 && seen.from - start < WINDOW_MARGIN) this.#widen();
    this.#paint();
  };

  /** Paints as many bars again, before those that are. */
  #widen(): void {
    const { bars, painter } = this;
    painter.setStart(Math.max(0, painter.start - (bars.length - painter.start)));
    painter.paint(bars, ALL);
    this.indicatorPainter.repaint();
    this.#first = bars[painter.start];
    this.#count = bars.length - painter.start;
  }

  readonly #point = (): void => {
    if (this.#isOver) return;
    const at = this.#pointedAt ?? this.bars.length - 1;
    const bar = this.bars[at];
    const before = this.bars[at - 1];
    const { pointed, readings } = this.state.get();
    const isSameBar = pointed?.bar === bar && pointed?.before === before;
    const fresh = bar === undefined ? undefined : { bar, before };
    const read = this.indicatorPainter.readingsAt(at);
    this.#tell({
      pointed: isSameBar ? pointed : fresh,
      readings: areAlike(readings, read) ? readings : read,
    });
  };

  /** What is the same as before is no news: it would paint the page and move the cross again. */
  #tell(changes: Partial<ChartState>): void {
    const now = this.state.get();
    const next = { ...now, ...changes };
    const names = ['isLoaded', 'fault', 'pointed', 'readings'] as const;
    if (names.some((name) => now[name] !== next[name])) this.state.set(next);
  }

  #follow(): void {
    const listening = new CanvasLayer({
      zOrder: 'bottom',
      draw: () => {
        for (const listener of this.#onPaint) listener();
      },
    });
    this.painter.attach(listening);
    const choose = (): void => this.#choose();
    this.#ends.push(
      theme.subscribe(() => {
        this.painter.paintTheme();
        this.painter.paint(this.bars, ALL);
        this.#choose();
      }),
      chartStyle.subscribe(() => {
        this.painter.setStyle(chartStyle.get());
        this.painter.paint(this.bars, ALL);
      }),
      indicators.subscribe(choose),
      followFunding(this.instrument, (rates) => this.#client.takeRates(rates)),
    );
    this.#choose();
  }

  #choose(): void {
    const isContract = this.instrument.kind === 'contract';
    const choices = indicators.get().filter(({ kind }) => isContract || kind !== 'funding');
    this.indicatorPainter.choose(choices);
    this.#client.choose(choices);
    atNextFrame(this.#point);
  }
}

function areAlike(some: readonly Reading[], others: readonly Reading[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ choice, pane, values }, at) => {
      const other = others[at];
      return (
        choice === other?.choice &&
        pane === other.pane &&
        values.length === other.values.length &&
        values.every(({ text, colour }, place) => {
          const value = other.values[place];
          return text === value?.text && colour === value.colour;
        })
      );
    })
  );
}

/** What has to be painted after both. */
function joined(one: CandleChange, other: CandleChange): CandleChange {
  if (one.kind === 'none') return other;
  if (other.kind === 'none') return one;
  if (one.kind === 'all' || other.kind === 'all') return ALL;
  return { kind: 'tail', from: Math.min(one.from, other.from) };
}
