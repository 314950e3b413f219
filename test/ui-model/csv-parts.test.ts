/** A file of accounts is cut into parts that the venue takes, and no line is lost or moved. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { csvParts } from '../../ui/src/model/csv-parts.ts';

const HEADER = 'account,balances';
const line = fc.integer({ min: 1, max: 3_000 }).map((length) => 'x'.repeat(length));

test('every line is in one part, in order, and its number is that of the file', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), fc.boolean(), (lines, isWindows) => {
      const text = [HEADER, ...lines, ''].join(isWindows ? '\r\n' : '\n');
      const parts = csvParts(text);
      const found = parts.flatMap(({ csv, firstLine, lines: count }) => {
        assert.ok(csv.length < 20_000);
        const [header, ...rest] = csv.trimEnd().split('\n');
        assert.equal(header, HEADER);
        assert.equal(rest.length, count);
        return rest.map((one, at) => [firstLine + 1 + at, one] as const);
      });
      assert.deepEqual(
        found,
        lines.map((one, at) => [at + 2, one]),
      );
    }),
  );
});

test('a file of one line, or none, is one part', () => {
  for (const text of ['', HEADER, `${HEADER}\n\n`]) assert.equal(csvParts(text).length, 1);
  assert.equal(csvParts([HEADER, ...Array.from({ length: 501 }, () => 'a')].join('\n')).length, 2);
});
