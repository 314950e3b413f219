/** A crossed account's hedge closed within itself: both sides at the mark price, without a fee. */
import { type Amount, type Event, fineValue, isOpen, lots, ticks } from '#domain';
import type { State } from '../state.ts';
import { dropPresets, withdrawOrder } from './close.ts';
import { closeOutcome, type Outcome, reduce } from './fill.ts';
import type { MarginAccount } from './margin-account.ts';

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
  if (mode !== 'crossed' || size === 0) return undefined;
  const { contract, markTicks } = market;
  const value = fineValue(contract, size, markTicks);
  const longs = closeOutcome(contract, long, size, value, 0n);
  const shorts = closeOutcome(contract, short, size, value, 0n);
  // The two are one profit, rounded once: fractions that come to a unit together are the owner's.
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

/** Nets what long and short have in common, unless the balance would fall below zero. */
export function netHedge(state: State, margin: MarginAccount, events: Event[]): void {
  const netting = nettingOf(margin);
  if (netting === undefined || margin.balance.balance + netting.pnl < 0n) return;
  const { market, long, short } = margin;
  for (const order of margin.orders()) {
    if (!isOpen(order.action)) withdrawOrder(state, order, 'liquidation', events);
  }
  state.ledger.realize(margin.balance, netting.pnl, state.timeMs);
  reduce(margin, long, netting.size, netting.long);
  reduce(margin, short, netting.size, netting.short);
  long.updatedTimeMs = state.timeMs;
  short.updatedTimeMs = state.timeMs;
  margin.touch(state.timeMs);
  events.push({
    kind: 'positions_netted',
    accountId: margin.accountId,
    instrumentId: market.contract.instrumentId,
    sizeLots: lots(netting.size),
    priceTicks: ticks(market.markTicks),
    realizedPnl: netting.pnl,
  });
  if (long.lots === 0) dropPresets(state, margin, 'long', events);
  if (short.lots === 0) dropPresets(state, margin, 'short', events);
}
