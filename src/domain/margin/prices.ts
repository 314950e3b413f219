/** Index and mark prices from their inputs. Prices in ticks; whole, rounded to the nearest. */
import { assert } from '#kernel';
import { PPM, PPM_BIG } from '../units.ts';

const PPB = 1_000_000_000;

export interface IndexInput {
  readonly priceTicks: number;
  readonly weight: number;
}

/**
 * The fresh source prices without the outliers: a price further than the bound from the median of
 * all does not count. With fewer than three prices there is no majority, and the last index takes
 * part in the median as one more witness, when there is one.
 */
export function countedSources<Input extends IndexInput>(
  inputs: readonly Input[],
  lastIndexTicks: number,
  outlierPpm: number,
): Input[] {
  const prices = inputs.map(({ priceTicks }) => priceTicks);
  const witnesses = prices.length < 3 && lastIndexTicks > 0 ? [...prices, lastIndexTicks] : prices;
  const median = middle(witnesses);
  return inputs.filter(
    ({ priceTicks }) => Math.abs(priceTicks - median) <= partOf(median, outlierPpm),
  );
}

/** The weighted mean of what counts; undefined when nothing does. */
export function meanPrice(inputs: readonly IndexInput[]): number | undefined {
  let weights = 0n;
  let sum = 0n;
  for (const { priceTicks, weight } of inputs) {
    weights += BigInt(weight);
    sum += BigInt(priceTicks) * BigInt(weight);
  }
  if (weights === 0n) return undefined;
  return Number((2n * sum + weights) / (2n * weights));
}

/** The middle of the prices; of two middle ones the mean, rounded down. Zero for none. */
export function middle(prices: readonly number[]): number {
  const sorted = prices.toSorted((one, other) => one - other);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  if (sorted.length % 2 === 1) return upper;
  return Math.floor(((sorted[half - 1] ?? 0) + upper) / 2);
}

export interface MarkInput {
  readonly indexTicks: number;
  /** Last traded price; zero when there is none, or none recent enough. */
  readonly lastTicks: number;
  /** Average of (best bid + best ask) / 2 - index over the last minutes; undefined when unknown. */
  readonly basisTicks: number | undefined;
  readonly fundingRatePpb: number;
  /** Time to the next settlement, and from one settlement to the next. */
  readonly untilFundingMs: number;
  readonly fundingIntervalMs: number;
  readonly clampPpm: number;
}

/**
 * The mark price: the median of the last price, index (1 + F t / T) and index + average basis,
 * clamped to index (1 +- clamp). A missing basis or last price is replaced by the second one.
 */
export function markPrice(input: MarkInput): number {
  const { indexTicks, basisTicks, clampPpm } = input;
  assert(indexTicks > 0, 'a mark price needs an index price');
  const carried = carriedTicks(input);
  const based = basisTicks === undefined ? carried : indexTicks + basisTicks;
  const last = input.lastTicks === 0 ? carried : input.lastTicks;
  const mark = middle([last, carried, based]);
  const room = partOf(indexTicks, clampPpm);
  return Math.max(1, indexTicks - room, Math.min(indexTicks + room, mark));
}

/** A part of a price in whole ticks, rounded down. */
function partOf(priceTicks: number, partPpm: number): number {
  return Number((BigInt(priceTicks) * BigInt(partPpm)) / PPM_BIG);
}

/** index (1 + F t / T), rounded to the nearest tick. */
function carriedTicks(input: MarkInput): number {
  const { indexTicks, fundingRatePpb, untilFundingMs, fundingIntervalMs } = input;
  const carry = BigInt(indexTicks) * BigInt(fundingRatePpb) * BigInt(untilFundingMs);
  const whole = BigInt(PPB) * BigInt(fundingIntervalMs);
  return indexTicks + Number((2n * carry + (carry < 0n ? -whole : whole)) / (2n * whole));
}

/** The band around the mark price, rounded into it and to whole price steps. */
export function priceBand(
  markTicks: number,
  bandPpm: number,
  stepTicks: number,
): { readonly highestTicks: number; readonly lowestTicks: number } {
  const whole = BigInt(PPM) * BigInt(stepTicks);
  const high = (BigInt(markTicks) * BigInt(PPM + bandPpm)) / whole;
  const low = (BigInt(markTicks) * BigInt(Math.max(0, PPM - bandPpm)) + whole - 1n) / whole;
  const lowest = low > 0n ? low : 1n;
  return { highestTicks: Number(high) * stepTicks, lowestTicks: Number(lowest) * stepTicks };
}
