/**
 * Everything that can change the venue, as a closed union. A command is plain data: it is written
 * to the journal before anybody sees its effect, and replaying the journal applies it again.
 * Prices, sizes and amounts are already integers; secrets are already sealed.
 */
import type { AccountSettings, KeyRecord, Wallet } from './account.ts';
import type { AssetSpec } from './asset.ts';
import type { ContractSpec, SpotSpec, SpotTerms } from './instrument.ts';
import type { Force, OrderType, Side } from './order.ts';
import type { AccountId, Amount, AssetId, InstrumentId, Lots, OrderId, Ticks } from './units.ts';

export interface PlaceSpotOrder {
  readonly kind: 'place_spot_order';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly side: Side;
  readonly type: OrderType;
  readonly force: Force;
  /** Zero for a market order. */
  readonly priceTicks: Ticks;
  /** Zero for a market buy. */
  readonly sizeLots: Lots;
  /** Quote units to spend, for a market buy only; zero otherwise. */
  readonly quoteBudget: Amount;
  /** Empty for none. */
  readonly clientOrderId: string;
}

export interface CancelSpotOrder {
  readonly kind: 'cancel_spot_order';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly orderId: OrderId;
}

/** The operator takes every open spot order of an account off the books. */
export interface CancelAllSpotOrders {
  readonly kind: 'cancel_all_spot_orders';
  readonly accountId: AccountId;
}

export interface CreateAccount {
  readonly kind: 'create_account';
  readonly settings: AccountSettings;
}

export interface UpdateAccount {
  readonly kind: 'update_account';
  readonly accountId: AccountId;
  readonly changes: Partial<AccountSettings>;
}

export interface CreateKey {
  readonly kind: 'create_key';
  readonly record: Omit<KeyRecord, 'createdTimeMs'>;
}

export interface RevokeKey {
  readonly kind: 'revoke_key';
  readonly key: string;
}

export interface ListAsset {
  readonly kind: 'list_asset';
  readonly spec: AssetSpec;
}

export interface ListSpot {
  readonly kind: 'list_spot';
  readonly spec: SpotSpec;
}

export interface UpdateSpot {
  readonly kind: 'update_spot';
  readonly instrumentId: InstrumentId;
  readonly changes: Partial<SpotTerms>;
}

export interface ListContract {
  readonly kind: 'list_contract';
  readonly spec: ContractSpec;
}

export interface Deposit {
  readonly kind: 'deposit';
  readonly accountId: AccountId;
  readonly wallet: Wallet;
  readonly assetId: AssetId;
  readonly amount: Amount;
}

export interface Withdraw {
  readonly kind: 'withdraw';
  readonly accountId: AccountId;
  readonly wallet: Wallet;
  readonly assetId: AssetId;
  readonly amount: Amount;
}

/** Sets how much of a spot balance the operator keeps the owner from using. */
export interface SetLock {
  readonly kind: 'set_lock';
  readonly accountId: AccountId;
  readonly assetId: AssetId;
  readonly amount: Amount;
}

export interface Transfer {
  readonly kind: 'transfer';
  readonly accountId: AccountId;
  readonly assetId: AssetId;
  readonly amount: Amount;
  readonly from: Wallet;
  readonly to: Wallet;
  /** The client's own id for the transfer; empty for none. */
  readonly clientOid: string;
}

export type Command =
  | PlaceSpotOrder
  | CancelSpotOrder
  | CancelAllSpotOrders
  | CreateAccount
  | UpdateAccount
  | CreateKey
  | RevokeKey
  | ListAsset
  | ListSpot
  | UpdateSpot
  | ListContract
  | Deposit
  | Withdraw
  | SetLock
  | Transfer;

export type CommandKind = Command['kind'];
