/**
 * The order in which those who hold a side of a contract are deleveraged, at the prices of now:
 * healthy ones before those in trouble, then by score, who opened first, and account.
 */
import { type HoldSide, isBreached, numberScore, sideNumberScore, sideScore } from '#domain';
import { present } from '#kernel';
import type { MarginAccount } from '../margin/margin-account.ts';
import { crossRisk, isolatedRisk, isUnitBreached, roundedSide } from '../margin/risk.ts';

/** What accounts are ranked by, each at its place in the list of them. */
interface Keys {
  /** 1 for one in trouble. */
  readonly breached: Uint8Array;
  readonly scores: Float64Array;
  /** Scores that are no safe integers: above they are rounded. */
  readonly large: Map<number, bigint>;
  readonly openedMs: Float64Array;
}

/**
 * Of accounts in the order of their ids, those who hold something on a side, best first. Their keys
 * stand in typed arrays, because an object and a bigint for each of ten thousand take as long again
 * as working them out.
 */
export function ranked(margins: readonly MarginAccount[], side: HoldSide): MarginAccount[] {
  const held = margins.filter((margin) => margin.position(side).lots > 0);
  const keys = keysOf(held, side);
  return [...held.keys()].sort(order(keys)).map((at) => present(held[at], 'ranked account'));
}

function keysOf(held: readonly MarginAccount[], side: HoldSide): Keys {
  const { length } = held;
  const breached = new Uint8Array(length);
  const scores = new Float64Array(length);
  const openedMs = new Float64Array(length);
  const large = new Map<number, bigint>();
  for (const [at, margin] of held.entries()) {
    const { contract, markTicks } = margin.market;
    const position = margin.position(side);
    const cross = margin.mode === 'cross' ? crossRisk(margin) : undefined;
    const isIn = cross ? isBreached(contract, cross, markTicks) : isUnitBreached(margin, side);
    breached[at] = isIn ? 1 : 0;
    openedMs[at] = position.openedTimeMs;
    const score = cross
      ? numberScore(contract, side, cross, markTicks)
      : sideNumberScore(contract, roundedSide(margin, position), markTicks);
    scores[at] = score;
    if (!Number.isNaN(score)) continue;
    const exact = sideScore(contract, side, cross ?? isolatedRisk(margin, position), markTicks);
    scores[at] = Number(exact);
    if (!Number.isSafeInteger(scores[at])) large.set(at, exact);
  }
  return { breached, scores, large, openedMs };
}

/** Which of two comes first; equal ones stay as they are. */
function order({ breached, scores, large, openedMs }: Keys) {
  return (one: number, other: number): number => {
    const trouble = (breached[one] ?? 0) - (breached[other] ?? 0);
    if (trouble !== 0) return trouble;
    const [a, b] = [scores[one] ?? 0, scores[other] ?? 0];
    if (a !== b) return a > b ? -1 : 1;
    const [exactA, exactB] = [large.get(one) ?? 0n, large.get(other) ?? 0n];
    if (exactA !== exactB) return exactA > exactB ? -1 : 1;
    return (openedMs[one] ?? 0) - (openedMs[other] ?? 0);
  };
}
