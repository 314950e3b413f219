/** A cross account's hedge closed within itself: both sides at the mark price, without a fee. */
import { type Amount, HOLD_SIDES, type HoldSide, isOpen, lots, tradeValue } from '#domain';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { State } from '../state.ts';
import { cancelOrder, closeOrder, dropTpSl } from '../swap/close.ts';
import { closeOutcome, type Outcome } from '../swap/fill.ts';
import { forcedOrder, publishTrade, type Settled, settle } from './off-book.ts';

interface Netting {
  readonly size: number;
  readonly long: Outcome;
  readonly short: Outcome;
  /** Profit and loss of both sides together. */
  readonly pnl: Amount;
}

/** What netting would do; undefined without a hedge. Changes nothing. */
export function nettingOf({ market, mode, long, short }: MarginAccount): Netting | undefined {
  const size = Math.min(long.lots, short.lots);
  if (mode !== 'cross' || size === 0) return undefined;
  const { contract, markTicks } = market;
  const worth = tradeValue(contract, size, markTicks);
  const longs = closeOutcome(contract, long, size, worth, 0n);
  const shorts = closeOutcome(contract, short, size, worth, 0n);
  // The two are one profit, rounded once: fractions that add up to a unit are the owner's.
  const residue = longs.residue + shorts.residue;
  const units = residue / contract.fineFactor;
  const pnl = longs.pnl + shorts.pnl + units;
  const rest = residue - units * contract.fineFactor;
  return {
    size,
    long: { ...longs, residue: 0n },
    short: { ...shorts, pnl: shorts.pnl + units, residue: rest },
    pnl,
  };
}

/**
 * Nets what long and short have in common, unless the money behind them would fall below zero: two
 * orders of the account, filled with each other.
 */
export function netHedge(state: State, margin: MarginAccount): void {
  const netting = nettingOf(margin);
  if (netting === undefined || margin.wallet.crossMoney() + netting.pnl < 0n) return;
  for (const order of state.contractOrdersOf(margin)) {
    if (!isOpen(order.action)) cancelOrder(state, order, 'liquidation');
  }
  const { size } = netting;
  const priceTicks = margin.market.markTicks;
  const terms = { cause: 'netting', size, priceTicks } as const;
  const sideOf = (side: HoldSide): Settled => {
    const order = forcedOrder(state, margin, { side, ...terms });
    return { order, outcome: netting[side] };
  };
  const [long, short] = [sideOf('long'), sideOf('short')] as const;
  // The gain first: the loss may be more than there is without it.
  const isLongBetter = long.outcome.pnl >= short.outcome.pnl;
  const [first, second] = isLongBetter ? [long, short] : [short, long];
  for (const { order, outcome } of [first, second]) {
    settle(state, order, outcome, size, priceTicks);
  }
  publishTrade(state, first, second, terms);
  for (const { order } of [long, short]) closeOrder(state, order, 'filled', lots(0));
  for (const side of HOLD_SIDES) {
    if (margin.position(side).lots === 0) dropTpSl(state, margin, side);
  }
}
