/** Rows of the history, read page by page as the reader asks for more. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { describeFailure } from '../../wire/failure.ts';

/** One page; the cursor of the next one is undefined after the last. */
export interface Page<Row, Cursor> {
  readonly rows: readonly Row[];
  readonly next: Cursor | undefined;
}

export interface Pages<Row> {
  /** Undefined until the first page has come. */
  readonly rows: readonly Row[] | undefined;
  readonly isBusy: boolean;
  readonly hasMore: boolean;
  readonly fault: string | undefined;
  more(): void;
}

/** The most rows of a list; the API has the rest. */
const ROWS_MAX = 1_000;

interface State<Row, Cursor> {
  readonly rows: readonly Row[] | undefined;
  readonly next: Cursor | undefined;
  readonly isBusy: boolean;
  readonly fault: string | undefined;
}

/**
 * Reads the first page at once, and again from the start when the name changes: it says what the
 * rows are of.
 */
export function usePages<Row, Cursor>(
  name: string,
  read: (cursor: Cursor | undefined) => Promise<Page<Row, Cursor>>,
): Pages<Row> {
  const [state, setState] = useState<State<Row, Cursor>>(EMPTY);
  const reader = useRef(read);
  reader.current = read;
  const current = useRef(name);
  const load = useCallback(async (of: string, cursor: Cursor | undefined): Promise<void> => {
    setState((now) => ({ ...now, isBusy: true, fault: undefined }));
    try {
      const page = await reader.current(cursor);
      if (current.current !== of) return;
      setState(({ rows = [] }) => {
        const all = cursor === undefined ? page.rows : [...rows, ...page.rows];
        const next = all.length < ROWS_MAX ? page.next : undefined;
        return { rows: all, next, isBusy: false, fault: undefined };
      });
    } catch (error) {
      if (current.current !== of) return;
      const { code, text } = describeFailure(error);
      setState((now) => ({ ...now, isBusy: false, fault: `${code} ${text}` }));
    }
  }, []);
  useEffect(() => {
    current.current = name;
    setState(EMPTY);
    void load(name, undefined);
    return () => {
      current.current = '';
    };
  }, [name, load]);
  return {
    rows: state.rows,
    isBusy: state.isBusy,
    hasMore: state.next !== undefined,
    fault: state.fault,
    more: () => {
      const hasFirst = state.rows !== undefined;
      if (!state.isBusy && (!hasFirst || state.next !== undefined)) void load(name, state.next);
    },
  };
}

const EMPTY = { rows: undefined, next: undefined, isBusy: true, fault: undefined } as const;

/** Rows of both sources once each, newest first; a row from the stream is the later one. */
export function mergedRows<Row extends { readonly id: string }>(
  paged: readonly Row[] | undefined,
  heard: readonly Row[],
): readonly Row[] | undefined {
  if (paged === undefined) return undefined;
  const byId = new Map([...paged, ...heard].map((row) => [row.id, row]));
  return [...byId.values()].sort((one, other) => (one.id < other.id ? 1 : -1));
}
