/** The shared log in memory does what every shared log must. */
import assert from 'node:assert/strict';
import type { Fate } from '#log/testing';
import { sharedLogContract } from './shared-contract.ts';
import { memoryPlace, testAt } from './shared-places.ts';

sharedLogContract('memory', memoryPlace);

const CUT_OFF: Fate = { thereMs: 0, backMs: 0, isLost: true };
const LONG_MS = 30_000;
const at = testAt(memoryPlace);

at('a process cut off from the log comes back to its place, as the same life', async (place) => {
  let fate: Fate = { thereMs: 0, backMs: 0 };
  const [cut, other] = [place.open({ fateOf: () => fate }), place.open()];
  const onLost = () => assert.fail('nobody has taken it');
  const alpha = await cut.takePlace({ name: 'alpha', placesMax: 1, onLost });
  fate = CUT_OFF;
  await place.sleep(LONG_MS);
  fate = { thereMs: 0, backMs: 0 };
  await place.sleep(LONG_MS);
  const beta = await other.takePlace({ name: 'beta', placesMax: 1, onLost });
  assert.deepEqual([alpha?.life, beta], [1, undefined], 'it is held again');
});

at(
  'a place may be given away too early: who had it hears so, and is an earlier life',
  async (place) => {
    let fate: Fate = { thereMs: 0, backMs: 0 };
    const lost: string[] = [];
    const [cut, other] = [place.open({ fateOf: () => fate }), place.open()];
    const wanted = { placesMax: 1, onLost: () => lost.push('alpha') };
    const alpha = await cut.takePlace({ name: 'alpha', ...wanted });
    fate = CUT_OFF;
    await place.sleep(LONG_MS);
    const beta = await other.takePlace({ name: 'beta', ...wanted });
    assert.deepEqual([alpha?.place, alpha?.life, beta?.place, beta?.life], [0, 1, 0, 2]);
    assert.deepEqual(lost, [], 'it cannot know yet');
    fate = { thereMs: 0, backMs: 0 };
    await place.sleep(LONG_MS);
    assert.deepEqual(lost, ['alpha']);
    await beta?.withdraw();
    await place.sleep(LONG_MS);
    const gamma = await other.takePlace({ name: 'gamma', ...wanted });
    assert.deepEqual([gamma?.life, lost.length], [3, 1], 'it does not come back by itself');
  },
);
