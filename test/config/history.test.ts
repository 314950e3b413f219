/** Where the history is kept: read from file or environment, and never repeated in a complaint. */
import { strict as assert } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ConfigFault, historyPlaceOf, loadConfig } from '#config';
import { demoWith } from '../support/config-file.ts';
import { scratchDirectory } from '../support/scratch.ts';

const FILE_URL = 'postgres://venue:s3cret@db.example:5433/outcry';
const GIVEN_URL = 'postgresql://venue:s3cret@other.example/outcry';

function fileWith(t: TestContext, lines: string): string {
  const file = join(scratchDirectory(t), 'venue.yaml');
  writeFileSync(file, demoWith(lines));
  return file;
}

test('the address of a database comes from the file, or rather from the environment', (t) => {
  const config = fileWith(t, `history: ${FILE_URL}\n`);
  assert.equal(loadConfig({ config }, {}).historyUrl, FILE_URL);
  assert.equal(loadConfig({ config }, { OUTCRY_HISTORY: GIVEN_URL }).historyUrl, GIVEN_URL);
  assert.equal(loadConfig({ config: fileWith(t, '') }, {}).historyUrl, undefined);
  assert.deepEqual(historyPlaceOf('data', undefined).kind, 'sqlite');
  assert.deepEqual(historyPlaceOf('data', FILE_URL), { kind: 'postgres', url: FILE_URL });
});

for (const [what, url] of [
  ['of another database', 'mysql://venue:s3cret@db.example/outcry'],
  ['without a database', 'postgres://venue:s3cret@db.example'],
  ['without a host', 'postgres:///s3cret'],
  ['that is none', 's3cret'],
  ['of a file', './s3cret.sqlite'],
] as const) {
  test(`an address ${what} is refused where it stands, and not repeated`, (t) => {
    const file = fileWith(t, `history: "${url}"\n`);
    for (const [flags, env, place] of [
      [{ config: file }, {}, /venue\.yaml:\d+: the history is kept in a database/],
      [{ config: fileWith(t, '') }, { OUTCRY_HISTORY: url }, /^OUTCRY_HISTORY: the history is/],
    ] as const) {
      assert.throws(
        () => loadConfig(flags, env),
        (error) => {
          assert.ok(error instanceof ConfigFault);
          assert.match(error.message, place);
          assert.doesNotMatch(error.message, /s3cret/);
          return true;
        },
      );
    }
  });
}

test('a venue that keeps nothing has no history in a database', (t) => {
  const config = fileWith(t, `history: ${FILE_URL}\n`);
  const refused = /venue\.yaml:\d+: --ephemeral keeps nothing, a database would: choose one$/;
  assert.throws(() => loadConfig({ config, ephemeral: true }, {}), refused);
});

test('rows are kept for so many days, and for as long as something else reads them', (t) => {
  const kept = (text: string, flags = {}) =>
    loadConfig({ config: fileWith(t, text), ...flags }, {}).historyKeepMs;
  assert.equal(kept(''), undefined);
  assert.equal(kept(`history: ${FILE_URL}\n`), undefined);
  assert.equal(kept('history: { keepDays: 2 }\n'), 2 * 86_400_000);
  const both = fileWith(t, `history: { url: "${FILE_URL}", keepDays: 9 }\n`);
  const { historyUrl, historyKeepMs } = loadConfig({ config: both }, {});
  assert.deepEqual([historyUrl, historyKeepMs], [FILE_URL, 9 * 86_400_000]);
  assert.throws(() => kept('history: { keepDays: 1 }\n'), ConfigFault);
  const place = /^ConfigFault: .*venue\.yaml:\d+: a sandbox goes back in time/;
  assert.throws(() => kept('history: { keepDays: 9 }\n', { sandbox: true }), place);
  const level = '{ volume: "1000", takerFee: "0.0001", makerFee: "0.0001" }';
  const levels = `people: {}\nfeeLevels: { coin: USDT, levels: [${level}] }\n`;
  assert.equal(kept(`history: { keepDays: 32 }\n${levels}`), 32 * 86_400_000);
  assert.throws(() => kept(`history: { keepDays: 31 }\n${levels}`), /fee levels/);
});
