/** Calls that a fault rule has wait: bounded, forgotten with their client, let go at the end. */
import { strict as assert } from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { mock, test } from 'node:test';
import { HeldCalls } from '#api/testing';

const HELD_MAX = 10_000;
const WAIT_MS = 1_000;

function reply(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

test('one more than the bound does not wait, and a place is free once somebody has', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const held = new HeldCalls();
    let gone = 0;
    const goOn = () => {
      gone += 1;
    };
    for (let call = 0; call < HELD_MAX; call += 1) held.hold(reply(), WAIT_MS, goOn);
    assert.equal(gone, 0);
    held.hold(reply(), WAIT_MS, goOn);
    assert.equal(gone, 1);
    mock.timers.tick(WAIT_MS);
    assert.equal(gone, HELD_MAX + 1);
    held.hold(reply(), WAIT_MS, goOn);
    assert.equal(gone, HELD_MAX + 1);
  } finally {
    mock.timers.reset();
  }
});

test('a client that leaves is not answered', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const held = new HeldCalls();
    const left = reply();
    held.hold(left, WAIT_MS, () => assert.fail('went on'));
    left.emit('close');
    mock.timers.tick(WAIT_MS);
    held.close();
  } finally {
    mock.timers.reset();
  }
});

test('at the end everybody goes on at once, once, and nobody waits any more', () => {
  const held = new HeldCalls();
  const gone: string[] = [];
  held.hold(reply(), WAIT_MS, () => gone.push('first'));
  held.close();
  held.close();
  held.hold(reply(), WAIT_MS, () => gone.push('second'));
  assert.deepEqual(gone, ['first', 'second']);
});
