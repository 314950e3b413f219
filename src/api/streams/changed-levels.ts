/** What is different between two states of one side of a book. */
import { ZERO_LOTS } from '#domain';
import type { DepthView } from '#market-data';

type Levels = DepthView['asks'];
type Level = Levels[number];

/**
 * Levels of `now` that are new or of another size, and those gone with size zero; best first. The
 * sign is 1 when prices ascend, -1 when they descend.
 */
export function changedLevels(before: Levels, now: Levels, sign: 1 | -1): Level[] {
  const changes: Level[] = [];
  let at = 0;
  for (const level of now) {
    let old = before[at];
    while (old !== undefined && (old[0] - level[0]) * sign < 0) {
      changes.push([old[0], ZERO_LOTS]);
      at += 1;
      old = before[at];
    }
    const isSamePrice = old?.[0] === level[0];
    if (!isSamePrice || old?.[1] !== level[1]) changes.push(level);
    if (isSamePrice) at += 1;
  }
  for (const [price] of before.slice(at)) changes.push([price, ZERO_LOTS]);
  return changes;
}
