/** What of an account's money and positions stands or falls as one, and whether it falls now. */
import {
  type Amount,
  isBreached,
  isSideClearlySafe,
  numberTerms,
  type OtherContracts,
  type RiskUnit,
  type RoundedSide,
  sideStanding,
  thresholdPpm,
} from '#domain';
import { wholeToNumber } from '#kernel';
import { clearSlack } from './cross-slack.ts';
import type { MarginAccount } from './margin-account.ts';
import type { Position, UnitSide } from './position.ts';

/** What a unit is judged by; undefined when the account is in the other mode, or it is flat. */
export function riskOf(margin: MarginAccount, side: UnitSide): RiskUnit | undefined {
  const { long, short, mode } = margin;
  if ((side === 'both') !== (mode === 'cross')) return undefined;
  if (side === 'both') {
    return long.lots + short.lots === 0 ? undefined : crossRisk(margin);
  }
  const position = side === 'long' ? long : short;
  return position.lots === 0 ? undefined : isolatedRisk(margin, position);
}

/** One contract of a cross unit, with what else stands or falls with it at the marks of now. */
export function crossRisk(margin: MarginAccount): RiskUnit {
  const { wallet } = margin;
  return bothSides(margin, wallet.crossMoney(), wallet.othersOf(margin));
}

/** What is held in one contract of a cross unit, with nothing behind it. */
export function heldRisk(margin: MarginAccount): RiskUnit {
  return bothSides(margin, 0n, undefined);
}

function bothSides(
  { long, short, market }: MarginAccount,
  money: Amount,
  others: OtherContracts | undefined,
): RiskUnit {
  return {
    money,
    others,
    longLots: long.lots,
    longOpen: long.open,
    shortLots: short.lots,
    shortOpen: short.open,
    thresholdPpm: thresholdPpm(market.contract, long.lots + short.lots),
  };
}

export function isolatedRisk({ market }: MarginAccount, position: Position): RiskUnit {
  const { side, lots, open, margin } = position;
  const isLong = side === 'long';
  return {
    money: margin,
    others: undefined,
    longLots: isLong ? lots : 0,
    longOpen: isLong ? open : 0n,
    shortLots: isLong ? 0 : lots,
    shortOpen: isLong ? 0n : open,
    thresholdPpm: thresholdPpm(market.contract, lots),
  };
}

/** An isolated side in rounded numbers. */
export function roundedSide(
  { market: { contract } }: MarginAccount,
  { side, lots, roundedOpen, margin }: Position,
): RoundedSide {
  const money = wholeToNumber(margin) * numberTerms(contract).fineFactor;
  return { side, lots, open: roundedOpen, money, thresholdPpm: thresholdPpm(contract, lots) };
}

/** Whether an isolated side is above its threshold at a price by far, in rounded numbers. */
export function isIsolatedClearlySafe(
  margin: MarginAccount,
  position: Position,
  priceTicks: number,
): boolean {
  return isSideClearlySafe(margin.market.contract, roundedSide(margin, position), priceTicks);
}

/** Whether the unit that a side belongs to is at or below its threshold now. */
export function isUnitBreached(margin: MarginAccount, side: UnitSide): boolean {
  const { contract, markTicks } = margin.market;
  if (side !== 'both' && margin.mode === 'isolated') {
    const position = margin.position(side);
    if (position.lots === 0) return false;
    const standing = sideStanding(contract, roundedSide(margin, position), markTicks);
    if (standing !== 0) return standing < 0;
  }
  // Of several contracts most of the time is taken by adding them up.
  const isTogether = margin.mode === 'cross' && margin.wallet.isShared;
  if (isTogether && clearSlack(margin.wallet) > 0) return false;
  const risk = riskOf(margin, side);
  return risk !== undefined && isBreached(contract, risk, markTicks);
}
