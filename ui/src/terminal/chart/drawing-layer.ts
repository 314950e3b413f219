/** Paints the drawings of a chart, the one being made or moved among them. */
import {
  anchorCount,
  type Drawing,
  FIBONACCI_LEVELS,
  fibonacciPrice,
  type Pixel,
  shapeOf,
} from '../../model/drawings.ts';
import { grouped } from '../../model/numbers.ts';
import { type AxisLabel, type Canvas, CanvasLayer } from './canvas-layer.ts';
import { translucent } from './chart-colours.ts';
import type { ChartView } from './chart-view.ts';
import type { DrawingHand } from './drawing-hand.ts';

const LINE_WIDTH = 1.5;
const HANDLE_RADIUS = 4;
const AREA_OPACITY = 0.12;
const FONT_PIXELS = 12;
const PADDING = 4;

/** What stands at a measured range: price, per cent, bars. */
export type MeasureWords = (price: string, percent: string, bars: number) => string;

/** Attaches the layer, which follows the drawings. Returns how to stop. */
export function showDrawings(
  view: ChartView,
  hand: DrawingHand,
  measureWords: MeasureWords,
): () => void {
  const painting = new DrawingPainting(view, hand, measureWords);
  const layer = new CanvasLayer({
    zOrder: 'top',
    draw: (canvas) => painting.draw(canvas),
    labels: () => painting.labels(),
    yOf: (price) => view.painter.yShown(price),
  });
  view.painter.attach(layer);
  const repaint = (): void => layer.invalidate();
  const ends = [hand.board.subscribe(repaint), hand.state.subscribe(repaint)];
  return () => {
    for (const end of ends) end();
  };
}

class DrawingPainting {
  readonly #view: ChartView;
  readonly #hand: DrawingHand;
  readonly #measureWords: MeasureWords;

  constructor(view: ChartView, hand: DrawingHand, measureWords: MeasureWords) {
    this.#view = view;
    this.#hand = hand;
    this.#measureWords = measureWords;
  }

  draw(canvas: Canvas): void {
    const { selected } = this.#hand.state.get();
    for (const drawing of this.#shown()) this.#drawOne(canvas, drawing, drawing.id === selected);
  }

  /** The price of each horizontal line. */
  labels(): readonly AxisLabel[] {
    const { accent, onAccent } = this.#view.painter.colours;
    return this.#shown().flatMap(({ tool, anchors: [anchor] }) =>
      tool !== 'horizontal' || anchor === undefined
        ? []
        : [{ ...anchor, text: this.#priceText(anchor.price), colour: accent, ink: onAccent }],
    );
  }

  #shown(): readonly Drawing[] {
    const { drawings } = this.#hand.board.get();
    const { pending } = this.#hand.state.get();
    if (pending === undefined) return drawings;
    return [...drawings.filter(({ id }) => id !== pending.id), pending];
  }

  #drawOne(canvas: Canvas, drawing: Drawing, isSelected: boolean): void {
    const at = this.#hand.pixelsOf(drawing);
    if (at === undefined) return;
    const { context, width } = canvas;
    const { accent, panel } = this.#view.painter.colours;
    const { lines, area } = shapeOf(drawing.tool, at, width);
    context.strokeStyle = accent;
    context.lineWidth = isSelected ? LINE_WIDTH + 1 : LINE_WIDTH;
    if (area.length > 0) {
      context.fillStyle = translucent(accent, AREA_OPACITY);
      context.beginPath();
      for (const { x, y } of area) context.lineTo(x, y);
      context.fill();
    }
    context.beginPath();
    for (const { from, to } of lines) {
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
    }
    context.stroke();
    this.#drawWords(canvas, drawing, at);
    context.strokeStyle = accent;
    context.lineWidth = LINE_WIDTH;
    const isPending = drawing.id === this.#hand.state.get().pending?.id;
    if (!isSelected && !isPending) return;
    for (const { x, y } of at.slice(0, anchorCount(drawing.tool))) {
      context.beginPath();
      context.arc(x, y, HANDLE_RADIUS, 0, 2 * Math.PI);
      context.fillStyle = panel;
      context.fill();
      context.stroke();
    }
  }

  #drawWords({ context }: Canvas, drawing: Drawing, at: readonly Pixel[]): void {
    const [one, two] = drawing.anchors;
    const [first, second] = at;
    if (one === undefined || first === undefined) return;
    const { colours } = this.#view.painter;
    context.font = `${FONT_PIXELS}px ${colours.font}`;
    if (drawing.tool === 'text') {
      this.#label(context, drawing.text, first);
      return;
    }
    if (two === undefined || second === undefined) return;
    if (drawing.tool === 'fibonacci') {
      context.fillStyle = colours.ink;
      const left = Math.min(first.x, second.x) + PADDING;
      // Words that would stand in each other are left out, all but the ends.
      const isNarrow = Math.abs(first.y - second.y) / (FIBONACCI_LEVELS.length - 1) < FONT_PIXELS;
      for (const level of FIBONACCI_LEVELS) {
        if (isNarrow && level !== 0 && level !== 1) continue;
        const price = this.#priceText(fibonacciPrice(one, two, level));
        const y = second.y + (first.y - second.y) * level;
        context.fillText(`${level} (${price})`, left, y - PADDING);
      }
    }
    if (drawing.tool === 'measure') {
      const change = two.price - one.price;
      const sign = change > 0 ? '+' : '';
      const percent = one.price === 0 ? '' : `${sign}${((change / one.price) * 100).toFixed(2)}%`;
      const bars = this.#view.barsBetween(one.time, two.time);
      const words = this.#measureWords(`${sign}${this.#priceText(change)}`, percent, bars);
      this.#label(context, words, { x: second.x + PADDING, y: second.y });
    }
  }

  /** Words on a ground of their own, whatever is behind them. */
  #label(context: CanvasRenderingContext2D, words: string, at: Pixel): void {
    const { ink, raised, edge } = this.#view.painter.colours;
    const { width } = context.measureText(words);
    // Whole, also beside the right edge.
    const most = this.#view.painter.size.width - width - 4 * PADDING;
    const { x, y } = { x: Math.max(0, Math.min(at.x, most)), y: at.y };
    const high = FONT_PIXELS + 2 * PADDING;
    context.fillStyle = raised;
    context.fillRect(x + PADDING, y - high, width + 2 * PADDING, high);
    context.lineWidth = 1;
    context.strokeStyle = edge;
    context.strokeRect(x + PADDING, y - high, width + 2 * PADDING, high);
    context.fillStyle = ink;
    context.fillText(words, x + 2 * PADDING, y - PADDING - 2);
  }

  #priceText(price: number): string {
    return grouped(price.toFixed(this.#view.instrument.priceScale));
  }
}
