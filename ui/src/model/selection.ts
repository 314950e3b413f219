/**
 * What is chosen of a list that is read page by page, newest first: rows of some kinds and of some
 * time. A page of a list is read on until it has rows, so that a rare kind is found.
 */

/** A page of rows; `next` is where the one after it begins, undefined after the last. */
export interface RowPage<Row> {
  readonly rows: readonly Row[];
  readonly next: string | undefined;
}

export type RowReader<Row> = (cursor: string | undefined) => Promise<RowPage<Row>>;

export interface Selection<Row> {
  /** Whether a row is chosen. */
  readonly has: (row: Row) => boolean;
  /** Rows before this time are left out. */
  readonly fromMs: number;
  /** Each row is as old as those before it or older: what follows a row too old is not read. */
  readonly isByTime: boolean;
  readonly timeOf: (row: Row) => number;
}

/** Pages read for one page of chosen rows; then it is as short as it is, and goes on when asked. */
const PAGES_MAX = 10;
/** A page has so many rows if there are as many. */
const ROWS_ENOUGH = 20;

/** A reader of the chosen rows alone. */
export function selected<Row>(
  read: RowReader<Row>,
  { has, fromMs, isByTime, timeOf }: Selection<Row>,
): RowReader<Row> {
  return async (cursor) => {
    const rows: Row[] = [];
    let next = cursor;
    for (let pages = 0; pages < PAGES_MAX; pages += 1) {
      const page = await read(next);
      rows.push(...page.rows.filter((row) => timeOf(row) >= fromMs && has(row)));
      const isPast = isByTime && page.rows.some((row) => timeOf(row) < fromMs);
      next = isPast ? undefined : page.next;
      if (next === undefined || rows.length >= ROWS_ENOUGH) break;
    }
    return { rows, next };
  };
}

export interface AllRows<Row> {
  readonly rows: readonly Row[];
  /** There are more than the bound. */
  readonly isCut: boolean;
}

/** Every row up to the bound; `onRows` is called with how many there are so far. */
export async function allRows<Row>(
  read: RowReader<Row>,
  rowsMax: number,
  onRows: (count: number) => void,
): Promise<AllRows<Row>> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await read(cursor);
    rows.push(...page.rows);
    onRows(Math.min(rows.length, rowsMax));
    cursor = page.next;
    const isCut = rows.length > rowsMax || (rows.length === rowsMax && cursor !== undefined);
    if (isCut || cursor === undefined) return { rows: rows.slice(0, rowsMax), isCut };
  }
}

/** One of several lists, and how its rows are ordered in all of them. */
interface Part<Row> {
  readonly read: RowReader<Row>;
  cursor: string | undefined;
  rows: readonly Row[];
  isRead: boolean;
}

/**
 * Several lists as one, newest first by `isNewer`. It keeps what it has read and not given yet, so
 * a reader begins anew with an undefined cursor and otherwise only goes on.
 */
export function merged<Row>(
  readers: readonly RowReader<Row>[],
  isNewer: (one: Row, other: Row) => boolean,
  pageRows: number,
): RowReader<Row> {
  let parts: Part<Row>[] = [];
  const begin = (): Part<Row>[] =>
    readers.map((read) => ({ read, cursor: undefined, rows: [], isRead: false }));
  const fill = async (part: Part<Row>): Promise<void> => {
    while (part.rows.length === 0 && !(part.isRead && part.cursor === undefined)) {
      const page = await part.read(part.cursor);
      part.rows = page.rows;
      part.cursor = page.next;
      part.isRead = true;
    }
  };
  return async (cursor) => {
    if (cursor === undefined) parts = begin();
    const given: Row[] = [];
    while (given.length < pageRows) {
      for (const part of parts) await fill(part);
      const newest = newestOf(parts, isNewer);
      if (newest === undefined) return { rows: given, next: undefined };
      const [row, ...rest] = newest.rows;
      if (row !== undefined) given.push(row);
      newest.rows = rest;
    }
    return { rows: given, next: 'more' };
  };
}

function newestOf<Row>(
  parts: readonly Part<Row>[],
  isNewer: (one: Row, other: Row) => boolean,
): Part<Row> | undefined {
  let found: Part<Row> | undefined;
  for (const part of parts) {
    const [row] = part.rows;
    const [best] = found?.rows ?? [];
    if (row === undefined) continue;
    if (best === undefined || isNewer(row, best)) found = part;
  }
  return found;
}
