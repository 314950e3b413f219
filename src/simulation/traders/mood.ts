/**
 * How busy a market is, and which way its takers lean: most of the time a little less than
 * ordinary, and now and then, for some seconds, many times as much and to one side. All traders of
 * a market share it, which is why trades cluster. The mean over time is one.
 */
import { PPM } from '#domain';
import { Prng } from '#kernel';

/** In parts of the ordinary. */
const CALM = 0.6;
const BUSY = 4.6;
/** Per tick: a market is busy for 16 ticks of 160. */
const BEGINS_PPM = 6_944;
const ENDS_PPM = 62_500;
/** How many of ten takers of a busy market go the same way beyond those that would anyway. */
const LEAN = 0.7;

export class Mood {
  readonly #prng: Prng;
  #isBusy = false;
  #lean = 0;

  constructor(seed: number, symbol: string) {
    this.#prng = new Prng(seed, `mood ${symbol}`);
  }

  get activity(): number {
    return this.#isBusy ? BUSY : CALM;
  }

  /** From -1, all sell, to 1, all buy. */
  get lean(): number {
    return this.#isBusy ? this.#lean : 0;
  }

  /** A tick passes. */
  advance(): void {
    const turns = this.#prng.chance(this.#isBusy ? ENDS_PPM : BEGINS_PPM);
    const buys = this.#prng.below(PPM) < PPM / 2;
    if (!turns) return;
    this.#isBusy = !this.#isBusy;
    this.#lean = buys ? LEAN : -LEAN;
  }
}
