/**
 * What liquidations of a contract may cost the insurance fund of its margin coin: in every hour a
 * part of what the fund held when the hour began, and of what the operator has added since.
 */
import { type Amount, PPM_BIG } from '#domain';
import type { State } from '../state.ts';
import type { MarketState } from '../swap/market-state.ts';

const HOUR_MS = 3_600_000;

/** Begins a new hour in every contract when it is time: before anything in it changes a fund. */
export function beginBudgets({ swaps, timeMs }: State): void {
  const hour = Math.floor(timeMs / HOUR_MS);
  for (const market of swaps.values()) {
    if (hour === market.budgetHour) continue;
    market.budgetHour = hour;
    market.budgetBase = market.totals.insurance;
    market.budgetSpent = 0n;
  }
}

/** What the insurance fund may pay for the liquidation that runs. */
export function payable({ totals, fundKept }: MarketState): Amount {
  return totals.insurance > fundKept ? totals.insurance - fundKept : 0n;
}

/**
 * Begins a liquidation: it may spend what it brings in itself and what is left of the hour's
 * budget. Returns what the fund holds before it.
 */
export function beginSpending(market: MarketState): Amount {
  const { insurance } = market.totals;
  const left = budgetLeft(market);
  market.fundKept = insurance > left ? insurance - left : 0n;
  return insurance;
}

/** Ends a liquidation and counts what it cost the fund; returns what it brought or cost. */
export function endSpending(market: MarketState, fundBefore: Amount): Amount {
  const delta = market.totals.insurance - fundBefore;
  if (delta < 0n) market.budgetSpent -= delta;
  return delta;
}

/** What liquidations may still cost the insurance fund in this hour. */
function budgetLeft({ contract, budgetBase, budgetSpent }: MarketState): Amount {
  const budget = (budgetBase * BigInt(contract.insuranceBudgetPpm)) / PPM_BIG;
  return budget > budgetSpent ? budget - budgetSpent : 0n;
}
