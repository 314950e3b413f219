/** What the owner may set in a contract: leverage, margin, automatic margin, margin mode. */
import {
  type AdjustMargin,
  type Amount,
  type Event,
  entryMargin,
  isBreached,
  leverageMaxOf,
  removableMargin,
  type SetAutoMargin,
  type SetLeverage,
  type SetMarginMode,
} from '#domain';
import { formatTrimmed } from '#kernel';
import { type Refusal, refuse, type State } from '../state.ts';
import { checkSuspended } from '../swap/check.ts';
import { owedOf } from '../swap/fill.ts';
import type { MarginAccount } from './margin-account.ts';
import type { Position } from './position.ts';
import { fixedRisk } from './risk.ts';

type Setting = SetLeverage | AdjustMargin | SetAutoMargin | SetMarginMode;

/** The margin account a command is about, or why it cannot be changed. */
function marginOf(state: State, command: Setting): MarginAccount | Exclude<Refusal, undefined> {
  const account = state.ledger.account(command.accountId);
  if (account === undefined) return refuse('account_unknown');
  if (account.settings.frozen) return refuse('account_frozen');
  const market = state.swap(command.instrumentId);
  if (market === undefined) return refuse('contract_unknown');
  return checkSuspended(market.contract) ?? market.margin(account);
}

/** Leverage of one side in fixed mode, of both in crossed mode. */
export function setLeverage(state: State, command: SetLeverage, events: Event[]): Refusal {
  const margin = marginOf(state, command);
  if ('reject' in margin) return margin;
  const { leverage } = command;
  const both = margin.mode === 'crossed' || command.side === 'both';
  const positions = both ? [margin.long, margin.short] : [margin.position(command.side)];
  const refusal = checkLeverage(margin, positions, leverage);
  if (refusal !== undefined) return refusal;
  const changes = positions.map((position) => marginChange(margin, position, leverage));
  const needed = changes.reduce((sum, amount) => sum + amount, 0n);
  if (needed > 0n && needed > margin.spendable) return lacking(margin, needed);
  for (const [at, position] of positions.entries()) {
    const change = changes[at] ?? 0n;
    if (change < 0n && !isSafeWithout(margin, position, -change)) {
      return refuse('leverage_out_of_range', 'the margin left would be at the threshold');
    }
  }
  positions.forEach((position, at) => {
    if (position.leverage !== leverage) position.updatedTimeMs = state.timeMs;
    relever(margin, position, leverage, changes[at] ?? 0n);
  });
  tellSettings(state, margin, events);
  return undefined;
}

function checkLeverage(
  margin: MarginAccount,
  positions: readonly Position[],
  leverage: number,
): Refusal {
  const { contract } = margin.market;
  const { leverageMin, leverageMax } = contract;
  const isWhole = Number.isSafeInteger(leverage);
  if (!isWhole || leverage < leverageMin || leverage > leverageMax) {
    return refuse('leverage_out_of_range', `from ${leverageMin} to ${leverageMax}`);
  }
  if (positions.every((position) => position.leverage === leverage)) return undefined;
  if (margin.openOrdersCount > 0 || margin.plansCount > 0) return refuse('leverage_locked');
  for (const position of positions) {
    const { long, short, mode } = margin;
    const size = mode === 'fixed' ? position.lots : long.lots + short.lots;
    const allowed = leverageMaxOf(contract, size);
    if (size > 0 && leverage > allowed) {
      return refuse('leverage_out_of_range', `the position allows at most ${allowed}`);
    }
  }
  return undefined;
}

/**
 * What a leverage takes from the available balance, or frees when below zero: V(E) / L' - V(E) / L.
 * So what was added or taken out by hand stays as it is, and going back undoes it all.
 */
function marginChange({ market }: MarginAccount, position: Position, leverage: number): Amount {
  const { contract } = market;
  const needed = entryMargin(contract, position.open, leverage);
  return needed - entryMargin(contract, position.open, position.leverage);
}

/** Whether a fixed position stays above its threshold at the mark price with this much less. */
function isSafeWithout(margin: MarginAccount, position: Position, less: Amount): boolean {
  if (margin.mode === 'crossed') return true;
  const { contract, markTicks } = margin.market;
  const risk = fixedRisk(margin, position);
  const money = risk.money - less;
  return money >= 0n && !isBreached(contract, { ...risk, money }, markTicks);
}

function relever(
  { mode, market }: MarginAccount,
  position: Position,
  leverage: number,
  change: Amount,
): void {
  const { fineFactor } = market.contract;
  const lacking = position.marginOwed / (fineFactor * BigInt(position.leverage));
  position.leverage = leverage;
  if (mode === 'crossed') return;
  position.margin += change;
  const owed = owedOf(market.contract, position);
  position.marginOwed = owed + lacking * fineFactor * BigInt(leverage);
}

function lacking({ market, spendable }: MarginAccount, needed: Amount): Refusal {
  const { code, scale } = market.contract.margin;
  const has = formatTrimmed(spendable > 0n ? spendable : 0n, scale);
  return refuse('margin_insufficient', `needs ${formatTrimmed(needed, scale)} ${code}, has ${has}`);
}

/** Moves money into or out of a fixed position. */
export function adjustMargin(state: State, command: AdjustMargin, events: Event[]): Refusal {
  const margin = marginOf(state, command);
  if ('reject' in margin) return margin;
  const { side, delta, instrumentId } = command;
  if (margin.mode === 'crossed') return refuse('adjust_margin_in_crossed');
  if (delta === 0n) return refuse('margin_amount_invalid');
  const position = margin.position(side);
  if (position.lots === 0) return refuse('no_position_for_margin');
  if (delta > 0n && delta > margin.spendable) return lacking(margin, delta);
  if (delta < 0n && -delta > removableOf(margin, position)) {
    const { code, scale } = margin.market.contract.margin;
    const most = formatTrimmed(removableOf(margin, position), scale);
    return refuse('margin_removal_exceeded', `at most ${most} ${code}`);
  }
  position.margin += delta;
  position.updatedTimeMs = state.timeMs;
  margin.touch(state.timeMs);
  const { accountId } = margin;
  const adjustmentId = state.takeIds(1);
  const told = { accountId, instrumentId, side, delta, cause: 'owner', adjustmentId } as const;
  events.push({ kind: 'margin_adjusted', ...told });
  return undefined;
}

function removableOf(margin: MarginAccount, position: Position): Amount {
  const { contract, markTicks } = margin.market;
  const pnl = margin.unrealizedPnlOf(position);
  return removableMargin(contract, position, position.leverage, pnl, markTicks);
}

/** Whether a fixed position is given more margin by itself before it is liquidated. */
export function setAutoMargin(state: State, command: SetAutoMargin, events: Event[]): Refusal {
  const margin = marginOf(state, command);
  if ('reject' in margin) return margin;
  if (margin.mode === 'crossed') return refuse('auto_margin_in_crossed');
  const position = margin.position(command.side);
  if (position.lots === 0) return refuse('no_position_for_auto_margin');
  position.autoAppend = command.automatic;
  tellSettings(state, margin, events);
  return undefined;
}

/** Fixed or crossed; only while nothing is held and nothing waits. */
export function setMarginMode(state: State, command: SetMarginMode, events: Event[]): Refusal {
  const margin = marginOf(state, command);
  if ('reject' in margin) return margin;
  if (margin.mode !== command.mode) {
    const { openOrdersCount, plansCount, presetsCount } = margin;
    const isBusy = openOrdersCount + plansCount + presetsCount > 0;
    if (isBusy || !margin.isFlat) return refuse('margin_mode_locked');
    margin.mode = command.mode;
    if (command.mode === 'crossed') margin.short.leverage = margin.long.leverage;
  }
  tellSettings(state, margin, events);
  return undefined;
}

function tellSettings(state: State, margin: MarginAccount, events: Event[]): void {
  margin.touch(state.timeMs);
  events.push({
    kind: 'contract_settings_changed',
    accountId: margin.accountId,
    instrumentId: margin.market.contract.instrumentId,
    marginMode: margin.mode,
    longLeverage: margin.long.leverage,
    shortLeverage: margin.short.leverage,
    longAutomatic: margin.long.autoAppend,
    shortAutomatic: margin.short.autoAppend,
  });
}
