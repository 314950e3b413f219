/**
 * A YAML text with the line of everything in it, so that a complaint can say where. It checks the
 * text against a schema; it does not know what the words mean.
 */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { Static, TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Check, Errors } from 'typebox/schema';
import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';

/** Bytes of a configuration file; a thousand pairs need about a quarter of it. */
const FILE_BYTES_MAX = 1_000_000;
const LINE_FEED = 0x0a;
const COMPLAINTS_MAX = 20;
/** Complaints that only say again, of the parent, what another one says of the part. */
const ECHOES: ReadonlySet<string> = new Set(['boolean', 'anyOf']);

export type Path = readonly (string | number)[];

/** A text of a file, and the keys that it stands under. */
export interface TextPlace {
  readonly text: string;
  readonly isKey: boolean;
  readonly under: readonly string[];
}

export interface Renamed {
  /** As in market. */
  readonly what: string;
  readonly now: string;
}

/** The configuration cannot be used. The message lists every complaint with its place. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault';
  readonly complaints: readonly string[];

  constructor(complaints: readonly string[], options?: ErrorOptions) {
    super(complaints.slice(0, COMPLAINTS_MAX).join('\n'), options);
    this.complaints = complaints;
  }
}

interface Complaint {
  readonly line: number;
  readonly text: string;
}

/** The text of a file, which an editor may have written in another encoding. */
function textOf(bytes: Buffer, file: string): string {
  const isWide = [0xfeff, 0xfffe].includes(bytes.length > 1 ? bytes.readUInt16BE(0) : 0);
  if (isWide) throw new ConfigFault([`${file}: the file is UTF-16: save it as UTF-8`]);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(LINE_FEED, start);
    const next = end < 0 ? bytes.length : end + 1;
    if (!isUtf8(bytes.subarray(start, next))) break;
    start = next;
  }
  throw new ConfigFault([`${file}:${line}: not UTF-8: save the file as UTF-8`]);
}

export class ConfigDocument {
  readonly #file: string;
  readonly #lines = new LineCounter();
  readonly #document: Document;
  readonly #complaints: Complaint[] = [];

  /** With the schema failsafe every scalar is text, so that no digit of a number is lost. */
  constructor(text: string, file: string, schema: 'core' | 'failsafe' = 'core') {
    this.#file = file;
    const lineCounter = this.#lines;
    this.#document = parseDocument(text, { lineCounter, prettyErrors: false, schema });
    for (const error of this.#document.errors) {
      this.#complaints.push({ line: this.#lineAt(error.pos[0]), text: error.message });
    }
    this.throwIfFaulty();
  }

  /** Reads a file. Throws ConfigFault when it is missing, too large or not YAML. */
  static read(file: string): ConfigDocument {
    let bytes: Buffer;
    try {
      bytes = readFileSync(file);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new ConfigFault([`cannot read the configuration: ${why}`], { cause });
    }
    if (bytes.length > FILE_BYTES_MAX) throw new ConfigFault([`${file}: the file is too large`]);
    return new ConfigDocument(textOf(bytes, file), file);
  }

  /** The content, when it fits the schema; otherwise throws with every place that does not. */
  validated<S extends TSchema>(schema: S): Static<S> {
    const content: unknown = this.#document.toJS() ?? {};
    if (Check(schema, content)) return content;
    for (const error of Errors(schema, content)[1]) this.#explain(error, content);
    this.throwIfFaulty();
    throw new ConfigFault([`${this.#file}: does not fit the schema`]);
  }

  /**
   * Puts in place of texts, in values and keys, what `newOf` says of them. Returns a warning for
   * each of those.
   */
  rename(newOf: (place: TextPlace) => Renamed | undefined): readonly string[] {
    const warnings = new Set<string>();
    visit(this.#document, {
      Scalar: (at, node, above) => {
        const { value: text } = node;
        if (typeof text !== 'string') return;
        const keys = above.flatMap((one) =>
          isPair(one) && isScalar(one.key) ? one.key.value : [],
        );
        const isKey = at === 'key';
        const under = (isKey ? keys.slice(0, -1) : keys).map(String);
        const renamed = newOf({ text, isKey, under });
        if (renamed === undefined) return;
        const { what, now } = renamed;
        warnings.add(`${this.#file}: ${what} \`${text}\` is the old spelling; write ${now}`);
        node.value = now;
      },
    });
    return [...warnings];
  }

  complain(path: Path, message: string): void {
    const name = pathText(path);
    const text = name === '' ? message : `${name}: ${message}`;
    this.#complaints.push({ line: this.lineOf(path), text });
  }

  /** Line of the key or list item a path ends in, or of the nearest parent that exists. */
  lineOf(path: Path): number {
    let node: unknown = this.#document.contents;
    let offset = startOf(node) ?? 0;
    for (const part of path) {
      const pair = isMap(node)
        ? node.items.find(({ key }) => isScalar(key) && key.value === part)
        : undefined;
      const item = isSeq(node) && typeof part === 'number' ? node.items[part] : pair?.value;
      offset = startOf(pair?.key) ?? startOf(item) ?? offset;
      node = item;
    }
    return this.#lineAt(offset);
  }

  /** File and line, as complaints begin. */
  placeOf(path: Path): string {
    return `${this.#file}:${this.lineOf(path)}`;
  }

  throwIfFaulty(): void {
    if (this.#complaints.length === 0) return;
    const inOrder = this.#complaints.toSorted((left, right) => left.line - right.line);
    throw new ConfigFault(inOrder.map(({ line, text }) => `${this.#file}:${line}: ${text}`));
  }

  #explain(error: TLocalizedValidationError, content: unknown): void {
    const path = pointerPath(error.instancePath);
    if (error.keyword === 'additionalProperties') {
      for (const key of error.params.additionalProperties) {
        this.complain([...path, key], 'unknown key');
      }
    } else if (error.keyword === 'required') {
      const missing = error.params.requiredProperties.join(', ');
      this.complain(path, `missing ${missing}`);
    } else if (error.keyword === 'type' && isUnquoted(error.params.type, valueAt(content, path))) {
      this.complain(path, 'must be text: put the number in quotes');
    } else if (error.keyword === 'enum') {
      this.complain(path, `must be one of ${error.params.allowedValues.join(', ')}`);
    } else if (!ECHOES.has(error.keyword)) {
      this.complain(path, error.message);
    }
  }

  #lineAt(offset: number): number {
    return this.#lines.linePos(offset).line;
  }
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

/** spot[0].minQuantity */
function pathText(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}

/** "/spot/0/symbol" as ['spot', 0, 'symbol']. */
function pointerPath(pointer: string): Path {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^[0-9]+$/.test(part) ? Number(part) : part));
}

function valueAt(content: unknown, path: Path): unknown {
  let value = content;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}

/** Unquoted, 0.001 is a number in YAML: its digits may already be lost. */
function isUnquoted(wanted: unknown, value: unknown): boolean {
  return wanted === 'string' && typeof value === 'number';
}
