/** Accounts and keys: created and changed by the operator, journaled like everything else. */
import {
  type AccountSettings,
  type CreateAccount,
  type CreateKey,
  dueTo,
  inField,
  inRange,
  LIMITS,
  PERMISSIONS,
  PPM,
  type RevokeKey,
  refuse,
  SELF_TRADE_PREVENTIONS,
  type UpdateAccount,
  WALLET_SCOPES,
} from '#domain';
import type { Refusal, State } from '../state.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const KEY = /^[A-Za-z0-9_-]{4,64}$/;

export function createAccount(state: State, command: CreateAccount): Refusal {
  const { settings } = command;
  const refusal = checkSettings(settings);
  if (refusal !== undefined) return refusal;
  if (state.ledger.accountByName(settings.name) !== undefined) return refuse('account_name_in_use');
  if (state.ledger.accountsCount >= LIMITS.accountsMax) return refuse('accounts_exceeded');
  const { accountId } = state.ledger.addAccount(settings, state.timeMs);
  state.emit({ kind: 'account_created', accountId, settings });
  return undefined;
}

export function updateAccount(state: State, command: UpdateAccount): Refusal {
  const account = state.ledger.account(command.accountId);
  if (account === undefined) return refuse('account_unknown');
  if ('wallets' in command.changes) {
    return refuse('settings_invalid', dueTo('wallets_fixed'));
  }
  const settings = { ...account.settings, ...command.changes };
  const refusal = checkSettings(settings);
  if (refusal !== undefined) return refusal;
  const named = state.ledger.accountByName(settings.name);
  if (named !== undefined && named !== account) return refuse('account_name_in_use');
  state.ledger.changeSettings(account, settings);
  state.emit({ kind: 'account_updated', accountId: account.accountId, settings });
  return undefined;
}

function checkSettings(settings: AccountSettings): Refusal {
  const { name, openOrdersMax, takerFeePpm, makerFeePpm } = settings;
  if (name.length > LIMITS.nameLengthMax || !NAME.test(name)) {
    return refuse('settings_invalid', dueTo('account_name_form'));
  }
  if (!SELF_TRADE_PREVENTIONS.includes(settings.selfTradePrevention)) {
    return refuse('settings_invalid', inField('self_trade_prevention'));
  }
  if (!WALLET_SCOPES.includes(settings.wallets ?? 'contract')) {
    return refuse('settings_invalid', inField('wallets'));
  }
  if (!isWithin(openOrdersMax, 0, LIMITS.openOrdersMax)) {
    const range = inRange('account_open_orders', 0, LIMITS.openOrdersMax);
    return refuse('settings_invalid', range);
  }
  for (const feePpm of [takerFeePpm, makerFeePpm]) {
    if (feePpm === null || isFeeRate(feePpm)) continue;
    return refuse('settings_invalid', inField('fee_rate'));
  }
  return undefined;
}

/** A fee rate is at least nothing and less than everything. */
export function isFeeRate(feePpm: number): boolean {
  return isWithin(feePpm, 0, PPM - 1);
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}

export function createKey(state: State, command: CreateKey): Refusal {
  const { key, accountId, permissions, ipAllowList, label } = command.record;
  if (state.ledger.account(accountId) === undefined) return refuse('account_unknown');
  if (!KEY.test(key)) return refuse('settings_invalid', dueTo('key_form'));
  if (state.keys.has(key)) return refuse('key_in_use');
  const known = permissions.every((permission) => PERMISSIONS.includes(permission));
  if (!known || new Set(permissions).size !== permissions.length) {
    return refuse('settings_invalid', inField('permissions'));
  }
  if (ipAllowList.length > LIMITS.ipAllowListMax) {
    return refuse('settings_invalid', inField('ip_allow_list'));
  }
  if (label.length > LIMITS.nameLengthMax) return refuse('settings_invalid', inField('label'));
  const keysCount = state.keysPerAccount.get(accountId) ?? 0;
  if (keysCount >= LIMITS.keysPerAccountMax) return refuse('keys_exceeded');
  const record = { ...command.record, createdTimeMs: state.timeMs };
  state.keys.set(key, record);
  state.keysPerAccount.set(accountId, keysCount + 1);
  state.emit({ kind: 'key_created', record });
  return undefined;
}

export function revokeKey(state: State, command: RevokeKey): Refusal {
  const record = state.keys.get(command.key);
  if (record === undefined) return refuse('key_not_found');
  state.keys.delete(command.key);
  const keysCount = state.keysPerAccount.get(record.accountId) ?? 0;
  state.keysPerAccount.set(record.accountId, keysCount - 1);
  state.emit({ kind: 'key_revoked', key: command.key });
  return undefined;
}
