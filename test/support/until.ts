/** How tests wait: for what must become so, and no longer. */
import { setTimeout as delay } from 'node:timers/promises';

/** Reached only when what is waited for hangs. */
const GIVE_UP_MS = 30_000;
const LOOK_EVERY_MS = 10;

/** Resolves once it holds; rejects when it never does. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpMs = performance.now() + GIVE_UP_MS;
  while (!(await holds())) {
    if (performance.now() > giveUpMs) throw new Error(`never: ${what}`);
    await delay(LOOK_EVERY_MS);
  }
}
