/** The page of figures is what its script makes of the runs, so that neither is edited alone. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pageFiles, readRuns } from '../../bench/page.ts';
import { verdict } from '../../bench/report.ts';
import { unpackEarlier } from '../../tools/earlier.ts';
import { scratchDirectory } from '../support/scratch.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const kept = (path: string) => readFileSync(join(PROJECT, path), 'utf8');

test('docs/PERFORMANCE.md, its plots and the extract in the README show the runs', () => {
  const files = pageFiles(readRuns(), kept('README.md'));
  assert.ok(files.size > 8);
  for (const [path, text] of files) assert.equal(kept(path), text, `${path}: run bench/page.ts`);
});

test('a run that measured one figure is the newest of that figure alone', () => {
  const [first, ...others] = readRuns().toReversed();
  assert.ok(first);
  const [result] = first.results;
  assert.ok(result);
  const later = { ...first, results: [{ ...result, value: 123_456_789, ratio: 77.7 }] };
  const files = pageFiles([...others.toReversed(), first, later], '');
  const rows = (files.get('docs/PERFORMANCE.md') ?? '')
    .split('\n')
    .filter((line) => line.startsWith(`| ${result.name} `))
    .filter((line) => line.includes(` ${result.size.toLocaleString('en')} | `));
  assert.equal(rows.length, 1, result.name);
  assert.match(rows.join(), / 123,456,789 .* 77\.7 /);
});

test('less is better of a time beside another, and more of a rate', () => {
  const time = { name: 'p99 of an order', size: 64, value: 3, unit: 'ms', peer: 2, floor: 2 };
  assert.equal(verdict({ ...time, ratio: 1.5 }), 'floor');
  assert.equal(verdict({ ...time, ratio: 2.5 }), 'BELOW FLOOR');
  const rate = { ...time, unit: 'requests/s', floor: 0.45, aim: 0.65 };
  assert.equal(verdict({ ...rate, ratio: 0.7 }), 'aim');
  assert.equal(verdict({ ...rate, ratio: 0.4 }), 'BELOW FLOOR');
});

test('speed is compared with nothing where a clone lacks the commit before', (context) => {
  assert.equal(unpackEarlier('f'.repeat(40), scratchDirectory(context)), false);
});
