/** Bodies: every digit that a client sends arrives, and nothing a body holds can do harm. */

import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonFault, parseJsonObject } from '#api';
import { detailText, Fields } from '#dialects';
import { NO_DETAIL } from '#domain';

function read(body: string, name: string): string | undefined {
  const parsed = parseJsonObject(body);
  return parsed === undefined ? undefined : new Fields(parsed).text(name);
}

const ACCEPTED: readonly [body: string, text: string][] = [
  ['{"a":"1.50"}', '1.50'],
  ['{"a":1.5}', '1.5'],
  ['{"a":-1}', '-1'],
  ['{"a":0}', '0'],
  ['{"a":1000000000000028}', '1000000000000028'],
  ['{"a": 1000000000000028 }', '1000000000000028'],
  ['{"a":0.12345678901234567890}', '0.12345678901234567890'],
  ['{"a":12345678.123456789}', '12345678.123456789'],
  ['{"a":1e-7}', '0.0000001'],
  ['{"a":1.5E+3}', '1500'],
  ['{"a":1E3}', '1000'],
  ['{"a":0.0000001}', '0.0000001'],
  ['{"a":1e400}', `1${'0'.repeat(400)}`],
  ['{"b":"x","a":1000000000000028}', '1000000000000028'],
  ['{"a":1000000000000028,"b":"x"}', '1000000000000028'],
  ['{"b":", 1000000000000028","a":"x"}', 'x'],
  ['{"a":null}', ''],
  ['{"a":""}', ''],
  ['{}', ''],
  ['[]', ''],
  ['{"__proto__":{"a":"x"}}', ''],
  ['{"constructor":"x","a":"y"}', 'y'],
  ['\n{\t"a" :\r"x"}', 'x'],
];

for (const [body, text] of ACCEPTED) {
  test(`${body.slice(0, 50)} holds ${text.slice(0, 30) || 'nothing'}`, () => {
    assert.equal(read(body, 'a'), text);
  });
}

const REFUSED = ['', ' ', '{', '{"a":}', '1', '"a"', 'null', 'true', '[1]', '{a:1}', '{"a":01}'];

for (const body of REFUSED) {
  test(`${JSON.stringify(body)} is no JSON object`, () => {
    assert.equal(parseJsonObject(body), undefined);
  });
}

test('a body nested as deeply as the limit allows is refused or read, never a crash', () => {
  const deep = `{"a":${'['.repeat(30_000)}1e5${']'.repeat(30_000)}}`;
  const parsed = parseJsonObject(deep);
  if (parsed !== undefined) assert.equal(new Fields(parsed).text('a'), '');
});

test('a hostile prototype stays inside the body', () => {
  parseJsonObject('{"__proto__":{"polluted":1e5},"a":{"__proto__":{"polluted":true}}}');
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
});

test('any decimal arrives digit for digit, quoted or not', () => {
  const digits = fc.stringMatching(/^(0|[1-9][0-9]{0,24})(\.[0-9]{1,24})?$/);
  fc.assert(
    fc.property(digits, fc.boolean(), (text, quoted) => {
      const arrived = read(`{"a":${quoted ? `"${text}"` : text}}`, 'a') ?? 'nothing';
      // Short numbers may drop trailing zeros of the fraction, which is the same number.
      assert.equal(withoutZeros(arrived), withoutZeros(text));
      if (quoted) assert.equal(arrived, text);
    }),
  );
});

function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

test('the first fault of a request is the one that is told', () => {
  const fields = new Fields({ limit: 'x', side: ['buy'] });
  assert.equal(fields.limit(100, 500), 100);
  assert.equal(fields.text('side'), '');
  assert.equal(fields.fault?.reject, 'parameter_invalid');
  assert.match(detailText(fields.fault?.detail ?? NO_DETAIL), /limit 'x'/);
});

const LIMIT_ROWS: readonly [given: unknown, limit: number | 'refused'][] = [
  [undefined, 100],
  [null, 100],
  ['', 100],
  ['7', 7],
  [7, 7],
  ['500', 500],
  ['501', 500],
  ['1795235652453', 500],
  ['99999999999999999999', 500],
  ['0', 'refused'],
  [0, 'refused'],
  ['-1', 'refused'],
  ['1.5', 'refused'],
  ['1e2', 'refused'],
  ['ten', 'refused'],
  [true, 'refused'],
  [[5], 'refused'],
  [{ a: 1 }, 'refused'],
];

for (const [given, limit] of LIMIT_ROWS) {
  test(`limit ${JSON.stringify(given)} of at most 500 is ${limit}`, () => {
    const fields = new Fields({ limit: given });
    const read = fields.limit(100, 500);
    assert.equal(fields.fault === undefined ? read : 'refused', limit);
  });
}

test('an error text repeats at most 60 printable characters of what was sent', () => {
  const fields = new Fields({ limit: `\u0007\n${'x'.repeat(500)}` });
  fields.limit(1, 1);
  assert.match(detailText(fields.fault?.detail ?? NO_DETAIL), /^limit '\?\?x{58}\.\.\.' is not/);
});

test('a name that comes twice in one object is refused by name, and in two objects is not', () => {
  for (const [body, name] of [
    ['{"a":"1","a":"2"}', 'a'],
    ['{"a":1,"\\u0061":1}', 'a'],
    ['{"b":[{"c":{"d":1,"d":1}}]}', 'd'],
    ['{"a":"x\\"","a":"\\\\"}', 'a'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ] as const) {
    assert.equal(parseJsonObject(body), undefined, body);
    assert.equal(jsonFault(body), `"${name}" comes twice`);
  }
  const apart = '{"a":"\\"a\\":{","b":[{"a":1},{"a":2}],"c":{"a":"}"}}';
  assert.ok(parseJsonObject(apart) !== undefined);
});

test('only texts with a repeated name are refused for it', () => {
  let repeatedCount = 0;
  const member = fc.tuple(fc.constantFrom('a', 'b', 'c', '"', '\\'), fc.json({ maxDepth: 2 }));
  const run = fc.property(fc.array(member, { maxLength: 4 }), (members) => {
    const names = members.map(([name]) => name);
    const text = `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`)}}`;
    const isRepeated = new Set(names).size < names.length;
    if (isRepeated) repeatedCount += 1;
    assert.equal(parseJsonObject(text) === undefined, isRepeated, text);
  });
  fc.assert(run, { numRuns: 500 });
  assert.ok(repeatedCount > 50);
});
