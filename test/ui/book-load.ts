/**
 * A market that does not rest: orders come and go in the book of a pair at an even rate, and now
 * and then somebody trades. What is late is caught up with, so the rate holds on a busy machine.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Hand, type SpotTerms } from './hand.ts';

const TICK_MS = 50;
const PULSES_PER_TRADE = 20;
/** Trades come in bursts, as when a large order goes through the book. */
const TRADES = 3;
/** More in one call would make gusts of it; the venue takes 50. */
const BATCH_MAX = 25;
const STANDING_MAX = 100;
const LEVELS = 40;
const MIDDLE = 30_000;

export class BookLoad {
  readonly #symbol: string;
  readonly #maker: Hand;
  readonly #taker: Hand;
  readonly #perTick: number;
  readonly #standing: string[] = [];
  #done: Promise<void> = Promise.resolve();
  #isEnding = false;
  #placed = 0;
  #updates = 0;

  /** Half of the updates are new orders, half cancel them again. */
  constructor(url: string, symbol: string, updatesPerS: number) {
    this.#symbol = symbol;
    this.#maker = new Hand(url, 'maker');
    this.#taker = new Hand(url, 'demo');
    this.#perTick = (updatesPerS / 2) * (TICK_MS / 1_000);
  }

  /** Orders that were placed, cancelled or taken so far: each changed the book. */
  get updates(): number {
    return this.#updates;
  }

  /** Resolves once so many updates were made; rejects if the venue refused one. */
  async start(updates: number): Promise<void> {
    this.#done = this.#run();
    // Whoever waits is told, now or at the end; until then nobody may be there to catch it.
    this.#done.catch(() => undefined);
    while (this.#updates < updates) await Promise.race([this.#done, delay(TICK_MS)]);
  }

  /** Resolves once the last call was answered; rejects if one was refused. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    await this.#done;
  }

  async #run(): Promise<void> {
    const startMs = performance.now();
    for (let tick = 1; !this.#isEnding; tick += 1) {
      const elapsedMs = performance.now() - startMs;
      const due = Math.floor((elapsedMs / TICK_MS) * this.#perTick) - this.#placed;
      await this.#place(Math.min(due, BATCH_MAX));
      if (tick % PULSES_PER_TRADE === 0) await this.#trade();
      await delay(Math.max(0, tick * TICK_MS - elapsedMs));
    }
  }

  async #place(count: number): Promise<void> {
    if (count <= 0) return;
    const orders = Array.from({ length: count }, (_, step) => order(this.#placed + step));
    this.#placed += count;
    this.#standing.push(...(await this.#maker.spotBatch(this.#symbol, orders)));
    const old = this.#standing.splice(0, this.#standing.length - STANDING_MAX);
    const gone = old.length > 0 ? await this.#maker.cancelSpot(this.#symbol, old) : [];
    this.#updates += count + gone.length;
  }

  async #trade(): Promise<void> {
    const buy = { side: 'buy', price: String(MIDDLE + LEVELS), size: '0.0001' } as const;
    await this.#taker.spotBatch(this.#symbol, Array(TRADES).fill(buy));
    this.#updates += TRADES;
  }
}

/**
 * Sides in turn, over all levels in an order that does not look like one; sizes differ, and are so
 * small that the maker can pay for everything that stands even when much is caught up with.
 */
function order(number: number): SpotTerms {
  const away = 1 + ((number * 17) % LEVELS);
  const size = (0.01 + (number % 97) / 400).toFixed(4);
  return number % 2 === 0
    ? { side: 'sell', price: String(MIDDLE + away), size }
    : { side: 'buy', price: String(MIDDLE - away), size };
}
