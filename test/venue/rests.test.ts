/** Where work is interrupted by rests, by a clock that is moved by hand; the rests are real. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '#kernel';
import { Rests } from '#venue';

test('there is a rest after each half millisecond of work', () => {
  const clock = new ManualClock(0);
  const rests = new Rests(clock);
  rests.begin();
  assert.equal(rests.take(), false, 'nothing has been done yet');
  clock.advance(0.4);
  assert.equal(rests.take(), false, 'that is too little');
  clock.advance(0.1);
  const beforeMs = performance.now();
  assert.equal(rests.take(), true);
  assert(performance.now() - beforeMs >= 0.05, 'the thread has slept');
  assert.equal(rests.take(), false, 'nothing has been done since');
});

test('a thread that has worked for a second does not rest until it begins anew', () => {
  const clock = new ManualClock(0);
  const rests = new Rests(clock);
  rests.begin();
  clock.advance(999);
  assert.equal(rests.take(), true);
  clock.advance(1);
  assert.equal(rests.take(), false, 'it is behind');
  rests.begin();
  clock.advance(1);
  assert.equal(rests.take(), true, 'it has caught up');
});
