/** Draws by pointer and by key: what a press on the chart does to the drawings of its market. */
import { anchored, put, redo, remove, shifted, undo } from '../../model/drawing-board.ts';
import {
  type Anchor,
  anchorCount,
  type Drawing,
  type DrawingTool,
  type Hit,
  hitOf,
  type Pixel,
} from '../../model/drawings.ts';
import { createStore, type Store } from '../../store/store.ts';
import { boardOf, newId } from './chart-settings.ts';
import type { ChartView } from './chart-view.ts';

/** How near to a line the pointer has to be; a finger is wider. */
const NEAR = { mouse: 7, touch: 16 } as const;
/** A press that moves less is a click. */
const CLICK_PIXELS = 5;
/** How far a key moves a drawing up or down. */
const KEY_PIXELS = 8;
/** Of the width and the height, where a drawing begins that is made by key. */
const KEY_SHARE = 0.2;

export interface DrawingState {
  /** What the next press on the chart begins. */
  readonly tool: DrawingTool | undefined;
  readonly selected: string | undefined;
  /** Being drawn or moved, and not yet on the board. */
  readonly pending: Drawing | undefined;
  /** A text whose words are asked for. */
  readonly asked: Drawing | undefined;
}

const IDLE: DrawingState = {
  tool: undefined,
  selected: undefined,
  pending: undefined,
  asked: undefined,
};

interface Move {
  readonly drawing: Drawing;
  readonly hit: Hit;
  readonly from: Anchor;
}

export class DrawingHand {
  readonly state: Store<DrawingState> = createStore(IDLE);
  readonly #view: ChartView;
  #moving: Move | undefined;
  /** Anchors of the pending drawing that are where they shall be. */
  #fixed = 0;
  #pressedAt: Pixel | undefined;

  constructor(view: ChartView) {
    this.#view = view;
  }

  get board() {
    return boardOf(this.#view.instrument.symbol);
  }

  choose(tool: DrawingTool | undefined): void {
    this.#fixed = 0;
    this.state.set((now) => ({ ...now, tool, pending: undefined, selected: undefined }));
  }

  select(selected: string | undefined): void {
    this.state.set((now) => ({ ...now, selected }));
  }

  removeSelected(): void {
    const { selected } = this.state.get();
    if (selected !== undefined) this.board.set((board) => remove(board, selected));
    this.select(undefined);
  }

  /** Puts the text that was asked for; an empty one is none. */
  answer(text: string | undefined): void {
    const { asked } = this.state.get();
    this.state.set((now) => ({ ...now, asked: undefined }));
    const words = text?.trim() ?? '';
    if (asked !== undefined && words !== '') this.#put({ ...asked, text: words });
  }

  /** Listens to the element of the chart. Returns how to stop. */
  attach(): () => void {
    const { element } = this.#view;
    const end = new AbortController();
    const { signal } = end;
    const capture = { capture: true, signal };
    element.addEventListener('pointerdown', (event) => this.#press(event), capture);
    element.addEventListener('pointermove', (event) => this.#move(event), capture);
    addEventListener('pointerup', (event) => this.#release(event), { signal });
    addEventListener('pointercancel', () => this.#giveUp(), { signal });
    element.addEventListener(
      'keydown',
      (event) => {
        if (this.#key(event)) event.preventDefault();
      },
      { signal },
    );
    return () => end.abort();
  }

  /** The pixels of a drawing's anchors; undefined while there are no prices. */
  pixelsOf({ anchors }: Drawing): readonly Pixel[] | undefined {
    const pixels = anchors.flatMap((anchor) => this.#view.pixelOf(anchor) ?? []);
    return pixels.length === anchors.length ? pixels : undefined;
  }

  #pointOf({ clientX, clientY }: PointerEvent): Pixel | undefined {
    const { left, top } = this.#view.element.getBoundingClientRect();
    const { width, height } = this.#view.painter.size;
    const [x, y] = [clientX - left, clientY - top];
    return x >= 0 && y >= 0 && x <= width && y <= height ? { x, y } : undefined;
  }

  #press(event: PointerEvent): void {
    const point = this.#pointOf(event);
    const anchor = point && this.#view.anchorAt(point);
    if (point === undefined || anchor === undefined || event.button !== 0) return;
    this.#pressedAt = point;
    if (this.state.get().tool === undefined) this.#grasp(event, point, anchor);
    else this.#fasten(anchor);
    if (this.state.get().pending === undefined) return;
    this.#view.painter.setMoving(false);
  }

  #grasp({ pointerType }: PointerEvent, point: Pixel, from: Anchor): void {
    const within = pointerType === 'touch' ? NEAR.touch : NEAR.mouse;
    const { width } = this.#view.painter.size;
    for (const drawing of this.board.get().drawings.toReversed()) {
      const at = this.pixelsOf(drawing);
      const hit = at && hitOf(drawing.tool, at, width, point, within);
      if (hit === undefined) continue;
      this.#moving = { drawing, hit, from };
      this.state.set((now) => ({ ...now, selected: drawing.id, pending: drawing }));
      return;
    }
    this.select(undefined);
  }

  /** Fastens the next anchor of what is being drawn. */
  #fasten(anchor: Anchor): void {
    const { tool, pending } = this.state.get();
    if (tool === undefined) return;
    const count = anchorCount(tool);
    const drawing: Drawing = pending ?? { id: newId(), tool, anchors: [], text: '' };
    const anchors = Array.from({ length: count }, (_, at) =>
      at < this.#fixed ? (drawing.anchors[at] ?? anchor) : anchor,
    );
    this.#fixed += 1;
    this.state.set((now) => ({ ...now, pending: { ...drawing, anchors } }));
    if (this.#fixed >= count) this.#finish({ ...drawing, anchors });
  }

  #finish(drawing: Drawing): void {
    this.#fixed = 0;
    this.state.set((now) => ({ ...now, tool: undefined, pending: undefined }));
    this.#view.painter.setMoving(true);
    if (drawing.tool === 'text') this.state.set((now) => ({ ...now, asked: drawing }));
    else this.#put(drawing);
  }

  #put(drawing: Drawing): void {
    this.board.set((board) => put(board, drawing));
    this.select(drawing.id);
  }

  #move(event: PointerEvent): void {
    const { pending } = this.state.get();
    const point = this.#pointOf(event);
    const anchor = point && this.#view.anchorAt(point);
    if (pending === undefined || anchor === undefined) return;
    this.state.set((now) => ({ ...now, pending: this.#led(pending, anchor) }));
  }

  /** The pending drawing as the pointer leads it. */
  #led(pending: Drawing, anchor: Anchor): Drawing {
    const moving = this.#moving;
    if (moving === undefined) {
      const anchors = pending.anchors.map((known, at) => (at < this.#fixed ? known : anchor));
      return { ...pending, anchors };
    }
    const { drawing, hit, from } = moving;
    if (hit.kind === 'anchor') return anchored(drawing, hit.at, anchor);
    return shifted(drawing, anchor.time - from.time, anchor.price - from.price);
  }

  #release(event: PointerEvent): void {
    const { pending } = this.state.get();
    const point = this.#pointOf(event);
    const pressed = this.#pressedAt;
    this.#pressedAt = undefined;
    if (pending === undefined) return;
    const far = pressed && point ? Math.hypot(point.x - pressed.x, point.y - pressed.y) : 0;
    if (this.#moving !== undefined) {
      this.#moving = undefined;
      this.#view.painter.setMoving(true);
      this.state.set((now) => ({ ...now, pending: undefined }));
      if (far > 0) this.#put(pending);
      return;
    }
    const anchor = point && this.#view.anchorAt(point);
    if (far > CLICK_PIXELS && anchor !== undefined) this.#fasten(anchor);
  }

  #giveUp(): void {
    this.#moving = undefined;
    this.#fixed = 0;
    this.#view.painter.setMoving(true);
    this.state.set((now) => ({ ...now, tool: undefined, pending: undefined }));
  }

  /** False for a key that does nothing here. */
  #key(event: KeyboardEvent): boolean {
    const { key, ctrlKey, metaKey, shiftKey } = event;
    const { tool, selected } = this.state.get();
    if ((ctrlKey || metaKey) && key.toLowerCase() === 'z') {
      this.board.set((board) => (shiftKey ? redo(board) : undo(board)));
      return true;
    }
    if (key === 'Escape' && (tool !== undefined || selected !== undefined)) {
      this.#giveUp();
      this.select(undefined);
      return true;
    }
    if (key === 'Enter' && tool !== undefined) return this.#drawInMiddle(tool);
    if (selected === undefined) return this.#keyOfChart(key);
    if (key === 'Delete' || key === 'Backspace') {
      this.removeSelected();
      return true;
    }
    return this.#nudge(selected, key) || this.#keyOfChart(key);
  }

  /** What the mouse does with wheel and drag. */
  #keyOfChart(key: string): boolean {
    const { painter } = this.#view;
    switch (key) {
      case 'ArrowLeft':
        painter.scroll(-KEY_BARS);
        return true;
      case 'ArrowRight':
        painter.scroll(KEY_BARS);
        return true;
      case '+':
        painter.zoom('in');
        return true;
      case '-':
        painter.zoom('out');
        return true;
      case 'End':
        painter.scrollToNow();
        return true;
      default:
        return false;
    }
  }

  #drawInMiddle(tool: DrawingTool): boolean {
    const { width, height } = this.#view.painter.size;
    const places = [
      { x: width * (0.5 - KEY_SHARE), y: height * (0.5 + KEY_SHARE / 2) },
      { x: width * (0.5 + KEY_SHARE), y: height * (0.5 - KEY_SHARE / 2) },
      { x: width * 0.5, y: height * (0.5 + KEY_SHARE) },
    ];
    const anchors = places
      .slice(0, anchorCount(tool))
      .flatMap((place) => this.#view.anchorAt(place) ?? []);
    if (anchors.length < anchorCount(tool)) return false;
    this.#finish({ id: newId(), tool, anchors, text: '' });
    return true;
  }

  #nudge(id: string, key: string): boolean {
    const drawing = this.board.get().drawings.find((each) => each.id === id);
    const [first] = drawing?.anchors ?? [];
    if (drawing === undefined || first === undefined) return false;
    const at = this.#view.pixelOf(first);
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      const seconds = key === 'ArrowLeft' ? -this.#view.periodS : this.#view.periodS;
      this.#put(shifted(drawing, seconds, 0));
      return true;
    }
    if ((key !== 'ArrowUp' && key !== 'ArrowDown') || at === undefined) return false;
    const y = at.y + (key === 'ArrowUp' ? -KEY_PIXELS : KEY_PIXELS);
    const price = this.#view.painter.priceAt(y);
    if (price === undefined) return false;
    this.#put(shifted(drawing, 0, this.#view.rounded(price - first.price)));
    return true;
  }
}

/** How far a key scrolls, in bars. */
const KEY_BARS = 10;
