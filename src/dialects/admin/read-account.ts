/** Reads what the operator asks about accounts and keys, or answers with the first refusal. */
import type { JsonObject } from '#api';
import {
  type AccountSettings,
  type AccountView,
  accountId,
  LIMITS,
  PERMISSIONS,
  type Permission,
  type Refused,
  refuse,
  SELF_TRADE_PREVENTIONS,
  type StateReader,
} from '#domain';
import { shown } from '../fields.ts';
import { AdminFields, given } from './fields.ts';

const PASSPHRASE = /^[\x21-\x7e]{8,128}$/;
/** A label is shown on the operator's terminal, where these would act and not be seen. */
const INVISIBLE = /\p{C}/u;

/** The account a path names, by its id or else by its name. */
export function findAccount(state: StateReader, named: string): AccountView | Refused {
  const id = /^[1-9][0-9]{0,14}$/.test(named) ? accountId(Number(named)) : undefined;
  const byId = id === undefined ? undefined : state.account(id);
  return byId ?? state.accountByName(named) ?? refuse('account_unknown', shown(named));
}

export interface AccountsPage {
  /** Zero for the first page. */
  readonly afterId: number;
  readonly limit: number;
}

export function readAccountsPage(query: JsonObject): AccountsPage | Refused {
  const fields = new AdminFields(query);
  const afterId = fields.count('after') ?? 0;
  const limit = fields.limit(LIMITS.pageRowsDefault, LIMITS.pageRowsMax);
  return fields.orRefusal({ afterId, limit });
}

export function readNewAccount(body: JsonObject): AccountSettings | Refused {
  const fields = new AdminFields(body);
  return fields.orRefusal({
    name: fields.requiredText('name'),
    frozen: false,
    selfTradePrevention: 'cancel_maker',
    openOrdersMax: LIMITS.accountOpenOrdersMax,
    takerFeePpm: null,
    makerFeePpm: null,
    ...settingsOf(fields),
  });
}

/** Only what is given: the rest stays as it is. */
export function readAccountChanges(body: JsonObject): Partial<AccountSettings> | Refused {
  const fields = new AdminFields(body);
  const name = fields.text('name');
  return fields.orRefusal({ ...(name === '' ? {} : { name }), ...settingsOf(fields) });
}

function settingsOf(fields: AdminFields): Partial<AccountSettings> {
  return given({
    frozen: fields.flagIfGiven('frozen'),
    selfTradePrevention: fields.word('selfTradePrevention', SELF_TRADE_PREVENTIONS),
    openOrdersMax: fields.count('openOrdersMax'),
    takerFeePpm: fields.rateOrNull('takerFee'),
    makerFeePpm: fields.rateOrNull('makerFee'),
  });
}

export interface NewKey {
  readonly label: string;
  /** Undefined to have one made up. */
  readonly passphrase: string | undefined;
  readonly permissions: readonly Permission[];
  readonly ipAllowList: readonly string[];
  readonly strictReplay: boolean;
}

export function readNewKey(body: JsonObject): NewKey | Refused {
  const fields = new AdminFields(body);
  const passphrase = fields.text('passphrase');
  if (passphrase !== '' && !PASSPHRASE.test(passphrase)) {
    fields.refuse('parameter_invalid', 'passphrase takes 8 to 128 visible characters');
  }
  const label = fields.text('label');
  if (INVISIBLE.test(label)) {
    fields.refuse('parameter_invalid', 'label takes visible characters');
  }
  return fields.orRefusal({
    label,
    passphrase: passphrase === '' ? undefined : passphrase,
    permissions: permissionsOf(fields),
    ipAllowList: fields.addresses('ipAllowList'),
    strictReplay: fields.flag('strictReplay', false),
  });
}

function permissionsOf(fields: AdminFields): readonly Permission[] {
  if (!fields.has('permissions')) return ['read', 'trade'];
  const words = fields.list('permissions', PERMISSIONS.length);
  const found = PERMISSIONS.filter((permission) => words.includes(permission));
  if (found.length !== words.length) {
    fields.refuse('parameter_invalid', `permissions are among ${PERMISSIONS.join(', ')}`);
  }
  return found;
}
