/** What an exported file is made of: columns of four kinds, and rows of cells. */

export type ColumnKind = 'text' | 'time' | 'decimal';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** Exact: whole units of the last of so many decimal places. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** A time is in Unix milliseconds; null where there is none. */
export type Cell = string | number | Decimal | null;
export type Row = readonly Cell[];

/** What was asked for cannot be exported, and why. */
export class NotExported extends Error {}

/** Where rows go. */
export interface Sheet {
  add(row: Row): void;
  /** Writes the rest; the file is whole and on the disk when it returns. */
  close(): void;
}

export function decimal(units: bigint | number, scale: number): Decimal {
  return { units: BigInt(units), scale };
}

export function text(name: string): Column {
  return { name, kind: 'text' };
}

export function time(name: string): Column {
  return { name, kind: 'time' };
}

export function amount(name: string): Column {
  return { name, kind: 'decimal' };
}
