/** What owners set in a contract: margin that is moved, the mode, automatic margin. */
import type { AdjustMargin, HoldSide, SetAutoMargin, SetLeverage, SetMarginMode } from '#domain';
import { TAKEN, type Verdict } from './admission.ts';
import { holdOn } from './begun.ts';
import { ceilDivide, floorDivide, least, most } from './figures.ts';
import { judgeLeverage } from './leverage.ts';
import { entryMargin, pnlOf, spendable, valueAt } from './margin.ts';
import { type ContractBook, type Model, marginWalletName, type Seat } from './model.ts';
import { seatIn } from './placed.ts';

export type Setting = AdjustMargin | SetAutoMargin | SetLeverage | SetMarginMode;

export function judgeSetting(model: Model, command: Setting): Verdict {
  const { accountId, instrumentId } = command;
  const account = model.accounts.get(accountId);
  if (account === undefined) return 'account_unknown';
  if (account.frozen) return 'account_frozen';
  const book = model.contracts.get(instrumentId);
  if (book === undefined) return 'contract_unknown';
  if (book.terms.status === 'suspended') return 'contract_suspended';
  const seat = seatIn(model, accountId)(book);
  const isAdding = command.kind === 'adjust_margin' && command.delta > 0n;
  const hold = isAdding ? 'none' : holdOn(model, book, seat);
  if (hold === 'maybe') return undefined;
  if (hold === 'surely') return 'in_liquidation';
  if (command.kind === 'set_leverage') return judgeLeverage(model, book, seat, command);
  if (command.kind === 'adjust_margin') return adjusting(model, book, seat, command);
  if (command.kind === 'set_margin_mode') {
    const isLocked = seat.mode !== command.mode && isBusy(book, seat);
    return isLocked ? 'margin_mode_locked' : TAKEN;
  }
  if (seat.mode === 'cross') return 'auto_margin_in_cross';
  return seat[command.side].lots === 0 ? 'no_position_for_auto_margin' : TAKEN;
}

/** A position, an order or a trigger order keeps the mode. */
function isBusy({ orders, triggers }: ContractBook, { accountId, long, short }: Seat): boolean {
  if (long.lots + short.lots > 0) return true;
  const waiting = [...triggers.values()].map(({ view }) => view);
  return [...orders, ...waiting].some((one) => one.accountId === accountId);
}

/** Up to what is available goes in; out goes what entry and mark price leave above V / L. */
function adjusting(
  model: Model,
  book: ContractBook,
  seat: Seat,
  { side, delta, accountId }: AdjustMargin,
): Verdict {
  if (seat.mode === 'cross') return 'adjust_margin_in_cross';
  if (delta === 0n) return 'margin_amount_invalid';
  const holding = seat[side];
  if (holding.lots === 0) return 'no_position_for_margin';
  if (delta > 0n) {
    const wallet = marginWalletName(model.accounts.get(accountId), book.terms);
    const free = spendable(model, accountId, wallet, book.terms.margin.assetId);
    return delta > free ? 'margin_insufficient' : TAKEN;
  }
  return -delta > removable(book, seat, side) ? 'margin_removal_exceeded' : TAKEN;
}

/** What entry and mark price leave of an isolated margin above V / L. */
export function removable(book: ContractBook, seat: Seat, side: HoldSide): bigint {
  const { margin, lots, leverage } = seat[side];
  const pnl = floorDivide(pnlOf(book, seat, side), book.fine);
  const needed = ceilDivide(valueAt(book, lots, book.now.markTicks), book.fine * BigInt(leverage));
  return most(0n, least(margin - entryMargin(book, seat[side]), margin + pnl - needed));
}
