/** A call to send, drawn from the document: most are sound, the others spoilt in known ways. */
import fc from 'fast-check';
import type { Field, Operation } from './document.ts';
import { allowed, type JsonText, maybe, NONSENSE, partOfPath } from './values.ts';

/** How a call shows who makes it. */
export type Proof = (typeof PROOFS)[number];
const PROOFS = [
  'right',
  'no proof',
  'bad signature',
  'time long past',
  'time to come',
  'no time',
  'wrong passphrase',
  'unknown key',
  'half a proof',
] as const;

export type Pair = readonly [name: string, value: string];

export interface Case {
  readonly operation: Operation;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Pair[];
  readonly body: string | undefined;
  /** The encoding of the body: latin1 carries bytes that are no UTF-8. */
  readonly encoding: 'utf8' | 'latin1';
  readonly isChunked: boolean;
  readonly proof: Proof;
  /** In which ways it is spoilt. */
  readonly spoilt: readonly string[];
  /** Whether only a refusal is right. */
  readonly mustRefuse: boolean;
  /** Whether it is a call of the document: no other method, path or host. */
  readonly isOfDocument: boolean;
}

type Fields = readonly (readonly [name: string, value: JsonText])[];
type Spoil = (one: Draft) => Draft;

/** A call before it is written down. */
interface Draft extends Omit<Case, 'target' | 'body'> {
  readonly path: string;
  readonly fields: Fields;
  /** Changes to what is written at the end. */
  readonly finish: (written: string) => string;
  readonly query: string;
}

const spoil = (one: Draft, way: string, change: Partial<Draft>): Draft => {
  return { ...one, ...change, spoilt: [...one.spoilt, way] };
};

/** Calls of all these operations; those that trade come more often. */
export function anyCase(operations: readonly Operation[]): fc.Arbitrary<Case> {
  const weighed = operations.map((operation) => {
    const isTrade = operation.permission === 'trade';
    return { weight: isTrade ? 3 : 1, arbitrary: caseOf(operation) };
  });
  return fc.oneof(...weighed);
}

function caseOf(operation: Operation): fc.Arbitrary<Case> {
  const ways = fc.oneof(
    { weight: 10, arbitrary: fc.constant<Spoil[]>([]) },
    { weight: 9, arbitrary: fc.array(anySpoil(operation), { minLength: 1, maxLength: 1 }) },
    { weight: 3, arbitrary: fc.array(anySpoil(operation), { minLength: 2, maxLength: 3 }) },
  );
  return fc.tuple(fieldsOf(operation), pathOf(operation), ways).map(([fields, path, spoils]) => {
    const sound: Draft = {
      operation,
      method: operation.method,
      path,
      query: '',
      fields,
      headers: operation.place === 'body' ? [['content-type', 'application/json']] : [],
      encoding: 'utf8',
      isChunked: false,
      proof: 'right',
      spoilt: [],
      mustRefuse: false,
      isOfDocument: true,
      finish: (written) => written,
    };
    return written(spoils.reduce((one, change) => change(one), sound));
  });
}

function fieldsOf(operation: Operation): fc.Arbitrary<Fields> {
  const drawn = operation.fields.map((field) => {
    const value = allowed(operation, field);
    return field.isRequired ? value : maybe(value);
  });
  return fc.tuple(...drawn).map((values) =>
    operation.fields.flatMap(({ name }, at) => {
      const value = values[at];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function pathOf(operation: Operation): fc.Arbitrary<string> {
  const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  return fc
    .tuple(...names.map((name) => partOfPath(operation, name)))
    .map((parts) =>
      names.reduce((path, name, at) => path.replace(`{${name}}`, parts[at] ?? ''), operation.path),
    );
}

function anySpoil(operation: Operation): fc.Arbitrary<Spoil> {
  const { fields, place, permission, path } = operation;
  const ways: { weight: number; arbitrary: fc.Arbitrary<Spoil> }[] = [
    { weight: 2, arbitrary: oddTarget },
    { weight: 2, arbitrary: oddHeader },
    { weight: 1, arbitrary: oddMethod },
    { weight: 1, arbitrary: extraField },
  ];
  if (fields.length > 0) ways.push({ weight: 12, arbitrary: oddField(fields) });
  if (place === 'body') ways.push({ weight: 4, arbitrary: oddBody });
  if (permission !== 'none') ways.push({ weight: 1, arbitrary: oddProof(permission) });
  if (path.includes('{')) ways.push({ weight: 2, arbitrary: oddPath });
  return fc.oneof(...ways);
}

function oddField(fields: readonly Field[]): fc.Arbitrary<Spoil> {
  const kinds = Object.entries(NONSENSE).map(([way, values]) =>
    values.map((value) => ({ way, value })),
  );
  const replaced = fc.tuple(fc.constantFrom(...fields), fc.oneof(...kinds));
  const missing = fc.constantFrom(...fields).map(leftOut);
  const twice = replaced.map(
    ([{ name }, { value }]): Spoil =>
      (one) =>
        spoil(one, 'field twice', { ...stillRefused(one), fields: [...one.fields, [name, value]] }),
  );
  const changed = replaced.map(
    ([{ name }, { way, value }]): Spoil =>
      (one) =>
        spoil(one, way, {
          ...stillRefused(one),
          fields: [...one.fields.filter(([other]) => other !== name), [name, value]],
        }),
  );
  return fc.oneof(
    { weight: 8, arbitrary: changed },
    { weight: 2, arbitrary: missing },
    { weight: 1, arbitrary: twice },
  );
}

/** A field that was left out may be back, with a value that some calls take: the proof decides. */
function stillRefused({ proof }: Draft) {
  return { mustRefuse: proof !== 'right' };
}

function leftOut({ name, isRequired }: Field): Spoil {
  return (one) =>
    spoil(one, 'field missing', {
      fields: one.fields.filter(([other]) => other !== name),
      mustRefuse: one.mustRefuse || (isRequired && one.spoilt.length === 0),
    });
}

const extraField: fc.Arbitrary<Spoil> = fc
  .constantFrom('amuont', '__proto__', 'constructor', '', 'x'.repeat(2_000), 'ключ')
  .map((name) => (one) => spoil(one, 'field unknown', { fields: [...one.fields, [name, '"1"']] }));

/** What becomes of a body, and whether JSON is left. */
const BODIES: Readonly<Record<string, (written: string) => string>> = {
  'cut off': (written) => written.slice(0, -1),
  'cut in half': (written) => written.slice(0, written.length / 2),
  'more behind it': (written) => `${written}]`,
  'zero byte': (written) => `${written}\u0000`,
  'single quotes': (written) => `{'a':1,${written.slice(1)}`,
  'a comment': (written) => `/* x */${written}`,
  'not UTF-8': (written) => `{"a":"\xff\xfe",${written.slice(1)}`,
  empty: () => '',
  'a list': (written) => `[${written}]`,
  'a text': (written) => JSON.stringify(written),
  nothing: () => 'null',
  'a form': () => 'symbol=BTCUSDT&side=buy',
  deep: () => '['.repeat(50_000),
  'very long': (written) => `{"a":"${'x'.repeat(1_100_000)}",${written.slice(1)}`,
  'byte order mark': (written) => `\ufeff${written}`,
};

const oddBody: fc.Arbitrary<Spoil> = fc.constantFrom(...Object.entries(BODIES)).map(
  ([way, finish]) =>
    (one) =>
      spoil(one, `body: ${way}`, {
        finish: (written) => finish(one.finish(written)),
        encoding: way === 'not UTF-8' ? 'latin1' : one.encoding,
      }),
);

const HEADERS: readonly (readonly [way: string, headers: readonly Pair[]])[] = [
  ['content type: text', [['content-type', 'text/plain']]],
  ['content type: form', [['content-type', 'application/x-www-form-urlencoded']]],
  ['content type: parts', [['content-type', 'multipart/form-data; boundary=x']]],
  ['content type: nonsense', [['content-type', ';;;/']]],
  ['content type: latin1', [['content-type', 'application/json; charset=latin1']]],
  ['content type: none', []],
  ['encoded body', [['content-encoding', 'gzip']]],
  ['expects', [['expect', '100-continue']]],
  ['expects nonsense', [['expect', 'the inquisition']]],
  ['accepts nothing', [['accept', 'image/png;q=0']]],
  ['accepts gzip', [['accept-encoding', 'gzip, br, *;q=0']]],
  ['long header', [['x-long', 'y'.repeat(6_000)]]],
  ['many headers', Array.from({ length: 60 }, (_, at) => [`x-${at}`, 'y'] as const)],
  ['other host', [['host', 'evil.example']]],
  ['origin', [['origin', 'https://evil.example']]],
  ['forwarded', [['x-forwarded-for', "1.1.1.1, ::1, '; --"]]],
  ['bytes above 127', [['x-odd', '\xff\xfe']]],
  ['range', [['range', 'bytes=0-1']]],
  ['condition', [['if-none-match', '*']]],
];

const oddHeader: fc.Arbitrary<Spoil> = fc.oneof(
  fc.constantFrom(...HEADERS).map(
    ([way, added]): Spoil =>
      (one) => {
        const isType = way.startsWith('content type');
        const kept = one.headers.filter(([name]) => !(isType && name === 'content-type'));
        const isOfDocument = one.isOfDocument && !/host|origin/.test(way);
        return spoil(one, way, { headers: [...kept, ...added], isOfDocument });
      },
  ),
  fc.constant<Spoil>((one) => spoil(one, 'in chunks', { isChunked: true })),
);

const oddMethod: fc.Arbitrary<Spoil> = fc
  .constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND')
  .map((method) => (one) => spoil(one, 'other method', { method, isOfDocument: false }));

const TARGETS: Readonly<Record<string, (one: Draft) => Partial<Draft>>> = {
  'slash behind the path': ({ path }) => ({ path: `${path}/`, isOfDocument: false }),
  'two slashes': ({ path }) => ({ path: `/${path}`, isOfDocument: false }),
  'upper case path': ({ path }) => ({ path: path.toUpperCase(), isOfDocument: false }),
  'dots in the path': ({ path }) => ({ path: `${path}/../x`, isOfDocument: false }),
  'bad percent': ({ path }) => ({ path: `${path}%`, isOfDocument: false }),
  'no UTF-8 in the query': () => ({ query: 'a=%ff%fe' }),
  'half a percent in the query': () => ({ query: 'symbol=%E0%A4%A&limit=%' }),
  'unknown in the query': () => ({ query: '=&&a&a=1&a=2&__proto__=1&a[b]=c&a[]=d' }),
  'symbol three times': () => ({ query: 'symbol=1&symbol=2&symbol=3' }),
  'long query': () => ({ query: `a=${'b'.repeat(7_000)}` }),
  'many in the query': () => ({ query: 'a=1&'.repeat(1_000) }),
};

const oddTarget: fc.Arbitrary<Spoil> = fc.constantFrom(...Object.entries(TARGETS)).map(
  ([way, change]) =>
    (one) =>
      spoil(one, way, change(one)),
);

const oddPath: fc.Arbitrary<Spoil> = fc
  .constantFrom('%00', '%2F', '%2e%2e', '%E2%82%AC', 'x'.repeat(300), '-1', '1e9', "'", '__proto__')
  .map((part) => (one) => {
    const path = one.operation.path.replace(/\{[^}]+\}/g, part);
    return spoil(one, 'odd part of the path', { path, isOfDocument: false });
  });

function oddProof(permission: string): fc.Arbitrary<Spoil> {
  const known: readonly Proof[] =
    permission === 'operator' ? ['no proof', 'bad signature', 'half a proof'] : PROOFS;
  return fc
    .constantFrom(...known.filter((proof) => proof !== 'right'))
    .map((proof) => (one) => spoil(one, proof, { proof, mustRefuse: true }));
}

function written(one: Draft): Case {
  const { operation, path, query, fields, finish, ...rest } = one;
  const { place } = operation;
  const pairs = place === 'query' ? fields.map(([name, value]) => `${name}=${inQuery(value)}`) : [];
  const asked = [...pairs, query].filter((part) => part !== '').join('&');
  const rows = fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  const body = place === 'body' ? finish(`{${rows.join(',')}}`) : undefined;
  return { ...rest, operation, target: asked === '' ? path : `${path}?${asked}`, body };
}

/** Text goes as it is. */
function inQuery(value: JsonText): string {
  const text: unknown = value.startsWith('"') ? JSON.parse(value) : value;
  return encodeURIComponent(String(text).toWellFormed());
}
