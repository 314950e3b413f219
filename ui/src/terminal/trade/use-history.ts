/** A list of records as its filters choose it: pages for the screen, and a reader for a file. */
import { useMemo } from 'react';
import { type RowReader, type Selection, selected } from '../../model/selection.ts';
import { paced } from './calls.ts';
import { mergedRows, type Pages, usePages } from './use-pages.ts';

interface HistoryList<Row> {
  /** Of everything that the rows depend on. */
  readonly name: string;
  /** Reads pages of about so many rows. */
  readonly source: (pageRows: number) => RowReader<Row>;
  readonly selection: Selection<Row>;
}

export interface History<Row> {
  readonly pages: Pages<Row>;
  readonly newReader: () => RowReader<Row>;
}

const PAGE_ROWS = 50;
/** Of a file: more at once, fewer calls. */
const EXPORT_PAGE_ROWS = 500;

interface Asked {
  readonly before: string | undefined;
  readonly limit: number;
}

interface Answered<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** Readers of a list of the API, its rows as the page has them. */
export function pagesOf<Row, Line>(
  ask: (page: Asked) => Promise<Answered<Row>>,
  lineOf: (row: Row) => Line,
): (pageRows: number) => RowReader<Line> {
  return (limit) => async (before) => {
    const { rows, next } = await ask({ before, limit });
    return { rows: rows.map(lineOf), next: next ?? undefined };
  };
}

export function useHistory<Row>({ name, source, selection }: HistoryList<Row>): History<Row> {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name says what is read
  const read = useMemo(() => source(PAGE_ROWS), [name]);
  const pages = usePages(name, (cursor: string | undefined) => selected(read, selection)(cursor));
  const newReader = (): RowReader<Row> => {
    const whole = source(EXPORT_PAGE_ROWS);
    return selected((cursor) => paced(() => whole(cursor)), selection);
  };
  return { pages, newReader };
}

/** With the rows of a stream that the filters choose. */
export function useWithHeard<Row extends { readonly id: string }>(
  rows: readonly Row[] | undefined,
  heard: readonly Row[],
  { has, fromMs, timeOf }: Selection<Row>,
): readonly Row[] | undefined {
  const fresh = heard.filter((row) => timeOf(row) >= fromMs && has(row));
  return mergedRows(rows, fresh);
}
