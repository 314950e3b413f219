/** How tests wait: for what must become so, and no longer. */
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
