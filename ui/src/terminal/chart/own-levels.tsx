/** Own orders, triggers and positions on the chart; the first two are moved there. */
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { formatDecimal } from '#kernel';
import { scaledNumber } from '../../model/numbers.ts';
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
  const drop = (next: Asked, isDrag: boolean): void => {
    setDragged(undefined);
    if (isDrag && asksFirst.get() === 'no') void run(() => move(next.moving, next));
    else setAsked(next);
  };
  return (
    <div className="levels">
      {levels.map((level) =>
        level.tone === 'soft' ? null : (
          <Chip key={level.id} {...{ view, level }} onDrag={setDragged} onDrop={drop} />
        ),
      )}
      {asked === undefined ? null : <MoveDialog {...asked} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

interface ChipProps {
  readonly view: ChartView;
  readonly level: Level;
  readonly onDrag: (to: { readonly id: string; readonly price: number }) => void;
  readonly onDrop: (asked: Asked, isDrag: boolean) => void;
}

function Chip({ view, level, onDrag, onDrop }: ChipProps) {
  const { chart } = useTexts();
  const box = useRef<HTMLDivElement>(null);
  const pressed = useRef<number | undefined>(undefined);
  /** The click that ends a drag is none. */
  const wasDragged = useRef(false);
  const { run } = useAction();
  const { price, movable, text, tone } = level;
  usePlaced(box, view, price);
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
    <div className={`level level-${tone}`} ref={box}>
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

/** Keeps an element at its price, and hides it where there are no prices. */
function usePlaced(
  box: React.RefObject<HTMLDivElement | null>,
  view: ChartView,
  price: number,
): void {
  useEffect(() => {
    const place = (): void => {
      const y = view.painter.yOf(price) ?? -1;
      const element = box.current;
      if (element === null) return;
      element.hidden = y < EDGE_PIXELS || y > view.painter.size.height - EDGE_PIXELS;
      element.style.transform = `translateY(${y}px)`;
    };
    place();
    return view.onPaint(place);
  }, [box, view, price]);
}

/** The nearest price that an order may have. */
function steppedPrice(price: number, { instrument }: ChartView): number {
  const { priceScale, priceStep } = instrument;
  const step = scaledNumber(priceStep, priceScale);
  const ticks = Math.max(step, Math.round((price * 10 ** priceScale) / step) * step);
  return Number(formatDecimal(ticks, priceScale));
}
