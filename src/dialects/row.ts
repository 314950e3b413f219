/**
 * What answers are made of, each field spelled once: its schema and example for the documents and
 * what is written. Values are put together as text, because most of them are digits or words of a
 * closed list, which need no escaping: that is faster than an object and JSON.stringify.
 */
import Type, { type TObject, type TSchema } from 'typebox';
import { assert } from '#kernel';
import * as schema from './schema.ts';

/** Something an endpoint answers with: how it is documented. */
export interface Shape {
  readonly schema: TSchema;
  readonly example: unknown;
}

/** One field of a row: `json` is its value as JSON. */
export interface Column<V> extends Shape {
  readonly json: (value: V) => string;
  /** Says whether a row has the field; without it every row has. */
  readonly isIn?: (value: V) => boolean;
}

export type Columns<V> = Readonly<Record<string, Column<V>>>;

/** An object of an answer. */
export interface Row<V> extends Shape {
  readonly schema: TObject;
  readonly example: Readonly<Record<string, unknown>>;
  readonly columns: Columns<V>;
  readonly write: (value: V) => string;
}

/** The row with these fields, in this order. */
export function row<V>(columns: Columns<V>): Row<V> {
  const entries = Object.entries(columns);
  const parts = entries.map(([name, { json, isIn }], at) => {
    assert(at > 0 || isIn === undefined, 'the first field of a row is in all of them');
    return { head: `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`, json, isIn };
  });
  return {
    columns,
    schema: Type.Object(
      Object.fromEntries(entries.map(([name, column]) => [name, column.schema])),
      { additionalProperties: false },
    ),
    example: Object.fromEntries(entries.map(([name, { example }]) => [name, example])),
    write: (value) => {
      let text = '';
      for (const { head, json, isIn } of parts) {
        if (isIn === undefined || isIn(value)) text += head + json(value);
      }
      return `${text}}`;
    },
  };
}

/** A list of rows, as the answer of an endpoint. */
export function listOf({ schema: item, example }: Shape): Shape {
  return { schema: Type.Array(item), example: [example] };
}

/** The JSON of a list from that of its items. */
export function jsonList<T>(items: readonly T[], write: (item: T) => string): string {
  let text = '[';
  for (const item of items) {
    if (text.length > 1) text += ',';
    text += write(item);
  }
  return `${text}]`;
}

/** Any text: it is escaped. */
export function text<V>(description: string, example: string, of: (value: V) => string): Column<V> {
  return { schema: schema.text(description), example, json: (value) => JSON.stringify(of(value)) };
}

/** The symbol or code of something listed: none of its characters needs escaping. */
export function listedName<V>(
  description: string,
  example: string,
  of: (value: V) => string,
): Column<V> {
  return { schema: schema.text(description), example, json: (value) => `"${of(value)}"` };
}

/** A decimal number as text: digits, perhaps a point. */
export function decimal<V>(
  description: string,
  example: string,
  of: (value: V) => string | number,
): Column<V> {
  return { schema: schema.decimal(description), example, json: (value) => `"${of(value)}"` };
}

/** An id of this venue as text of 18 digits. */
export function id<V>(description: string, example: string, of: (value: V) => string): Column<V> {
  return { schema: schema.id(description), example, json: (value) => `"${of(value)}"` };
}

/** Unix time in milliseconds as text. */
export function timeMs<V>(
  description: string,
  example: number,
  of: (value: V) => number,
): Column<V> {
  return {
    schema: schema.timeMs(description),
    example: String(example),
    json: (value) => `"${of(value)}"`,
  };
}

/** A word of a closed list: it is not escaped. */
export function oneOf<V>(
  words: readonly string[],
  description: string,
  example: string,
  of: (value: V) => string,
): Column<V> {
  return { schema: schema.oneOf(words, description), example, json: (value) => `"${of(value)}"` };
}

/** "true" or "false" as text. */
export function flag<V>(
  description: string,
  example: boolean,
  of: (value: V) => boolean,
): Column<V> {
  const json = (value: V) => `"${of(value)}"`;
  return { schema: schema.flag(description), example: String(example), json };
}

/** What another column or row has already encoded, or a kind of its own. */
export function encoded<V>({ schema, example }: Shape, json: (value: V) => string): Column<V> {
  return { schema, example, json };
}

/** A field that only some rows have; not for the first one. */
export function onlyIf<V>(isIn: (value: V) => boolean, column: Column<V>): Column<V> {
  return { ...column, schema: Type.Optional(column.schema), isIn };
}
