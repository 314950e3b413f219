/** Something of our own on the canvas of the chart, with labels on the price axis. */
import type {
  IPrimitivePaneView,
  ISeriesPrimitive,
  ISeriesPrimitiveAxisView,
} from 'lightweight-charts';

export interface Canvas {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
}

export interface AxisLabel {
  readonly price: number;
  readonly text: string;
  readonly colour: string;
  readonly ink: string;
}

interface LayerChoices {
  readonly zOrder: 'bottom' | 'normal' | 'top';
  /** Called at every paint of the chart, at most once a frame. */
  draw(canvas: Canvas): void;
  labels?(): readonly AxisLabel[];
  /** Pixels from the top; undefined of a price that the chart does not show now. */
  yOf?(price: number): number | undefined;
}

/** Of a label that is not shown; the library would push others aside for one it has to show. */
const NOWHERE = -10_000;

export class CanvasLayer implements ISeriesPrimitive {
  readonly #choices: LayerChoices;
  readonly #views: readonly IPrimitivePaneView[];
  #requestUpdate: (() => void) | undefined;
  #labels: readonly AxisLabel[] = [];
  #axisViews: readonly ISeriesPrimitiveAxisView[] = [];

  constructor(choices: LayerChoices) {
    this.#choices = choices;
    this.#views = [
      {
        zOrder: () => choices.zOrder,
        renderer: () => ({
          draw: (target) =>
            target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) => {
              context.save();
              choices.draw({ context, width, height });
              context.restore();
            }),
        }),
      },
    ];
  }

  attached({ requestUpdate }: { readonly requestUpdate: () => void }): void {
    this.#requestUpdate = requestUpdate;
  }

  detached(): void {
    this.#requestUpdate = undefined;
  }

  /** Paints again at the next frame. */
  invalidate(): void {
    this.#requestUpdate?.();
  }

  updateAllViews(): void {
    // What is drawn is worked out while drawing.
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views;
  }

  /** The same views while the labels are the same: with them the library keeps their places. */
  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    const { labels, yOf } = this.#choices;
    const now = labels?.();
    if (now === undefined || yOf === undefined || areSame(now, this.#labels)) {
      return this.#axisViews;
    }
    this.#labels = now;
    this.#axisViews = now.map(({ price, text, colour, ink }) => ({
      coordinate: () => yOf(price) ?? NOWHERE,
      visible: () => yOf(price) !== undefined,
      text: () => text,
      textColor: () => ink,
      backColor: () => colour,
    }));
    return this.#axisViews;
  }
}

function areSame(some: readonly AxisLabel[], others: readonly AxisLabel[]): boolean {
  return some.length === others.length && some.every((label, at) => isSame(label, others[at]));
}

function isSame(label: AxisLabel, other: AxisLabel | undefined): boolean {
  return (
    label.price === other?.price &&
    label.text === other.text &&
    label.colour === other.colour &&
    label.ink === other.ink
  );
}
