/** Paints lines at prices that matter, with labels on the axis, and the fills of the account. */
import { grouped } from '../../model/numbers.ts';
import { type AxisLabel, type Canvas, CanvasLayer } from './canvas-layer.ts';
import type { Colours } from './chart-colours.ts';
import type { ChartView } from './chart-view.ts';
import type { Level, LevelTone } from './levels.ts';
import type { FillMark } from './own-fills.ts';

const DASH = [5, 4];
const MARK_PIXELS = 5;

/** What it paints. Lists that are the same ones are the same. */
export interface LevelPicture {
  readonly levels: readonly Level[];
  /** Those that have a label on the axis. */
  readonly labelled: readonly Level[];
  readonly fills: readonly FillMark[];
}

export class LevelLayer {
  readonly #view: ChartView;
  readonly #layer: CanvasLayer;
  #picture: LevelPicture = { levels: [], labelled: [], fills: [] };

  constructor(view: ChartView) {
    this.#view = view;
    this.#layer = new CanvasLayer({
      zOrder: 'normal',
      draw: (canvas) => this.#draw(canvas),
      labels: () => this.#picture.labelled.map((level) => this.#labelOf(level)),
      yOf: (price) => view.painter.yShown(price),
    });
    view.painter.attach(this.#layer);
  }

  /** Does nothing for what it shows already: each paint of a chart moves its cross. */
  show(picture: LevelPicture): void {
    const { levels, labelled, fills } = this.#picture;
    const isSame =
      areAlike(levels, picture.levels) &&
      areAlike(labelled, picture.labelled) &&
      fills === picture.fills;
    this.#picture = picture;
    if (!isSame) this.#layer.invalidate();
  }

  #labelOf({ price, tone }: Level): AxisLabel {
    const { colours } = this.#view.painter;
    const text = grouped(price.toFixed(this.#view.instrument.priceScale));
    return { price, text, colour: colourOf(colours, tone), ink: colours.panel };
  }

  #draw({ context, width, height }: Canvas): void {
    const { painter } = this.#view;
    for (const [look, rows] of this.#rows(height)) {
      const { tone, isDashed } = look;
      context.strokeStyle = colourOf(painter.colours, tone);
      context.setLineDash(isDashed ? DASH : []);
      context.beginPath();
      for (const y of rows) {
        context.moveTo(0, y + 0.5);
        context.lineTo(width, y + 0.5);
      }
      context.stroke();
    }
    for (const fill of this.#picture.fills) this.#drawFill(context, fill);
  }

  /** The rows of pixels with a line, by how it looks: no more than the chart is high. */
  #rows(height: number): Iterable<readonly [Level, ReadonlySet<number>]> {
    const { painter } = this.#view;
    const found = new Map<string, readonly [Level, Set<number>]>();
    for (const level of this.#picture.levels) {
      const y = painter.yOf(level.price);
      if (y === undefined || y < 0 || y > height) continue;
      const name = `${level.tone} ${level.isDashed}`;
      const known = found.get(name);
      if (known === undefined) found.set(name, [level, new Set([Math.round(y)])]);
      else known[1].add(Math.round(y));
    }
    return found.values();
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

function areAlike(some: readonly Level[], others: readonly Level[]): boolean {
  if (some === others) return true;
  return (
    some.length === others.length &&
    some.every((level, at) => {
      const other = others[at];
      return (
        level.price === other?.price &&
        level.tone === other.tone &&
        level.isDashed === other.isDashed
      );
    })
  );
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
