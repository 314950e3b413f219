/** Paints lines at prices that matter, with labels on the axis, and the fills of the account. */
import { grouped } from '../../model/numbers.ts';
import { type AxisLabel, type Canvas, CanvasLayer } from './canvas-layer.ts';
import type { Colours } from './chart-colours.ts';
import type { ChartView } from './chart-view.ts';
import type { Level, LevelTone } from './levels.ts';
import type { FillMark } from './own-fills.ts';

const DASH = [5, 4];
const MARK_PIXELS = 5;

export class LevelLayer {
  readonly #view: ChartView;
  readonly #layer: CanvasLayer;
  #levels: readonly Level[] = [];
  #fills: readonly FillMark[] = [];
  #labels: readonly AxisLabel[] = [];

  constructor(view: ChartView) {
    this.#view = view;
    this.#layer = new CanvasLayer({
      zOrder: 'normal',
      draw: (canvas) => this.#draw(canvas),
      labels: () => this.#labels,
      yOf: (price) => view.painter.yShown(price),
    });
    view.painter.attach(this.#layer);
  }

  show(levels: readonly Level[], fills: readonly FillMark[]): void {
    const { colours } = this.#view.painter;
    this.#levels = levels;
    this.#fills = fills;
    this.#labels = levels.map(({ price, tone }) => ({
      price,
      text: grouped(price.toFixed(this.#view.instrument.priceScale)),
      colour: colourOf(colours, tone),
      ink: colours.panel,
    }));
    this.#layer.invalidate();
  }

  #draw({ context, width }: Canvas): void {
    const { painter } = this.#view;
    for (const { price, tone, isDashed } of this.#levels) {
      const y = painter.yOf(price);
      if (y === undefined) continue;
      context.strokeStyle = colourOf(painter.colours, tone);
      context.setLineDash(isDashed ? DASH : []);
      context.beginPath();
      context.moveTo(0, Math.round(y) + 0.5);
      context.lineTo(width, Math.round(y) + 0.5);
      context.stroke();
    }
    for (const fill of this.#fills) this.#drawFill(context, fill);
  }

  /** A triangle whose point is at the price: below it for a buy, above it for a sale. */
  #drawFill(context: CanvasRenderingContext2D, { timeMs, price, isBuy }: FillMark): void {
    const { up, down, panel } = this.#view.painter.colours;
    const bar = Math.floor(timeMs / 1_000 / this.#view.periodS) * this.#view.periodS;
    const at = this.#view.pixelOf({ time: bar, price });
    if (at === undefined) return;
    const side = isBuy ? 1 : -1;
    context.setLineDash([]);
    context.beginPath();
    context.moveTo(at.x, at.y);
    context.lineTo(at.x - MARK_PIXELS, at.y + side * 2 * MARK_PIXELS);
    context.lineTo(at.x + MARK_PIXELS, at.y + side * 2 * MARK_PIXELS);
    context.closePath();
    context.fillStyle = isBuy ? up : down;
    context.strokeStyle = panel;
    context.fill();
    context.stroke();
  }
}

function colourOf({ up, down, warning, inkSoft }: Colours, tone: LevelTone): string {
  switch (tone) {
    case 'up':
      return up;
    case 'down':
      return down;
    case 'warning':
      return warning;
    case 'soft':
      return inkSoft;
  }
}
