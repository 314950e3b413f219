/**
 * The tables of endpoints as an OpenAPI 3.1 document. Plain data in, plain data out: who serves it,
 * and in what clothes, is not decided here.
 */

import Type, { type TSchema } from 'typebox';
import type { Endpoint } from '#api';
import { refuse } from '#domain';
import { FRAME } from '../classic/frame.ts';

/** Any JSON value of the document. */
type Json = unknown;
type JsonFields = Readonly<Record<string, Json>>;

export type EndpointTables = Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;

const EXAMPLE_TIME_MS = 1_795_235_652_453;

const LENIENCY = 'Words may come in any case, and what may be left out may also be null or empty.';

const AUTHENTICATION = `A signed call carries four headers: \`ACCESS-KEY\`, \`ACCESS-TIMESTAMP\`
(Unix time in milliseconds), \`ACCESS-PASSPHRASE\` and \`ACCESS-SIGN\`. The signature is the base64
of HMAC-SHA256, with the key's secret, over timestamp + METHOD + path with query + body, byte for
byte as sent. Operator and sandbox calls carry \`Authorization: Bearer\` and the admin token.

Every scalar of a request may come as text or as a JSON number; absent, \`null\` and empty text all
mean "not given". Words of a closed list are listed in one
case and may come in any. Numbers in
answers are text with plain decimals.`;

/** Headers of a signed call: all four, or the call is refused. */
const SIGNATURE_HEADERS = {
  accessKey: ['ACCESS-KEY', 'The key'],
  accessTimestamp: ['ACCESS-TIMESTAMP', 'Unix time in milliseconds, close to the server clock'],
  accessPassphrase: ['ACCESS-PASSPHRASE', 'The passphrase of the key'],
  accessSign: [
    'ACCESS-SIGN',
    'Base64 of HMAC-SHA256 over timestamp + METHOD + path with query + body',
  ],
} as const;

const REFUSAL = Type.Object(
  {
    code: Type.String({ description: 'Digits; docs/REJECTS.md has them all' }),
    msg: Type.String({ description: 'What is wrong and, after a colon, the value it is about' }),
    message: Type.String({ description: 'The same' }),
    requestTime: Type.Integer({ description: 'Unix time in milliseconds' }),
    data: Type.Null(),
  },
  {
    title: 'Refusal',
    examples: [JSON.parse(FRAME.refusal(refuse('order_unknown'), EXAMPLE_TIME_MS).body)],
  },
);

/** The document, as text. Two endpoints of the same path share a path item. */
export function openApiText(tables: EndpointTables): string {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [area, endpoints] of Object.entries(tables)) {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const path = endpoint.path.replace(/:([^/]+)/g, '{$1}');
      const item = paths[path] ?? {};
      item[endpoint.method.toLowerCase()] = operation(`${area}_${name}`, endpoint);
      paths[path] = item;
    }
  }
  return JSON.stringify({ ...HEAD, paths });
}

const HEAD = {
  openapi: '3.1.0',
  info: {
    title: 'Outcry',
    version: '1',
    description: `Spot and contract trading over HTTP. ${LENIENCY}\n\n${AUTHENTICATION}`,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/', description: 'The venue that serves this document' }],
  components: {
    schemas: { Refusal: standard(REFUSAL) },
    securitySchemes: {
      ...Object.fromEntries(
        Object.entries(SIGNATURE_HEADERS).map(([scheme, [header, description]]) => [
          scheme,
          { type: 'apiKey', in: 'header', name: header, description },
        ]),
      ),
      operator: { type: 'http', scheme: 'bearer', description: 'The admin token of the venue' },
    },
  },
};

function operation(operationId: string, endpoint: Endpoint): JsonFields {
  const { method, path, summary, permission, rate } = endpoint;
  const parameters = [...pathParameters(path), ...(method === 'GET' ? queryOf(endpoint) : [])];
  return {
    operationId,
    summary,
    tags: [chapter(path)],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(method === 'GET' ? {} : bodyOf(endpoint)),
    responses: {
      200: { description: 'Done', content: json(endpoint.bare ? bare(endpoint) : frame(endpoint)) },
      '4XX': refused('Refused: the call changed nothing'),
      '5XX': refused('The venue cannot answer now'),
    },
    security: securityOf(permission),
    'x-rate-limit': rate,
    'x-permission': permission,
  };
}

function refused(description: string): JsonFields {
  return { description, content: json({ $ref: '#/components/schemas/Refusal' }) };
}

function json(schema: Json): JsonFields {
  return { 'application/json': { schema } };
}

function securityOf(permission: Endpoint['permission']): readonly JsonFields[] {
  if (permission === 'none') return [];
  if (permission === 'operator') return [{ operator: [] }];
  return [Object.fromEntries(Object.keys(SIGNATURE_HEADERS).map((scheme) => [scheme, []]))];
}

/** /api/spot/v1/market/depth is listed under "spot market", all of /admin/v1 under "operator". */
function chapter(path: string): string {
  const [, first, area, , group] = path.split('/');
  if (first === 'sandbox') return 'sandbox';
  return first === 'admin' ? 'operator' : `${area} ${group}`;
}

function pathParameters(path: string): JsonFields[] {
  return [...path.matchAll(/:([^/]+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
  }));
}

function queryOf({ request }: Endpoint): JsonFields[] {
  const required: readonly string[] = request.required ?? [];
  return Object.entries(request.properties).map(([name, schema]) => {
    const { description, ...rest } = fieldsOf(standard(schema));
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema: textOnly(rest),
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

function bodyOf({ request }: Endpoint): JsonFields {
  if (Object.keys(request.properties).length === 0) return {};
  const required = (request.required ?? []).length > 0;
  return { requestBody: { required, content: json(standard(request)) } };
}

function bare({ response, example }: Endpoint): JsonFields {
  return { ...fieldsOf(standard(response)), examples: [example.data] };
}

function frame({ response, example }: Endpoint): JsonFields {
  const schema = Type.Object({
    code: Type.Literal('00000'),
    msg: Type.Literal('success'),
    message: Type.Literal('success'),
    requestTime: Type.Integer({ description: 'Unix time in milliseconds' }),
    data: response,
  });
  const { data } = example;
  const answer = {
    code: '00000',
    msg: 'success',
    message: 'success',
    requestTime: EXAMPLE_TIME_MS,
    data,
  };
  return { ...fieldsOf(standard(schema)), examples: [answer] };
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
