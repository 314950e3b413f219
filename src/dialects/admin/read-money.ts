/** Reads what the operator does with an account's money, or answers with the first refusal. */
import type { JsonObject } from '#api';
import {
  type AccountId,
  type Deposit,
  type FundInsurance,
  LIMITS,
  type Listings,
  type Refused,
  refuse,
  type SetLock,
  type Transfer,
  type Withdraw,
} from '#domain';
import { AdminFields } from './fields.ts';

export function readFunding<K extends 'deposit' | 'withdraw'>(
  kind: K,
  owner: AccountId,
  body: JsonObject,
  listings: Listings,
): Deposit | Withdraw | Refused {
  const fields = new AdminFields(body);
  const wallet = fields.wallet('wallet');
  const asset = fields.asset('coin', listings);
  const amount = fields.amount('amount', asset?.scale ?? LIMITS.assetScaleMax);
  if (fields.fault !== undefined || asset === undefined)
    return fields.fault ?? refuse('coin_unknown');
  return { kind, accountId: owner, wallet, assetId: asset.assetId, amount };
}

export function readInsurance(body: JsonObject, listings: Listings): FundInsurance | Refused {
  const fields = new AdminFields(body);
  const asset = fields.asset('coin', listings);
  const amount = fields.amount('amount', asset?.scale ?? LIMITS.assetScaleMax);
  if (fields.fault !== undefined || asset === undefined)
    return fields.fault ?? refuse('coin_unknown');
  return { kind: 'fund_insurance', assetId: asset.assetId, amount };
}

export function readLock(
  owner: AccountId,
  body: JsonObject,
  listings: Listings,
): SetLock | Refused {
  const fields = new AdminFields(body);
  const asset = fields.asset('coin', listings);
  const amount = fields.amount('amount', asset?.scale ?? LIMITS.assetScaleMax);
  if (fields.fault !== undefined || asset === undefined)
    return fields.fault ?? refuse('coin_unknown');
  return { kind: 'set_lock', accountId: owner, assetId: asset.assetId, amount };
}

export function readOwnTransfer(
  owner: AccountId,
  body: JsonObject,
  listings: Listings,
): Transfer | Refused {
  const fields = new AdminFields(body);
  fields.requiredText('from');
  fields.requiredText('to');
  const from = fields.wallet('from');
  const to = fields.wallet('to');
  const clientOid = fields.clientId('clientOid');
  const asset = fields.asset('coin', listings);
  const amount = fields.amount('amount', asset?.scale ?? LIMITS.assetScaleMax);
  if (fields.fault !== undefined || asset === undefined)
    return fields.fault ?? refuse('coin_unknown');
  const { assetId } = asset;
  return { kind: 'transfer', accountId: owner, assetId, amount, from, to, clientOid };
}
