/**
 * What a ladder wants at each of its levels: how much, and at which price. An uneven one has sizes
 * with a heavy tail and prices off its grid, and now and then thinks again of a size. All of it
 * belongs to a price, so that quotes stay as they are while the centre moves over them.
 */
import { type Lots, lots, PPM, type Side, type Ticks, ticks } from '#domain';
import { type Grid, type KeptLots, type LevelSizes, levelPrice, missingLots } from './grid.ts';
import type { Ladder } from './ladder.ts';
import { heavyTailed } from './tail.ts';

/** How long the size of a level stays as it is, in the time of the venue. */
const SIZE_KEPT_MS = 60_000;
/** How far from its level an uneven price may be, in spacings: the next one begins at a half. */
const AWAY_MAX = 0.4;
const WORD = 2 ** 32;

/** What the venue takes. */
interface Terms {
  readonly minLots: Lots;
  readonly maxLots: Lots;
}

export class Shape implements LevelSizes {
  readonly levelsCount: number;
  readonly #levelLots: number;
  readonly #part: number;
  readonly #terms: Terms;
  readonly #grid: Grid;
  readonly #timeMs: number;

  constructor(ladder: Ladder, terms: Terms, grid: Grid, timeMs: number) {
    this.levelsCount = ladder.levelsCount;
    this.#levelLots = ladder.levelLots;
    this.#part = (ladder.variationPpm ?? 0) / PPM;
    this.#terms = terms;
    this.#grid = grid;
    this.#timeMs = timeMs;
  }

  /** Whole lots, within what the market takes. */
  sizeAt(side: Side, level: number): Lots {
    const price = levelPrice(this.#grid, side, level);
    const factor = this.#part === 0 || price === undefined ? 1 : this.#factorAt(price);
    const { minLots, maxLots } = this.#terms;
    return lots(Math.min(Math.max(Math.round(this.#levelLots * factor), minLots), maxLots));
  }

  /** Whole price steps; undefined where there is no such price. */
  priceAt(side: Side, level: number): Ticks | undefined {
    const price = levelPrice(this.#grid, side, level);
    if (this.#part === 0 || price === undefined) return price;
    const { spacing, priceStepTicks } = this.#grid;
    const away = AWAY_MAX * this.#part * (2 * unit(price, 1) - 1) * spacing;
    const moved = price + Math.trunc(away / priceStepTicks) * priceStepTicks;
    return moved > 0 ? ticks(moved) : undefined;
  }

  /** What a level still lacks, and at which price; undefined when that is nothing. */
  lacking(
    keptLots: KeptLots,
    side: Side,
    level: number,
  ): { readonly price: Ticks; readonly missing: Lots } | undefined {
    const missing = missingLots(keptLots[side][level] ?? 0, this.sizeAt(side, level));
    const price = this.priceAt(side, level);
    return missing === 0 || price === undefined ? undefined : { price, missing };
  }

  /** Of the ordinary size: prices change theirs one after the other, not all at once. */
  #factorAt(price: Ticks): number {
    const since = this.#timeMs + Math.floor(unit(price, 2) * SIZE_KEPT_MS);
    const turn = Math.floor(since / SIZE_KEPT_MS);
    return 1 - this.#part + this.#part * heavyTailed(unit(price ^ turn, 3));
  }
}

/** A number of 0 up to 1 that looks random and belongs to a price. */
function unit(price: number, salt: number): number {
  let mixed = Math.imul((price ^ (price >>> 16)) + salt, 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x9e3779b1);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / WORD;
}
