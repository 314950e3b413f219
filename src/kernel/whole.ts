/**
 * A number that is whole as a bigint. BigInt(value) calls into the runtime for whatever does not
 * fit 31 bits (33 ns); two halves written side by side and read as one are compiled (14 ns).
 */
const halves = new Uint32Array(2);
const signedHalves = new Int32Array(halves.buffer);
const wholes = new BigInt64Array(halves.buffer);
const HALF = 2 ** 32;

// Which half is the lower one is the machine's to say.
halves[0] = 1;
const LOW = wholes[0] === 1n ? 0 : 1;
const HIGH = 1 - LOW;

/** Of a safe integer; what is none gives another number. */
export function wholeToBigInt(value: number): bigint {
  halves[LOW] = value;
  halves[HIGH] = Math.floor(value / HALF);
  return wholes[0] ?? 0n;
}

/** As Number(value), which calls into the runtime (18 ns), where 64 bits hold it (5 ns). */
export function wholeToNumber(value: bigint): number {
  wholes[0] = value;
  if (wholes[0] !== value) return Number(value);
  return (signedHalves[HIGH] ?? 0) * HALF + (halves[LOW] ?? 0);
}

/** Whether a number is whole and within bounds, both of which may be reached. */
export function isWholeWithin(value: number, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}
