/** Dense tables: a heading that stays, numbers on the right, and the same height while loading. */
import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.ts';
import { Skeleton } from './skeleton.tsx';

export interface Column<Row> {
  readonly name: string;
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand on the right, in tabular figures. */
  readonly isNumber?: boolean;
}

interface TableProps<Row> {
  /** Read out, not shown. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while they are loading. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  /** What to say when there are no rows. */
  readonly empty?: ReactNode;
  readonly onRow?: (row: Row) => void;
}

export function Table<Row>({ label, columns, rows, keyOf, empty, onRow }: TableProps<Row>) {
  const { look } = useTexts();
  if (rows === undefined) return <Skeleton lines={4} />;
  return (
    // The box scrolls, so the keyboard must reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to take the focus
    <section className="table-box" aria-label={label} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ name, title, isNumber }) => (
              <th key={name} scope="col" className={isNumber === true ? 'figure' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} onClick={onRow === undefined ? undefined : () => onRow(row)}>
              {columns.map(({ name, title, cell, isNumber }) => (
                <td
                  key={name}
                  className={isNumber === true ? 'figure' : undefined}
                  data-title={typeof title === 'string' ? title : undefined}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 ? <p className="empty">{empty ?? look.nothing}</p> : null}
    </section>
  );
}
