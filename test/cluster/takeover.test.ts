/** A leader that is gone, in a cluster of this process: who takes its place, and how soon. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { opening } from '../support/random-days.ts';
import { LocalCluster } from './local-cluster.ts';

/** Shorter than any pause between two tries; on a busy machine one of so many is. */
const TAKEOVER_MS = 40;
const TRIES_MAX = 12;

test('nothing waits for a timer between the end of a leader and the next answer', async (t) => {
  const cluster = new LocalCluster();
  t.after(() => cluster.close());
  for (const name of ['member-1', 'member-2']) await cluster.start(name);
  const gateway = await cluster.start('gateway-1', { kind: 'gateway' });
  const [command] = opening();
  const tookMs: number[] = [];
  while (tookMs.length < TRIES_MAX && !tookMs.some((ms) => ms < TAKEOVER_MS)) {
    const { name } = await cluster.leader();
    const sentMs = performance.now();
    const killed = cluster.stop(name, 'killed');
    assert.ok(command !== undefined);
    await gateway.submit(command);
    tookMs.push(performance.now() - sentMs);
    await killed;
    await cluster.start(name);
  }
  assert.ok(Math.min(...tookMs) < TAKEOVER_MS, `took ${tookMs.map(Math.round)} ms`);
});
