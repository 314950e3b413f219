/**
 * Shapes of JSON answers in the words of a documentation, apart from the schemas that the product
 * itself uses. Besides comparing, it notes what was seen of each field, so that a test can tell
 * whether its answers were worth comparing.
 */

export type Shape =
  /** Text that fits a pattern. */
  | { readonly is: 'text'; readonly pattern: RegExp }
  /** A number as text, of which more than zero must be seen. */
  | { readonly is: 'number'; readonly pattern: RegExp }
  /** Exactly one of these JSON values, each of which must be seen. */
  | { readonly is: 'word'; readonly words: readonly Word[] }
  /** A JSON number without a fraction. */
  | { readonly is: 'whole' }
  /** Or null, which must be seen too. */
  | { readonly is: 'orNull'; readonly shape: Shape }
  | { readonly is: 'list'; readonly of: Shape }
  | { readonly is: 'row'; readonly of: readonly Shape[] }
  /** Exactly these fields. Fields of equal names in equal resources are noted together. */
  | { readonly is: 'record'; readonly resource: string; readonly fields: Fields };

export type Fields = Readonly<Record<string, Shape>>;

type Word = string | number | boolean | null;

export function text(pattern: RegExp): Shape {
  return { is: 'text', pattern };
}

export function number(pattern: RegExp): Shape {
  return { is: 'number', pattern };
}

export function word(...words: readonly Word[]): Shape {
  return { is: 'word', words };
}

export function orNull(shape: Shape): Shape {
  return { is: 'orNull', shape };
}

export function list(of: Shape): Shape {
  return { is: 'list', of };
}

export function row(...of: readonly Shape[]): Shape {
  return { is: 'row', of };
}

/** Documented fields, and those beyond the documentation, which must be asked for by name. */
export function record(resource: string, documented: Fields, extra: Fields = {}): Shape {
  return { is: 'record', resource, fields: { ...documented, ...extra } };
}

export const FLAG = word(true, false);

/** What was seen in the answers so far, by "resource.field". */
export class Seen {
  readonly #wanted = new Map<string, Set<string>>();
  readonly #seen = new Map<string, Set<string>>();

  /** Compares a value with a shape: what is wrong with it, one line each. */
  compare(shape: Shape, value: unknown, at: string): string[] {
    this.#want(shape, at);
    switch (shape.is) {
      case 'text':
      case 'number':
        return this.#text(shape, value, at);
      case 'word':
        this.#note(at, JSON.stringify(value));
        return shape.words.some((one) => one === value) ? [] : [wrong(at, value)];
      case 'whole':
        return Number.isSafeInteger(value) ? [] : [wrong(at, value)];
      case 'orNull':
        if (value !== null) return this.compare(shape.shape, value, at);
        this.#note(at, 'null');
        return [];
      case 'list':
        return this.#list(shape.of, value, at);
      case 'row':
        return this.#row(shape.of, value, at);
      case 'record':
        return this.#record(shape, value);
    }
  }

  /** What no answer has shown yet: "resource.field value". */
  missing(): string[] {
    const found: string[] = [];
    for (const [at, wanted] of this.#wanted) {
      const seen = this.#seen.get(at) ?? new Set();
      for (const value of wanted) if (!seen.has(value)) found.push(`${at} ${value}`);
    }
    return found;
  }

  #want(shape: Shape, at: string): void {
    const wanted = this.#wanted.get(at) ?? new Set();
    if (shape.is === 'word') for (const one of shape.words) wanted.add(JSON.stringify(one));
    if (shape.is === 'number') wanted.add('not zero');
    if (shape.is === 'orNull') wanted.add('null');
    if (shape.is === 'list') wanted.add('not empty');
    this.#wanted.set(at, wanted);
  }

  #note(at: string, value: string): void {
    const seen = this.#seen.get(at) ?? new Set();
    this.#seen.set(at, seen.add(value));
  }

  #text(shape: Extract<Shape, { pattern: RegExp }>, value: unknown, at: string): string[] {
    if (typeof value !== 'string' || !shape.pattern.test(value)) return [wrong(at, value)];
    if (Number(value) !== 0) this.#note(at, 'not zero');
    return [];
  }

  #list(of: Shape, value: unknown, at: string): string[] {
    if (!Array.isArray(value)) return [wrong(at, value)];
    if (value.length > 0) this.#note(at, 'not empty');
    return value.flatMap((one) => this.compare(of, one, `${at}[]`));
  }

  #row(of: readonly Shape[], value: unknown, at: string): string[] {
    if (!Array.isArray(value) || value.length !== of.length) return [wrong(at, value)];
    return of.flatMap((shape, column) => this.compare(shape, value[column], `${at}${column}`));
  }

  #record(shape: Extract<Shape, { is: 'record' }>, value: unknown): string[] {
    const { resource, fields } = shape;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return [wrong(resource, value)];
    }
    const names = Object.keys(value);
    const unknown = names.filter((name) => !Object.hasOwn(fields, name));
    const faults = unknown.map((name) => `${resource}.${name} is not documented`);
    for (const [name, field] of Object.entries(fields)) {
      const at = `${resource}.${name}`;
      if (!names.includes(name)) faults.push(`${at} is missing`);
      else faults.push(...this.compare(field, Reflect.get(value, name), at));
    }
    return faults;
  }
}

function wrong(at: string, value: unknown): string {
  return `${at} is ${JSON.stringify(value)}`;
}
