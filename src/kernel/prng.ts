/**
 * A small seeded source of pseudo-random numbers (xoshiro128**). It uses whole 32-bit arithmetic
 * and the exactly defined operations of floating point only, so a seed means the same numbers on
 * every machine. It is for simulations and never for secrets.
 */
import { assert } from './assert.ts';

const WORD = 2 ** 32;
const UNIFORMS_OF_NORMAL = 12;

export class Prng {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /** The label separates sources with one seed: each draws its own numbers. */
  constructor(seed: number, label: string) {
    assert(Number.isSafeInteger(seed) && seed >= 0, 'a seed is whole and not negative');
    let state = Math.imul(seed % WORD, 0x9e3779b1) ^ Math.floor(seed / WORD);
    for (let at = 0; at < label.length; at += 1) {
      state = Math.imul(state ^ label.charCodeAt(at), 0x01000193);
    }
    const word = (): number => {
      state = (state + 0x9e3779b9) | 0;
      let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
      return (mixed ^ (mixed >>> 15)) | 0;
    };
    this.#a = word();
    this.#b = word();
    this.#c = word();
    this.#d = word() | 1;
  }

  /** A whole number from 0 to 2^32 - 1. */
  word(): number {
    const scrambled = Math.imul(rotated(Math.imul(this.#b, 5), 7), 9);
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = rotated(this.#d, 11);
    return scrambled >>> 0;
  }

  /** A whole number from 0 to bound - 1. The bound is from 1 to 2^32. */
  below(bound: number): number {
    assert(Number.isSafeInteger(bound) && bound >= 1 && bound <= WORD, 'a bound fits a word');
    return Math.floor((this.word() / WORD) * bound);
  }

  /** True with this probability in parts per million. */
  chance(probabilityPpm: number): boolean {
    return this.below(1_000_000) < probabilityPpm;
  }

  /**
   * About normally distributed, mean 0 and variance 1, never beyond 6: the sum of twelve uniform
   * numbers, because logarithms and cosines may differ from machine to machine.
   */
  normal(): number {
    let sum = -UNIFORMS_OF_NORMAL / 2;
    for (let drawn = 0; drawn < UNIFORMS_OF_NORMAL; drawn += 1) sum += this.word() / WORD;
    return sum;
  }
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
