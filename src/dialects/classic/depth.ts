/** Order books of this wire. */
import type { DataJson } from '#api';

/** An order book from its encoded sides. */
export function writeDepth(sides: string, nowMs: number): DataJson {
  return `{${sides},"timestamp":"${nowMs}"}`;
}
