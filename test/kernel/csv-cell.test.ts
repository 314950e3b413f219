/** Cells of CSV: no spreadsheet, whatever its separator, begins a formula in one. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { csvCell, unguardedCell } from '#kernel';

for (const [text, cell] of [
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2+3', "'-2+3"],
  ['\tx', "'\tx"],
  [';=1+1', ";'=1+1"],
  ['Ada;=1+1', "Ada;'=1+1"],
  ['a\t+1', "a\t'+1"],
  ['a\n@x', '"a\n\'@x"'],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  [";'=1", ";''=1"],
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['a=1; b-2', 'a=1; b-2'],
  ['', ''],
] as const) {
  test(`${JSON.stringify(text)} is written as ${JSON.stringify(cell)}`, () => {
    assert.equal(csvCell(text), cell);
  });
}

const signs = fc.constantFrom(...'=+-@＝＋－＠\t\r\n;,"\'a1 ');

test('no cell begins a formula behind any separator, and each is read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: signs }), (text) => {
      const cell = csvCell(text);
      // As a spreadsheet splits it that goes by another separator and sees no quotes.
      for (const part of cell.split(/[;\t\r\n]/)) assert.doesNotMatch(part, /^"?[=+\-@＝＋－＠]/);
      const plain = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
      const isQuoted = /[",\r\n]/.test(text);
      assert.equal(unguardedCell(isQuoted ? plain : cell), text);
    }),
  );
});
