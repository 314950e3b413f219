/** Saves all rows that a list's filters choose as a CSV file, with all their digits. */
import { useState } from 'react';
import { Button, notify, notifyFailure } from '../../look/mod.ts';
import { csvText } from '../../model/csv.ts';
import { grouped } from '../../model/numbers.ts';
import { allRows, type RowReader } from '../../model/selection.ts';
import type { Texts } from '../../texts/en.ts';
import { textsNow, useTexts } from '../../texts/texts.ts';

export interface CsvColumn<Row> {
  /** The API's name, which the page's language may have another word for. */
  readonly title: string;
  readonly text: (row: Row) => string;
  /** A word of the API, and not a number, name or id. */
  readonly isWord?: true;
}

/** Rows of one file; the API has the rest. */
const EXPORT_ROWS_MAX = 10_000;

interface CsvButtonProps<Row> {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly columns: readonly CsvColumn<Row>[];
  /** Makes a reader that begins with the newest row. */
  readonly newReader: () => RowReader<Row>;
  /** Nothing to save. */
  readonly isEmpty: boolean;
}

export function CsvButton<Row>(props: CsvButtonProps<Row>) {
  const { name, columns, newReader, isEmpty } = props;
  const { trade, records } = useTexts();
  const [count, setCount] = useState<number>();
  const save = async (): Promise<void> => {
    setCount(0);
    try {
      const { rows, isCut } = await allRows(newReader(), EXPORT_ROWS_MAX, setCount);
      saveFile(`${name}.csv`, csvOf(rows, columns, textsNow().records));
      if (isCut) notifyCut();
    } catch (error) {
      notifyFailure(textsNow().trade.failed, error);
    } finally {
      setCount(undefined);
    }
  };
  return (
    <Button
      tone="quiet"
      disabled={isEmpty}
      isBusy={count !== undefined}
      onClick={() => void save()}
    >
      {count === undefined ? trade.csv : records.exporting(grouped(String(count)))}
    </Button>
  );
}

interface RowsCsvButtonProps<Row> extends Pick<CsvButtonProps<Row>, 'name' | 'columns'> {
  readonly rows: readonly Row[] | undefined;
}

/** Of rows that are here already. */
export function RowsCsvButton<Row>({ name, columns, rows = [] }: RowsCsvButtonProps<Row>) {
  const newReader = (): RowReader<Row> => async () => ({ rows, next: undefined });
  return <CsvButton {...{ name, columns, newReader }} isEmpty={rows.length === 0} />;
}

function csvOf<Row>(
  rows: readonly Row[],
  columns: readonly CsvColumn<Row>[],
  { csvTitle, csvWord }: Texts['records'],
): string {
  const header = columns.map(({ title }) => csvTitle(title));
  const cell = ({ text, isWord }: CsvColumn<Row>, row: Row): string =>
    isWord === true ? csvWord(text(row)) : text(row);
  const lines = rows.map((row) => columns.map((column) => cell(column, row)));
  return csvText(header, lines);
}

function notifyCut(): void {
  const { records } = textsNow();
  const most = grouped(String(EXPORT_ROWS_MAX));
  notify('warning', records.exportCut(most), records.exportCutMeans);
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
