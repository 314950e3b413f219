/** Schemas shared by the endpoint tables. They describe the wire; the readers enforce it. */
import Type, { type TSchema } from 'typebox';

const SCALAR = [Type.String(), Type.Number()];

/** A value that clients send as text or as a JSON number. */
export function required(description: string): TSchema {
  return Type.Union(SCALAR, { description });
}

/** As required; absent, null and empty text all mean "not given". */
export function optional(description: string): TSchema {
  return Type.Optional(Type.Union([...SCALAR, Type.Null()], { description }));
}

/** Text in an answer. Every number of an answer is text, so that no client rounds it. */
export function text(description: string): TSchema {
  return Type.String({ description });
}

/** One of these words in an answer. */
export function oneOf(words: readonly string[], description: string): TSchema {
  return Type.Union(
    words.map((word) => Type.Literal(word)),
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

/** An id of this venue: 18 digits that sort like numbers. */
export function id(description: string): TSchema {
  return Type.String({ description, pattern: '^[0-9]{18}$' });
}
