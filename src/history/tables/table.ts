/**
 * A table described once: each column's name and how it keeps a value. The statement that creates
 * the table, the type of its rows, how a record becomes a row and how one is read back all follow
 * from it. A column `price_ticks` is the field `priceTicks`.
 */

import { present } from '#kernel';

export interface Column<Value, Stored extends number | string> {
  readonly type: 'integer' | 'amount' | 'text';
  write(value: Value): Stored;
  read(stored: Stored): Value;
}

export type Columns = Readonly<Record<string, Column<unknown, number | string>>>;

/** One function for all columns: the loop over them then costs what written out code would. */
function same<Value>(value: Value): Value {
  return value;
}

/** A number that needs no checks, such as a time. */
export const NUMBER: Column<number, number> = whole((value) => value);
/** Exact, without a largest value, in the smallest unit; no page compares or adds them. */
export const AMOUNT: Column<bigint, string> = { type: 'amount', write: String, read: BigInt };
export const FLAG: Column<boolean, number> = {
  type: 'integer',
  write: Number,
  read: (stored) => stored === 1,
};

/** A whole number of some kind, such as an id or a price in ticks. */
export function whole<Value extends number>(
  branded: (stored: number) => Value,
): Column<Value, number> {
  return { type: 'integer', write: same, read: branded };
}

/** A whole number above zero, or none: zero stands for it. */
export function wholeOrNone<Value extends number>(
  branded: (stored: number) => Value,
): Column<Value | undefined, number> {
  return {
    type: 'integer',
    write: (value) => value ?? 0,
    read: (stored) => (stored === 0 ? undefined : branded(stored)),
  };
}

/** A text, or one of some words. */
export function text<Value extends string>(): Column<Value, Value> {
  return { type: 'text', write: same, read: same };
}

/** A text that is never empty, or none: the empty text stands for it. */
export function textOrNone<Value extends string>(): Column<Value | undefined, Value | ''> {
  return {
    type: 'text',
    write: (value) => value ?? '',
    read: (stored) => (stored === '' ? undefined : stored),
  };
}

type FieldName<Name> = Name extends `${infer Start}_${infer Rest}`
  ? `${Start}${Capitalize<FieldName<Rest>>}`
  : Name;

/** A row as the database has it. */
export type RowOf<T extends { readonly columns: Columns }> = {
  readonly [Name in keyof T['columns']]: ReturnType<T['columns'][Name]['write']>;
};

/** A row as the program has it. */
export type RecordOf<T extends { readonly columns: Columns }> = {
  readonly [Name in keyof T['columns'] as FieldName<Name>]: ReturnType<T['columns'][Name]['read']>;
};

interface Field {
  readonly column: string;
  readonly field: string;
  readonly kept: Column<unknown, number | string>;
}

export class Table<Name extends string = string, C extends Columns = Columns> {
  readonly name: Name;
  readonly key: readonly string[];
  readonly columns: C;
  /** Of the columns, in their order. */
  readonly names: readonly string[];
  readonly #fields: readonly Field[];

  constructor(name: Name, key: readonly (keyof C & string)[], columns: C) {
    this.name = name;
    this.key = key;
    this.columns = columns;
    this.names = Object.keys(columns);
    this.#fields = Object.entries(columns).map(([column, kept]) => ({
      column,
      field: fieldOf(column),
      kept,
    }));
  }

  /** The values of a row in the order of the columns. */
  valuesOf(record: RecordOf<{ columns: C }>): (number | string)[] {
    const fields = record as Readonly<Record<string, unknown>>;
    const values: (number | string)[] = [];
    for (const { field, kept } of this.#fields) values.push(kept.write(fields[field]));
    return values;
  }

  read(row: RowOf<{ columns: C }>): RecordOf<{ columns: C }> {
    const record: Record<string, unknown> = {};
    for (const { column, field, kept } of this.#fields) {
      record[field] = kept.read(present(row[column], column));
    }
    return record as RecordOf<{ columns: C }>;
  }
}

function fieldOf(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
