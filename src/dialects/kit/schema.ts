/** Schemas shared by the endpoint tables. They document the wire; the readers enforce it. */
import Type, { type TSchema } from 'typebox';

/** What a scalar of a request may look like, as text and as a JSON number. */
export interface Shape {
  readonly text: TSchema;
  readonly number: TSchema;
}

const ANY: Shape = { text: Type.String(), number: Type.Number() };
const EMPTY = Type.Literal('');

/** A whole number of at least this. */
export function whole(minimum: 0 | 1 = 0): Shape {
  const pattern = minimum === 0 ? '^[0-9]+$' : '^0*[1-9][0-9]*$';
  // A larger JSON number has already lost digits.
  const maximum = Number.MAX_SAFE_INTEGER;
  return {
    text: Type.String({ pattern, maxLength: 15 }),
    number: Type.Integer({ minimum, maximum }),
  };
}

/** Unix time in milliseconds: seconds have fewer digits. From 2001 to 2286. */
export const UNIX_MS = { minimum: 1_000_000_000_000, maximum: 9_999_999_999_999 } as const;

export function unixMs(): Shape {
  return { text: Type.String({ pattern: '^[1-9][0-9]{12}$' }), number: Type.Integer(UNIX_MS) };
}

/** One of these values, in any case; as a number, too, where they are digits. */
export function choices(...list: readonly string[]): Shape {
  const digits = list.filter((word) => /^[0-9]+$/.test(word)).map(Number);
  return {
    text: Type.Unsafe<string>({ type: 'string', enum: [...list] }),
    number: Type.Unsafe<number>(digits.length === 0 ? false : { type: 'integer', enum: digits }),
  };
}

function either({ text, number }: Shape): TSchema[] {
  return 'type' in number ? [text, number] : [text];
}

/** A value that clients send as text or as a JSON number. */
export function required(description: string, shape: Shape = ANY): TSchema {
  return Type.Union(either(shape), { description });
}

/** As required; absent, null and empty text all mean "not given". */
export function optional(description: string, shape: Shape = ANY): TSchema {
  const empty = shape === ANY ? [] : [EMPTY];
  return Type.Optional(Type.Union([...either(shape), ...empty, Type.Null()], { description }));
}

/** The schema of a field that may be left out, for a request that has to have it. */
export function demanded(schema: TSchema): TSchema {
  const { '~optional': _, ...others } = { '~optional': true, ...schema };
  return others;
}

/** True or false, as such or as text; absent, null and empty text all mean "not given". */
export function choice(description: string): TSchema {
  const spellings = [Type.Literal('true'), Type.Literal('false'), EMPTY, Type.Null()];
  return Type.Optional(Type.Union([Type.Boolean(), ...spellings], { description }));
}

/** Text in an answer. Every number of an answer is text, so that no client rounds it. */
export function text(description: string): TSchema {
  return Type.String({ description });
}

/** One of these values in an answer. */
export function oneOf(values: readonly string[], description: string): TSchema {
  return Type.Union(
    values.map((value) => Type.Literal(value)),
    { description },
  );
}

/** A decimal number as text: digits, perhaps a point, no exponent. */
export function decimal(description: string): TSchema {
  return Type.String({ description, pattern: '^-?[0-9]+(\\.[0-9]+)?$' });
}

/** "true" or "false" as text. */
export function flag(description: string): TSchema {
  return oneOf(['true', 'false'], description);
}

/** Unix time in milliseconds as text. */
export function timeMs(description: string): TSchema {
  return Type.String({ description, pattern: '^[0-9]{13,}$' });
}

/** Of what has not happened yet, 0. */
export function timeMsOrZero(description: string): TSchema {
  return Type.String({ description, pattern: '^([0-9]{13,}|0)$' });
}

/** An id of this venue: see formatId. */
export function id(description: string): TSchema {
  return Type.String({ description, pattern: '^[1-9][0-9]{15}$' });
}

/** A whole number in an answer, as a number. */
export function wholeNumber(description: string): TSchema {
  return Type.Integer({ description, minimum: 0 });
}
