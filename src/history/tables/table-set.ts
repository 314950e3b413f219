/** Tables and their indexes as data, from which each database makes its statements. */
import type { Columns } from './table.ts';

export interface Index {
  readonly on: string;
  readonly by: string;
  readonly columns: readonly string[];
  /** Rows where this column is empty are left out. */
  readonly notEmpty?: string;
}

/** What the statements need of a table. */
export interface Described {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: Columns;
}

/** Tables that belong together, with their indexes. */
export interface TableSet {
  readonly tables: readonly Described[];
  readonly indexes: readonly Index[];
  /** How many values a filter takes in a large history; every other column distinguishes rows. */
  readonly distinctValues: Readonly<Record<string, number>>;
}

export function nameOfIndex({ on, by }: Index): string {
  return `${on}_by_${by}`;
}
