/** Order books of this wire. */
import type { DataJson } from '#api';

/** An order book from its encoded sides. */
export function writeDepth(sides: string, nowMs: number): DataJson {
  return `{${sides}${depthEnd(nowMs)}`;
}

/** What follows the sides. */
export function depthEnd(nowMs: number): DataJson {
  return `,"timestamp":"${nowMs}"}`;
}
