/** Everything that is drawn in a run comes from its seed, through one of these. */
import { Prng } from '#kernel';

const PPM = 1_000_000;

export class Draw {
  readonly #source: Prng;

  constructor(seed: number, label: string) {
    this.#source = new Prng(seed, label);
  }

  /** A whole number from 0 to bound - 1. */
  below(bound: number): number {
    return this.#source.below(Math.max(1, bound));
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    const count = most - least + 1;
    if (count <= 2 ** 32) return least + this.below(count);
    return least + this.below(2 ** 20) * Math.floor(count / 2 ** 20) + this.below(2 ** 20);
  }

  /** True in so many of a hundred cases. */
  percent(chance: number): boolean {
    return this.#source.chance((chance * PPM) / 100);
  }

  of<const C extends readonly [unknown, ...unknown[]]>(choices: C): C[number];
  of<T>(choices: readonly T[]): T | undefined;
  of<T>(choices: readonly T[]): T | undefined {
    return choices[this.below(choices.length)];
  }

  /** A size over several magnitudes: small ones as often as large ones. */
  magnitude(most: number): number {
    const digits = Math.max(1, Math.ceil(Math.log10(most + 1)));
    const bound = 10 ** this.between(1, digits);
    return 1 + this.below(Math.min(bound, most));
  }

  /** Part of an amount, in parts of a million. */
  part(amount: bigint, partPpm: number): bigint {
    return (amount * BigInt(partPpm)) / BigInt(PPM);
  }

  /** One of the names, as often as its weight says. */
  weighted<Name extends string>(weights: ReadonlyMap<Name, number>): Name | undefined {
    let total = 0;
    for (const weight of weights.values()) total += weight;
    let left = this.below(Math.ceil(total * 1_000)) / 1_000;
    for (const [name, weight] of weights) {
      left -= weight;
      if (left < 0) return name;
    }
    return undefined;
  }
}
