/** What the commands on an account's settings in a contract have in common. */
import {
  type AdjustMargin,
  refuse,
  type SetAutoMargin,
  type SetLeverage,
  type SetMarginMode,
} from '#domain';
import type { Refusal, State } from '../state.ts';
import { checkLiquidation, checkSuspended } from '../swap/check.ts';
import type { MarginAccount } from './margin-account.ts';

type Setting = SetLeverage | AdjustMargin | SetAutoMargin | SetMarginMode;

/** The margin account a command is about, or why it cannot be changed. */
export function marginOf(
  state: State,
  command: Setting,
): MarginAccount | Exclude<Refusal, undefined> {
  const account = state.ledger.account(command.accountId);
  if (account === undefined) return refuse('account_unknown');
  if (account.terms.frozen) return refuse('account_frozen');
  const market = state.swap(command.instrumentId);
  if (market === undefined) return refuse('contract_unknown');
  const margin = market.margin(account);
  const refusal = checkSuspended(market.contract);
  if (refusal !== undefined || isAdding(command)) return refusal ?? margin;
  return checkLiquidation(state, margin) ?? margin;
}

/** What a liquidation that goes on leaves its owner, too. */
function isAdding(command: Setting): boolean {
  return command.kind === 'adjust_margin' && command.delta > 0n;
}

export function emitSettings(state: State, margin: MarginAccount): void {
  margin.touch(state.timeMs);
  state.emit({
    kind: 'contract_settings_changed',
    accountId: margin.accountId,
    instrumentId: margin.market.contract.instrumentId,
    marginMode: margin.mode,
    longLeverage: margin.long.leverage,
    shortLeverage: margin.short.leverage,
    leverages: margin.leverages,
    isSeparated: margin.isSeparated,
    longAutomatic: margin.long.autoAppend,
    shortAutomatic: margin.short.autoAppend,
  });
}
