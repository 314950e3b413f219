/** Requests at an even pace, whatever the answers take: places, cancels and questions, mixed. */
import { pick, randomOf } from '../random.ts';
import type { Hand } from './hand.ts';

const PACE_MS = 10;
/** Above it the venue does not keep up, and the pace shows it. */
const OUTSTANDING_MAX = 200;
const OPEN_MAX = 400;
const REFRESH_SHARE = 0.01;
const PLACE_SHARE = 0.45;
/** Of what is no placing; the rest compares an order that has ended, in two requests. */
const CANCEL_SHARE = 0.7;

export class Load {
  readonly #hands: readonly Hand[];
  readonly #random = randomOf(1);
  readonly #underWay = new Set<Promise<void>>();
  comparedCount = 0;
  differingCount = 0;

  constructor(hands: readonly Hand[]) {
    this.#hands = hands;
  }

  /** Runs at so many requests a second for a while; all are answered when it resolves. */
  async run(lengthMs: number, requestsPerSecond: number): Promise<void> {
    const startMs = performance.now();
    const sentBefore = this.#requestsCount();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setInterval(() => {
      const spentMs = performance.now() - startMs;
      if (spentMs >= lengthMs) return resolve();
      const dueCount = sentBefore + (spentMs / 1_000) * requestsPerSecond;
      while (this.#requestsCount() < dueCount && this.#underWay.size < OUTSTANDING_MAX) {
        this.#start();
      }
    }, PACE_MS);
    await promise;
    clearInterval(timer);
    await Promise.all(this.#underWay);
  }

  #requestsCount(): number {
    return this.#hands.reduce((sum, { rest }) => sum + rest.requestsCount, 0);
  }

  #start(): void {
    const hand = pick(this.#hands, this.#random);
    const act = this.#act(hand).catch((error: unknown) => hand.rest.fail(String(error)));
    this.#underWay.add(act);
    void act.then(() => this.#underWay.delete(act));
  }

  async #act(hand: Hand): Promise<void> {
    if (this.#random() < REFRESH_SHARE) return void (await hand.refresh());
    const { stories } = hand.orders;
    const open = stories.openIds();
    if (open.length < OPEN_MAX && this.#random() < PLACE_SHARE) {
      return hand.place(this.#random);
    }
    const orderId = open.length === 0 ? undefined : pick(open, this.#random);
    const isFull = open.length >= OPEN_MAX;
    if (orderId !== undefined && (isFull || this.#random() < CANCEL_SHARE)) {
      return hand.cancel(orderId);
    }
    const ended = stories.endedAt(this.#random());
    if (ended === undefined) return void (await hand.refresh());
    this.comparedCount += 1;
    if (!(await hand.orders.isAsTold(...ended))) this.differingCount += 1;
  }
}
