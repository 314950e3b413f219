/**
 * Answers of orders at work. The answer to a command whose order goes on leaves with the last step
 * of that order, and lists what the order did in all of them.
 */
import { type Event, LIMITS, type OrderId, type Refused, type Step } from '#domain';
import type { Engine } from '#engine';

interface Open {
  readonly events: Event[];
  fillsCount: number;
  /** Its answer, as soon as its last step is known. */
  readonly done: PromiseWithResolvers<readonly Event[]>;
}

export class OrderAnswers {
  readonly #engine: Pick<Engine, 'hasOrdersAtWork' | 'isAtWork'>;
  /** What is answered when the steps of an order are not all durable. */
  readonly #unknown: readonly Refused[];
  readonly #open = new Map<OrderId, Open>();

  constructor(engine: Pick<Engine, 'hasOrdersAtWork' | 'isAtWork'>, unknown: readonly Refused[]) {
    this.#engine = engine;
    this.#unknown = unknown;
  }

  /**
   * What is answered to a step's command: `answer`, which resolves with its events once they are
   * durable, or what its order does until it is done.
   */
  of(step: Step, answer: Promise<readonly Event[]>): Promise<readonly Event[]> {
    if (this.#open.size > 0) this.#note(step, answer);
    if (!this.#engine.hasOrdersAtWork || step.events[0]?.kind === 'work_continued') return answer;
    const orderId = placedIn(step.events);
    if (orderId === undefined || !this.#engine.isAtWork(orderId)) return answer;
    const done = Promise.withResolvers<readonly Event[]>();
    const fillsCount = step.events.filter((event) => isFillOf(event, orderId)).length;
    this.#open.set(orderId, { events: [...step.events], fillsCount, done });
    return answer.then((events) => (events === step.events ? done.promise : events));
  }

  /** The venue halts or closes: an order that is not done by now is answered like this. */
  endAll(answerOf: (events: readonly Event[]) => readonly Event[]): void {
    for (const { events, done } of this.#open.values()) done.resolve(answerOf(events));
    this.#open.clear();
  }

  /** The opening of a reversal is answered with the close that it follows. */
  #followReversal(event: Event): void {
    if (event.kind !== 'contract_order_accepted' || event.reverses === undefined) return;
    const open = this.#open.get(event.reverses);
    if (open === undefined) return;
    this.#open.delete(event.reverses);
    this.#open.set(event.orderId, open);
  }

  #note(step: Step, answer: Promise<readonly Event[]>): void {
    for (const event of step.events) {
      this.#followReversal(event);
      const orderId = orderOf(event);
      const open = orderId === undefined ? undefined : this.#open.get(orderId);
      if (open === undefined || orderId === undefined) continue;
      if (isFillOf(event, orderId)) {
        open.fillsCount += 1;
        if (open.fillsCount > LIMITS.orderAnswerFillsMax) continue;
      }
      open.events.push(event);
    }
    for (const [orderId, open] of this.#open) {
      if (this.#engine.isAtWork(orderId)) continue;
      this.#open.delete(orderId);
      open.done.resolve(
        answer.then((events) => (events === step.events ? open.events : this.#unknown)),
      );
    }
  }
}

/** The order that a command has placed or moved: the first one of its step, or what reverses it. */
function placedIn(events: readonly Event[]): OrderId | undefined {
  for (const event of events) {
    if (event.kind === 'order_accepted') return event.orderId;
    if (event.kind === 'contract_order_accepted') {
      const { orderId } = event;
      return openingAfter(orderId, events) ?? orderId;
    }
    if (event.kind === 'order_moved' || event.kind === 'contract_order_moved') {
      return event.order.orderId;
    }
  }
  return undefined;
}

/** The order that opens what this one has closed, where the two reverse a position. */
function openingAfter(closing: OrderId, events: readonly Event[]): OrderId | undefined {
  for (const event of events) {
    if (event.kind === 'contract_order_accepted' && event.reverses === closing) {
      return event.orderId;
    }
  }
  return undefined;
}

function isFillOf(event: Event, orderId: OrderId): boolean {
  const isFill = event.kind === 'trade' || event.kind === 'contract_trade';
  return isFill && orderOf(event) === orderId;
}

/** The order that did it: of a match the incoming one. */
function orderOf(event: Event): OrderId | undefined {
  switch (event.kind) {
    case 'trade':
      return event.takerOrderId;
    case 'contract_trade':
      return event.taker.orderId;
    case 'order_rested':
    case 'contract_order_accepted':
    case 'reversal_refused':
      return event.orderId;
    case 'order_closed':
    case 'contract_order_closed':
      return event.order.orderId;
    default:
      return undefined;
  }
}
