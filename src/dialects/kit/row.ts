/**
 * What answers are made of, each field spelled once: its schema and example for the documents, its
 * type for the pages, and what is written. Values are put together as text, because most of them
 * are digits or words of a closed list, which need no escaping: that is faster than an object and
 * JSON.stringify.
 */

import Type, { type TObject, type TSchema } from 'typebox';
import { assert } from '#kernel';
import { formatId } from './ids.ts';
import * as schema from './schema.ts';

/** An id whose digits JavaScript does keep. */
export const ID_NUMBER = Number(formatId(28));

/** Something an endpoint answers with: how it is documented. Its example has the answer's type. */
export interface Shape<D = unknown> {
  readonly schema: TSchema;
  readonly example: D;
}

/** One field of a row: `json` is its value as JSON. */
export interface Column<V, D = unknown> extends Shape<D> {
  readonly json: (value: V) => string;
  /** The same without quotes, for text that needs no escaping: the row puts them around it. */
  readonly bare?: (value: V) => string | number | boolean;
  /** Says whether a row has the field; without it every row has. */
  readonly isIn?: (value: V) => boolean;
}

export type Columns<V> = Readonly<Record<string, Column<V>>>;

/** The data that columns are documented with, and answer with. */
export type DataOf<C extends Readonly<Record<string, Shape>>> = {
  readonly [K in keyof C]: C[K]['example'];
};

/** An object of an answer. */
export interface Row<V, C extends Columns<V> = Columns<V>> extends Shape<DataOf<C>> {
  readonly schema: TObject;
  readonly columns: C;
  readonly write: (value: V) => string;
}

/** An object that is written by hand where there are many of it; the fields only document it. */
export function objectOf<const C extends Readonly<Record<string, Shape>>>(
  fields: C,
): Shape<DataOf<C>> & { readonly schema: TObject } {
  const entries = Object.entries<Shape>(fields);
  return {
    schema: Type.Object(Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])), {
      additionalProperties: false,
    }),
    example: Object.fromEntries(entries.map(([name, { example }]) => [name, example])) as DataOf<C>,
  };
}

interface WrittenColumn<V> {
  /** What goes before it, the closing quote of the field before included. */
  readonly head: string;
  readonly text: (value: V) => string | number | boolean;
  readonly isIn: Column<V>['isIn'];
}

/** The row of `V` with these fields, in this order. */
export function row<V>(): <const C extends Columns<V>>(columns: C) => Row<V, C> {
  return (columns) => {
    const parts: WrittenColumn<V>[] = [];
    let end = '{';
    for (const [name, { json, bare = json, isIn }] of Object.entries<Column<V>>(columns)) {
      const quote = bare === json ? '' : '"';
      assert(
        isIn === undefined || end === `${quote},`,
        'an optional field follows one of its kind',
      );
      parts.push({ head: `${end}${JSON.stringify(name)}:${quote}`, text: bare, isIn });
      end = `${quote},`;
    }
    const last = `${end.slice(0, -1)}}`;
    return {
      ...objectOf(columns),
      columns,
      write: (value) => {
        let json = '';
        for (const { head, text, isIn } of parts) {
          if (isIn === undefined || isIn(value)) json += head + text(value);
        }
        return json + last;
      },
    };
  };
}

/** The fields of a row as fields of a larger one. */
export function columnsOf<V, T, C extends Columns<T>>(
  { columns }: Row<T, C>,
  of: (value: V) => T,
): { readonly [K in keyof C]: Column<V, C[K]['example']> } {
  const entries = Object.entries<Column<T>>(columns).map(([name, column]) => {
    const { schema, example, json, bare, isIn } = column;
    const ofPart: Column<V> = {
      schema,
      example,
      json: (value) => json(of(value)),
      ...(bare === undefined ? {} : { bare: (value: V) => bare(of(value)) }),
      ...(isIn === undefined ? {} : { isIn: (value: V) => isIn(of(value)) }),
    };
    return [name, ofPart];
  });
  return Object.fromEntries(entries);
}

/** What a row answers with, for code that goes on with it. */
export function dataOf<V, C extends Columns<V>>(row: Row<V, C>, value: V): DataOf<C> {
  return JSON.parse(row.write(value));
}

/** A list of rows, as the answer of an endpoint. */
export function listOf<D>({ schema: item, example }: Shape<D>): Shape<readonly D[]> {
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

function quoted<V, D>(
  documented: TSchema,
  example: D,
  bare: (value: V) => string | number | boolean,
): Column<V, D> {
  return { schema: documented, example, json: (value) => `"${bare(value)}"`, bare };
}

/** Any text: it is escaped. */
export function text<V>(
  description: string,
  example: string,
  of: (value: V) => string,
): Column<V, string> {
  return { schema: schema.text(description), example, json: (value) => JSON.stringify(of(value)) };
}

/** The symbol or code of something listed: none of its characters needs escaping. */
export function listedName<V>(
  description: string,
  example: string,
  of: (value: V) => string,
): Column<V, string> {
  return quoted(schema.text(description), example, of);
}

/** A decimal number as text: digits, perhaps a point. */
export function decimal<V>(
  description: string,
  example: string,
  of: (value: V) => string | number,
): Column<V, string> {
  return quoted(schema.decimal(description), example, of);
}

/** An id of this venue as text. */
export function id<V>(
  description: string,
  example: string,
  of: (value: V) => string,
): Column<V, string> {
  return quoted(schema.id(description), example, of);
}

/** Unix time in milliseconds as text. */
export function timeMs<V>(
  description: string,
  example: number,
  of: (value: V) => number,
): Column<V, string> {
  return quoted(schema.timeMs(description), String(example), of);
}

/** Unix time in milliseconds as text, 0 for what has not happened yet. */
export function timeMsOrZero<V>(
  description: string,
  example: number,
  of: (value: V) => number,
): Column<V, string> {
  return quoted(schema.timeMsOrZero(description), String(example), of);
}

/** A word of a closed list: it is not escaped. */
export function oneOf<V, const W extends string>(
  words: readonly W[],
  description: string,
  example: NoInfer<W>,
  of: (value: V) => NoInfer<W>,
): Column<V, W> {
  return quoted(schema.oneOf(words, description), example, of);
}

/** "true" or "false" as text. */
export function flag<V>(
  description: string,
  example: boolean,
  of: (value: V) => boolean,
): Column<V, 'true' | 'false'> {
  return quoted(schema.flag(description), example ? 'true' : 'false', of);
}

/** true or false, as such. */
export function truth<V>(
  description: string,
  example: boolean,
  of: (value: V) => boolean,
): Column<V, boolean> {
  return { schema: Type.Boolean({ description }), example, json: (value) => String(of(value)) };
}

/** Null where `isNone` says that there is no value. */
export function nullOr<V, D>(
  description: string,
  { schema: known, example, json }: Column<V, D>,
  isNone: (value: V) => boolean,
): Column<V, D | null> {
  return {
    schema: Type.Union([known, Type.Null()], { description }),
    example,
    json: (value) => (isNone(value) ? 'null' : json(value)),
  };
}

/** Text as `documented`, or null for none. */
export function orNull<V>(
  documented: TSchema,
  description: string,
  example: string | null,
  of: (value: V) => string | null,
): Column<V, string | null> {
  return {
    schema: Type.Union([documented, Type.Null()], { description }),
    example,
    json: (value) => JSON.stringify(of(value)),
  };
}

/** A whole number, not as text. */
export function whole<V>(
  description: string,
  example: number,
  of: (value: V) => number,
): Column<V, number> {
  const json = (value: V) => String(of(value));
  return { schema: Type.Integer({ description, minimum: 0 }), example, json };
}

/** An id of this venue as a number. */
export function idNumber<V>(description: string, of: (value: V) => string): Column<V, number> {
  return {
    schema: Type.Integer({ description, minimum: 0 }),
    example: ID_NUMBER,
    json: of,
  };
}

/** A list of texts. */
export function texts<V>(
  description: string,
  example: readonly string[],
  of: (value: V) => readonly string[],
): Column<V, readonly string[]> {
  const json = (value: V) => JSON.stringify(of(value));
  return { schema: Type.Array(schema.text(description)), example, json };
}

/** A list of objects, each written as the row. */
export function rows<V, T, D>(
  item: Shape<D> & { readonly write: (value: T) => string },
  of: (value: V) => Iterable<T>,
  example: readonly D[] = [item.example],
): Column<V, readonly D[]> {
  const json = (value: V) => jsonList([...of(value)], item.write);
  return { schema: Type.Array(item.schema), example, json };
}

/** What another column or row has already encoded, or a kind of its own. */
export function encoded<V, D>(
  { schema, example }: Shape<D>,
  json: (value: V) => string,
): Column<V, D> {
  return { schema, example, json };
}

/** A field that only some rows have; not for the first one. */
export function onlyIf<V, D>(
  isIn: (value: V) => boolean,
  column: Column<V, D>,
): Column<V, D | undefined> {
  return { ...column, schema: Type.Optional(column.schema), isIn };
}
