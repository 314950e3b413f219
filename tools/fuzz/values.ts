/**
 * Values for the fields of calls, each as the text of a JSON value: what the schema allows, words
 * that reach deep into the venue, and nonsense. Marks stand for what is known only when a call is
 * sent: `~id7~` for an id that an answer has shown, `~now-1000~` for a time.
 */
import fc from 'fast-check';
import type { Field, Operation, Schema } from './document.ts';

export type JsonText = string;
export type Texts = fc.Arbitrary<JsonText>;

const LENGTH_MAX = 24;
const text = (value: unknown): JsonText => JSON.stringify(value);
const among = (...values: readonly unknown[]): Texts => fc.constantFrom(...values.map(text));

const ID: Texts = fc.nat(15).map((at) => `"~id${at}~"`);
const CLIENT_ID: Texts = fc.nat(60).map((at) => `"c${at}"`);
const TIME: Texts = fc.integer({ min: -7_200_000, max: 60_000 }).map((ms) => `"~now${ms}~"`);
const SMALL: Texts = fc.nat(40).map((count) => text(count));
/** Mostly of the market that most symbols are drawn from. */
const PRICE: Texts = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.integer({ min: -60, max: 60 }).map((by) => text(`${30_000 + by * 5}.0`)),
  },
  { weight: 2, arbitrary: fc.integer({ min: -60, max: 60 }).map((by) => text(`${2_000 + by}.0`)) },
  { weight: 1, arbitrary: fc.integer({ min: 600, max: 800 }).map((by) => text(`0.0${by}`)) },
);

/** By the name of a field: text that the venue knows what to do with. */
const KNOWN: readonly (readonly [RegExp, Texts])[] = [
  [/client.*(id|oid)s?(list)?$/i, CLIENT_ID],
  [/positionId$/i, fc.nat(15).map((at) => `"~position${at}~"`)],
  [/(order|algo|bill|fill)s?id(list)?s?$/i, ID],
  [/^(after|before|nextKeyId)$/, ID],
  [/price$|^trigger_price|^execute_price/i, PRICE],
  [/^(quantity|size)$/, among('1', '2', '10', '0.01', '0.5', '100', 3)],
  [/^(amount|maxQuantity|minQuantity|impactQuantity|contractValue)$/, among('1', '10', '0.1', 5)],
  [/time$|^(start|end)$/i, TIME],
  [/^(takeProfit|stopLoss)$/, PRICE],
  [/^(limit|page|pageSize|pageIndex|count|skip|beforeMs)$/, SMALL],
  [/scale$/i, fc.nat(8).map(text)],
  [/^(seed|coinId|openOrdersMax|createDate|ms|jitterMs|retryAfterMs|priceStep)$/, SMALL],
  [/(Max|Deposit|Confirm)$|^delegateType$|^groupType$|^bizType$/, SMALL],
  [/^(coin|asset|currency|quote)$/, among('USDT', 'BTC', 'usdt')],
  [
    /^(base|code)$/,
    fc.oneof(
      among('BTC', 'ETH'),
      fc.nat(99).map((at) => `"COIN${at}"`),
    ),
  ],
  [/leverage$/i, among('1', '5', '20', '50', '125', 10)],
  [/fee$|clamp$|cap$|interest$|band$|rate$|^probability$/i, among('0', '0.001', '0.01')],
  [/^(fromType|toType)$/, among('exchange', 'contract', 'mix_usdt', 'usdt_mix')],
  [/^(wallet|from|to)$/, among('spot', 'BTC-USDT-PERP')],
  [/^account$/, among('prey', 'prey', 'maker', 'nobody')],
  [/^name$/, among('first', 'second', 'third')],
  [/^source$/, among('operator', 'feed')],
  [/^speed$/, among('1', '0.5', '60')],
  [/^(holdSide|side)$/, among('1', '2', '1')],
  [/^passphrase$/, among('passphrase-1', 'another-one')],
];

const mostly = (first: string, ...others: readonly string[]): Texts =>
  fc.oneof(
    { weight: 5, arbitrary: among(first) },
    { weight: 2, arbitrary: among(...others, first.toLowerCase()) },
  );
const PAIRS = mostly('BTCUSDT_SPBL', 'ETHUSDT_SPBL', 'ETHBTC_SPBL');
const NAMES = mostly('BTCUSDT', 'ETHUSDT', 'ETHBTC', 'BTCUSD');
const CONTRACTS = mostly('cmt_btcusdt', 'cmt_ethusdt', 'cmt_btcusd', 'CMT_BTCUSDT');
/** Of the house. */
const SYMBOLS = mostly('BTC-USDT-PERP', 'ETH-USDT-PERP', 'BTC-USD-PERP', 'BTC-USDT');
/** What the operator may halt, and list on other terms, while others go on to trade. */
const PAIRS_SPARE = among('ETH-BTC', 'eth-usdt');
const CONTRACTS_SPARE = among('BTC-USD-PERP', 'ETH-USDT-PERP');

function symbolOf({ path }: Operation): Texts {
  if (path.startsWith('/admin/v1/spot')) return PAIRS_SPARE;
  if (path.startsWith('/admin/v1/contracts')) return CONTRACTS_SPARE;
  if (path.startsWith('/api/spot')) return PAIRS;
  if (path.startsWith('/api/swap')) return CONTRACTS;
  return path.startsWith('/api/v3') || path.startsWith('/capi') ? NAMES : SYMBOLS;
}

/** What the field may be: by its schema, and mostly something that leads on. */
export function allowed(operation: Operation, { name, schema }: Field): Texts {
  if (/symbols?$/i.test(name)) {
    const one = symbolOf(operation);
    return isList(schema) ? one.map((value) => `[${value}]`) : one;
  }
  const found = KNOWN.find(([pattern]) => pattern.test(name))?.[1];
  const free = fromSchema(operation, schema);
  if (found === undefined || !isFree(schema)) return free;
  return fc.oneof({ weight: 15, arbitrary: found }, { weight: 1, arbitrary: free });
}

/** Whether the schema leaves open which text it is. */
function isFree({ type, anyOf, pattern, enum: words, const: only }: Schema): boolean {
  if (anyOf !== undefined) return anyOf.some(isFree);
  return type === 'string' && words === undefined && only === undefined && pattern === undefined;
}

function isList({ type, anyOf }: Schema): boolean {
  return type === 'array' || anyOf?.some(isList) === true;
}

function fromSchema(operation: Operation, schema: Schema): Texts {
  const { type, anyOf, enum: words, const: only, items = {}, properties = {} } = schema;
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((one) => fromSchema(operation, one)));
  if (only !== undefined) return fc.constant(text(only));
  if (words !== undefined) return among(...words);
  switch (type) {
    case 'array':
      return listOf(fromSchema(operation, items), schema);
    case 'object':
      return objectOf(operation, properties, schema.required ?? []);
    case 'integer':
      return wholeNumber(schema);
    case 'number':
      return fc.oneof(SMALL, fc.double({ noNaN: true, noDefaultInfinity: true }).map(text));
    case 'boolean':
      return among(true, false);
    case 'null':
      return fc.constant('null');
    default:
      return textBy(schema);
  }
}

function textBy({ pattern, maxLength = LENGTH_MAX }: Schema): Texts {
  if (pattern === undefined) return fc.string({ maxLength: LENGTH_MAX }).map(text);
  const matching = fc.stringMatching(new RegExp(pattern), { maxLength });
  return matching.filter((value) => value.length <= maxLength).map(text);
}

function wholeNumber({ minimum = 0, maximum = 1_000_000 }: Schema): Texts {
  const near = fc.integer({ min: minimum, max: Math.min(maximum, minimum + 100) });
  const any = fc.maxSafeInteger().filter((value) => value >= minimum && value <= maximum);
  return fc.oneof(near, near, any).map(text);
}

function listOf(item: Texts, { minItems = 0, maxItems = 6 }: Schema): Texts {
  const list = fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 6) });
  return list.map((values) => `[${values.join(',')}]`);
}

/** In two of five cases: a call with all that it may have is seldom a good one. */
export function maybe(value: Texts): fc.Arbitrary<JsonText | undefined> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: value },
  );
}

function objectOf(
  operation: Operation,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): Texts {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const value = allowed(operation, { name, schema, isRequired });
    return isRequired ? value : maybe(value);
  });
  const names = Object.keys(properties);
  return fc.tuple(...fields).map((values) => {
    const rows = names.flatMap((name, at) =>
      values[at] === undefined ? [] : [`${text(name)}:${values[at]}`],
    );
    return `{${rows.join(',')}}`;
  });
}

/** A part of a path. */
export function partOfPath(operation: Operation, name: string): fc.Arbitrary<string> {
  if (name === 'symbol') return symbolOf(operation).map((value) => JSON.parse(value));
  // Filled in when it is sent: the account of the person who has signed in, and another person.
  if (name === 'person') return fc.constant('~person~');
  if (name === 'id') return fc.nat(15).map((at) => `~id${at}~`);
  if (name === 'account' && operation.path.startsWith('/people/')) return fc.constant('~account~');
  return fc.constantFrom('prey', 'maker', 'first', 'second', 'fat-finger', 'noise', 'nobody');
}

const NUMBERS: readonly JsonText[] = [
  ...['0', '-0', '-1', '1e3', '1e-7', '1e400', '-1e400', '0.1', '1.7976931348623157e308'],
  ...['9007199254740993', '18446744073709551616', '9'.repeat(400), `0.${'9'.repeat(400)}`],
];
const SHAPES: readonly JsonText[] = [
  ...['null', 'true', 'false', '{}', '[]', '[[]]', '[null]', '{"a":1}', '{"__proto__":{"x":1}}'],
  ...['{"toString":"1"}', '{"length":-1}', '[{"constructor":{"prototype":1}}]', '"\\ud800"'],
];
const WORDS: readonly string[] = [
  ...['', ' ', '-1', '+1', '1e3', '0x10', ' 1', '1,000', '.5', '5.', '--1', 'NaN', 'Infinity'],
  ...['undefined', 'null', 'true', '__proto__', 'constructor', 'hasOwnProperty', '%00', '%'],
  ...['\u0000', 'a\u0000b', '\n', '\r\n', '\u007f', '\u200b', '\u202e', '\u0661', '\uff11'],
  ...['日本語', '\u{1f600}', "'; DROP TABLE orders; --", '"', '../../etc/passwd', '$(id)'],
  ...['1000000000000000', '999999999999999999', '9'.repeat(40), `0.${'0'.repeat(40)}1`],
];
const DEEP: Texts = fc
  .constantFrom(20, 100, 1_000, 20_000)
  .chain((depth) =>
    fc.constantFrom(
      `${'['.repeat(depth)}${']'.repeat(depth)}`,
      `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    ),
  );

/** What no field wants, by how it is bad. */
export const NONSENSE: Readonly<Record<string, Texts>> = {
  'wrong type': fc.constantFrom(...SHAPES),
  'number out of range': fc.constantFrom(...NUMBERS, ...NUMBERS.map(text)),
  'odd word': fc.constantFrom(...WORDS).map(text),
  unicode: fc.string({ unit: 'binary', maxLength: 40 }).map(text),
  'huge text': fc.constantFrom(300, 5_000, 60_000).map((length) => text('x'.repeat(length))),
  'huge number': fc.constantFrom(300, 5_000, 60_000).map((length) => '7'.repeat(length)),
  'long list': fc.constantFrom(100, 3_000).map((length) => `[${Array(length).fill('"1"')}]`),
  'deep nesting': DEEP,
};
