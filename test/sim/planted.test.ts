/** The faults that the slow tests plant have their places in today's sources. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { CANARIES } from '../../sim/canaries/canaries.ts';
import { CLUSTER_CANARIES } from '../../sim/cluster/canaries.ts';

const PROJECT = resolve(import.meta.dirname, '../..');

for (const { name, patch } of [...CANARIES, ...CLUSTER_CANARIES]) {
  if (patch === undefined) continue;
  test(`one place to plant: ${name}`, () => {
    const { file, piece } = patch;
    const text = readFileSync(resolve(PROJECT, file), 'utf8');
    assert.equal(text.split(piece).length - 1, 1, `${file} has to have once: ${piece}`);
  });
}
