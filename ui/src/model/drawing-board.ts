/** The drawings of one market, with what can be undone. Pure: where they are kept is told apart. */
import { type Anchor, anchorCount, DRAWING_TOOLS, type Drawing } from './drawings.ts';

export interface Board {
  readonly drawings: readonly Drawing[];
  /** What they were before each change, the latest last. */
  readonly past: readonly (readonly Drawing[])[];
  readonly future: readonly (readonly Drawing[])[];
}

const DRAWINGS_MAX = 200;
const UNDO_MAX = 100;
export const TEXT_MAX = 120;

export function newBoard(drawings: readonly Drawing[]): Board {
  return { drawings, past: [], future: [] };
}

function changed(board: Board, drawings: readonly Drawing[]): Board {
  const past = [...board.past, board.drawings].slice(-UNDO_MAX);
  return { drawings, past, future: [] };
}

/** Adds a drawing, or puts it in the place of the one with its id. */
export function put(board: Board, drawing: Drawing): Board {
  const isKnown = board.drawings.some(({ id }) => id === drawing.id);
  if (!isKnown && board.drawings.length >= DRAWINGS_MAX) return board;
  const drawings = isKnown
    ? board.drawings.map((each) => (each.id === drawing.id ? drawing : each))
    : [...board.drawings, drawing];
  return changed(board, drawings);
}

export function remove(board: Board, id: string): Board {
  const drawings = board.drawings.filter((drawing) => drawing.id !== id);
  return drawings.length === board.drawings.length ? board : changed(board, drawings);
}

export function removeAll(board: Board): Board {
  return board.drawings.length === 0 ? board : changed(board, []);
}

export function undo(board: Board): Board {
  const before = board.past.at(-1);
  if (before === undefined) return board;
  const future = [board.drawings, ...board.future];
  return { drawings: before, past: board.past.slice(0, -1), future };
}

export function redo(board: Board): Board {
  const [next, ...future] = board.future;
  if (next === undefined) return board;
  return { drawings: next, past: [...board.past, board.drawings], future };
}

/** A drawing with all its anchors elsewhere. */
export function shifted(drawing: Drawing, seconds: number, price: number): Drawing {
  const anchors = drawing.anchors.map((anchor) => ({
    time: anchor.time + seconds,
    price: anchor.price + price,
  }));
  return { ...drawing, anchors };
}

/** A drawing with one of its anchors elsewhere. */
export function anchored(drawing: Drawing, at: number, anchor: Anchor): Drawing {
  return { ...drawing, anchors: drawing.anchors.with(at, anchor) };
}

/** What was kept, without what is no drawing. */
export function readDrawings(kept: string): readonly Drawing[] {
  let rows: unknown;
  try {
    rows = JSON.parse(kept);
  } catch {
    return [];
  }
  if (!Array.isArray(rows)) return [];
  return rows
    .flatMap((row: unknown) => {
      const drawing = readDrawing(row);
      return drawing === undefined ? [] : [drawing];
    })
    .slice(0, DRAWINGS_MAX);
}

function readDrawing(row: unknown): Drawing | undefined {
  const given = new Map<string, unknown>(Object.entries(Object(row)));
  const [id, text, anchors] = ['id', 'text', 'anchors'].map((name) => given.get(name));
  const tool = DRAWING_TOOLS.find((known) => known === given.get('tool'));
  if (tool === undefined || typeof id !== 'string' || typeof text !== 'string') return undefined;
  if (!Array.isArray(anchors) || anchors.length !== anchorCount(tool)) return undefined;
  const read = anchors.flatMap(readAnchor);
  if (read.length !== anchors.length) return undefined;
  return { id, tool, anchors: read, text: text.slice(0, TEXT_MAX) };
}

function readAnchor(row: unknown): Anchor[] {
  const given = new Map<string, unknown>(Object.entries(Object(row)));
  const [time, price] = [given.get('time'), given.get('price')];
  const isFine = Number.isFinite(time) && Number.isFinite(price);
  return isFine && typeof time === 'number' && typeof price === 'number' ? [{ time, price }] : [];
}
