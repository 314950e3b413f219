/** A small table of texts that is edited in place: rows are added at the end and removed. */
import { Button } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import type { TextRow } from './contract-draft.ts';

interface RowsFieldProps {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly TextRow[];
  readonly onRows: (rows: readonly TextRow[]) => void;
}

export function RowsField({ title, columns, rows, onRows }: RowsFieldProps) {
  const { instruments } = useOpsTexts();
  const write = (row: number, column: number, text: string): void =>
    onRows(rows.map((texts, at) => (at === row ? texts.with(column, text) : texts)));
  return (
    <fieldset className="ops-rows">
      <legend className="field-label">{title}</legend>
      <table className="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            <th>
              <span className="only-read-out">{instruments.removeRow}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {numbered(rows).map(({ number, texts }) => (
            <tr key={number}>
              {columns.map((column, at) => (
                <td key={column}>
                  <input
                    className="field-box ops-cell"
                    aria-label={`${title} ${number}: ${column}`}
                    autoComplete="off"
                    spellCheck={false}
                    value={texts[at] ?? ''}
                    onChange={(event) => write(number - 1, at, event.target.value)}
                  />
                </td>
              ))}
              <td>
                <Button
                  tone="quiet"
                  aria-label={`${instruments.removeRow} ${number}`}
                  onClick={() => onRows(rows.toSpliced(number - 1, 1))}
                >
                  ✕
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Button onClick={() => onRows([...rows, columns.map(() => '')])}>{instruments.addRow}</Button>
    </fieldset>
  );
}

function numbered(rows: readonly TextRow[]) {
  return rows.map((texts, at) => ({ number: at + 1, texts }));
}
