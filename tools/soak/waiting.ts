/** Waiting for what others do. */
import { setTimeout as delay } from 'node:timers/promises';

/** How long what is known by REST may take to arrive by stream, on a machine with other work. */
const PATIENCE_MS = 30_000;
const LOOK_INTERVAL_MS = 20;

/** Waits until the condition holds; false when it has not for a long time. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > endMs) return false;
    await delay(LOOK_INTERVAL_MS);
  }
  return true;
}
