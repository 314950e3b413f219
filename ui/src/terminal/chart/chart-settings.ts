/** What the reader chose for charts, kept in this browser: style, indicators, lines, drawings. */
import { CHART_STYLES, type ChartStyle } from '../../model/chart-style.ts';
import { type Board, newBoard, readDrawings } from '../../model/drawing-board.ts';
import type { Drawing } from '../../model/drawings.ts';
import { type IndicatorChoice, readIndicators } from '../../model/indicators.ts';
import { createKept, createKeptValue } from '../../store/kept.ts';
import { createStore, type Store } from '../../store/store.ts';

export const chartStyle = createKept<ChartStyle>('outcry.chartStyle', CHART_STYLES, 'candles');

export const indicators = createKeptValue<readonly IndicatorChoice[]>(
  'outcry.indicators',
  readIndicators,
);

/** What may stand on a chart besides the bars. */
export const OVERLAYS = ['orders', 'positions', 'fills', 'alerts', 'mark', 'index'] as const;
export type Overlay = (typeof OVERLAYS)[number];

/** Those that the reader has switched off. */
export const hiddenOverlays = createKeptValue<readonly Overlay[]>('outcry.chartHidden', (kept) =>
  OVERLAYS.filter((name) => kept.includes(`"${name}"`)),
);

const boards = new Map<string, Store<Board>>();

/** The drawings of a market; what can be undone lasts as long as the page. */
export function boardOf(symbol: string): Store<Board> {
  const known = boards.get(symbol);
  if (known !== undefined) return known;
  const kept = createKeptValue<readonly Drawing[]>(`outcry.drawings.${symbol}`, readDrawings);
  const store = createStore(newBoard(kept.get()));
  const set: Store<Board>['set'] = (next) => {
    store.set(next);
    kept.set(store.get().drawings);
  };
  const board = { ...store, set };
  boards.set(symbol, board);
  return board;
}

/** A name that no other indicator or drawing of this browser has. */
export function newId(): string {
  return crypto.randomUUID();
}
