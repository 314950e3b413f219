/**
 * Trigger orders by trigger price. Those of one price stand in one level, oldest first, so that a
 * trade that meets a hundred thousand of them moves one level and not each of them; what it met
 * then fires in the order of acceptance, over as many commands as that takes.
 */
import type { TriggerDirection } from '#domain';
import { Heap, present } from '#kernel';
import { type TriggerHome, TriggerLevel, type TriggerOrder } from './trigger-order.ts';

/** Trigger orders that wait for one working price, whichever way it has to go. */
export class WaitingTriggers {
  readonly #rising = new TriggerLadder('rise');
  readonly #falling = new TriggerLadder('fall');

  add(trigger: TriggerOrder): void {
    (trigger.direction === 'rise' ? this.#rising : this.#falling).add(trigger);
  }

  /** What a price meets, which waits no more; undefined when it meets none. */
  meet(priceTicks: number): DueTriggers | undefined {
    if (!this.#rising.isMet(priceTicks) && !this.#falling.isMet(priceTicks)) return undefined;
    const due = new DueTriggers();
    this.#rising.meet(priceTicks, due);
    this.#falling.meet(priceTicks, due);
    return due;
  }
}

/** Trigger orders of one direction that wait for the price, those it would meet first in front. */
class TriggerLadder implements TriggerHome {
  readonly isDue = false;
  readonly #rises: boolean;
  readonly #levels = new Map<number, TriggerLevel>();
  readonly #nearest: Heap<TriggerLevel>;

  constructor(direction: TriggerDirection) {
    this.#rises = direction === 'rise';
    this.#nearest = new Heap((one, other) =>
      this.#rises ? one.triggerTicks < other.triggerTicks : one.triggerTicks > other.triggerTicks,
    );
  }

  add(trigger: TriggerOrder): void {
    const { triggerTicks } = trigger;
    const level = this.#levels.get(triggerTicks) ?? new TriggerLevel(triggerTicks, this);
    level.append(trigger);
    if (level.heapIndex >= 0) return;
    this.#levels.set(triggerTicks, level);
    this.#nearest.add(level);
  }

  remove(trigger: TriggerOrder): void {
    const level = present(trigger.level, 'level of a waiting trigger order');
    level.unlink(trigger);
    if (level.oldest === null) this.#forget(level);
  }

  /** Whether this price meets any level. */
  isMet(priceTicks: number): boolean {
    const level = this.#nearest.first;
    if (level === undefined) return false;
    return this.#rises ? level.triggerTicks <= priceTicks : level.triggerTicks >= priceTicks;
  }

  /** Hands over the levels that this price meets. Costs those levels. */
  meet(priceTicks: number, due: DueTriggers): void {
    while (this.isMet(priceTicks)) {
      const level = present(this.#nearest.first, 'level that is met');
      this.#forget(level);
      due.add(level);
    }
  }

  #forget(level: TriggerLevel): void {
    this.#nearest.remove(level);
    this.#levels.delete(level.triggerTicks);
  }
}

/**
 * Trigger orders that one price met and that have not fired yet, in the order of acceptance; one
 * that was given another trigger counts as accepted then.
 */
export class DueTriggers implements TriggerHome {
  readonly isDue = true;
  /** None of its levels is empty. */
  readonly #oldest = new Heap<TriggerLevel>((one, other) => placeOf(one) < placeOf(other));

  /** The one to fire next. */
  get first(): TriggerOrder | undefined {
    return this.#oldest.first?.oldest ?? undefined;
  }

  add(level: TriggerLevel): void {
    level.home = this;
    this.#oldest.add(level);
  }

  /** Takes back one that a snapshot found here. */
  restore(trigger: TriggerOrder): void {
    const level = new TriggerLevel(trigger.triggerTicks, this);
    level.append(trigger);
    this.#oldest.add(level);
  }

  /** A level whose oldest one leaves is due later than it was. */
  remove(trigger: TriggerOrder): void {
    const level = present(trigger.level, 'level of a due trigger order');
    this.#oldest.remove(level);
    level.unlink(trigger);
    if (level.oldest !== null) this.#oldest.add(level);
  }

  /** All of them, in the order of acceptance. Walks everything: for snapshots. */
  triggers(): TriggerOrder[] {
    const found: TriggerOrder[] = [];
    for (const level of this.#oldest.entries()) {
      for (let trigger = level.oldest; trigger !== null; trigger = trigger.after)
        found.push(trigger);
    }
    return found.sort((one, other) => one.placeId - other.placeId);
  }
}

function placeOf({ oldest }: TriggerLevel): number {
  return present(oldest, 'trigger order of a due level').placeId;
}
