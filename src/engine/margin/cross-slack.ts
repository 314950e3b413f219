/** What the cross contracts on a wallet together have above their threshold, in rounded numbers. */
import { CLEAR_PART, numberTerms, PPM, roundedLotValue, thresholdPpm } from '#domain';
import { wholeToNumber } from '#kernel';
import type { MarginWallet } from './margin-wallet.ts';

/**
 * In fine units, within a part of 10^-7; zero where it is not above the threshold by far, and
 * whole numbers have to decide. Takes a fraction of their time: a price that leaps finds many.
 */
export function clearSlack(wallet: MarginWallet): number {
  let gain = 0;
  let keptPpm = 0;
  let held = 0;
  let fineFactor = 0;
  for (const { mode, isFlat, long, short, market } of wallet.members) {
    if (mode !== 'cross' || isFlat) continue;
    const { contract, markTicks } = market;
    const lotValue = roundedLotValue(contract, markTicks);
    const longOpen = long.lots === 0 ? 0 : long.roundedOpen;
    const shortOpen = short.lots === 0 ? 0 : short.roundedOpen;
    const lots = long.lots + short.lots;
    gain += (long.lots - short.lots) * lotValue - longOpen + shortOpen;
    keptPpm += Math.max(long.lots, short.lots) * lotValue * thresholdPpm(contract, lots);
    held += lots * lotValue + longOpen + shortOpen;
    fineFactor = numberTerms(contract).fineFactor;
  }
  const money = wholeToNumber(wallet.crossMoney()) * fineFactor;
  const slack = money + gain - keptPpm / PPM;
  return slack > CLEAR_PART * (Math.abs(money) + held) ? slack : 0;
}
