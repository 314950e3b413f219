/**
 * What liquidations of a contract may cost the insurance fund of its margin coin: in every hour a
 * part of what the fund held when the hour began, and of what the operator has added since.
 */
import { type Amount, PPM_BIG, type Ticks, ticks } from '#domain';
import { mulDivCeil, mulDivFloor } from '#kernel';
import type { State } from '../state.ts';
import type { MarketState } from '../swap/market-state.ts';
import type { ContractOrder } from '../swap/order.ts';

const HOUR_MS = 3_600_000;
/** How far past the mark price the insurance fund still pays: 2 %. */
const FUND_REACH_PARTS = 50;

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

/** How much worse than the bankruptcy price the fund can pay for, and not past the mark +- 2 %. */
export function fundedLimit(order: ContractOrder, limit: Ticks): Ticks {
  const { contract, markTicks } = order.market;
  const isLinear = contract.kind === 'linear';
  const sells = order.side === 'sell';
  const bound = Math.trunc(markTicks / FUND_REACH_PARTS);
  const reach = sells ? markTicks - bound : markTicks + bound;
  const fund = spendable(order);
  const size = BigInt(order.openLots) * contract.valueFactor;
  const paid = isLinear
    ? BigInt(limit) + (sells ? -fund / size : fund / size)
    : inverseReach(size, BigInt(limit), fund, sells);
  const paidTicks = paid === undefined ? reach : Number(paid);
  const found = sells ? Math.max(reach, paidTicks) : Math.min(reach, paidTicks);
  const isWorse = sells ? found < limit : found > limit;
  return isWorse && found > 0 ? ticks(found) : limit;
}

/** What the fund has for a worse price: where that makes the fill dearer, its fee grows, too. */
function spendable({ market, side, frozenFeePpm }: ContractOrder): bigint {
  const fund = payable(market);
  const isDearer = (side === 'buy') === (market.contract.kind === 'linear');
  return isDearer ? mulDivFloor(fund, PPM_BIG, PPM_BIG + BigInt(frozenFeePpm)) : fund;
}

/** The price whose value differs from that of the limit by the fund; undefined for any price. */
function inverseReach(
  size: bigint,
  limit: bigint,
  fund: bigint,
  sells: boolean,
): bigint | undefined {
  if (sells) return mulDivCeil(size, limit, size + fund * limit);
  const denominator = size - fund * limit;
  return denominator <= 0n ? undefined : mulDivFloor(size, limit, denominator);
}
