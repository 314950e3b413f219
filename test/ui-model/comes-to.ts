/** Waiting for what a reader makes of a stream whose channels push at paces of their own. */
import { strict as assert } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

/** Looks whenever a message arrives; rejects when it has waited for too long. */
type Wait = (holds: () => boolean) => Promise<void>;

/** Waits until what is read is what is known, and fails with the difference. */
export async function comesTo<Value>(wait: Wait, read: () => Value, known: Value): Promise<void> {
  // In vain or not: the assertion tells more than the wait.
  await wait(() => isDeepStrictEqual(read(), known)).catch(() => undefined);
  assert.deepEqual(read(), known);
}
