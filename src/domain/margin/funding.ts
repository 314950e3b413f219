/**
 * Funding: premium samples, the rate they lead to, and what one side pays the other. Rates are in
 * parts per billion; long pays short when the rate is above zero.
 */
import { assert } from '#kernel';
import type { ContractTerms } from '../contract.ts';
import type { Amount } from '../units.ts';
import type { ValueTerms } from './number-terms.ts';
import { fineValue, tickLots } from './value.ts';

const PPB_PER_PPM = 1_000;
const PPB_BIG = 1_000_000_000n;
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/**
 * One premium sample: (max(0, impact bid - index) - max(0, index - impact ask)) / index, rounded
 * toward zero. A side too thin for the impact size has no price and contributes nothing.
 */
export function premiumPpb(
  impactBidTicks: number | undefined,
  impactAskTicks: number | undefined,
  indexTicks: number,
): number {
  assert(indexTicks > 0, 'a premium needs an index price');
  const above = Math.max(0, (impactBidTicks ?? indexTicks) - indexTicks);
  const below = Math.max(0, indexTicks - (impactAskTicks ?? indexTicks));
  return Number((BigInt(above - below) * PPB_BIG) / BigInt(indexTicks));
}

type RateTerms = Pick<ContractTerms, 'fundingInterestPpm' | 'fundingClampPpm' | 'fundingCapPpm'>;

/** F = P + clamp(I - P, -c, +c), and then no further from zero than the cap. */
export function fundingRatePpb(terms: RateTerms, averagePremiumPpb: number): number {
  const interest = terms.fundingInterestPpm * PPB_PER_PPM;
  const clampPpb = terms.fundingClampPpm * PPB_PER_PPM;
  const capPpb = terms.fundingCapPpm * PPB_PER_PPM;
  const pulled = averagePremiumPpb + clamp(interest - averagePremiumPpb, clampPpb);
  return clamp(pulled, capPpb);
}

/** 0 - bound, because -0 would survive here and not in a snapshot. */
function clamp(value: number, bound: number): number {
  return Math.max(0 - bound, Math.min(bound, value));
}

/**
 * What a position is worth in a settlement, exact: in units of the margin coin when linear, which
 * fit into a machine word, else in fine units.
 */
export function fundingValue(contract: ValueTerms, size: number, priceTicks: number): bigint {
  if (contract.kind === 'linear') return tickLots(size, priceTicks) * contract.valueFactor;
  return fineValue(contract, size, priceTicks);
}

/** What a position of this `fundingValue` owes or is owed, before any cap: V * |F|. */
export function fundingDue(
  contract: ValueTerms,
  value: bigint,
  ratePpb: number,
  rounding: 'up' | 'down',
): Amount {
  const whole = contract.kind === 'linear' ? PPB_BIG : contract.fineFactor * PPB_BIG;
  const due = value * BigInt(Math.abs(ratePpb));
  return rounding === 'up' ? (due + whole - 1n) / whole : due / whole;
}

/**
 * How many settlements there are at or before a time, for settlements at these minutes of the UTC
 * day, counted from the epoch: the number of the last one.
 */
export function fundingNumber(fundingMinutes: readonly number[], atMs: number): number {
  const day = Math.floor(atMs / DAY_MS);
  const ofDay = fundingMinutes.filter((minute) => day * DAY_MS + minute * MINUTE_MS <= atMs);
  return day * fundingMinutes.length + ofDay.length;
}

/** When the settlement of a number is. */
export function fundingTimeMs(fundingMinutes: readonly number[], number: number): number {
  const day = Math.floor((number - 1) / fundingMinutes.length);
  const minute = fundingMinutes[number - 1 - day * fundingMinutes.length];
  assert(minute !== undefined, 'a contract has at least one funding time');
  return day * DAY_MS + minute * MINUTE_MS;
}

/** The first settlement after a time. */
export function nextFundingMs(fundingMinutes: readonly number[], afterMs: number): number {
  return fundingTimeMs(fundingMinutes, fundingNumber(fundingMinutes, afterMs) + 1);
}

/** The last settlement at or before a time. */
export function lastFundingMs(fundingMinutes: readonly number[], atMs: number): number {
  return fundingTimeMs(fundingMinutes, fundingNumber(fundingMinutes, atMs));
}
