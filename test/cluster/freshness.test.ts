/** Whether a process may answer a read: what it has heard of the log, how long ago, and applied. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { Freshness, LogCalls } from '#cluster/testing';
import { VenueHalted } from '#domain';
import { until } from '../support/until.ts';

/** A log that ends where the test says, or does not answer, and a process that follows it. */
class Followed {
  lastSeq = 10;
  appliedSeq = 10;
  isReachable = true;
  asked = 0;
  readonly freshness = new Freshness({
    calls: new LogCalls(),
    log: {
      head: async () => {
        this.asked += 1;
        if (!this.isReachable) throw new Error('no quorum');
        return { lastSeq: this.lastSeq, hash: '' };
      },
    },
    reach: (seq) => until(`command ${seq} is applied`, () => this.appliedSeq >= seq),
    appliedSeq: () => this.appliedSeq,
  });
}

test('a process that hears of the log and has applied it answers at once', async () => {
  const { freshness } = new Followed();
  assert.ok(!freshness.isFresh, 'before it has heard anything');
  await freshness.ensure();
  assert.ok(freshness.isFresh);
  freshness.stop();
});

test('a process that has heard nothing for long asks, and refuses without an answer', async () => {
  const followed = new Followed();
  const { freshness } = followed;
  await freshness.ensure();
  followed.isReachable = false;
  await until('what it has heard is old', () => !freshness.isFresh);
  assert.ok(freshness.contactAgeMs >= 500);
  await assert.rejects(freshness.ensure(), VenueHalted);
  followed.isReachable = true;
  const { asked } = followed;
  await freshness.ensure();
  assert.ok(followed.asked > asked, 'it has asked');
  freshness.stop();
});

test('a process that wakes waits until it has applied what the log holds by now', async () => {
  const followed = new Followed();
  const { freshness } = followed;
  await freshness.ensure();
  // Stopped like a process: nothing runs, and the log goes on without it.
  freshness.stop();
  followed.lastSeq = 25;
  await until('what it has heard is old', () => !freshness.isFresh);
  let isAnswered = false;
  const answered = freshness.ensure().then(() => {
    isAnswered = true;
  });
  await new Promise(setImmediate);
  assert.ok(!isAnswered, 'it is behind');
  followed.appliedSeq = 25;
  await answered;
  assert.ok(freshness.isFresh);
});
