/** What the commands on an account's settings in a contract have in common. */
import {
  type AdjustMargin,
  refuse,
  type SetAutoMargin,
  type SetLeverage,
  type SetMarginMode,
} from '#domain';
import type { Refusal, State } from '../state.ts';
import { checkSuspended } from '../swap/check.ts';
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
  return checkSuspended(market.contract) ?? market.margin(account);
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
