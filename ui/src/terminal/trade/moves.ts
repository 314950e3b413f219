/** Another price for what rests in a book, another trigger for what waits: both keep their ids. */
import { native } from '#client';
import type { OrderLine } from '../../model/orders.ts';
import type { PlanLine } from '../../model/plans.ts';
import { session } from '../../session/session.ts';
import type { PriceSource } from './contract-wish.ts';

export type Moving =
  | { readonly kind: 'order'; readonly order: OrderLine }
  | { readonly kind: 'plan'; readonly plan: PlanLine };

/** What is left out stays as it is. */
export interface Change {
  /** Of an order, or the trigger. */
  readonly price: string;
  readonly size?: string | undefined;
  /** Of the order that a trigger places. */
  readonly limit?: string | undefined;
  readonly source?: PriceSource | undefined;
}

export async function move(moving: Moving, change: Change): Promise<void> {
  if (moving.kind === 'order') await moveOrder(moving.order, change);
  else await movePlan(moving.plan, change);
}

/** The size is that of the whole order: what has filled counts. */
async function moveOrder(order: OrderLine, { price, size = order.size }: Change): Promise<void> {
  await session.ask(native.moveOrder, { id: order.id, price, size });
}

async function movePlan(
  { id }: PlanLine,
  { price: trigger, limit: price, size, source: triggerBy }: Change,
): Promise<void> {
  await session.ask(native.changeTrigger, { id, trigger, price, size, triggerBy });
}
