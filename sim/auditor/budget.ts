/**
 * What liquidations cost the insurance fund of a coin: what one says it brought or cost is what the
 * fund has gained or lost by it, and what an hour and a day cost stays within their budgets.
 */
import type { Liquidated } from '#domain';
import { most, PPM } from './figures.ts';
import { must, mustBe } from './judge.ts';
import type { ContractBook, Model } from './model.ts';
import type { Turn } from './turn.ts';

const LENGTHS_MS = { hour: 3_600_000, day: 86_400_000 } as const;
const SPANS = ['hour', 'day'] as const;

export function unbegun(): Model['budgets'][number] {
  return { hour: { index: -1, base: 0n, spent: 0n }, day: { index: -1, base: 0n, spent: 0n } };
}

/** The first price of an hour or a day begins it, or money that the operator adds. */
export function begin(model: Model, { command, timeMs }: Turn): void {
  const { kind } = command;
  if (kind !== 'tick' && kind !== 'report_index' && kind !== 'fund_insurance') return;
  for (const [assetId, budgets] of model.budgets.entries()) {
    for (const span of SPANS) {
      const index = Math.floor(timeMs / LENGTHS_MS[span]);
      if (budgets[span].index === index) continue;
      budgets[span] = { index, base: model.totals[assetId]?.insurance ?? 0n, spent: 0n };
    }
  }
}

/** What the operator adds counts for the hour and the day that run. */
export function added(model: Model, assetId: number, amount: bigint): void {
  const budgets = model.budgets[assetId];
  for (const span of SPANS) if (budgets !== undefined) budgets[span].base += amount;
}

function fundOf(model: Model, { terms }: ContractBook): bigint {
  return model.totals[terms.margin.assetId]?.insurance ?? 0n;
}

function left(model: Model, { terms }: ContractBook): bigint {
  const { assetId } = terms.margin;
  const [budgets, coin] = [model.budgets[assetId], model.assets[assetId]];
  if (budgets === undefined || coin === undefined) return 0n;
  const { hourPpm, dayPpm } = coin.fundBudget;
  const ofHour = (budgets.hour.base * BigInt(hourPpm)) / PPM - budgets.hour.spent;
  const ofDay = (budgets.day.base * BigInt(dayPpm)) / PPM - budgets.day.spent;
  return most(0n, ofHour < ofDay ? ofHour : ofDay);
}

/** What the liquidation that is under way may still take from the fund. */
export function payable(model: Model, turn: Turn, book: ContractBook): bigint {
  const before = turn.fundBefore.get(book.terms.instrumentId)?.fund ?? 0n;
  const kept = most(0n, before - left(model, book));
  return most(0n, fundOf(model, book) - kept);
}

/** Notes what the fund holds before a liquidation; of a hedge before the first thing it does. */
export function beginLiquidation(
  model: Model,
  turn: Turn,
  book: ContractBook,
  isOrder: boolean,
): void {
  const { instrumentId } = book.terms;
  if (!isOrder && turn.fundBefore.has(instrumentId)) return;
  turn.fundBefore.set(instrumentId, { fund: fundOf(model, book), isExact: isOrder });
}

export function endLiquidation(
  model: Model,
  turn: Turn,
  book: ContractBook,
  { fundDelta }: Liquidated,
): void {
  const { instrumentId } = book.terms;
  const before = turn.fundBefore.get(instrumentId);
  turn.fundBefore.delete(instrumentId);
  must(before !== undefined, 'liquidation', () => 'one ends that has not begun');
  const delta = fundOf(model, book) - before.fund;
  // Netting that came before it may have left a unit.
  if (before.isExact) mustBe('insurance', 'what a liquidation did to the fund', fundDelta, delta);
  if (fundDelta >= 0n) return;
  const rest = left(model, book);
  must(-fundDelta <= rest, 'budget', () => `a liquidation costs ${-fundDelta} of ${rest} left`);
  const budgets = model.budgets[book.terms.margin.assetId];
  for (const span of SPANS) if (budgets !== undefined) budgets[span].spent -= fundDelta;
  turn.count('cost of a liquidation within the budget');
  if (left(model, book) < fundOf(model, book)) turn.count('budget smaller than the fund');
}
