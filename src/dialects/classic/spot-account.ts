/** Handlers of an account's money: balances, bills, and transfers between its own wallets. */
import type { Answer, JsonObject, Services } from '#api';
import {
  type AccountId,
  type Asset,
  type AssetId,
  type BalanceView,
  isRefused,
  type Listings,
  refuse,
} from '#domain';
import { assert, present } from '#kernel';

import type { PrivateHandler } from '../handlers.ts';
import { readBills, readCoin, readTransfer, readTransfers } from './spot-read-query.ts';
import {
  writeAsset,
  writeBill,
  writeTransferIds,
  writeTransferRecord,
} from './spot-write-account.ts';
import { jsonList } from './spot-write-market.ts';

type AccountOptions = Pick<Services, 'venue' | 'live' | 'history' | 'historyReady'>;

/** One handler per account endpoint, by its name in the table. */
export function accountHandlers(options: AccountOptions) {
  return {
    assets: (input, accountId) => assets(options, input, accountId),
    bills: (input, accountId) => bills(options, input, accountId),
    transferRecords: (input, accountId) => transferRecords(options, input, accountId),
    transfer: (input, accountId) => transfer(options, input, accountId),
  } as const satisfies Record<string, PrivateHandler>;
}

/** What older clients call under other names. */
export function legacyAccountHandlers(options: AccountOptions) {
  return {
    assetsLite: (input, accountId) => assets(options, input, accountId, isSomething),
    accounts: (_input, accountId) =>
      JSON.stringify([{ id: String(accountId), type: 'spot', state: 'working' }]),
  } as const satisfies Record<string, PrivateHandler>;
}

function isSomething({ balance }: BalanceView): boolean {
  return balance !== 0n;
}

async function assets(
  { venue, live }: AccountOptions,
  input: JsonObject,
  accountId: AccountId,
  isShown: (balance: BalanceView) => boolean = () => true,
): Promise<Answer> {
  const query = readCoin(input, live.listings);
  if (isRefused(query)) return query;
  return venue.read((state) => {
    const account = state.account(accountId);
    if (account === undefined) return refuse('account_unknown');
    const rows: string[] = [];
    for (const balance of account.spotBalances()) {
      if (query.coin !== undefined && balance.assetId !== query.coin.assetId) continue;
      if (!isShown(balance)) continue;
      rows.push(writeAsset(coinOf(state.listings, balance.assetId), balance));
    }
    return `[${rows.join(',')}]`;
  });
}

function coinOf(listings: Listings, assetId: AssetId): Asset {
  return present(listings.asset(assetId), 'coin of a balance');
}

async function bills(
  { live, history, historyReady }: AccountOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const query = readBills(input, live.listings);
  if (isRefused(query)) return query;
  const { coin, group, biz, ...page } = query;
  if (group === 'other' || biz === 'other') return '[]';
  await historyReady();
  const found = await history.bills({
    ...page,
    accountId,
    wallet: 'spot',
    assetId: coin?.assetId,
    group,
    biz,
  });
  return jsonList(found, (bill) => writeBill(coinOf(live.listings, bill.assetId), bill));
}

async function transferRecords(
  { live, history, historyReady }: AccountOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const query = readTransfers(input, live.listings);
  if (isRefused(query)) return query;
  const { coin, fromType, clientOid, ...page } = query;
  if (fromType === 'foreign') return '[]';
  await historyReady();
  const found = await history.transfers({
    ...page,
    accountId,
    assetId: coin?.assetId,
    fromType,
    clientOid: clientOid === '' ? undefined : clientOid,
  });
  return jsonList(found, (row) => writeTransferRecord(coinOf(live.listings, row.assetId), row));
}

async function transfer(
  { venue, live }: AccountOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const command = readTransfer(input, accountId, live.listings);
  if (isRefused(command)) return command;
  const [first] = await venue.submit(command);
  if (first?.kind === 'refused') return first;
  assert(first?.kind === 'transferred', 'a transfer is made or refused');
  return writeTransferIds(first.transferId, first.clientOid);
}
