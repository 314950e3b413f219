/**
 * The OpenAPI document is valid, and says what is true: what it allows is not refused for its
 * shape, what it forbids is refused, and nothing of either is a fault of the server.
 */
import { strict as assert } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { METHODS } from 'node:http';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { type Endpoint, readsQuery } from '#api';
import {
  ADMIN_ENDPOINTS,
  COMPETITION_ENDPOINTS,
  COMPETITION_OPERATOR_ENDPOINTS,
  CURRENT_CONTRACT_ENDPOINTS,
  CURRENT_SPOT_ENDPOINTS,
  NATIVE_ENDPOINTS,
  PEOPLE_ENDPOINTS,
  PEOPLE_OPERATOR_ENDPOINTS,
  SANDBOX_ENDPOINTS,
  SPOT_ENDPOINTS,
  SWAP_ENDPOINTS,
} from '#dialects';
import { closedAtEnd } from '../support/at-end.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { type Answer, type Call, Site } from './bad-input-site.ts';

/** Knows the published schema. */
const VALIDATOR = resolve(import.meta.dirname, '../../node_modules/.bin/validate-api');

const ENDPOINTS = [
  NATIVE_ENDPOINTS,
  SPOT_ENDPOINTS,
  SWAP_ENDPOINTS,
  CURRENT_CONTRACT_ENDPOINTS,
  CURRENT_SPOT_ENDPOINTS,
  ADMIN_ENDPOINTS,
  PEOPLE_ENDPOINTS,
  PEOPLE_OPERATOR_ENDPOINTS,
  COMPETITION_ENDPOINTS,
  COMPETITION_OPERATOR_ENDPOINTS,
  SANDBOX_ENDPOINTS,
].flatMap((table) => Object.values<Endpoint>(table));
/** Drawn for each field: of what the document allows and of what it forbids. More is `fuzz`'s. */
const DRAWS = 4;
/** Read only when another field asks for it, or is not there. */
const CONDITIONAL: ReadonlySet<string> = new Set([
  'fromSymbol',
  'toSymbol',
  'order_data',
  'currency',
]);

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: TSchema;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: BodySchema } };
  };
}

interface BodySchema {
  readonly examples?: readonly unknown[];
  readonly properties: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
}

interface OpenApi {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const site = closedAtEnd(await Site.open());
const document: OpenApi = JSON.parse(
  (await site.send({ method: 'GET', target: '/openapi.json' })).text,
);

test('it is valid OpenAPI 3.1, and says where and how to call', async () => {
  const directory = scratchDirectory();
  const file = join(directory, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const { status, stdout } = spawnSync(process.execPath, [VALIDATOR, file], { encoding: 'utf8' });
  assert.deepEqual([status, JSON.parse(stdout).valid], [0, true], stdout);
  assert.match(document.openapi, /^3\.1\./);
  assert.ok(document.servers.length > 0);
  assert.match(JSON.stringify(document), /HMAC-SHA256.*timestamp \+ METHOD/);
  const ids = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(ids.length, ENDPOINTS.length);
});

test('every dialect that a server can mount is in it, and so under the fuzzer', () => {
  const folder = resolve(import.meta.dirname, '../../src/dialects');
  const dialects = readdirSync(folder).filter((name) =>
    existsSync(join(folder, name, 'dialect.ts')),
  );
  const documented = readFileSync(join(folder, 'docs/dialects.ts'), 'utf8');
  for (const name of dialects) assert.match(documented, new RegExp(`'\\.\\./${name}/`), name);
  assert.ok(dialects.length >= 6, dialects.join());
});

test('every body that is taken has an example that its schema allows', () => {
  let count = 0;
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { requestBody, parameters = [] }] of Object.entries(item)) {
      const schema = requestBody?.content['application/json'].schema;
      const [example] = schema?.examples ?? [{}];
      if (schema !== undefined) assert.ok(Check(schema, example), `${method} ${path}`);
      const said = parameters.filter((one) => one.in === 'query' && one.example !== undefined);
      for (const one of said) assert.ok(Check(one.schema, one.example), `${path} ${one.name}`);
      count += schema === undefined ? said.length : 1;
    }
  }
  assert.ok(count > 150, `${count} examples`);
});

const ENUMERATED = [
  ['/api/spot/v1/trade/orders', 'side', 'buy'],
  ['/api/spot/v1/trade/orders', 'orderType', 'market'],
  ['/api/spot/v1/market/candles', 'period', '1min'],
  ['/api/swap/v3/order/placeOrder', 'type', '4'],
  ['/api/swap/v3/market/candles', 'granularity', '900'],
] as const;

for (const [path, field, word] of ENUMERATED) {
  test(`${field} of ${path} lists its words`, () => {
    const [operation] = Object.values(document.paths[path] ?? {});
    const schema = fieldsOf(operation).find(({ name }) => name === field)?.schema;
    assert.match(JSON.stringify(schema), new RegExp(`"enum":\\[[^\\]]*"${word}"`));
  });
}

interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: TSchema;
}

function fieldsOf(operation: Operation | undefined): Field[] {
  const query = (operation?.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const body = operation?.requestBody?.content['application/json'].schema;
  const fields = Object.entries(body?.properties ?? {}).map(([name, schema]) => {
    return { name, schema, isRequired: body?.required?.includes(name) === true };
  });
  return [
    ...query.map(({ name, schema, required }) => ({ name, schema, isRequired: required })),
    ...fields,
  ];
}

/** What clients send by mistake; which of it a field allows is for the document to say. */
const ODD: readonly unknown[] = [
  ...['', ' ', 'abc', 'BUY!', '-1', '0', '1', '7', '1.5', '1.5.5', '1e3', '0x10', '+1', '٣', 'NaN'],
  ...['Infinity', 'null', 'true', '\u0000', 'x'.repeat(300), '9'.repeat(30), 'drop table', '[]'],
  ...[null, true, false, 0, 1, -1, 1.5, 99, 1e21, [], [1], {}, { a: 1 }, [[]]],
];

function drawn({ schema }: Field, isQuery: boolean): fc.Arbitrary<unknown> {
  const patterns = [...JSON.stringify(schema).matchAll(/"enum":(\[[^\]]*\])/g)];
  const listed = patterns.flatMap(([, list = '[]']): unknown[] => JSON.parse(list));
  const any = fc.oneof(
    fc.constantFrom(...ODD, ...listed),
    fc.string({ maxLength: 12 }),
    fc.nat().map(String),
    fc.integer(),
  );
  return isQuery ? any.filter((value) => typeof value === 'string') : any;
}

/**
 * A word in another case is the same word, and what may be left out may be null or empty: the
 * document says so in its text.
 */
function isForbidden({ schema, isRequired }: Field, value: unknown): boolean {
  if (!isRequired && (value === null || value === '')) return false;
  // An item of a list is refused by itself, in the answer.
  if (Array.isArray(value) && value.length > 0) return false;
  if (typeof value !== 'string') return !Check(schema, value);
  return [value, value.toLowerCase(), value.toUpperCase()].every((one) => !Check(schema, one));
}

function callOf(endpoint: Endpoint, name: string, value: unknown): Call {
  const { method, path, example } = endpoint;
  const target = path.replace(/:account/, 'demo').replace(/:symbol/, symbolOf(path));
  const named = target.replace(/:[a-z]+/i, 'nobody');
  const fields: Record<string, unknown> = { ...example.request, [name]: value };
  if (value === undefined) delete fields[name];
  if (!readsQuery(endpoint)) return { method, target: named, body: JSON.stringify(fields) };
  const query = new URLSearchParams(
    Object.entries(fields).map(([key, field]): [string, string] => [key, String(field)]),
  );
  return { method, target: `${named}?${query}` };
}

function symbolOf(path: string): string {
  return path.includes('contracts') ? 'cmt_btcusdt' : 'BTCUSDT_SPBL';
}

function operationOf({ path, method }: Endpoint): Operation | undefined {
  return document.paths[path.replace(/:([^/]+)/g, '{$1}')]?.[method.toLowerCase()];
}

/** Not when one of two fields must be there, and this one may be left out for the other. */
function isForShape({ text }: Answer): boolean {
  if (text.startsWith('actionId,')) return false;
  const { code, msg, error } = JSON.parse(text);
  if (error !== undefined) {
    return error.kind === 'parameter_invalid' && !/ takes 1min, /.test(error.message);
  }
  // A coin that is not listed and a page beyond the last one are well-formed.
  if (code < 0)
    return [-1140, -1142].includes(code) && !/coinId \d+$|this far$|is no position$/.test(msg);
  return code === '40017' && !/ is required$| is in the past$| comes after from$/.test(msg);
}

/** Time must go on as it does: the calls are signed by it. */
const MOVES_TIME = /\/sandbox\/v1\/(clock|checkpoints|faults)/;

for (const endpoint of ENDPOINTS) {
  const { method, path, permission } = endpoint;
  test(`${method} ${path}: what the document allows and forbids`, async () => {
    for (const field of fieldsOf(operationOf(endpoint))) {
      const values = fc.sample(drawn(field, readsQuery(endpoint)), { numRuns: 200, seed: 42 });
      const forbidden = values.filter((value) => isForbidden(field, value));
      const allowed = values.filter((value) => Check(field.schema, value));
      for (const value of CONDITIONAL.has(field.name) ? [] : forbidden.slice(0, DRAWS)) {
        const answer = await site.call(permission, callOf(endpoint, field.name, value));
        const what = `${field.name} = ${JSON.stringify(value)}: ${answer.text.slice(0, 200)}`;
        assert.ok(answer.status >= 400 && answer.status < 500, `forbidden ${what}`);
      }
      for (const value of MOVES_TIME.test(path) ? [] : allowed.slice(0, DRAWS)) {
        const answer = await site.call(permission, callOf(endpoint, field.name, value));
        const what = `${field.name} = ${JSON.stringify(value)}: ${answer.text.slice(0, 200)}`;
        assert.ok(answer.status < 500, `allowed ${what}`);
        if (isShaped(field)) assert.ok(!isForShape(answer), `allowed ${what}`);
      }
      if (!field.isRequired) continue;
      const answer = await site.call(permission, callOf(endpoint, field.name, undefined));
      assert.ok(answer.status >= 400 && answer.status < 500, `without ${field.name}`);
    }
  });
}

/** Whether the document says more of a field than that it is a scalar. */
function isShaped({ schema }: Field): boolean {
  return /"(enum|pattern)"/.test(JSON.stringify(schema));
}

for (const method of METHODS.filter((name) => name !== 'CONNECT')) {
  test(`${method} is answered with 404 or 405 where there is no route for it`, async () => {
    for (const [target, methods] of [
      ['/nowhere', []],
      ['/api/spot/v1/public/time', ['GET', 'HEAD', 'OPTIONS']],
      ['/api/spot/v1/trade/orders', ['POST', 'OPTIONS']],
      ['/health/live', ['GET', 'HEAD', 'OPTIONS']],
    ] as const) {
      if (methods.some((name) => name === method)) continue;
      const { status, headers } = await site.send({ method, target });
      assert.equal(status, methods.length === 0 ? 404 : 405, target);
      const allow = methods.filter((name) => name !== 'OPTIONS').join(', ');
      assert.equal(headers.allow, methods.length === 0 ? undefined : allow);
    }
  });
}
