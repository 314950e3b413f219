/**
 * The endpoints of dialects as an OpenAPI 3.1 document. Plain data in, plain data out: who serves
 * it, and in what clothes, is not decided here.
 */

import type { TSchema } from 'typebox';
import { type Endpoint, readsQuery } from '#api';
import { assert } from '#kernel';
import type { DocumentedDialect } from './documented.ts';

/** Any JSON value of the document. */
type Json = unknown;
type JsonFields = Readonly<Record<string, Json>>;

const LENIENCY = 'Words may come in any case, and what may be left out may also be null or empty.';

const SCALARS = `Every scalar of a request may come as text or as a JSON number; absent, \`null\`
and empty text all mean "not given". Words of a closed list are listed in one case and may come in
any. Decimal numbers in answers are text with plain digits. Ids have 16 digits and are
below 2^53, so that JavaScript keeps them as text and as numbers. Under \`/api/v3\` and
\`/capi/v3\` times and ids are JSON numbers.`;

/** The document, as text. Two endpoints of the same path share a path item. */
export function openApiText(dialects: readonly DocumentedDialect[]): string {
  const paths: Record<string, Record<string, Json>> = {};
  for (const dialect of dialects) {
    for (const [area, endpoints] of Object.entries(dialect.tables)) {
      for (const [name, endpoint] of Object.entries(endpoints)) {
        const path = endpoint.path.replace(/:([^/]+)/g, '{$1}');
        const item = paths[path] ?? {};
        item[endpoint.method.toLowerCase()] = operation(dialect, `${area}_${name}`, endpoint);
        paths[path] = item;
      }
    }
  }
  return JSON.stringify({ ...headOf(dialects), paths });
}

function headOf(dialects: readonly DocumentedDialect[]): JsonFields {
  const authentication = [...new Set(dialects.map((dialect) => dialect.authentication))].join('\n');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Outcry',
      version: '1',
      description:
        `Spot and contract trading over HTTP. ${LENIENCY}\n\n` + `${authentication}\n\n${SCALARS}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The venue that serves this document' }],
    components: {
      schemas: refusalsOf(dialects),
      securitySchemes: Object.assign({}, ...dialects.map((dialect) => dialect.securitySchemes)),
    },
  };
}

/** Dialects of one form of refusals share its schema; two forms have two titles. */
function refusalsOf(dialects: readonly DocumentedDialect[]): JsonFields {
  const byName = new Map<string, TSchema>();
  for (const { frame } of dialects) {
    const name = refusalName(frame.refusal);
    const known = byName.get(name) ?? frame.refusal;
    assert(known === frame.refusal, 'a title names one form of refusals');
    byName.set(name, frame.refusal);
  }
  return Object.fromEntries([...byName].map(([name, refusal]) => [name, standard(refusal)]));
}

/** It goes by its title. */
function refusalName(refusal: TSchema): string {
  return String(Reflect.get(refusal, 'title'));
}

function operation(
  dialect: DocumentedDialect,
  operationId: string,
  endpoint: Endpoint,
): JsonFields {
  const { path, summary, permission, rate, cost, entryCost } = endpoint;
  const { frame } = dialect;
  const isQuery = readsQuery(endpoint);
  const parameters = [...pathParameters(path), ...(isQuery ? queryOf(endpoint) : [])];
  const isOpen = permission === 'none';
  const schemes = Object.keys(dialect.securitySchemes).map((scheme) => [scheme, []]);
  return {
    operationId,
    summary,
    tags: [dialect.chapter(path)],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(isQuery ? {} : bodyOf(endpoint)),
    responses: {
      200: { description: 'Done', content: contentOf(dialect, endpoint) },
      '4XX': refused('Refused: the call changed nothing', frame.refusal),
      '5XX': refused('The venue cannot answer now', frame.refusal),
    },
    security: isOpen ? [] : [Object.fromEntries(schemes)],
    'x-rate-limit': rate,
    ...(cost === undefined ? {} : { 'x-cost': cost }),
    ...(entryCost === undefined ? {} : { 'x-entry-cost': entryCost }),
    'x-permission': permission,
  };
}

function refused(description: string, refusal: TSchema): JsonFields {
  return { description, content: json({ $ref: `#/components/schemas/${refusalName(refusal)}` }) };
}

function contentOf(dialect: DocumentedDialect, endpoint: Endpoint): JsonFields {
  if (endpoint.isFile === true) return { 'text/csv': { schema: fieldsOf(endpoint.response) } };
  return json(answerOf(dialect, endpoint));
}

function answerOf({ frame }: DocumentedDialect, { response, example, bare }: Endpoint): JsonFields {
  const schema = bare ? response : frame.success(response);
  const answer = bare ? example.data : frame.successExample(example.data);
  return { ...fieldsOf(standard(schema)), examples: [answer] };
}

function json(schema: Json): JsonFields {
  return { 'application/json': { schema } };
}

function pathParameters(path: string): JsonFields[] {
  return [...path.matchAll(/:([^/]+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
  }));
}

function queryOf({ request, example }: Endpoint): JsonFields[] {
  const said: JsonFields = example.request;
  const required: readonly string[] = request.required ?? [];
  return Object.entries(request.properties).map(([name, schema]) => {
    const { description, ...rest } = fieldsOf(standard(schema));
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema: textOnly(rest),
      ...(said[name] === undefined ? {} : { example: String(said[name]) }),
    };
  });
}

/** A query carries text and nothing else: of text, number or nothing, text is left. */
function textOnly(schema: JsonFields): JsonFields {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const texts = anyOf.map(fieldsOf).filter(({ type }) => type === 'string');
  return texts.length === 1 ? { ...rest, ...texts[0] } : { ...rest, anyOf: texts };
}

function bodyOf({ request, example, path }: Endpoint): JsonFields {
  if (Object.keys(request.properties).length === 0) return {};
  const required = (request.required ?? []).length > 0;
  const inPath = pathParameters(path).map(({ name }) => name);
  const said = Object.entries(example.request).filter(([name]) => !inPath.includes(name));
  const schema = { ...fieldsOf(standard(request)), examples: [Object.fromEntries(said)] };
  return { requestBody: { required, content: json(schema) } };
}

/**
 * A schema in the words of JSON Schema 2020-12, which OpenAPI 3.1 speaks: typebox writes the fixed
 * list of a tuple as earlier drafts did.
 */
function standard(schema: TSchema): Json {
  return rewritten(JSON.parse(JSON.stringify(schema)));
}

function rewritten(value: Json): Json {
  if (Array.isArray(value)) return value.map(rewritten);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, rewritten(inner)]),
  );
  if (!Array.isArray(fields.items)) return fields;
  const { items, additionalItems: _, ...rest } = fields;
  return { ...rest, prefixItems: items, items: false };
}

function fieldsOf(value: Json): JsonFields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
