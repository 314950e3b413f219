/**
 * The fields of a request, each spelled once: its schema for the documents and its reader. A
 * request is read in two passes, so that refusals come in the order of docs/REJECTS.md: first the
 * shape of every field in the order of the table, then what the fields name is looked up.
 */
import Type, { type TObject, type TSchema } from 'typebox';
import type { JsonObject } from '#api';
import {
  isRefused,
  type Listings,
  type OrderId,
  orderId,
  type Refused,
  type TradeId,
  tradeId,
} from '#domain';
import { Fields } from './fields.ts';
import * as schema from './schema.ts';

/** A field whose text is its value. */
export interface Field<T> {
  /** With its description; optional where it may be left out. */
  readonly schema: TSchema;
  /** The value, or a harmless one after `fields` has noted a fault. */
  readonly read: (fields: Fields, name: string) => T;
}

/** A field that names something listed: what was read is looked up. */
export interface Named<S, T> extends Field<S> {
  readonly find: (value: S, listings: Listings) => T | Refused;
}

export type FieldSet = Readonly<Record<string, Field<unknown> | Named<never, unknown>>>;

/** What the fields of a set are read into, under the same names. */
export type Values<F extends FieldSet> = {
  readonly [K in keyof F]: F[K] extends { readonly find: (...given: never[]) => infer T }
    ? Exclude<T, Refused>
    : ReturnType<F[K]['read']>;
};

export function requestSchema(fields: FieldSet): TObject {
  return Type.Object(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])),
  );
}

/** The values of all fields of a request, or the first refusal. */
export type RequestReader<F extends FieldSet> = (
  input: JsonObject,
  listings: Listings,
) => Values<F> | Refused;

/** The reader of these fields, put together once: it is run by every call. */
export function requestReader<F extends FieldSet>(set: F): RequestReader<F> {
  const entries = Object.entries(set);
  const naming = entries.flatMap(([name, field]) =>
    'find' in field ? [{ name, find: field.find }] : [],
  );
  return (input, listings) => {
    const fields = new Fields(input);
    const values: Record<string, unknown> = {};
    for (const [name, field] of entries) values[name] = field.read(fields, name);
    if (fields.fault !== undefined) return fields.fault;
    for (const { name, find } of naming) {
      const found = find(values[name] as never, listings);
      if (isRefused(found)) return found;
      values[name] = found;
    }
    return values as Values<F>;
  };
}

/** Text that must be given. Most fields have one name: spreading no others would cost each read. */
export function requiredText(description: string, ...names: readonly string[]): Field<string> {
  return {
    schema: schema.required(description),
    read:
      names.length === 0
        ? (fields, name) => fields.requiredText(name)
        : (fields, name) => fields.requiredText(name, ...names),
  };
}

/** Text that may be left out: then it is empty. The first of its names that is given counts. */
export function optionalText(description: string, ...names: readonly string[]): Field<string> {
  return {
    schema: schema.optional(description),
    read:
      names.length === 0
        ? (fields, name) => fields.text(name)
        : (fields, name) => fields.text(name, ...names),
  };
}

/** One of these words, in any case, with what it stands for; `harmless` is its value in a fault. */
export function requiredChoice<T>(
  description: string,
  words: ReadonlyMap<string, T>,
  harmless: T,
  documented?: readonly string[],
): Field<T> {
  return {
    schema: schema.required(description, schema.choices(...(documented ?? words.keys()))),
    read: (fields, name) => fields.requiredChoice(name, words, harmless, undefined, documented),
  };
}

/** As requiredChoice; it is `fallback` when left out. */
export function optionalChoice<T>(
  description: string,
  words: ReadonlyMap<string, T>,
  fallback: T,
  documented?: readonly string[],
): Field<T> {
  return {
    schema: schema.optional(description, schema.choices(...(documented ?? words.keys()))),
    read: (fields, name) => fields.choice(name, words, fallback, undefined, documented),
  };
}

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** True or false, as such or as text; false when left out. */
export function optionalFlag(description: string): Field<boolean> {
  return {
    schema: schema.choice(description),
    read: (fields, name) => sentTruth(fields, name) ?? fields.choice(name, TRUTHS, false),
  };
}

/** As optionalFlag, for one that must be given. */
export function requiredFlag(description: string): Field<boolean> {
  return {
    schema: schema.demanded(schema.choice(description)),
    read: (fields, name) => sentTruth(fields, name) ?? fields.requiredChoice(name, TRUTHS, false),
  };
}

/** As optionalFlag; undefined when it is left out. */
export function chosenFlag(description: string): Field<boolean | undefined> {
  const words: ReadonlyMap<string, boolean | undefined> = TRUTHS;
  return {
    schema: schema.choice(description),
    read: (fields, name) => sentTruth(fields, name) ?? fields.choice(name, words, undefined),
  };
}

function sentTruth(fields: Fields, name: string): boolean | undefined {
  const given = fields.sent(name);
  return typeof given === 'boolean' ? given : undefined;
}

/** A field that another one of the request reads: what both mean is one value. */
export function readByAnother(documented: TSchema): Field<undefined> {
  return { schema: documented, read: () => undefined };
}

/** A page size: above the maximum it counts as the maximum. */
export function pageLimit(description: string, fallback: number, max: number): Field<number> {
  return {
    schema: schema.optional(description, schema.whole(1)),
    read: (fields) => fields.limit(fallback, max),
  };
}

/** An id that a page is cut at, ours or not; undefined when left out. */
export function pageId(description: string): Field<number | undefined> {
  return { schema: schema.optional(description), read: (fields, name) => fields.pageId(name) };
}

/** A whole number, zero or more and safe; undefined when left out. */
export function wholeNumber(description: string): Field<number | undefined> {
  return {
    schema: schema.optional(description, schema.whole()),
    read: (fields, name) => fields.wholeNumber(name),
  };
}

/** An id the client chose, under any of these names. */
export function clientId(
  description: string,
  ...names: readonly string[]
): Field<string | undefined> {
  return {
    schema: schema.optional(description),
    read: (fields, name) => fields.clientId(name, ...names),
  };
}

/** As pageId, an order's: pages show what lies before it. No id lies before the first. */
export function beforeOrder(description: string): Field<OrderId | undefined> {
  return before(description, orderId);
}

/** As beforeOrder, of a trade. */
export function beforeTrade(description: string): Field<TradeId | undefined> {
  return before(description, tradeId);
}

function before<Id>(description: string, branded: (id: number) => Id): Field<Id | undefined> {
  const { schema: documented, read } = pageId(description);
  return {
    schema: documented,
    read: (fields, name) => {
      const given = read(fields, name);
      return given === undefined ? undefined : branded(Math.max(given, 1));
    },
  };
}
