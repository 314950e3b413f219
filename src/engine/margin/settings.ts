/** What the commands on an account's settings in a contract have in common. */
import type { AdjustMargin, Amount, SetAutoMargin, SetLeverage, SetMarginMode } from '#domain';
import { formatTrimmed } from '#kernel';
import { type Refusal, refuse, type State } from '../state.ts';
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
  if (account.settings.frozen) return refuse('account_frozen');
  const market = state.swap(command.instrumentId);
  if (market === undefined) return refuse('contract_unknown');
  return checkSuspended(market.contract) ?? market.margin(account);
}

export function lacking({ market, spendable }: MarginAccount, needed: Amount): Refusal {
  const { code, scale } = market.contract.margin;
  const has = formatTrimmed(spendable > 0n ? spendable : 0n, scale);
  return refuse('margin_insufficient', `needs ${formatTrimmed(needed, scale)} ${code}, has ${has}`);
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
    longAutomatic: margin.long.autoAppend,
    shortAutomatic: margin.short.autoAppend,
  });
}
