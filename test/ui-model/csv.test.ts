/** CSV that a spreadsheet reads back as it was and takes for no formula. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { csvText } from '../../ui/src/model/csv.ts';

test('cells with commas, quotes and line ends are quoted', () => {
  const text = csvText(
    ['id', 'note'],
    [
      ['7', 'a "b", c'],
      ['8', 'two\r\nlines'],
      ['9', ''],
    ],
  );
  assert.equal(text, 'id,note\r\n7,"a ""b"", c"\r\n8,"two\r\nlines"\r\n9,\r\n');
});

test('what a spreadsheet would run gets an apostrophe, a number does not', () => {
  const rows = [
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['-2+3', "'-2+3"],
    ['\tx', "'\tx"],
    ['-1.5', '-1.5'],
    ['+2', '+2'],
    ['--', "'--"],
    ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ] as const;
  for (const [cell, written] of rows) assert.equal(csvText([cell], []), `${written}\r\n`);
});

/** As RFC 4180 reads it. */
function parsed(text: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text.charAt(at + 1) === '"') {
        cell += sign;
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"') isQuoted = true;
    else if (sign === ',') {
      cells.push(cell);
      cell = '';
    } else if (sign === '\r' && text.charAt(at + 1) === '\n') {
      rows.push([...cells, cell]);
      cells = [];
      cell = '';
      at += 1;
    } else cell += sign;
  }
  return rows;
}

test('every table is read back as it was written, apostrophes aside', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '1', ',', '"', '\r', '\n', '=', '-', "'") });
  const property = fc.property(
    fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1 }),
    ([header = [], ...rows]) => {
      const read = parsed(csvText(header, rows));
      const plain = (table: readonly (readonly string[])[]) =>
        table.map((cells) => cells.map((text) => text.replace(/'+(?=[=+\-@\t\r])/g, '')));
      assert.deepEqual(plain(read), plain([header, ...rows]));
    },
  );
  fc.assert(property);
});
