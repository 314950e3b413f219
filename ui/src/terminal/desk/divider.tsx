/** What stands between two panels: dragged, or moved by the arrow keys, it resizes them. */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import {
  dividerOf,
  dragged,
  fillerOf,
  leastPixels,
  type Path,
  type Place,
  panelsOf,
  type Split,
} from '../../model/panels.ts';
import type { Store } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';

const KEY_PIXELS = 16;
/** With Shift. */
const FAST = 4;
const PIXELS_MAX = 4_000;

interface DividerProps {
  readonly store: Store<Place>;
  readonly split: Split;
  /** The way to the part before it. */
  readonly path: Path;
  readonly at: number;
}

/** How far the divider can go to either side before the filler is too short. */
interface Room {
  readonly before: number;
  readonly after: number;
}

const FREE: Room = { before: Number.POSITIVE_INFINITY, after: Number.POSITIVE_INFINITY };

interface Drag {
  readonly from: number;
  readonly place: Place;
  readonly room: Room;
}

export function Divider({ store, split, path, at }: DividerProps) {
  const { arrange } = useTexts();
  const drag = useRef<Drag | undefined>(undefined);
  const isRow = split.axis === 'row';
  const { value, least } = dividerOf(split, at);
  const where = (event: PointerEvent): number => (isRow ? event.clientX : event.clientY);
  const go = (place: Place, { before, after }: Room, by: number): void =>
    store.set(dragged(place, path, Math.max(-before, Math.min(after, by))));
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = stepOf(event.key, isRow);
    if (step === 0) return;
    event.preventDefault();
    const by = step * KEY_PIXELS * (event.shiftKey ? FAST : 1);
    go(store.get(), roomOf(event.currentTarget, split, at), by);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      className={`divider divider-${split.axis}`}
      role="separator"
      tabIndex={0}
      aria-orientation={isRow ? 'vertical' : 'horizontal'}
      aria-label={arrange.resize(nameOf(split, at, arrange), nameOf(split, at + 1, arrange))}
      aria-valuenow={value}
      aria-valuemin={Math.min(least, value)}
      aria-valuemax={PIXELS_MAX}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const room = roomOf(event.currentTarget, split, at);
        drag.current = { from: where(event), place: store.get(), room };
      }}
      onPointerMove={(event) => {
        const { current } = drag;
        if (current === undefined) return;
        go(current.place, current.room, where(event) - current.from);
      }}
      onLostPointerCapture={() => {
        drag.current = undefined;
      }}
    />
  );
}

function stepOf(key: string, isRow: boolean): number {
  if (key === (isRow ? 'ArrowRight' : 'ArrowDown')) return 1;
  return key === (isRow ? 'ArrowLeft' : 'ArrowUp') ? -1 : 0;
}

interface Names {
  readonly panels: Readonly<Record<string, string>>;
}

function nameOf({ parts }: Split, at: number, { panels }: Names): string {
  const part = parts[at];
  const [first = ''] = part === undefined ? [] : panelsOf(part.place);
  return panels[first] ?? first;
}

/** How much the part that takes the rest can give on this screen, and to neither side otherwise. */
function roomOf(element: HTMLElement, split: Split, at: number): Room {
  const filler = fillerOf(split);
  const part = split.parts[filler];
  const shown = element.parentElement?.querySelector(':scope > .split-filler');
  if (part === undefined || shown === null || shown === undefined) return FREE;
  const { width, height } = shown.getBoundingClientRect();
  const length = split.axis === 'row' ? width : height;
  const pixels = Math.max(0, Math.floor(length - leastPixels(part.place, split.axis)));
  if (filler === at) return { ...FREE, before: pixels };
  return filler === at + 1 ? { ...FREE, after: pixels } : FREE;
}
