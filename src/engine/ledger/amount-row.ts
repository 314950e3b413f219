/**
 * Rows of 64-bit words, side by side in pages: what an account has in a wallet or in a contract. A
 * word is an amount or a number (a time, or lots and units that numbers count), always the same of
 * the two; a class that extends the row names its words and has an accessor for each. As fields
 * they would be objects somewhere else in memory, and a new one for the collector with each change
 * of an amount: with rows a contract command takes 0.9 of the time.
 */
import type { Amount } from '#domain';

/** A row is as long as a line of the processor's cache. */
const ROW_WORDS = 8;
/** A page is freed when none of its rows is used any more, so it has few: they fill 2 KB. */
const PAGE_ROWS = 32;

/** Pages that are filled row by row. */
export class AmountPages {
  #amounts: BigInt64Array = new BigInt64Array(0);
  #numbers: Float64Array = new Float64Array(0);
  #start = 0;

  get amounts(): BigInt64Array {
    return this.#amounts;
  }

  /** The same words as numbers. */
  get numbers(): Float64Array {
    return this.#numbers;
  }

  /** Where the next row begins, on the page that then is there. It holds zeros. */
  take(): number {
    this.#start += ROW_WORDS;
    if (this.#start >= this.#amounts.length) {
      const bytes = new ArrayBuffer(PAGE_ROWS * ROW_WORDS * BigInt64Array.BYTES_PER_ELEMENT);
      this.#amounts = new BigInt64Array(bytes);
      this.#numbers = new Float64Array(bytes);
      this.#start = 0;
    }
    return this.#start;
  }
}

/** Of accounts, whatever engine they are in. */
export const LASTING_ROWS = new AmountPages();
/** Of copies of accounts that something is rehearsed on: what lasts is not kept beside them. */
export const PASSING_ROWS = new AmountPages();

export abstract class AmountRow {
  /** Of its page; bigints of its own once an amount was more than 64 bits hold. */
  protected amounts: BigInt64Array | Amount[];
  protected numbers: Float64Array;
  protected start: number;

  constructor(rows: AmountPages) {
    this.start = rows.take();
    this.amounts = rows.amounts;
    this.numbers = rows.numbers;
  }

  /** Keeps an amount that 64 bits do not hold: with the first one the row leaves its page. */
  protected setWide(word: number, value: Amount): void {
    const { amounts, numbers, start } = this;
    if (!Array.isArray(amounts)) {
      this.amounts = [...amounts.subarray(start, start + ROW_WORDS)];
      this.numbers = numbers.slice(start, start + ROW_WORDS);
      this.start = 0;
    }
    this.amounts[this.start + word] = value;
  }
}

/** Whether 64 bits hold it. */
export function fits(value: Amount): boolean {
  return BigInt.asIntN(64, value) === value;
}
