/** Each house rule can fail: small bad samples, what is found in them, and good ones nearby. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Violation, violations } from '../../tools/house/rule.ts';
import { RULES } from '../../tools/house/rules.ts';
import { parse } from '../../tools/house/source.ts';
import { BAD, GOOD, type Sample } from './samples.ts';

async function check(sample: Sample): Promise<Violation[]> {
  return violations(
    RULES.filter(({ name }) => name === sample.rule),
    await parse(new Map(Object.entries(sample.files))),
  );
}

describe('a bad sample is found', () => {
  for (const sample of BAD) {
    test(`${sample.rule}: ${sample.title}`, async () => {
      const found = (await check(sample)).map(({ path, line }) => `${path}:${line}`);
      assert.deepEqual(found, sample.found);
    });
  }
});

describe('a good sample is left alone', () => {
  for (const sample of GOOD) {
    test(`${sample.rule}: ${sample.title}`, async () => {
      assert.deepEqual(await check(sample), []);
    });
  }
});

test('every rule has a bad sample', () => {
  const sampled = new Set(BAD.map(({ rule }) => rule));
  assert.deepEqual([...sampled].toSorted(), RULES.map(({ name }) => name).toSorted());
});
