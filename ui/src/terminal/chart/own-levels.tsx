/** Own orders, triggers and positions on the chart; the first two are moved there. */
import {
  memo,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { formatDecimal } from '#kernel';
import { type Chip, type ChipBounds, chipsInSight } from '../../model/chips.ts';
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

/** Painted again when something of it changes, not when the pointer is over another bar. */
export const OwnLevels = memo(({ view }: { readonly view: ChartView }) => {
  const [layer] = useState(() => new LevelLayer(view));
  const [dragged, setDragged] = useState<Dragged | undefined>();
  const [asked, setAsked] = useState<Asked | undefined>();
  const levels = useLevels(view.instrument);
  const placed = useMemo(() => withDragged(levels, dragged), [levels, dragged]);
  const fills = useOwnFills(view.instrument);
  const { run } = useAction();
  const { chips, boxOf } = useChips(view, placed, dragged?.id);
  useEffect(() => {
    const ofChips = chips.flatMap(({ of }) => (of.length === 1 ? of : []));
    const labelled = [...ofChips, ...placed.filter(isLineAlone)];
    layer.show({ levels: placed, labelled, fills });
  }, [layer, placed, chips, fills]);
  const drop = (next: Asked, isDrag: boolean): void => {
    setDragged(undefined);
    if (isDrag && asksFirst.get() === 'no') void run(() => move(next.moving, next));
    else setAsked(next);
  };
  return (
    <div className="levels">
      {chips.map((chip) => {
        const box = boxOf(nameOf(chip));
        if (chip.of.length > 1) return <Together key={nameOf(chip)} {...{ chip, box }} />;
        const [level] = chip.of;
        return (
          <LevelChip key={level.id} {...{ view, level, box }} onDrag={setDragged} onDrop={drop} />
        );
      })}
      {asked === undefined ? null : <MoveDialog {...asked} onClose={() => setAsked(undefined)} />}
    </div>
  );
});

interface Dragged {
  readonly id: string;
  readonly price: number;
}

/** The levels with the dragged one where the pointer is. */
function withDragged(levels: readonly Level[], dragged: Dragged | undefined): readonly Level[] {
  const known = levels.find(({ id }) => id === dragged?.id);
  if (dragged === undefined || known === undefined) return levels;
  const others = levels.filter((level) => level !== known);
  const at = others.findIndex(({ price }) => price < dragged.price);
  return others.toSpliced(at === -1 ? others.length : at, 0, { ...known, price: dragged.price });
}

function isLineAlone({ tone }: Level): boolean {
  return tone === 'soft';
}

function nameOf({ of: [first, ...others] }: Chip<Level>): string {
  return others.length === 0 ? first.id : `together ${first.id}`;
}

type BoxRef = (box: HTMLDivElement | null) => void;

interface TogetherProps {
  readonly chip: Chip<Level>;
  readonly box: BoxRef;
}

/** What has no room for a label each: it gets it when the prices are drawn apart. */
function Together({ chip: { of }, box }: TogetherProps) {
  const { chart } = useTexts();
  const [{ tone }] = of;
  const isOfOne = of.every((level) => level.tone === tone);
  return (
    <div className={`level level-${isOfOne ? tone : 'soft'}`} ref={box}>
      <span title={chart.togetherMeans}>{chart.together(of.length)}</span>
    </div>
  );
}

interface ChipProps {
  readonly view: ChartView;
  readonly level: Level;
  readonly box: BoxRef;
  readonly onDrag: (to: Dragged) => void;
  readonly onDrop: (asked: Asked, isDrag: boolean) => void;
}

function LevelChip({ view, level, box, onDrag, onDrop }: ChipProps) {
  const { chart } = useTexts();
  const pressed = useRef<number | undefined>(undefined);
  /** The click that ends a drag is none. */
  const wasDragged = useRef(false);
  const { run } = useAction();
  const { price, movable, tone } = level;
  const text = level.text();
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

/**
 * The chips that are in sight, kept at their prices and spread where they would cover each other.
 * Takes each chip's element. The dragged one has a chip of its own wherever it is.
 */
function useChips(view: ChartView, levels: readonly Level[], draggedId: string | undefined) {
  const [boxes] = useState(() => new Map<string, HTMLDivElement>());
  const [chips, setChips] = useState<readonly Chip<Level>[]>([]);
  useLayoutEffect(() => {
    const withChips = levels.filter((level) => !isLineAlone(level));
    const place = (): void => {
      const seen = chipsOf(view, withChips, draggedId);
      setChips((now) => (areSame(now, seen) ? now : seen));
      placeChips(view, seen, boxes);
    };
    place();
    return view.onPaint(place);
  }, [view, levels, draggedId, boxes]);
  // Those that have just come have an element only now.
  useLayoutEffect(() => placeChips(view, chips, boxes), [view, chips, boxes]);
  const boxOf = (name: string) => (box: HTMLDivElement | null) => {
    if (box === null) boxes.delete(name);
    else boxes.set(name, box);
  };
  return { chips, boxOf };
}

function chipsOf(
  { painter }: ChartView,
  levels: readonly Level[],
  draggedId: string | undefined,
): readonly Chip<Level>[] {
  const bounds = boundsOf(painter.size);
  const yOf = ({ price }: Level): number => painter.yOf(price) ?? -1;
  const dragged = levels.find(({ id }) => id === draggedId);
  if (dragged === undefined) return chipsInSight(levels, yOf, bounds);
  const others = levels.filter((level) => level !== dragged);
  return [...chipsInSight(others, yOf, bounds), { y: yOf(dragged), of: [dragged] }];
}

function boundsOf({ height }: { readonly height: number }): ChipBounds {
  return { from: EDGE_PIXELS, to: height - EDGE_PIXELS, height: CHIP_PIXELS };
}

function areSame(some: readonly Chip<Level>[], others: readonly Chip<Level>[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ of }, at) => {
      const [chip] = [others[at]?.of ?? []];
      return of.length === chip.length && of.every((level, place) => level === chip[place]);
    })
  );
}

function placeChips(
  { painter }: ChartView,
  chips: readonly Chip<Level>[],
  boxes: ReadonlyMap<string, HTMLDivElement>,
): void {
  const { from, to, height: gap } = boundsOf(painter.size);
  const wanted = chips.map(({ of: [{ price }] }) => painter.yOf(price) ?? from);
  const spots = spread(wanted, { from, to, gap });
  for (const [at, chip] of chips.entries()) {
    const box = boxes.get(nameOf(chip));
    if (box !== undefined) box.style.transform = `translateY(${spots[at] ?? from}px)`;
  }
}

/** The nearest price that an order may have. */
function steppedPrice(price: number, { instrument }: ChartView): number {
  const { priceScale, priceStep } = instrument;
  const step = scaledNumber(priceStep, priceScale);
  const ticks = Math.max(step, Math.round((price * 10 ** priceScale) / step) * step);
  return Number(formatDecimal(ticks, priceScale));
}
