/** The operator's handlers for accounts and their keys. */
import { type KeyVault, newCredentials } from '#api';
import {
  type AccountId,
  type AccountView,
  accountId,
  isRefused,
  type Refused,
  type StateReader,
  type VenuePort,
} from '#domain';
import { present } from '#kernel';

import { carryOut, submit, workDone } from '../carry-out.ts';
import type { OperatorCall, OperatorHandler } from '../handlers.ts';
import {
  findAccount,
  readAccountChanges,
  readAccountsPage,
  readNewAccount,
  readNewKey,
} from './read-account.ts';
import { accountData, accountWithBalancesData, keyData } from './write.ts';

export function accountHandlers(venue: VenuePort, vault: KeyVault) {
  return {
    accounts: (call) => listAccounts(venue, call),
    createAccount: (call) => createAccount(venue, call),
    account: (call) =>
      venue.read((state) =>
        onAccount(state, call, (account) => accountWithBalancesData(account, state.listings)),
      ),
    updateAccount: (call) => updateAccount(venue, call),
    cancelOrders: (call) => cancelOrders(venue, call),
    keys: (call) =>
      venue.read((state) =>
        onAccount(state, call, ({ accountId }) => vault.recordsOf(accountId).map(keyData)),
      ),
    createKey: (call) => createKey(venue, vault, call),
    revokeKey: async ({ path }) => {
      const key = path.key ?? '';
      const event = await submit(venue, 'key_revoked', { kind: 'revoke_key', key });
      return isRefused(event) ? event : { key: event.key };
    },
  } as const satisfies Record<string, OperatorHandler>;
}

/** The account the path names, handed on, or why there is none. */
export function onAccount<T>(
  state: StateReader,
  { path }: OperatorCall,
  use: (account: AccountView) => T | Refused,
): T | Refused {
  const account = findAccount(state, path.account ?? '');
  return isRefused(account) ? account : use(account);
}

/** Ids have no gaps, so a page costs what it shows and not what lies before it. */
function listAccounts(venue: VenuePort, { input }: OperatorCall): Promise<object | Refused> {
  const page = readAccountsPage(input);
  if (isRefused(page)) return Promise.resolve(page);
  return venue.read((state) => {
    const rows = [];
    for (
      let id = page.afterId + 1;
      id <= state.accountsCount && rows.length < page.limit;
      id += 1
    ) {
      const account = present(state.account(accountId(id)), `account ${id}`);
      rows.push(accountData(account));
    }
    return rows;
  });
}

async function createAccount(venue: VenuePort, { input }: OperatorCall): Promise<object | Refused> {
  const settings = readNewAccount(input);
  if (isRefused(settings)) return settings;
  const event = await submit(venue, 'account_created', { kind: 'create_account', settings });
  return isRefused(event) ? event : readBack(venue, event.accountId);
}

async function updateAccount(venue: VenuePort, call: OperatorCall): Promise<object | Refused> {
  const changes = readAccountChanges(call.input);
  if (isRefused(changes)) return changes;
  const event = await carryOut(venue, 'account_updated', (state) =>
    onAccount(state, call, ({ accountId }) => ({ kind: 'update_account', accountId, changes })),
  );
  return isRefused(event) ? event : readBack(venue, event.accountId);
}

function readBack(venue: VenuePort, id: AccountId): Promise<object> {
  return venue.read((state) => accountData(present(state.account(id), `account ${id}`)));
}

async function cancelOrders(venue: VenuePort, call: OperatorCall): Promise<object | Refused> {
  const owner = await ownerOf(venue, call);
  if (isRefused(owner)) return owner;
  const { accountId } = owner;
  const [spot, contracts] = await Promise.all([
    submit(venue, 'orders_cancelled', { kind: 'cancel_all_spot_orders', accountId }),
    submit(venue, 'orders_cancelled', { kind: 'cancel_all_contract_orders', accountId }),
  ]);
  if (isRefused(spot)) return spot;
  if (isRefused(contracts)) return contracts;
  await workDone(venue);
  return { accountId: String(accountId), cancelled: spot.ordersCount + contracts.ordersCount };
}

/** Who a call is about, for calls that cannot be built in one look at the state. */
function ownerOf(
  venue: VenuePort,
  call: OperatorCall,
): Promise<{ readonly accountId: AccountId } | Refused> {
  return venue.read((state) => onAccount(state, call, ({ accountId }) => ({ accountId })));
}

async function createKey(
  venue: VenuePort,
  vault: KeyVault,
  call: OperatorCall,
): Promise<object | Refused> {
  const wanted = readNewKey(call.input);
  if (isRefused(wanted)) return wanted;
  const owner = await ownerOf(venue, call);
  if (isRefused(owner)) return owner;
  const { key, secret, passphrase } = newCredentials(wanted.passphrase);
  const sealed = await vault.seal(key, secret, passphrase);
  const { label, permissions, ipAllowList, strictReplay } = wanted;
  const { accountId } = owner;
  const strict = strictReplay ? ({ strictReplay: true } as const) : {};
  const record = { key, accountId, label, permissions, ipAllowList, ...sealed, ...strict };
  const event = await submit(venue, 'key_created', { kind: 'create_key', record });
  return isRefused(event) ? event : { ...keyData(event.record), secret, passphrase };
}
