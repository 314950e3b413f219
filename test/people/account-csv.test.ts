/** Accounts as CSV: what is written is read back, and what cannot be read is said line by line. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Asset, assetId, Listings, USUAL_FUND_BUDGET } from '#domain';
import { ACCESS_RIGHTS, type AccountLine, csvHeader, csvLine, readAccounts } from '#people';

const COINS: readonly Asset[] = [
  {
    assetId: assetId(0),
    code: 'USDT',
    coinId: 2,
    scale: 8,
    transferable: true,
    chains: [],
    fundBudget: USUAL_FUND_BUDGET,
  },
  {
    assetId: assetId(1),
    code: 'BTC',
    coinId: 1,
    scale: 0,
    transferable: true,
    chains: [],
    fundBudget: USUAL_FUND_BUDGET,
  },
];
const listings = new Listings();
for (const asset of COINS) listings.apply({ kind: 'asset_listed', asset });

const LETTERS = [...'abcXYZ019'];
const name = fc
  .array(fc.constantFrom(...LETTERS, '.', '-', '_'), { maxLength: 20 })
  .map((rest) => `a${rest.join('')}`);
/** Among others what spreadsheets, quotes and separators would break. */
const shown = fc
  .array(fc.constantFrom(...LETTERS, ...'=+-@＝＋－＠\'", ;é名'), {
    maxLength: 12,
  })
  .map((letters) => letters.join('').trim());
const balances = fc
  .record({ USDT: fc.bigInt({ min: 0n, max: 10n ** 20n }), BTC: fc.bigInt({ min: 0n, max: 9n }) })
  .map(({ USDT, BTC }) =>
    [
      { assetId: assetId(0), amount: USDT },
      { assetId: assetId(1), amount: BTC },
    ].filter(({ amount }) => amount > 0n),
  );
const rights = fc
  .subarray(ACCESS_RIGHTS.filter((right) => right !== 'read'))
  .map((some) => ACCESS_RIGHTS.filter((right) => right === 'read' || some.includes(right)));
const person = fc.record({
  email: name.map((one) => `${one.toLowerCase()}@b.example`),
  name: shown,
});

const line = fc.record({ person, label: shown, rights, balances, isAlone: fc.boolean() });

const lines = fc
  .uniqueArray(fc.tuple(name, line), { selector: ([account]) => account })
  .map((all) =>
    all.map(([account, one], at): AccountLine => {
      const nobody = { email: '', name: '', label: '', rights: [] };
      const { label, rights: allowed } = one;
      const somebody = { ...one.person, label, rights: allowed };
      const who = one.isAlone ? nobody : somebody;
      return { line: at + 2, account, ...who, balances: one.balances };
    }),
  );

test('whatever is exported is read back as it was', () => {
  fc.assert(
    fc.property(lines, fc.boolean(), (all, hasMark) => {
      const text = csvHeader() + all.map((one) => csvLine(one, listings)).join('');
      const read = readAccounts(hasMark ? `\uFEFF${text}` : text, listings);
      assert.deepEqual(read.faults, []);
      assert.deepEqual(read.lines, all);
    }),
  );
});

const anyText = fc
  .array(
    fc.constantFrom(...'",\n\r\t\'=@; ', 'ada', 'a@b.c', 'USDT=1', '\u0000', '\uFEFF', '\uD800'),
  )
  .map((parts) => parts.join(''));

test('any text is read to lines or faults, and never throws', () => {
  fc.assert(
    fc.property(anyText, fc.boolean(), (text, hasHeader) => {
      const { lines: found, faults } = readAccounts(
        (hasHeader ? csvHeader() : '') + text,
        listings,
      );
      for (const { account } of found) assert.match(account, /^[A-Za-z0-9]/);
      for (const fault of faults) assert.notEqual(fault.text, '');
    }),
  );
});

test('a cell that a spreadsheet would run is guarded', () => {
  const one = { account: 'ada', email: 'a@b.c', name: '=1+1', label: "'@x", rights: ACCESS_RIGHTS };
  const text = csvLine({ ...one, balances: [] }, listings);
  assert.match(text, /,'=1\+1,''@x,/);
});

test('each bad line is named, with what is allowed', () => {
  const rows: readonly [cells: string, line: number, column: string, text: RegExp][] = [
    ['a b,,,,,', 2, 'account', /letters, digits/],
    [',,,,,', 2, 'account', /1 to 64 letters/],
    [`${'a'.repeat(65)},,,,,`, 2, 'account', /1 to 64/],
    ['ada,nobody,,,,', 2, 'email', /an e-mail address/],
    ['ada,,Ada,,,', 2, 'name', /email is empty/],
    [`ada,a@b.c,${'x'.repeat(65)},,,`, 2, 'name', /64 visible/],
    ['ada,a@b.c,,,all,', 2, 'permissions', /read, trade/],
    ['ada,a@b.c,,,trade,', 2, 'permissions', /read is needed/],
    ['ada,,,,read,', 2, 'permissions', /email is empty/],
    ['ada,,,,,DOGE=1', 2, 'balances', /a listed coin/],
    ['ada,,,,,USDT', 2, 'balances', /as in USDT=1000.5: up to 8/],
    ['ada,,,,,USDT=0', 2, 'balances', /above zero/],
    ['ada,,,,,USDT=-5', 2, 'balances', /above zero/],
    ['ada,,,,,BTC=1.5', 2, 'balances', /up to 0 decimal places/],
    ['ada,,,,,USDT=1 usdt=2', 2, 'balances', /ada has USDT already, in line 2/],
    ['ada,,,,,\r\nada,,,,,', 3, 'account', /already, in line 2/],
    ['ada,a@b.c,,,,\r\n\r\n"bob",,,,', 4, '', /has 5 cells/],
    ['"ada,,,,,', 1, '', /a quote is opened/],
  ];
  for (const [cells, at, column, text] of rows) {
    const { faults } = readAccounts(`${csvHeader()}${cells}\r\n`, listings);
    const [fault] = faults;
    assert.ok(fault !== undefined, cells);
    assert.deepEqual([fault.line, fault.column], [at, column], cells);
    assert.match(fault.text, text);
  }
  const saved: readonly [text: string, line: number, says: RegExp][] = [
    ['account;email\nada;ada@x.example\n', 1, /separated by ;: save the file with commas/],
    ['account\temail\nada\tx\n', 1, /separated by tabs: save the file with commas/],
    ['account,name\nada,Ada\nben,J\uFFFDrg\n', 3, /not UTF-8: save the file as UTF-8/],
    ['a\0c\0c\0o\0', 1, /not UTF-8/],
  ];
  for (const [text, line, says] of saved) {
    const [fault] = readAccounts(text, listings).faults;
    assert.equal(fault?.line, line, text);
    assert.match(fault.text, says);
  }
  for (const header of ['account,phone', 'account,account', 'email,name', '']) {
    const [fault] = readAccounts(`${header}\nada,x\n`, listings).faults;
    assert.equal(fault?.line, header === '' ? 2 : 1, header);
  }
  const part = readAccounts(`${csvHeader()}a b,,,,,`, listings, 101).faults;
  assert.equal(part[0]?.line, 102, 'lines of a part count on');
});

test('columns may be left out and stand in any order', () => {
  const { lines: found, faults } = readAccounts('Balances,ACCOUNT\nusdt=5;BTC=1,ada\n', listings);
  assert.deepEqual(faults, []);
  assert.deepEqual(found[0]?.balances, [
    { assetId: assetId(0), amount: 500_000_000n },
    { assetId: assetId(1), amount: 1n },
  ]);
});
