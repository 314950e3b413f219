/** How far behind a process says it is: in commands, and since when. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { Lag } from '#cluster/testing';

class Follower {
  appliedSeq = 10;
  nowMs = 1_000;
  readonly lag = new Lag(
    () => this.appliedSeq,
    () => this.nowMs,
  );

  /** What it says, as [commands, ms], when `nowMs` has come. */
  at(nowMs: number): readonly [number, number] {
    this.nowMs = nowMs;
    return [this.lag.commands, this.lag.ms];
  }
}

test('a process that has applied what it has heard of is behind in nothing', () => {
  const one = new Follower();
  one.lag.hear(10);
  assert.deepEqual(one.at(5_000), [0, 0]);
});

test('its age is that of the oldest it has not applied, and moves on with what it applies', () => {
  const one = new Follower();
  one.lag.hear(12);
  one.nowMs = 1_100;
  one.lag.hear(15);
  assert.deepEqual(one.at(1_200), [5, 200]);
  one.appliedSeq = 12;
  assert.deepEqual(one.at(1_300), [3, 200]);
  one.appliedSeq = 15;
  assert.deepEqual(one.at(1_400), [0, 0]);
});

test('a process that is stuck for long still knows since when', () => {
  const one = new Follower();
  for (let heard = 0; heard < 1_000; heard += 1) {
    one.nowMs = 1_000 + 100 * heard;
    one.lag.hear(11 + heard);
  }
  assert.deepEqual(one.at(101_000), [1_000, 100_000]);
  one.appliedSeq = 1_009;
  assert.ok(one.at(101_000)[1] > 0, 'it is behind until it has all');
  one.appliedSeq = 1_010;
  assert.deepEqual(one.at(101_000), [0, 0]);
});
