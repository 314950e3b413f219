/** A venue that was closed leaves nothing behind in the process that had started it. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startHere } from '../support/server-here.ts';

/** The state of a venue that has served metrics and is closed. */
async function closed(): Promise<WeakRef<object>> {
  const server = await startHere();
  const answer = await fetch(`${server.url}/metrics`);
  assert.match(await answer.text(), /^process_cpu_seconds_total .*^outcry_/ms);
  const venue = new WeakRef(server.venue);
  await server.close();
  return venue;
}

test('venues of a process are let go when they are closed', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const refs = [await closed(), await closed()];
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise(setImmediate);
    collect();
  }
  assert.deepEqual(
    refs.map((ref) => ref.deref() === undefined),
    [true, true],
  );
});
