/** How tests wait: for what must become so, and no longer. */
import { strict as assert } from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

/** Reached only when what is waited for hangs. */
const GIVE_UP_MS = 30_000;
const LOOK_EVERY_MS = 10;

/** Resolves once it holds; rejects when it does not within so long. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { withinMs = GIVE_UP_MS, everyMs = LOOK_EVERY_MS } = {},
): Promise<void> {
  const giveUpMs = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > giveUpMs) throw new Error(`never: ${what}`);
    await delay(everyMs);
  }
}

/** Reads again until the claim holds, and gives what was read; rejects as the last try did. */
export async function eventually<Value>(
  read: () => Value | Promise<Value>,
  claim: (value: Value) => void,
): Promise<Value> {
  const giveUpMs = performance.now() + GIVE_UP_MS;
  for (;;) {
    try {
      const value = await read();
      claim(value);
      return value;
    } catch (error) {
      if (performance.now() > giveUpMs) throw error;
    }
    await delay(LOOK_EVERY_MS);
  }
}

/** Reads again until it gives this value; the error shows the value that it gave last. */
export async function reads<Value>(
  read: () => Value | Promise<Value>,
  wanted: Value,
  of?: string,
): Promise<void> {
  await eventually(read, (value) => {
    assert.deepEqual(value, wanted, of === undefined ? undefined : `${of}: ${String(value)}`);
  });
}
