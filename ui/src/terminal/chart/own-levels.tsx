/** Own orders, triggers and positions on the chart; the first two are moved there. */
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { formatDecimal } from '#kernel';
import { scaledNumber } from '../../model/numbers.ts';
import { spread } from '../../model/spread.ts';
import { useTexts } from '../../texts/texts.ts';
import { cancelOrder, cancelPlan } from '../trade/calls.ts';
import { MoveDialog } from '../trade/move-dialog.tsx';
import { type Moving, move } from '../trade/moves.ts';
import { asksFirst } from '../trade/preferences.ts';
import { useAction } from '../trade/use-action.ts';
import type { ChartView } from './chart-view.ts';
import { LevelLayer } from './level-layer.ts';
import { type Level, useLevels } from './levels.ts';
import { useOwnFills } from './own-fills.ts';

/** Nearer to an edge of the prices a chip would be cut off. */
const EDGE_PIXELS = 9;
/** The height of a chip. */
const CHIP_PIXELS = 20;
/** A press that moves less is a click. */
const CLICK_PIXELS = 4;

/** What is to go to another price. */
interface Asked {
  readonly moving: Moving;
  readonly price: string;
}

export function OwnLevels({ view }: { readonly view: ChartView }) {
  const [layer] = useState(() => new LevelLayer(view));
  const [dragged, setDragged] = useState<{ readonly id: string; readonly price: number }>();
  const [asked, setAsked] = useState<Asked | undefined>();
  const levels = useLevels(view.instrument).map((level) =>
    level.id === dragged?.id ? { ...level, price: dragged.price } : level,
  );
  const fills = useOwnFills(view.instrument);
  const { run } = useAction();
  useEffect(() => layer.show(levels, fills));
  const chips = levels.filter(({ tone }) => tone !== 'soft');
  const boxOf = usePlaced(view, chips);
  const drop = (next: Asked, isDrag: boolean): void => {
    setDragged(undefined);
    if (isDrag && asksFirst.get() === 'no') void run(() => move(next.moving, next));
    else setAsked(next);
  };
  return (
    <div className="levels">
      {chips.map((level) => (
        <Chip key={level.id} {...{ view, level, boxOf }} onDrag={setDragged} onDrop={drop} />
      ))}
      {asked === undefined ? null : <MoveDialog {...asked} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

interface ChipProps {
  readonly view: ChartView;
  readonly level: Level;
  readonly boxOf: (id: string) => (box: HTMLDivElement | null) => void;
  readonly onDrag: (to: { readonly id: string; readonly price: number }) => void;
  readonly onDrop: (asked: Asked, isDrag: boolean) => void;
}

function Chip({ view, level, boxOf, onDrag, onDrop }: ChipProps) {
  const { chart } = useTexts();
  const pressed = useRef<number | undefined>(undefined);
  /** The click that ends a drag is none. */
  const wasDragged = useRef(false);
  const { run } = useAction();
  const { price, movable, text, tone } = level;
  const priceAt = (event: PointerEvent): number | undefined => {
    const y = event.clientY - view.element.getBoundingClientRect().top;
    const found = view.painter.priceAt(y);
    return found === undefined ? undefined : steppedPrice(found, view);
  };
  const release = (event: PointerEvent): void => {
    const from = pressed.current;
    pressed.current = undefined;
    if (from === undefined || movable === undefined) return;
    const isDrag = Math.abs(event.clientY - from) > CLICK_PIXELS;
    wasDragged.current = isDrag;
    const to = isDrag ? (priceAt(event) ?? price) : price;
    const next = to.toFixed(view.instrument.priceScale);
    if (isDrag) onDrop({ moving: movable, price: next }, true);
  };
  const cancel = (): Promise<void> => {
    if (movable === undefined) return Promise.resolve();
    return movable.kind === 'order' ? cancelOrder(movable.order) : cancelPlan(movable.plan);
  };
  const ask = (): void => {
    if (movable === undefined) return;
    onDrop({ moving: movable, price: price.toFixed(view.instrument.priceScale) }, false);
  };
  return (
    <div className={`level level-${tone}`} ref={boxOf(level.id)}>
      {movable === undefined ? (
        <span>{text}</span>
      ) : (
        <>
          <button
            type="button"
            title={chart.moveNamed(text)}
            onPointerDown={(event) => {
              pressed.current = event.clientY;
              event.currentTarget.setPointerCapture(event.pointerId);
            }}
            onPointerMove={(event) => {
              const to = pressed.current === undefined ? undefined : priceAt(event);
              if (to !== undefined) onDrag({ id: level.id, price: to });
            }}
            onPointerUp={release}
            onClick={() => {
              if (!wasDragged.current) ask();
              wasDragged.current = false;
            }}
          >
            {text}
          </button>
          <button
            type="button"
            className="level-cancel"
            aria-label={chart.cancelNamed(text)}
            onClick={() => void run(cancel)}
          >
            ✕
          </button>
        </>
      )}
    </div>
  );
}

/**
 * Keeps chips at their prices, spread where they would cover each other, and hides those whose
 * price is not shown. Takes each chip's element.
 */
function usePlaced(view: ChartView, chips: readonly Level[]): ChipProps['boxOf'] {
  const [boxes] = useState(() => new Map<string, HTMLDivElement>());
  useEffect(() => {
    const place = (): void => placeChips(view, chips, boxes);
    place();
    return view.onPaint(place);
  }, [view, chips, boxes]);
  return (id) => (box) => {
    if (box === null) boxes.delete(id);
    else boxes.set(id, box);
  };
}

function placeChips(
  { painter }: ChartView,
  chips: readonly Level[],
  boxes: ReadonlyMap<string, HTMLDivElement>,
): void {
  const bounds = { from: EDGE_PIXELS, to: painter.size.height - EDGE_PIXELS };
  const placed = chips.map(({ id, price }) => ({
    box: boxes.get(id),
    y: painter.yOf(price) ?? -1,
  }));
  const isShown = ({ y }: { readonly y: number }) => y >= bounds.from && y <= bounds.to;
  const shown = placed.filter(isShown);
  const spots = spread(
    shown.map(({ y }) => y),
    { ...bounds, gap: CHIP_PIXELS },
  );
  for (const each of placed) if (each.box !== undefined) each.box.hidden = !isShown(each);
  shown.forEach(({ box, y }, at) => {
    if (box !== undefined) box.style.transform = `translateY(${spots[at] ?? y}px)`;
  });
}

/** The nearest price that an order may have. */
function steppedPrice(price: number, { instrument }: ChartView): number {
  const { priceScale, priceStep } = instrument;
  const step = scaledNumber(priceStep, priceScale);
  const ticks = Math.max(step, Math.round((price * 10 ** priceScale) / step) * step);
  return Number(formatDecimal(ticks, priceScale));
}
