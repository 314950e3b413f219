/**
 * The stream of commands that exchange-core's own benchmark makes for one pair: a thousand accounts
 * and about a thousand resting orders, 71 % moves, 14 % new orders, 7 % cancels and 7 % reductions.
 * A command of a recorded stream of its generator takes the engine 1.04 times as long (processor
 * time of the thread, in turns), of this one every 17th trades and of that one every 24th.
 */
import {
  type AccountId,
  accountId,
  type Command,
  type Event,
  instrumentId,
  lots,
  type OrderId,
  type Side,
  type Ticks,
  ticks,
} from '#domain';
import { present } from '#kernel';
import { randomOf } from '../tools/random.ts';

const PAIR = instrumentId(0);
const RESTING = 1_000;
const MIDDLE_TICKS = 34_386;
const SPREAD_TICKS = 800;
/** How far beyond the middle a price may be: what comes close to it sometimes trades. */
const CROSSING_TICKS = 2;

interface Resting {
  readonly accountId: AccountId;
  readonly orderId: OrderId;
  readonly side: Side;
  priceTicks: Ticks;
  size: number;
}

export class MoveStream {
  readonly #random = randomOf(7);
  readonly #accountsCount: number;
  readonly #resting: Resting[] = [];
  readonly #places = new Map<OrderId, number>();

  constructor(accountsCount: number) {
    this.#accountsCount = accountsCount;
  }

  next(): Command {
    const isFull = this.#resting.length >= RESTING;
    const kind = this.#random();
    if (this.#resting.length < RESTING / 2 || (isFull ? kind < 0.07 : kind < 0.22)) {
      return this.#place();
    }
    const one = present(this.#resting[Math.floor(this.#random() * this.#resting.length)], 'order');
    const { accountId: owner, orderId } = one;
    const names = { accountId: owner, instrumentId: PAIR, orderId };
    const act = this.#random();
    if (act < 0.082) return { kind: 'cancel_spot_order', ...names };
    if (act < 0.164) one.size = 1 + Math.floor((one.size - 1) * this.#random());
    else one.priceTicks = this.#price(one.side);
    const to = { priceTicks: one.priceTicks, sizeLots: lots(one.size) };
    return { kind: 'move_spot_order', ...names, ...to };
  }

  /** What the engine did with the last command. */
  seen(command: Command, events: readonly Event[]): void {
    for (const event of events) {
      if (event.kind === 'order_closed') this.#forget(event.order.orderId);
      if (event.kind !== 'order_rested' || command.kind !== 'place_spot_order') continue;
      const { orderId, side, priceTicks } = event;
      const size = 'sizeLots' in command ? command.sizeLots : 0;
      this.#places.set(orderId, this.#resting.length);
      this.#resting.push({ accountId: event.accountId, orderId, side, priceTicks, size });
    }
  }

  #place(): Command {
    const side = this.#random() < 0.5 ? 'buy' : 'sell';
    return {
      kind: 'place_spot_order',
      accountId: accountId(1 + Math.floor(this.#random() * this.#accountsCount)),
      instrumentId: PAIR,
      side,
      type: 'limit',
      force: 'gtc',
      priceTicks: this.#price(side),
      sizeLots: lots(1 + Math.floor(this.#random() * 40)),
    };
  }

  /** Rather close to the middle than far from it. */
  #price(side: Side): Ticks {
    const part = this.#random();
    const away = Math.floor(part * part * SPREAD_TICKS) - CROSSING_TICKS;
    return ticks(side === 'buy' ? MIDDLE_TICKS - away : MIDDLE_TICKS + away);
  }

  #forget(orderId: OrderId): void {
    const at = this.#places.get(orderId);
    const tail = this.#resting.at(-1);
    if (at === undefined || tail === undefined) return;
    this.#resting[at] = tail;
    this.#places.set(tail.orderId, at);
    this.#places.delete(orderId);
    this.#resting.pop();
  }
}
