/** Door of the kernel: what every other room uses, and nothing about trading. */
export { AssertionFailed, assert, present, unreachable } from './assert.ts';
export { type Brand, brand } from './brand.ts';
export { type Clock, ManualClock, type SteadyClock } from './clock.ts';
export { csvCell, csvRecord, unguardedCell } from './csv-cell.ts';
export {
  type DecimalFault,
  formatDecimal,
  formatTrimmed,
  parseDecimal,
  parseScaled,
  plainDecimalText,
  plainNumberText,
} from './decimal.ts';
export { FairQueue } from './fair-queue.ts';
export { Heap, type HeapEntry } from './heap.ts';
export { firstLookAlike, lookOf } from './look-alikes.ts';
export { MaxTree } from './max-tree.ts';
export { Prng } from './prng.ts';
export { Ring } from './ring.ts';
export { mulDivCeil, mulDivFloor } from './rounding.ts';
export { isWholeWithin, wholeToBigInt, wholeToNumber } from './whole.ts';
