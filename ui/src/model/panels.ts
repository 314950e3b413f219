/**
 * Where the panels of the terminal stand on a desk: rows and columns in each other, with lengths in
 * pixels. Pure: what moves, hides or resizes a panel makes a new place; what was kept is read here.
 */

export const PANELS = ['chart', 'book', 'trades', 'form', 'account', 'watchlist'] as const;
export type Panel = (typeof PANELS)[number];

/** A panel, or several side by side or above each other. */
export type Place = Panel | Split;

export interface Split {
  readonly axis: 'row' | 'column';
  readonly parts: readonly Part[];
}

export interface Part {
  readonly place: Place;
  /** Its length along the axis. One part of a split, its filler, takes what is left instead. */
  readonly pixels: number;
}

export const SIDES = ['left', 'right', 'above', 'below'] as const;
export type Side = (typeof SIDES)[number];

interface Size {
  readonly row: number;
  readonly column: number;
}

/** Widths and heights below which a panel cannot be used. */
const MIN: Readonly<Record<Panel, Size>> = {
  chart: { row: 240, column: 160 },
  book: { row: 190, column: 160 },
  trades: { row: 190, column: 100 },
  form: { row: 250, column: 160 },
  account: { row: 240, column: 120 },
  watchlist: { row: 190, column: 120 },
};

/** What a panel gets where it is put. */
const USUAL: Readonly<Record<Panel, Size>> = {
  chart: { row: 560, column: 360 },
  book: { row: 260, column: 320 },
  trades: { row: 240, column: 240 },
  form: { row: 300, column: 400 },
  account: { row: 560, column: 200 },
  watchlist: { row: 320, column: 240 },
};

const PIXELS_MAX = 4_000;

/** The first of these in a split is in the part that fills it. */
const FILLERS: readonly Panel[] = ['chart', 'account', 'watchlist', 'book', 'trades', 'form'];

/** In the order in which they are shown. */
export function panelsOf(place: Place): readonly Panel[] {
  return typeof place === 'string' ? [place] : place.parts.flatMap((part) => panelsOf(part.place));
}

/** The length below which a place cannot be used, its dividers left out. */
export function leastPixels(place: Place, axis: Split['axis']): number {
  if (typeof place === 'string') return MIN[place][axis];
  const lengths = place.parts.map((part) => leastPixels(part.place, axis));
  return place.axis === axis ? lengths.reduce((sum, one) => sum + one, 0) : Math.max(...lengths);
}

/** Which part takes what the others leave. */
export function fillerOf({ parts }: Split): number {
  for (const panel of FILLERS) {
    const at = parts.findIndex(({ place }) => panelsOf(place).includes(panel));
    if (at !== -1) return at;
  }
  return 0;
}

/** Without a panel; undefined when it was the only one. */
export function without(place: Place, panel: Panel): Place | undefined {
  if (typeof place === 'string') return place === panel ? undefined : place;
  const parts = place.parts.flatMap((part): readonly Part[] => {
    const left = without(part.place, panel);
    return left === undefined ? [] : [{ ...part, place: left }];
  });
  return joined(place.axis, parts);
}

/** A split of one part is that part; a row in a row is one row. */
function joined(axis: Split['axis'], parts: readonly Part[]): Place | undefined {
  const [only] = parts;
  if (parts.length <= 1) return only?.place;
  const flat = parts.flatMap((part): readonly Part[] => {
    const { place } = part;
    return typeof place === 'string' || place.axis !== axis ? [part] : place.parts;
  });
  return { axis, parts: flat };
}

/** With a panel put beside another one; as it is when the other one is not there. */
export function beside(place: Place, panel: Panel, target: Panel, side: Side): Place {
  const axis = side === 'left' || side === 'right' ? 'row' : 'column';
  const added: Part = { place: panel, pixels: USUAL[panel][axis] };
  const isFirst = side === 'left' || side === 'above';
  if (typeof place === 'string') {
    if (place !== target) return place;
    const known: Part = { place, pixels: USUAL[place][axis] };
    return { axis, parts: isFirst ? [added, known] : [known, added] };
  }
  const parts = place.parts.flatMap((part): readonly Part[] => {
    if (part.place !== target || place.axis !== axis) {
      return [{ ...part, place: beside(part.place, panel, target, side) }];
    }
    return isFirst ? [added, part] : [part, added];
  });
  return joined(place.axis, parts) ?? place;
}

/** With a panel taken from where it is and put beside another one. */
export function moved(place: Place, panel: Panel, target: Panel, side: Side): Place {
  if (panel === target || !panelsOf(place).includes(target)) return place;
  const rest = without(place, panel);
  return rest === undefined ? place : beside(rest, panel, target, side);
}

/** With two panels in each other's stead; the lengths stay with the places. */
export function swapped(place: Place, one: Panel, other: Panel): Place {
  if (typeof place === 'string') return place === one ? other : place === other ? one : place;
  const parts = place.parts.map((part) => ({ ...part, place: swapped(part.place, one, other) }));
  return { ...place, parts };
}

/** With a panel that was hidden, where a reader would look for it. */
export function shown(place: Place, panel: Panel): Place {
  const panels = panelsOf(place);
  if (panels.includes(panel)) return place;
  for (const [target, side] of NEAR[panel]) {
    if (panels.includes(target)) return beside(place, panel, target, side);
  }
  return place;
}

/** Where a hidden panel comes back, best first; every panel has one beside each of the others. */
const NEAR: Readonly<Record<Panel, readonly (readonly [Panel, Side])[]>> = {
  chart: [
    ['book', 'left'],
    ['account', 'above'],
    ['form', 'left'],
    ['trades', 'left'],
    ['watchlist', 'right'],
  ],
  book: [
    ['trades', 'left'],
    ['chart', 'right'],
    ['form', 'left'],
    ['account', 'above'],
    ['watchlist', 'right'],
  ],
  trades: [
    ['book', 'right'],
    ['chart', 'right'],
    ['form', 'left'],
    ['account', 'above'],
    ['watchlist', 'below'],
  ],
  form: [
    ['book', 'right'],
    ['chart', 'right'],
    ['trades', 'right'],
    ['account', 'right'],
    ['watchlist', 'right'],
  ],
  account: [
    ['chart', 'below'],
    ['book', 'below'],
    ['trades', 'below'],
    ['watchlist', 'right'],
    ['form', 'left'],
  ],
  watchlist: [
    ['chart', 'left'],
    ['book', 'left'],
    ['account', 'left'],
    ['trades', 'left'],
    ['form', 'left'],
  ],
};

/** What dropping one panel on another does: put it at a side of it, or change places with it. */
export type Aim = Side | 'swap';

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** How far from an edge a drop still goes to that side, as a part of the panel. */
const EDGE_PART = 0.3;

export function aimAt({ left, top, width, height }: Box, x: number, y: number): Aim {
  const [across, down] = [(x - left) / width, (y - top) / height];
  const edges: readonly (readonly [Side, number])[] = [
    ['left', across],
    ['right', 1 - across],
    ['above', down],
    ['below', 1 - down],
  ];
  const [side, distance] = edges.reduce((best, one) => (one[1] < best[1] ? one : best));
  return distance < EDGE_PART ? side : 'swap';
}

/** The way from the outermost split to a part, by number. */
export type Path = readonly number[];

/**
 * With the divider behind a part moved by so many pixels. Beside the filler the other part alone
 * changes, between two others both do; neither becomes shorter than it can be used.
 */
export function dragged(place: Place, path: Path, by: number): Place {
  const [at, ...deeper] = path;
  if (typeof place === 'string' || at === undefined) return place;
  const { axis, parts } = place;
  if (deeper.length > 0) {
    return { axis, parts: replaced(parts, at, (part) => dragged(part.place, deeper, by)) };
  }
  const filler = fillerOf(place);
  const growth = Math.round(bounded(place, at, by));
  return {
    axis,
    parts: parts.map((part, index) => {
      if (index === filler || (index !== at && index !== at + 1)) return part;
      return { ...part, pixels: part.pixels + (index === at ? growth : -growth) };
    }),
  };
}

function replaced(
  parts: readonly Part[],
  at: number,
  next: (part: Part) => Place,
): readonly Part[] {
  return parts.map((part, index) => (index === at ? { ...part, place: next(part) } : part));
}

/** How far a divider can go, of so many pixels. */
function bounded({ axis, parts }: Split, at: number, by: number): number {
  const filler = fillerOf({ axis, parts });
  const room = (index: number): number => {
    const part = parts[index];
    if (part === undefined || index === filler) return Number.POSITIVE_INFINITY;
    return Math.max(0, part.pixels - leastPixels(part.place, axis));
  };
  return Math.min(room(at + 1), Math.max(-room(at), by));
}

/** What a divider tells: the length of the part that it changes, and how short that may be. */
export function dividerOf(split: Split, at: number): { value: number; least: number } {
  const part = split.parts[fillerOf(split) === at ? at + 1 : at];
  if (part === undefined) return { value: 0, least: 0 };
  return { value: part.pixels, least: leastPixels(part.place, split.axis) };
}

function row(...parts: readonly (readonly [Place, number])[]): Split {
  return { axis: 'row', parts: parts.map(([place, pixels]) => ({ place, pixels })) };
}

function column(...parts: readonly (readonly [Place, number])[]): Split {
  return { axis: 'column', parts: parts.map(([place, pixels]) => ({ place, pixels })) };
}

export const PRESETS = ['standard', 'chart', 'bookLeft'] as const;
export type Preset = (typeof PRESETS)[number];

/** Where a screen has no room for both, the trades are a tab of the book. */
const LAPTOP: Readonly<Record<Preset, Place>> = {
  standard: row(
    [column([row(['chart', 560], ['book', 260]), 400], ['account', 190]), 820],
    ['form', 300],
  ),
  chart: row([column(['chart', 440], ['account', 150]), 820], ['form', 300]),
  bookLeft: row(['book', 260], [column(['chart', 400], ['account', 190]), 560], ['form', 300]),
};

const WIDE: Readonly<Record<Preset, Place>> = {
  standard: row(
    [column([row(['chart', 900], ['book', 300], ['trades', 280]), 640], ['account', 280]), 1480],
    ['form', 320],
  ),
  chart: row(['watchlist', 330], [column(['chart', 760], ['account', 180]), 1200], ['form', 320]),
  bookLeft: row(
    [column(['book', 560], ['trades', 280]), 300],
    [column(['chart', 640], ['account', 280]), 1200],
    ['form', 320],
  ),
};

export function presetPlace(preset: Preset, isWide: boolean): Place {
  return isWide ? WIDE[preset] : LAPTOP[preset];
}

/** Deeper than six panels can be put. */
const DEPTH_MAX = 8;

/** Reads what was kept; undefined for anything that is not a whole place with each panel once. */
export function readPlace(kept: string): Place | undefined {
  let read: unknown;
  try {
    read = JSON.parse(kept);
  } catch {
    return undefined;
  }
  const place = placeFrom(read, DEPTH_MAX);
  if (place === undefined) return undefined;
  const panels = panelsOf(place);
  return new Set(panels).size === panels.length ? place : undefined;
}

function placeFrom(read: unknown, depth: number): Place | undefined {
  if (typeof read === 'string') return PANELS.find((panel) => panel === read);
  const { axis, parts }: { axis?: unknown; parts?: unknown } = Object(read);
  if (depth === 0 || !Array.isArray(parts) || parts.length > PANELS.length) return undefined;
  if (axis !== 'row' && axis !== 'column') return undefined;
  const known = parts.map((part) => partFrom(part, axis, depth - 1));
  return known.includes(undefined)
    ? undefined
    : joined(
        axis,
        known.flatMap((part) => part ?? []),
      );
}

function partFrom(read: unknown, axis: Split['axis'], depth: number): Part | undefined {
  const { place, pixels }: { place?: unknown; pixels?: unknown } = Object(read);
  const known = placeFrom(place, depth);
  if (known === undefined || typeof pixels !== 'number' || !Number.isInteger(pixels)) {
    return undefined;
  }
  const least = leastPixels(known, axis);
  return { place: known, pixels: Math.min(PIXELS_MAX, Math.max(least, pixels)) };
}
