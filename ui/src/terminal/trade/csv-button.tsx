/** Saves the rows of a list as a CSV file, with all their digits. */
import { Button } from '../../look/mod.ts';
import { csvText } from '../../model/csv.ts';
import { useTexts } from '../../texts/texts.ts';

export interface CsvColumn<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
}

interface CsvButtonProps<Row> {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly columns: readonly CsvColumn<Row>[];
  readonly rows: readonly Row[] | undefined;
}

export function CsvButton<Row>({ name, columns, rows }: CsvButtonProps<Row>) {
  const { trade } = useTexts();
  const save = (): void => {
    const header = columns.map(({ title }) => title);
    const lines = (rows ?? []).map((row) => columns.map(({ text }) => text(row)));
    saveFile(`${name}.csv`, csvText(header, lines));
  };
  return (
    <Button tone="quiet" disabled={rows === undefined || rows.length === 0} onClick={save}>
      {trade.csv}
    </Button>
  );
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
