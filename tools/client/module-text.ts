/** The text of one module of the client's tables. */
import { docs, objectOf, type Schema, typeOf } from './schema-types.ts';

/** What the tables say of a call. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly inQuery: true | undefined;
  readonly isFile: true | undefined;
  readonly summary: string;
  readonly permission: string;
  readonly request: Schema;
  readonly response: Schema;
}

const PATH_FIELD: Schema = { anyOf: [{ type: 'string' }, { type: 'number' }] };

const NEEDS: Readonly<Record<string, string>> = {
  none: 'Anybody may call it.',
  person: 'For a person who has signed in.',
  operator: 'For an operator.',
};

export function moduleOf(prefix: string, calls: ReadonlyMap<string, Call>): string {
  const head =
    `/** Calls below ${prefix}, from the endpoint tables by tools/client.ts. */\n` +
    "import type { Endpoint } from '../endpoint.ts';\n";
  const text = [head, ...[...calls].map(([name, call]) => callText(name, call))].join('\n');
  return indented(text);
}

/** By braces: a line of a type opens or closes one at its end or beginning. */
function indented(text: string): string {
  let depth = 0;
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('}')) depth -= 1;
    const placed = line === '' ? '' : '  '.repeat(depth) + line;
    if (line.endsWith('{')) depth += 1;
    return placed;
  });
  return lines.join('\n');
}

function callText(name: string, call: Call): string {
  const { method, path, inQuery, isFile, summary, permission } = call;
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const needs = NEEDS[permission] ?? `Needs the permission ${permission}.`;
  const flags = { inQuery, isFile };
  const marks = Object.entries(flags).flatMap(([mark, is]) => (is ? [`${mark}: true`] : []));
  const row = [`method: '${method}'`, `path: '${path}'`, ...marks];
  return [
    inputText(type, call),
    answerText(type, call.response),
    docs(`${summary}. ${needs}`).trimEnd(),
    `export const ${name}: Endpoint<${type}Input, ${type}Answer> = {`,
    `${row.join(', ')},`,
    '};\n',
  ].join('\n');
}

/** Parameters of the path first, as they are written where the tables say nothing else of them. */
function inputText(type: string, { path, request }: Call): string {
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const inPath = Object.fromEntries(named.map((name) => [name, PATH_FIELD]));
  const properties = { ...inPath, ...request.properties };
  if (Object.keys(properties).length === 0) {
    return `export type ${type}Input = Readonly<Record<string, never>>;`;
  }
  const required = [...named, ...(request.required ?? [])];
  return `export interface ${type}Input ${objectOf({ properties, required }, 'input')}`;
}

/** The rows of a list, and those of a page of the past, have a name of their own. */
function answerText(type: string, response: Schema): string {
  const { rows, ...others } = response.properties ?? {};
  const listed = rowOf(response);
  const paged = rows === undefined ? undefined : rowOf(rows);
  const row = listed ?? paged;
  if (row === undefined) return declared(type, 'Answer', response);
  const list = `readonly ${type}Row[]`;
  const rest = objectOf({ ...response, properties: others }, 'answer')
    .slice(1)
    .trimStart();
  const answer =
    listed === undefined
      ? `export interface ${type}Answer {\nreadonly rows: ${list};\n${rest}`
      : `export type ${type}Answer = ${list};`;
  return `${declared(type, 'Row', row)}\n${answer}`;
}

function declared(type: string, kind: string, schema: Schema): string {
  if (schema.properties === undefined) {
    return `export type ${type}${kind} = ${typeOf(schema, 'answer')};`;
  }
  return `export interface ${type}${kind} ${objectOf(schema, 'answer')}`;
}

/** What a list has, where that is objects. */
function rowOf({ items }: Schema): Schema | undefined {
  return items !== undefined && 'properties' in items ? items : undefined;
}
