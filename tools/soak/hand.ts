/** What the load does in one market for one account, whichever dialect the market speaks. */
import type { FollowedOrders } from './followed-orders.ts';
import type { Rest } from './rest.ts';
import { eventually } from './waiting.ts';

export interface Hand {
  readonly orders: FollowedOrders;
  readonly rest: Rest;
  /** Asks what the market is at: later orders are around that. False before the first trade. */
  refresh(): Promise<boolean>;
  place(random: () => number): Promise<void>;
  cancel(orderId: string): Promise<void>;
  /** Gives back what the load has taken, so that money lasts. */
  flatten(): Promise<void>;
  /** True when REST has no open order and the same money or positions as the stream. */
  isSettled(): Promise<boolean>;
}

/**
 * Closes everything; then no message may be missing and REST must agree with the streams. Resolves
 * with the number of hands of which that is not so.
 */
export async function settle(hands: readonly Hand[]): Promise<number> {
  await Promise.all(
    hands.flatMap(({ orders, cancel }) => orders.stories.openIds().map((id) => cancel(id))),
  );
  await Promise.all(hands.map((hand) => hand.flatten()));
  const settled = await Promise.all(
    hands.map(async ({ orders, isSettled }) => {
      return (await eventually(() => orders.isFinished())) && (await eventually(isSettled));
    }),
  );
  return settled.filter((isSettled) => !isSettled).length;
}

/** Gaps in numbers, rows that do not follow, and orders without an end. */
export function lostBy({ orders: { stories, stream } }: Hand): number {
  return stream.gapsCount + stories.brokenCount + stories.unfinishedCount;
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
