/**
 * The kinds of fields that only the operator's requests have. A decimal number is read in two
 * steps: as text with the others, and as units once it is known how many places it may have.
 */
import Type from 'typebox';
import { type JsonObject, refuseSaying } from '#api';
import { type Amount, isRefused, LIMITS, type Refused } from '#domain';
import { readDecimal, readUnits } from '../kit/decimals.ts';
import { detailText } from '../kit/english.ts';
import { Fields, scalarText, shown, UNIX_MS as UNIX_MS_BOUNDS } from '../kit/fields.ts';
import { type Field, type FieldSet, requestSchema, type Values } from '../kit/request.ts';
import * as schema from '../kit/schema.ts';

const RATE_SCALE = 6;
const DECIMAL_TEXT = /^[0-9]+(\.[0-9]+)?$/;
const DECIMAL_TEXT_LENGTH_MAX = 40;

/** A kind of scalar values. */
export interface Kind<T> {
  readonly shape?: schema.Shape;
  /** Undefined when nothing was given. */
  readonly read: (fields: Fields, name: string) => T | undefined;
  /** Stands for a value in a fault. */
  readonly harmless: T;
}

/** A field that may be left out: then it is undefined. */
export function optional<T>({ shape, read }: Kind<T>, description: string): Field<T | undefined> {
  return { schema: schema.optional(description, shape), read };
}

/** A field that must be given. */
export function required<T>({ shape, read, harmless }: Kind<T>, description: string): Field<T> {
  return {
    schema: schema.required(description, shape),
    read: (fields, name) => {
      fields.requiredText(name);
      return read(fields, name) ?? harmless;
    },
  };
}

function parsed<T>(
  harmless: T,
  parse: (given: string, name: string) => T | Refused,
  shape?: schema.Shape,
): Kind<T> {
  const read = (fields: Fields, name: string) => {
    const given = fields.text(name);
    if (given === '') return undefined;
    const value = parse(given, name);
    if (!isRefused(value)) return value;
    fields.fail(value);
    return harmless;
  };
  return { read, harmless, ...(shape === undefined ? {} : { shape }) };
}

/** One of the words of a closed list, spelled as here. */
export function word<T extends string>(words: readonly T[], harmless: T): Kind<T> {
  const parse = (given: string, name: string) =>
    words.find((one) => one === given) ??
    refuseSaying('parameter_invalid', `${name} must be one of ${words.join(', ')}`);
  return parsed(harmless, parse, schema.choices(...words));
}

/** A whole number, zero or more. */
export const WHOLE: Kind<number> = {
  shape: schema.whole(),
  read: (fields, name) => fields.wholeNumber(name),
  harmless: 0,
};

/** Unix time in milliseconds. */
export const UNIX_MS: Kind<number> = {
  shape: schema.unixMs(),
  read: (fields, name) => {
    const { minimum: min, maximum: max } = schema.UNIX_MS;
    return fields.wholeNumber(name, { ...UNIX_MS_BOUNDS, min, max });
  },
  harmless: schema.UNIX_MS.minimum,
};

/** Decimal places, within what an asset can have. */
export const SCALE: Kind<number> = {
  read: (fields, name) => fields.wholeNumber(name, { max: LIMITS.assetScaleMax }),
  harmless: 0,
};

/** A fraction, in parts per million. */
export const RATE: Kind<number> = parsed(0, (given, name) => unitsOf(name, given, RATE_SCALE));

/** A decimal number in units of 10^-scale. */
export type Scaled = (scale: number) => number | Refused;

export const SCALED: Kind<Scaled> = parsed<Scaled>(
  () => 0,
  (given, name) => (scale) => unitsOf(name, given, scale),
);

function unitsOf(name: string, given: string, scale: number): number | Refused {
  return readUnits(given, { scale, least: 0, reject: 'parameter_invalid', name });
}

/** An amount of a coin with this scale. */
export type ScaledAmount = (scale: number) => Amount | Refused;

export const AMOUNT: Kind<ScaledAmount> = parsed<ScaledAmount>(
  () => 0n,
  (given, name) => (scale) =>
    readDecimal(given, { scale, least: 0, reject: 'amount_invalid', name }),
);

/** Decimal text that is shown and never counted with. */
export const SHOWN_DECIMAL: Kind<string> = parsed('0', (given, name) =>
  given.length <= DECIMAL_TEXT_LENGTH_MAX && DECIMAL_TEXT.test(given)
    ? given
    : refuseSaying('parameter_invalid', `${name} ${shown(given)} is not a plain decimal number`),
);

/** True or false; undefined when left out. */
export function flag(description: string): Field<boolean | undefined> {
  return {
    schema: schema.choice(description),
    read: (fields, name) => {
      const value = fields.sent(name) ?? '';
      if (value === true || value === 'true') return true;
      if (value === false || value === 'false') return false;
      if (value !== '') fields.refuse('parameter_invalid', `${name} must be true or false`);
      return undefined;
    },
  };
}

/** As an optional RATE; null, where nothing is in it, goes back to what holds otherwise. */
export function rateOrNull(description: string): Field<number | null | undefined> {
  return {
    schema: schema.optional(description),
    read: (fields, name) => {
      const ratePpm = RATE.read(fields, name);
      return ratePpm === undefined && fields.sent(name) !== undefined ? null : ratePpm;
    },
  };
}

/** A list of texts; empty when left out. */
export function textList(
  description: string,
  max: number,
  check: (text: string, name: string) => Refused | undefined,
): Field<readonly string[]> {
  return {
    schema: Type.Optional(Type.Array(Type.String(), { description })),
    read: (fields, name) => {
      if (isNothing(fields.sent(name))) return [];
      return fields.list(name, max).map((item) => {
        const text = scalarText(item);
        if (text === undefined) {
          fields.refuse('parameter_invalid', `${name} must be a list of texts`);
          return '';
        }
        const fault = check(text, name);
        if (fault !== undefined) fields.fail(fault);
        return text;
      });
    },
  };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** An object with these fields and no others, and what they make; undefined when left out. */
export function group<F extends FieldSet, T>(
  description: string,
  set: F,
  make: (values: Values<F>, fields: Fields) => T,
): Field<T | undefined> {
  return {
    schema: Type.Optional(Type.Object(requestSchema(set).properties, { description })),
    read: (fields, name) =>
      fields.has(name) && fields.sent(name) !== ''
        ? innerOf(fields, name, fields.sent(name), set, make)
        : undefined,
  };
}

/** A list of objects with these fields and no others; undefined when left out. */
export function rows<F extends FieldSet, T>(
  description: string,
  max: number,
  set: F,
  make: (values: Values<F>, fields: Fields) => T,
): Field<readonly T[] | undefined> {
  return {
    schema: Type.Optional(Type.Array(requestSchema(set), { description })),
    read: (fields, name) => {
      if (!fields.has(name)) return undefined;
      if (isNothing(fields.sent(name))) return [];
      return fields.list(name, max).map((row) => innerOf(fields, name, row, set, make));
    },
  };
}

/** Reads fields inside a field: their first fault is a fault here. */
function innerOf<F extends FieldSet, T>(
  outer: Fields,
  name: string,
  value: unknown,
  set: F,
  make: (values: Values<F>, fields: Fields) => T,
): T {
  const known = Object.keys(set);
  const isKnown = isObject(value) && Object.keys(value).every((field) => known.includes(field));
  if (!isKnown) outer.refuse('parameter_invalid', `${name} takes ${known.join(', ')}`);
  const fields = new Fields(isObject(value) ? value : {});
  const values = Object.fromEntries(
    Object.entries(set).map(([field, { read }]) => [field, read(fields, field)]),
  );
  const found = make(values as Values<F>, fields);
  const { fault } = fields;
  if (fault !== undefined) outer.refuse(fault.reject, `${name}: ${detailText(fault.detail)}`);
  return found;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy without what is undefined: a change names only what changes. */
export function given<T extends object>(
  values: { [Name in keyof T]: T[Name] | undefined },
): Partial<T> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}
