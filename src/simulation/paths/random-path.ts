/**
 * A made-up price: geometric Brownian motion with jumps. Coins move together as far as each follows
 * the common factor: two of them are correlated by the product of their parts.
 */
import { PPM } from '#domain';
import type { Prng } from '#kernel';
import type { PricePath } from './path.ts';

export interface RandomRules {
  /** Standard deviation of a year's return. */
  readonly volatilityPpm: number;
  /** How much of it is the common factor's: 0 none, a million all. */
  readonly correlationPpm: number;
  readonly jumpsPerDay: number;
  /** Standard deviation of a jump. */
  readonly jumpPpm: number;
}

const YEAR_MS = 365 * 86_400_000;
const DAY_MS = 86_400_000;
/** 10^-8 up to 10 million: whole numbers stay exact, and the price cannot die out. */
const PRICE_MIN = 1_000;
const PRICE_MAX = 10 ** 15;

export class RandomPath implements PricePath {
  readonly isLive = true;
  readonly progress = undefined;
  readonly #rules: RandomRules;
  readonly #prng: Prng;
  #price: number;

  constructor(price: number, rules: RandomRules, prng: Prng) {
    this.#price = price;
    this.#rules = rules;
    this.#prng = prng;
  }

  get price(): number {
    return this.#price;
  }

  advance(deltaMs: number, common: number): void {
    const { volatilityPpm, correlationPpm, jumpsPerDay, jumpPpm } = this.#rules;
    const part = correlationPpm / PPM;
    const draw = part * common + Math.sqrt(1 - part * part) * this.#prng.normal();
    let change = (volatilityPpm / PPM) * Math.sqrt(deltaMs / YEAR_MS) * draw;
    const jumps = this.#prng.word() / 2 ** 32 < (jumpsPerDay * deltaMs) / DAY_MS;
    if (jumps) change += (jumpPpm / PPM) * this.#prng.normal();
    this.moveTo(Math.round(this.#price * Math.max(0.5, 1 + change)));
  }

  moveTo(price: number): void {
    this.#price = Math.max(PRICE_MIN, Math.min(PRICE_MAX, price));
  }
}
