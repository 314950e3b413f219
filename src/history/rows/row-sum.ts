/**
 * The checksum of a row: 53 bits over its values in the order of the columns, so that a value that
 * rots on the disk is found by reading the row alone. It is against accidents: a process that can
 * write the file can write the sum, and `outcry verify-history` finds that. Files keep these sums,
 * so the sum of the same values must never change.
 */

const LOW_FACTOR = 0x9e3779b1;
const HIGH_FACTOR = 0x5f356495;
const LOW_START = 0x243f6a88;
const HIGH_START = 0x13198a2e;
/** No code unit of a text and no type of value has the number of another one. */
const TEXT_END = 0x10000;
const INTEGER_END = 0x10001;
const OTHER_END = 0x10002;
const TWO_TO_32 = 4_294_967_296;
const HIGH_BITS = 0x1fffff;

/** Two lanes of multiply and xor. Every change of one value changes the first lane for certain. */
export function rowSum(values: readonly unknown[]): number {
  let low = LOW_START;
  let high = HIGH_START;
  const take = (word: number): void => {
    low = Math.imul(low ^ word, LOW_FACTOR);
    high = Math.imul(high ^ word, HIGH_FACTOR);
  };
  for (let place = 0; place < values.length; place += 1) {
    const value = values[place];
    if (typeof value === 'number' && Number.isSafeInteger(value)) {
      take(value | 0);
      take(Math.floor(value / TWO_TO_32));
      take(INTEGER_END);
    } else {
      const text = typeof value === 'string' ? value : String(value);
      for (let at = 0; at < text.length; at += 1) take(text.charCodeAt(at));
      take(typeof value === 'string' ? TEXT_END : OTHER_END);
    }
    // Or two changes of a highest bit would cancel each other out.
    low ^= low >>> 15;
    high ^= high >>> 13;
  }
  return (high & HIGH_BITS) * TWO_TO_32 + (low >>> 0);
}

/** The column of the checksum, and the SQL function that makes it of the other columns. */
export const SUM = 'row_sum';

/** Whether a row that was read with all its columns is what was written. */
export function isSound(row: object): boolean {
  const entries = Object.entries(row);
  const values = entries.filter(([name]) => name !== SUM).map(([, value]) => value);
  return entries.some(([name, sum]) => name === SUM && sum === rowSum(values));
}
