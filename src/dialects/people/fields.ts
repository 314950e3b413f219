/** The kinds of fields that only the requests of people have. */
import Type from 'typebox';
import { LIMITS } from '#domain';
import { ACCESS_RIGHTS, type AccessRight, LANGUAGES } from '#people';
import { optional, word } from '../admin/fields.ts';
import type { Fields } from '../kit/fields.ts';
import { type Field, optionalText, requiredText } from '../kit/request.ts';
import * as schema from '../kit/schema.ts';

const EMAIL_LENGTH_MAX = 254;
/** What a mail server takes without quotes; so nothing in it ends a header. */
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;
/** A name is shown on the terminals of others, where these would act and not be seen. */
const INVISIBLE = /\p{C}/u;
/** Longer text is no password, token or code; it is not even hashed. */
const SECRET_LENGTH_MAX = 256;

/** In small letters. */
export const EMAIL_FIELD: Field<string> = {
  ...requiredText('E-mail address'),
  read: (fields, name) => {
    const email = fields.requiredText(name).trim().toLowerCase();
    if (email !== '' && (email.length > EMAIL_LENGTH_MAX || !EMAIL.test(email))) {
      fields.refuse('parameter_invalid', `${name} is no e-mail address`);
    }
    return email;
  },
};

/** A password, token or code: it is never repeated in an answer. */
export function secret(description: string): Field<string> {
  return { ...requiredText(description), read: (fields, name) => bounded(fields, name, true) };
}

export function optionalSecret(description: string): Field<string> {
  return { ...optionalText(description), read: (fields, name) => bounded(fields, name, false) };
}

function bounded(fields: Fields, name: string, isRequired: boolean): string {
  const given = isRequired ? fields.requiredText(name) : fields.text(name);
  if (given.length > SECRET_LENGTH_MAX) {
    fields.refuse('parameter_invalid', `${name} takes at most ${SECRET_LENGTH_MAX} characters`);
  }
  return given;
}

/** What mails are written in; undefined when left out. */
export const LANGUAGE_FIELD = optional(
  word(LANGUAGES, 'en'),
  'What mails are written in: en or zh',
);

/** A name for people; may be empty. */
export function shownName(description: string): Field<string> {
  return {
    ...optionalText(description),
    read: (fields, name) => {
      const given = fields.text(name).trim();
      if (given.length > LIMITS.nameLengthMax || INVISIBLE.test(given)) {
        const max = LIMITS.nameLengthMax;
        fields.refuse('parameter_invalid', `${name} takes up to ${max} visible characters`);
      }
      return given;
    },
  };
}

/** As shownName; undefined when left out, which leaves the name as it is. */
export function optionalName(description: string): Field<string | undefined> {
  const name = shownName(description);
  return { ...name, read: (fields, at) => (fields.has(at) ? name.read(fields, at) : undefined) };
}

/** What a person may do in an account; whoever may do anything may read. */
export const RIGHTS_FIELD: Field<readonly AccessRight[]> = {
  schema: Type.Array(Type.Enum([...ACCESS_RIGHTS]), {
    minItems: 1,
    description: ACCESS_RIGHTS.join(', '),
  }),
  read: (fields, name) => {
    const words = fields.list(name, ACCESS_RIGHTS.length);
    const found = ACCESS_RIGHTS.filter((right) => words.includes(right));
    if (found.length !== words.length) {
      fields.refuse('parameter_invalid', `${name} are among ${ACCESS_RIGHTS.join(', ')}`);
    }
    if (!found.includes('read')) fields.refuse('parameter_invalid', `${name} include read`);
    return found;
  },
};

/** A whole number from 1 on, of so many digits at most; `fallback` when left out. */
export function count(
  description: string,
  { digits, fallback }: { readonly digits: number; readonly fallback: number },
): Field<number> {
  const max = 10 ** digits - 1;
  const shape = {
    text: Type.String({ pattern: `^0{0,3}[1-9][0-9]{0,${digits - 1}}$` }),
    number: Type.Integer({ minimum: 1, maximum: max }),
  };
  return {
    schema: schema.optional(description, shape),
    read: (fields, name) => fields.wholeNumber(name, { min: 1, max }) ?? fallback,
  };
}
