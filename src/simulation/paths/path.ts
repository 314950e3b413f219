/** What the price of a coin does by itself. All its followers see the same path. */

/** Decimal places of a path's prices, which are whole numbers of 10^-8 of the quote currency. */
export const PATH_SCALE = 8;

export interface PricePath {
  /** The last price there was, above zero. */
  readonly price: number;
  /** False in a gap of a recording and after its end: then the price is unknown. */
  readonly isLive: boolean;
  /** What a watcher wants to know, as in "41 %, 2024-08-05T02:10:00Z"; undefined for nothing. */
  readonly progress: string | undefined;
  /** Time passes. `common` is what all coins feel together: normally distributed. */
  advance(deltaMs: number, common: number): void;
  /** A price is set from outside. A recording stays with its own. */
  moveTo(price: number): void;
}

/** A price that stays where it is put. */
export class ConstantPath implements PricePath {
  readonly isLive = true;
  readonly progress = undefined;
  #price: number;

  constructor(price: number) {
    this.#price = price;
  }

  get price(): number {
    return this.#price;
  }

  advance(): void {}

  moveTo(price: number): void {
    this.#price = price;
  }
}
