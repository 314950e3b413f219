/** What the ccxt client of today answers, and the sums that a test does with it. */
import { strict as assert } from 'node:assert/strict';
import { parseDecimal, present } from '#kernel';

/** A row as the server wrote it. */
export interface Info {
  readonly [name: string]: string;
}

export interface Answer {
  readonly id?: string | undefined;
  readonly info: Info;
}

/** Rows of the client, whose types leave open what the server wrote. */
export function answersOf(rows: readonly unknown[]): readonly Answer[] {
  return rows as readonly Answer[];
}

/** An amount as the server wrote it, in units of this many decimals. */
export function unitsOf(text: string | undefined, scale: number): bigint {
  const value = parseDecimal(present(text, 'amount'), scale);
  assert.ok(typeof value === 'bigint', text);
  return value;
}

/** The sum of a field of all rows. */
export function sumOf(rows: readonly Answer[], name: string, scale: number): bigint {
  return rows.reduce((total, { info }) => total + unitsOf(info[name], scale), 0n);
}
