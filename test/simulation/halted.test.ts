/** Simulated traders at work on a venue that halts: they end, and can be stopped all the same. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { loadConfig } from '#config';
import { Engine } from '#engine';
import type { Journal } from '#log';
import { SimulatedTraders } from '#simulation';
import { Venue } from '#venue';
import { coin } from '../support/tape.ts';

const TICK_MS = 250;

/** Its disk answers when the test says so. */
class SlowJournal implements Journal {
  readonly id = 'slow';
  readonly lastSeq = 0;
  readonly notices = [];
  readonly disk = Promise.withResolvers<void>();

  append(): Promise<void> {
    return this.disk.promise;
  }

  async close(): Promise<void> {}
}

test('traders are stopped while the venue halts under what they have begun', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const journal = new SlowJournal();
  const venue = new Venue({
    engine: Engine.empty(),
    journal,
    clock: { nowMs: () => 1_795_235_652_000 },
    onStep: () => undefined,
    onHalt: () => undefined,
  });
  const { crowd } = loadConfig({}, {});
  const log = { warn: () => undefined, info: () => undefined };
  const traders = new SimulatedTraders({ venue, log, crowd, liquidity: null, paths: null });
  await traders.start();
  const submitted = venue.submit({ kind: 'list_asset', spec: coin('USDT') });
  // What they read now waits for that to be durable.
  context.mock.timers.tick(TICK_MS);
  const stopped = traders.stop();
  await setImmediate();
  journal.disk.reject(new Error('the disk is gone'));
  await stopped;
  assert.equal((await submitted)[0]?.kind, 'refused');
  assert.match(String(venue.haltReason), /the disk is gone/);
});
