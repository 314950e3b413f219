/**
 * Reads the fields of a request leniently, as real clients need it: every scalar may come as text
 * or as a JSON number, and absent, null and empty text all mean "not given". The first fault is
 * kept and every later read answers with a harmless value, so that a reader is a straight list.
 */
import { type JsonObject, refuseSaying } from '#api';
import { CANDLE_TIME_MAX_MS, LIMITS, type Refused, type RejectKind, refuse } from '#domain';
import { plainNumberText } from '#kernel';
import { idBound } from './ids.ts';

const CLIENT_ID = /^[!#-&(-_a-~]+$/;
const WHOLE_NUMBER = /^([0-9]+|-0*[1-9][0-9]*)$/;
const SHOWN_LENGTH_MAX = 60;

/** What a whole number may be, and how another one is refused. */
export interface WholeBounds {
  readonly min?: number;
  readonly max?: number;
  readonly reject?: RejectKind;
  /** What the field takes, for a number out of bounds. */
  readonly takes?: string;
}

/** A whole number that the caller bounds. */
export const ANY_WHOLE: WholeBounds = {
  min: Number.NEGATIVE_INFINITY,
  max: Number.POSITIVE_INFINITY,
};
/** Up to the end of the calendar. */
export const UNIX_MS: WholeBounds = {
  max: CANDLE_TIME_MAX_MS,
  takes: 'is out of range: it takes Unix time in milliseconds',
};
export const ABOVE_ZERO: WholeBounds = { min: 1, max: Number.POSITIVE_INFINITY };

export class Fields {
  readonly #source: JsonObject;
  #fault: Refused | undefined;

  constructor(source: JsonObject) {
    this.#source = source;
  }

  /** Of one entry of a list, which has to be an object. */
  static ofItem(item: unknown, list: string): Fields {
    if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
      return new Fields(item as JsonObject);
    }
    const fields = new Fields({});
    fields.refuse('parameter_invalid', `an entry of ${list} must be an object`);
    return fields;
  }

  /** The first refusal met, if any: check it once all fields are read. */
  get fault(): Refused | undefined {
    return this.#fault;
  }

  /** Remembers a refusal unless there is an earlier one. */
  fail(refused: Refused): void {
    this.#fault ??= refused;
  }

  refuse(reject: RejectKind, text: string): void {
    this.fail(refuseSaying(reject, text));
  }

  /** A field that has to be given was not. */
  missing(parameter: string): void {
    this.fail(refuse('parameter_missing', { is: 'missing', parameter }));
  }

  /** A value that was not sent, or was sent as null or empty text, is the empty text. */
  text(...names: readonly string[]): string {
    for (const name of names) {
      // Spelled out: each order reads its fields here, and nearly all of them are texts.
      const value = Object.hasOwn(this.#source, name) ? this.#source[name] : undefined;
      const found = typeof value === 'string' ? value : this.#scalar(name, value);
      if (found !== '') return found;
    }
    return '';
  }

  /** As text, for a value that must be given. */
  requiredText(...names: readonly string[]): string {
    const found = this.text(...names);
    if (found === '') this.missing(names[0] ?? '');
    return found;
  }

  /** As it was sent; undefined when it was not. */
  sent(name: string): unknown {
    return Object.hasOwn(this.#source, name) ? this.#source[name] : undefined;
  }

  /** True when the client sent the field, also as empty text. */
  has(name: string): boolean {
    const value = this.sent(name);
    return value !== undefined && value !== null;
  }

  /** What the client sent, of any kind; empty text for nothing. */
  value(name: string): unknown {
    return (Object.hasOwn(this.#source, name) ? this.#source[name] : undefined) ?? '';
  }

  /**
   * One of the given words in any case, mapped to what it stands for; a refusal lists the words as
   * documented.
   */
  choice<T>(
    name: string,
    words: ReadonlyMap<string, T>,
    fallback: T,
    reject: RejectKind = 'parameter_invalid',
    documented?: readonly string[],
  ): T {
    const given = this.text(name);
    if (given === '') return fallback;
    const found = words.get(given.toLowerCase());
    if (found !== undefined) return found;
    const taken = documented?.join(', ') ?? meanings(words);
    this.refuse(reject, `${name} ${shown(given)}, takes ${taken}`);
    return fallback;
  }

  /** As choice, for a value that must be given. */
  requiredChoice<T>(
    name: string,
    words: ReadonlyMap<string, T>,
    harmless: T,
    reject?: RejectKind,
    documented?: readonly string[],
  ): T {
    const found = this.choice<T | undefined>(name, words, undefined, reject, documented);
    if (found === undefined && this.text(name) === '') this.missing(name);
    return found ?? harmless;
  }

  /** A page size: whole and above zero; above the maximum it counts as the maximum. */
  limit(fallback: number, max: number): number {
    return Math.min(this.wholeNumber('limit', ABOVE_ZERO) ?? fallback, max);
  }

  /** A whole number, zero or more and safe unless bounded otherwise; undefined when not given. */
  wholeNumber(name: string, bounds: WholeBounds = {}): number | undefined {
    const given = this.text(name);
    if (given === '') return undefined;
    if (!WHOLE_NUMBER.test(given)) {
      this.refuse('parameter_invalid', `${name} ${shown(given)} is not a whole number`);
      return undefined;
    }
    const { min = 0, max = Number.MAX_SAFE_INTEGER } = bounds;
    const value = Number(given);
    if (value >= min && value <= max) return value;
    const { reject = 'parameter_invalid', takes = wholeTaken(value, min, max) } = bounds;
    this.refuse(reject, `${name} ${takes}`);
    return undefined;
  }

  /** Any decimal id that a page is cut at, ours or not; undefined when not given. */
  pageId(name: string): number | undefined {
    const given = this.text(name);
    if (given === '') return undefined;
    const found = idBound(given);
    if (found === undefined) this.refuse('parameter_invalid', `${name} ${shown(given)} is no id`);
    return found;
  }

  /** An id the client chose for its order or transfer, under any of its names. */
  clientId(...names: readonly string[]): string | undefined {
    const given = this.text(...names);
    if (given === '') return undefined;
    if (given.length <= LIMITS.clientIdLengthMax && CLIENT_ID.test(given)) return given;
    this.refuse('client_id_invalid', shown(given));
    return undefined;
  }

  /** A list with at least one entry and at most `max`. */
  list(name: string, max: number): readonly unknown[] {
    const value = this.sent(name);
    if (!Array.isArray(value) || value.length === 0) {
      this.refuse('parameter_invalid', `${name} must be a list with at least one entry`);
      return [];
    }
    if (value.length <= max) return value;
    this.refuse('batch_too_large', `${value.length} in ${name}, at most ${max}`);
    return [];
  }

  #scalar(name: string, value: unknown): string {
    if (value === undefined || value === null) return '';
    const text = scalarText(value);
    if (text === undefined) this.refuse('parameter_invalid', `${name} must be text or a number`);
    return text ?? '';
  }
}

function wholeTaken(value: number, min: number, max: number): string {
  if (max < Number.MAX_SAFE_INTEGER) return `must be between ${min} and ${max}`;
  if (value > max) return 'is too large';
  return min === 1 ? 'must be above zero' : `must be ${min} or more`;
}

/** The words a field takes; a bare number with what it stands for, as in 1 (open_long). */
function meanings(words: ReadonlyMap<string, unknown>): string {
  const known = [...words].map(([word, meaning]) =>
    /^[0-9]+$/.test(word) && typeof meaning === 'string' ? `${word} (${meaning})` : word,
  );
  return known.join(', ');
}

/** The text of a value that clients send as text or as a number; undefined for anything else. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return plainNumberText(value);
  return undefined;
}

/** A value as an error text may repeat it: short, printable, in quotes. */
export function shown(value: string): string {
  const cut = value.length > SHOWN_LENGTH_MAX ? `${value.slice(0, SHOWN_LENGTH_MAX)}...` : value;
  return `'${cut.replace(/[^ -~]/g, '?')}'`;
}
