/**
 * What liquidations of a contract cost the insurance fund: what one says it brought or cost is what
 * the fund has gained or lost by it, and an hour's cost stays within its budget.
 */
import type { Liquidated } from '#domain';
import { most, PPM } from './figures.ts';
import { must, mustBe } from './judge.ts';
import type { ContractBook, Model } from './model.ts';
import type { Turn } from './turn.ts';

const HOUR_MS = 3_600_000;

/** The first price of an hour begins it, or money that the operator adds. */
export function beginHour(model: Model, { command, timeMs }: Turn): void {
  const { kind } = command;
  if (kind !== 'tick' && kind !== 'report_index' && kind !== 'fund_insurance') return;
  const hour = Math.floor(timeMs / HOUR_MS);
  for (const book of model.contracts.values()) {
    if (book.budget.hour !== hour) book.budget = { hour, base: fundOf(model, book), spent: 0n };
  }
}

function fundOf(model: Model, { terms }: ContractBook): bigint {
  return model.totals[terms.margin.assetId]?.insurance ?? 0n;
}

function left({ budget, terms }: ContractBook): bigint {
  return most(0n, (budget.base * BigInt(terms.insuranceBudgetPpm)) / PPM - budget.spent);
}

/** What the liquidation that is under way may still take from the fund. */
export function payable(model: Model, turn: Turn, book: ContractBook): bigint {
  const before = turn.fundBefore.get(book.terms.instrumentId)?.fund ?? 0n;
  const kept = most(0n, before - left(book));
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
  const rest = left(book);
  must(-fundDelta <= rest, 'budget', () => `a liquidation costs ${-fundDelta} of ${rest} left`);
  book.budget.spent -= fundDelta;
  turn.count('cost of a liquidation within the budget');
  if (left(book) < fundOf(model, book)) turn.count('budget smaller than the fund');
}
