/**
 * Where a cross unit over several contracts stands in the liquidation indexes of all of them. Its
 * slack S, what it has above its threshold, is a sum with a term for each contract, and a mark
 * price moves only the term of its contract, by k for every tick. So S is shared out over the
 * contracts, and each watches for the price at which its mark has used up its own share. While none
 * has, all of them together have used less than S: the unit is above its threshold, and no price
 * needs to look at it. One contract alone stands at the exact price at which it is liquidated.
 *
 * When a mark passes a watch price the unit is judged exactly; if it is above its threshold it is
 * anchored anew, from the marks of then. So it is when its money, a position or a tier changes.
 * Anchoring costs a heap move for each contract held, and at most those of the coin.
 *
 * A quarter of S is shared out in proportion to |k| mark, as if all marks moved alike, and the rest
 * in proportion to what each contract has used up since the unit was last anchored: prices that go
 * on as they did find it when most of S is gone. Any look comes after one contract has used up at
 * least a quarter of its part by |k| mark: while marks fall, looks are a logarithm of S. Where a
 * unit was anchored decides nothing else, and is no part of the state.
 */
import { breachPrice, CLEAR_PART, numberTerms, PPM, slackOf } from '#domain';
import { clearSlack } from './cross-slack.ts';
import type { MarginAccount, WatchPrice } from './margin-account.ts';
import type { MarginWallet } from './margin-wallet.ts';
import { crossRisk, heldRisk } from './risk.ts';

/** Every price finds it. */
const ALWAYS: WatchPrice = { direction: 'rise', atTicks: 0 };
/** Of the slack, by what contracts have used up lately. */
const LATELY_PART = 0.75;

interface Term {
  readonly margin: MarginAccount;
  /** What a tick of its mark gives or takes. */
  readonly perTick: number;
  /** What its mark could take by falling to nothing, or by rising as far. */
  readonly exposure: number;
  /** What its mark has taken since the unit was last anchored. */
  readonly used: number;
}

/** Puts the cross unit of a wallet into the indexes of its contracts, unless it stands right. */
export function anchor(wallet: MarginWallet<MarginAccount>): void {
  if (wallet.isAnchored) return;
  wallet.isAnchored = true;
  const held = wallet.crossHeld();
  const [first, second] = held;
  if (first === undefined) return;
  if (second === undefined) {
    watch(first, breachPrice(first.market.contract, crossRisk(first)));
    return;
  }
  const slack = clearSlack(wallet) || exactSlack(first);
  if (slack > 0) share(held.map(termOf), slack);
  else for (const margin of held) watch(margin, ALWAYS);
}

/** After a price has found it. */
export function reanchor(wallet: MarginWallet<MarginAccount>): void {
  wallet.isAnchored = false;
  anchor(wallet);
}

/** Above zero exactly where the unit is above its threshold. */
function exactSlack(margin: MarginAccount): number {
  const { contract, markTicks } = margin.market;
  return Number(slackOf(contract, crossRisk(margin), markTicks).slack) / PPM;
}

function share(terms: readonly Term[], slack: number): void {
  let exposures = 0;
  let usedInAll = 0;
  for (const { exposure, used } of terms) {
    exposures += exposure;
    usedInAll += used;
  }
  const latelyPart = usedInAll > 0 ? LATELY_PART : 0;
  // Rounding must not make the shares more than there is.
  const shared = slack * (1 - CLEAR_PART);
  for (const { margin, perTick, exposure, used } of terms) {
    if (perTick === 0) {
      watch(margin, undefined);
      continue;
    }
    const lately = usedInAll > 0 ? (latelyPart * used) / usedInAll : 0;
    const part = ((1 - latelyPart) * exposure) / exposures + lately;
    watch(margin, watchPrice(margin.market.markTicks, perTick, shared * part));
  }
}

function termOf(margin: MarginAccount): Term {
  const { markTicks } = margin.market;
  const perTick = perTickOf(margin);
  const { anchoredTicks } = margin.unit('both');
  const used = anchoredTicks === 0 ? 0 : Math.max(0, perTick * (anchoredTicks - markTicks));
  return { margin, perTick, exposure: Math.abs(perTick) * markTicks, used };
}

/** In fine units. */
function perTickOf(margin: MarginAccount): number {
  const { contract, markTicks } = margin.market;
  const risk = heldRisk(margin);
  const { longLots, shortLots } = risk;
  const larger = Math.max(longLots, shortLots);
  const parts = (longLots - shortLots) * PPM - larger * risk.thresholdPpm;
  if (larger * PPM <= Number.MAX_SAFE_INTEGER) {
    return (parts / PPM) * numberTerms(contract).lotFactor;
  }
  return Number(slackOf(contract, risk, markTicks).perTick) / PPM;
}

/** The price from which on a contract has used up its share; undefined when none does. */
function watchPrice(markTicks: number, perTick: number, share: number): WatchPrice | undefined {
  const distance = Math.max(1, Math.ceil(share / Math.abs(perTick)));
  const atTicks = perTick < 0 ? markTicks + distance : markTicks - distance;
  if (atTicks <= 0 || atTicks > Number.MAX_SAFE_INTEGER) return undefined;
  return { direction: perTick < 0 ? 'rise' : 'fall', atTicks };
}

function watch(margin: MarginAccount, breach: WatchPrice | undefined): void {
  const unit = margin.unit('both');
  unit.anchoredTicks = margin.market.markTicks;
  margin.market.watch(unit, breach);
}
