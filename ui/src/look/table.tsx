/**
 * Dense tables: a heading that stays, numbers on the right, and the same height while loading. Of
 * a long one only the rows in sight are in the page.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, type RefObject, useRef } from 'react';
import { useTexts } from '../texts/texts.ts';
import { Skeleton } from './skeleton.tsx';

/** So many rows are cheaper to keep than to follow what is in sight. */
const WHOLE_ROWS_MAX = 100;
/** Rows beyond the edge that are there before they are scrolled to. */
const ROWS_AHEAD = 15;
const ROW_HEIGHT_PX = 28;

export interface Column<Row> {
  readonly name: string;
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand on the right, in tabular figures. */
  readonly isNumber?: boolean;
}

interface RowsProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What a row leads to, by mouse and by Enter. */
  readonly onRow?: (row: Row) => void;
}

interface TableProps<Row> extends Omit<RowsProps<Row>, 'rows'> {
  /** Read out, not shown. */
  readonly label: string;
  /** Undefined while they are loading. */
  readonly rows: readonly Row[] | undefined;
  /** What to say when there are no rows. */
  readonly empty?: ReactNode;
}

export function Table<Row>({ label, rows, empty, ...shown }: TableProps<Row>) {
  const { look } = useTexts();
  const box = useRef<HTMLElement>(null);
  if (rows === undefined) return <Skeleton lines={4} />;
  const isLong = rows.length > WHOLE_ROWS_MAX;
  return (
    // The box scrolls, so the keyboard must reach it.
    <section
      ref={box}
      className={isLong ? 'table-box table-box-long' : 'table-box'}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to take the focus
      tabIndex={0}
    >
      <table className="table" aria-rowcount={isLong ? rows.length + 1 : undefined}>
        <thead>
          <tr aria-rowindex={isLong ? 1 : undefined}>
            {shown.columns.map(({ name, title, isNumber }) => (
              <th key={name} scope="col" className={isNumber === true ? 'figure' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        {isLong ? (
          <RowsInSight {...shown} rows={rows} box={box} />
        ) : (
          <tbody>
            {rows.map((row) => (
              <Line key={shown.keyOf(row)} {...shown} row={row} />
            ))}
          </tbody>
        )}
      </table>
      {rows.length === 0 ? <p className="empty">{empty ?? look.nothing}</p> : null}
    </section>
  );
}

interface RowsInSightProps<Row> extends RowsProps<Row> {
  readonly box: RefObject<HTMLElement | null>;
}

function RowsInSight<Row>({ rows, box, ...shown }: RowsInSightProps<Row>) {
  const virtual = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count: rows.length,
    // A page of rows with more behind it scrolls as a whole.
    getScrollElement: () => box.current?.closest<HTMLElement>('.paged') ?? box.current,
    estimateSize: () => ROW_HEIGHT_PX,
    getItemKey: (at) => {
      const row = rows[at];
      return row === undefined ? at : shown.keyOf(row);
    },
    overscan: ROWS_AHEAD,
  });
  const items = virtual.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <tbody>
      <Space height={above} />
      {items.map(({ index, key }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return <Line key={key} {...shown} row={row} at={index} measure={virtual.measureElement} />;
      })}
      <Space height={below} />
    </tbody>
  );
}

/** Stands for the rows that are not in sight. */
function Space({ height }: { readonly height: number }) {
  return height > 0 ? <tr style={{ height }} /> : null;
}

interface LineProps<Row> extends Pick<RowsProps<Row>, 'columns' | 'onRow'> {
  readonly row: Row;
  /** Its place among all rows, where some of them are not in the page. */
  readonly at?: number;
  readonly measure?: (line: HTMLTableRowElement | null) => void;
}

function Line<Row>({ row, columns, onRow, at, measure }: LineProps<Row>) {
  const open = onRow === undefined ? undefined : () => onRow(row);
  const press = ({ key, target, currentTarget }: KeyboardEvent<HTMLElement>): void => {
    if (key === 'Enter' && target === currentTarget) open?.();
  };
  return (
    <tr
      ref={measure}
      data-index={at}
      aria-rowindex={at === undefined ? undefined : at + 2}
      className={open === undefined ? undefined : 'table-way'}
      tabIndex={open === undefined ? undefined : 0}
      onClick={open}
      onKeyDown={open === undefined ? undefined : press}
    >
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
  );
}
