/**
 * Where a cross unit over several contracts stands in the liquidation indexes of all of them. Its
 * slack S, what it has above its threshold, is a sum with a term for each contract, and a mark
 * price moves only the term of its contract, by k for every tick. So S is shared out over the
 * contracts in proportion to |k| times mark, and each contract watches for the price at which its
 * mark has used up its own share. While none has, all of them together have used less than S: the
 * unit is above its threshold, and no price needs to look at it.
 *
 * When a mark passes a watch price the unit is judged exactly; if it is above its threshold it is
 * anchored anew, from the marks of then. So it is when its money, a position or a tier changes.
 * Anchoring costs a heap move for each contract held, and at most those of the coin. As all shares
 * are the same part of their marks, x = S / sum of |k| mark, no mark that has moved by less than x
 * since the anchoring finds the unit, and none that moves in its favour. One contract alone has
 * all of S: it stands at the exact price at which it is liquidated.
 */
import { type BreachPrice, slackOf } from '#domain';
import type { MarginAccount } from './margin-account.ts';
import type { MarginWallet } from './margin-wallet.ts';
import { crossRisk, heldRisk } from './risk.ts';

/** Every price finds it. */
const ALWAYS: BreachPrice = { direction: 'rise', atTicks: 0n };

/** Puts the cross unit of a wallet into the indexes of its contracts, unless it stands right. */
export function anchor(wallet: MarginWallet<MarginAccount>): void {
  if (wallet.isAnchored) return;
  const held = wallet.crossHeld();
  const terms = held.map((margin) => {
    const { contract, markTicks } = margin.market;
    const { perTick } = slackOf(contract, heldRisk(margin), markTicks);
    return { margin, mark: BigInt(markTicks), perTick };
  });
  // It is the unit's, whichever contract it is worked out from.
  const slack = held[0] === undefined ? 0n : crossSlack(held[0]);
  const moved = terms.reduce((sum, { perTick, mark }) => sum + magnitude(perTick) * mark, 0n);
  for (const { margin, mark, perTick } of terms) {
    const distance = moved === 0n ? 0n : (slack * mark + moved - 1n) / moved;
    const breach = slack <= 0n ? ALWAYS : watchPrice(mark, perTick, distance);
    margin.market.watch(margin.unit('both'), breach);
  }
  wallet.isAnchored = true;
}

function crossSlack(margin: MarginAccount): bigint {
  const { contract, markTicks } = margin.market;
  return slackOf(contract, crossRisk(margin), markTicks).slack;
}

/** The price from which on a contract has used up its share; undefined when none does. */
function watchPrice(mark: bigint, perTick: bigint, distance: bigint): BreachPrice | undefined {
  if (perTick === 0n) return undefined;
  if (perTick < 0n) return { direction: 'rise', atTicks: mark + distance };
  return distance >= mark ? undefined : { direction: 'fall', atTicks: mark - distance };
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
