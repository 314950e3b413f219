/** Where the rows of an export come from: tables of the history, a page at a time, or the state. */
import type { AccountId } from '#domain';
import type {
  ExportFilter,
  ExportMark,
  ExportRecords,
  ExportTable,
  HistoryReader,
  SeriesRecords,
  SeriesTable,
} from '#history';
import type { Names } from '#venue';
import type { Catalogue } from './catalogue.ts';
import type { Column, Row } from './columns.ts';

const PAGE_ROWS = 1_000;

/** Whether rows of this account are asked for. */
export type Wanted = (account: AccountId) => boolean;

export interface Past {
  readonly reader: HistoryReader;
  readonly names: Names;
  readonly catalogue: Catalogue;
  readonly filter: ExportFilter;
  readonly mark: ExportMark;
}

export interface Page {
  readonly rows: readonly Row[];
  /** How far it is, in whatever counts it. */
  readonly done: number;
  readonly total: number;
}

export interface Source {
  /** What is counted, for who waits. */
  readonly counted: string;
  pages(past: Past): AsyncIterable<Page> | Iterable<Page>;
}

export interface Dataset {
  readonly columns: readonly Column[];
  readonly sources: readonly Source[];
}

export function isWantedBy({ accountIds }: ExportFilter): Wanted {
  const wanted = accountIds && new Set(accountIds);
  return (account) => wanted?.has(account) ?? true;
}

/** The rows that each record is: of a trade those of each party. */
export function source<T extends ExportTable>(
  table: T,
  rowsOf: (record: ExportRecords[T], names: Catalogue, isWanted: Wanted) => Row[],
): Source {
  async function* pages({ reader, catalogue, filter, mark }: Past): AsyncGenerator<Page> {
    const isWanted = isWantedBy(filter);
    for (let afterKey = 0; ; ) {
      const query = { ...filter, table, mark, afterKey, limit: PAGE_ROWS };
      const { rows: records, lastKey } = await reader.exportRows(query);
      const rows = records.flatMap((record) => rowsOf(record, catalogue, isWanted));
      yield { rows, done: lastKey, total: mark.lastKeys[table] };
      if (records.length < PAGE_ROWS) return;
      afterKey = lastKey;
    }
  }
  return { counted: `${table}, up to row`, pages };
}

/** The row that each record of a series is. */
export function seriesSource<T extends SeriesTable>(
  table: T,
  rowOf: (record: SeriesRecords[T], names: Catalogue) => Row,
): Source {
  async function* pages({ reader, catalogue, filter, mark }: Past): AsyncGenerator<Page> {
    let done = 0;
    for (let after: readonly number[] | undefined; ; ) {
      const query = { ...filter, table, mark, after, limit: PAGE_ROWS };
      const { rows: records, last } = await reader.exportSeries(query);
      done += records.length;
      yield { rows: records.map((record) => rowOf(record, catalogue)), done, total: done };
      if (records.length < PAGE_ROWS) return;
      after = last;
    }
  }
  return { counted: `rows of ${table} so far:`, pages };
}
