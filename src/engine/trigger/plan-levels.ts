/**
 * Plan orders by trigger price. Those of one price stand in one level, oldest first, so that a
 * trade that meets a hundred thousand of them moves one level and not each of them; what it met
 * then fires in the order of acceptance, over as many commands as that takes.
 */
import type { TriggerDirection } from '#domain';
import { Heap, present } from '#kernel';
import { type PlanHome, PlanLevel, type PlanOrder } from './plan.ts';

/** Plan orders of one direction that wait for the price, those it would meet first in front. */
export class PlanLadder implements PlanHome {
  readonly #rises: boolean;
  readonly #levels = new Map<number, PlanLevel>();
  readonly #nearest: Heap<PlanLevel>;

  constructor(direction: TriggerDirection) {
    this.#rises = direction === 'rise';
    this.#nearest = new Heap((one, other) =>
      this.#rises ? one.triggerTicks < other.triggerTicks : one.triggerTicks > other.triggerTicks,
    );
  }

  add(plan: PlanOrder): void {
    const { triggerTicks } = plan;
    const level = this.#levels.get(triggerTicks) ?? new PlanLevel(triggerTicks, this);
    level.append(plan);
    if (level.heapIndex >= 0) return;
    this.#levels.set(triggerTicks, level);
    this.#nearest.add(level);
  }

  remove(plan: PlanOrder): void {
    const level = present(plan.level, 'level of a waiting plan order');
    level.unlink(plan);
    if (level.oldest === null) this.#forget(level);
  }

  /** Hands over the levels that a trade at this price meets. Costs those levels. */
  meet(lastTicks: number, due: DuePlans): void {
    for (let level = this.#nearest.first; level; level = this.#nearest.first) {
      const { triggerTicks } = level;
      if (this.#rises ? triggerTicks > lastTicks : triggerTicks < lastTicks) return;
      this.#forget(level);
      due.add(level);
    }
  }

  #forget(level: PlanLevel): void {
    this.#nearest.remove(level);
    this.#levels.delete(level.triggerTicks);
  }
}

/** Plan orders that one trade met and that have not fired yet, in the order of acceptance. */
export class DuePlans implements PlanHome {
  /** None of its levels is empty. */
  readonly #oldest = new Heap<PlanLevel>((one, other) => idOf(one) < idOf(other));

  /** The one to fire next. */
  get first(): PlanOrder | undefined {
    return this.#oldest.first?.oldest ?? undefined;
  }

  add(level: PlanLevel): void {
    level.home = this;
    this.#oldest.add(level);
  }

  /** Takes back one that a snapshot found here. */
  restore(plan: PlanOrder): void {
    const level = new PlanLevel(plan.triggerTicks, this);
    level.append(plan);
    this.#oldest.add(level);
  }

  /** A level whose oldest one leaves is due later than it was. */
  remove(plan: PlanOrder): void {
    const level = present(plan.level, 'level of a due plan order');
    this.#oldest.remove(level);
    level.unlink(plan);
    if (level.oldest !== null) this.#oldest.add(level);
  }

  /** All of them, in the order of acceptance. Walks everything: for snapshots. */
  plans(): PlanOrder[] {
    const found: PlanOrder[] = [];
    for (const level of this.#oldest.entries()) {
      for (let plan = level.oldest; plan !== null; plan = plan.after) found.push(plan);
    }
    return found.sort((one, other) => one.orderId - other.orderId);
  }
}

function idOf({ oldest }: PlanLevel): number {
  return present(oldest, 'plan order of a due level').orderId;
}
