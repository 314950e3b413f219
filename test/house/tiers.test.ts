/** Every test file belongs to a tier, and what a tier needs is not asked of another one. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { filesOf, TIERS, testFiles, tierOf } from '../../tools/tiers.ts';

const root = resolve(import.meta.dirname, '../..');
const files = testFiles(root);

for (const [file, tier] of [
  ['test/api/a.test.ts', 'main'],
  ['test/ui/some-page.browser.test.ts', 'browser'],
  ['test/crash/a.slow.test.ts', 'slow'],
  ['test/engine/a.recordings.test.ts', 'recordings'],
  ['test/api/a.slwo.test.ts', undefined],
  ['test/api/a.slow.browser.test.ts', undefined],
  ['test/api/a.test.js', undefined],
  ['test/api/a.spec.ts', undefined],
] as const) {
  test(`${file} is of the tier ${tier ?? 'of no runner, and refused'}`, () => {
    assert.equal(tierOf(file), tier);
    if (tier !== undefined) assert.deepEqual(filesOf(tier, [file]), [file]);
    else assert.throws(() => filesOf('main', [file]), { message: `no tier runs ${file}` });
  });
}

test('each test file is in one tier, and each tier has some', () => {
  const tiers = (['main', 'browser', 'slow', 'cluster', 'recordings'] as const).map((tier) =>
    filesOf(tier, files),
  );
  assert.ok(tiers.every((held) => held.length > 0));
  assert.deepEqual(tiers.flat().toSorted(), files);
});

// The desk of a cluster is looked at in the tier that has the cluster.
test('whoever opens a browser or a recording is in the tier for it', () => {
  const needs = [
    ['browser', /from '(playwright-core|\.\.\/support\/browser\.ts)'/],
    ['recordings', /\{[^}]*\bRECORDINGS\b[^}]*\} from/],
  ] as const;
  for (const [tier, sign] of needs) {
    const found = files.filter((file) => sign.test(readFileSync(resolve(root, file), 'utf8')));
    assert.deepEqual(
      found.filter((file) => tierOf(file) !== tier && tierOf(file) !== 'cluster'),
      [],
      tier,
    );
  }
});

test('each tier is a script of package.json', () => {
  const { scripts } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
  for (const [tier, { command }] of Object.entries(TIERS)) {
    const script = scripts[command.replace(/^npm (run )?/, '')];
    const words = tier === 'main' ? '' : ` --tier ${tier}`;
    assert.equal(script, `node tools/run.js tools/test.ts${words}`);
  }
});
