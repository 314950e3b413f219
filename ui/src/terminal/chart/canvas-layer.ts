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
  /** Pixels from the top; undefined when it cannot be shown. */
  yOf?(price: number): number | undefined;
}

/** Far above the chart: a label there is not seen and pushes none aside. */
const NOWHERE = -10_000;

export class CanvasLayer implements ISeriesPrimitive {
  readonly #choices: LayerChoices;
  readonly #views: readonly IPrimitivePaneView[];
  #requestUpdate: (() => void) | undefined;

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

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    const { labels, yOf } = this.#choices;
    if (labels === undefined || yOf === undefined) return [];
    return labels().map(({ price, text, colour, ink }) => ({
      coordinate: () => yOf(price) ?? NOWHERE,
      text: () => text,
      textColor: () => ink,
      backColor: () => colour,
    }));
  }
}
