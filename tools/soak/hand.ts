/** What the load does in one market for one account, whichever dialect the market speaks. */
import { setTimeout as delay } from 'node:timers/promises';
import type { PrivateStream } from './private-stream.ts';
import type { Stories, Story } from './stories.ts';

/** How long what is known by REST may take to arrive by stream. */
const PATIENCE_MS = 5_000;
const LOOK_INTERVAL_MS = 20;

export interface Hand {
  readonly stories: Stories;
  readonly stream: PrivateStream;
  /** Asks what the market is at: later orders are around that. False before the first trade. */
  refresh(): Promise<boolean>;
  place(random: () => number): Promise<void>;
  cancel(orderId: string): Promise<void>;
  /** Gives back what the load has taken, so that money lasts. */
  flatten(): Promise<void>;
  /** True when REST tells of an order what the stream told. */
  isAsTold(orderId: string, story: Story): Promise<boolean>;
  /** True when REST has no open order and the same money or positions as the stream. */
  isSettled(): Promise<boolean>;
}

/** Waits until the condition holds; false when it has not for a long time. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > endMs) return false;
    await delay(LOOK_INTERVAL_MS);
  }
  return true;
}

/**
 * Closes everything; then no message may be missing and REST must agree with the streams. Resolves
 * with the number of hands of which that is not so.
 */
export async function settle(
  hands: readonly Hand[],
  adopt: () => void = () => undefined,
): Promise<number> {
  await Promise.all(
    hands.flatMap(({ stories, cancel }) => stories.openIds().map((orderId) => cancel(orderId))),
  );
  await Promise.all(hands.map((hand) => hand.flatten()));
  const settled = await Promise.all(
    hands.map(async (hand) => {
      const isTold = await eventually(() => {
        adopt();
        return hand.stories.unfinishedCount === 0;
      });
      return isTold && (await eventually(hand.isSettled));
    }),
  );
  return settled.filter((isSettled) => !isSettled).length;
}

/** Gaps in numbers, rows that do not follow, orders without an end, and a stream that ended. */
export function lostBy({ stories, stream }: Hand): number {
  const broken = stream.gapsCount + stories.brokenCount + stories.unfinishedCount;
  return broken + (stream.fault === undefined ? 0 : 1);
}

/** Rows in all that an order with this story must have: accepted, each fill, another end. */
export function rowsOf(fillsCount: number, isCancelled: boolean): number {
  return 1 + fillsCount + (isCancelled ? 1 : 0);
}

/** A field of an answer as text; empty when it is not there. */
export function textOf(row: unknown, name: string): string {
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, name) : '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function dataOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, 'data') : undefined;
}
