/**
 * What a command did, as a closed union. Every command yields at least one event; a refused one
 * yields exactly one, `refused`, and changes nothing else. Events are facts about finished steps:
 * they are immutable and safe to keep.
 */
import type { AccountSettings, KeyRecord, Wallet } from './account.ts';
import type { Asset } from './asset.ts';
import type { Contract, SpotInstrument } from './instrument.ts';
import type { CloseReason, OrderView, Side } from './order.ts';
import type { RejectKind } from './reject.ts';
import type {
  AccountId,
  Amount,
  AssetId,
  InstrumentId,
  Lots,
  OrderId,
  Ticks,
  TradeId,
} from './units.ts';

export interface Refused {
  readonly kind: 'refused';
  readonly reject: RejectKind;
  /** Which value was refused and what it was held against, for a person; may be empty. */
  readonly detail: string;
}

/** An order passed every check and got its id. What became of it follows in the same step. */
export interface OrderAccepted {
  readonly kind: 'order_accepted';
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly clientOrderId: string;
}

/** What is left of an order now rests in the book. */
export interface OrderRested {
  readonly kind: 'order_rested';
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly openLots: Lots;
}

/** An order is final. `order` is its last state, complete. */
export interface OrderClosed {
  readonly kind: 'order_closed';
  readonly order: OrderView;
  readonly reason: CloseReason;
  /** What was taken off the book level by closing; zero when it rested no more or never. */
  readonly restingLots: Lots;
}

/**
 * One match. The buyer receives base less buyerFee, the seller receives quote less sellerFee.
 * The four balances are the spot balances just before this trade's bill, in the order of the four
 * bills: buyer base, buyer quote, seller base, seller quote (ids tradeId + 1 to tradeId + 4).
 */
export interface Trade {
  readonly kind: 'trade';
  readonly tradeId: TradeId;
  readonly instrumentId: InstrumentId;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly quoteAmount: Amount;
  readonly takerSide: Side;
  readonly takerOrderId: OrderId;
  readonly makerOrderId: OrderId;
  readonly takerAccountId: AccountId;
  readonly makerAccountId: AccountId;
  readonly takerIsMarket: boolean;
  /** In base units. */
  readonly buyerFee: Amount;
  /** In quote units. */
  readonly sellerFee: Amount;
  readonly buyerBaseBefore: Amount;
  readonly buyerQuoteBefore: Amount;
  readonly sellerBaseBefore: Amount;
  readonly sellerQuoteBefore: Amount;
}

/** A balance changed for a reason other than a trade. The bill's id is billId. */
export interface BalanceChanged {
  readonly kind: 'balance_changed';
  readonly billId: number;
  readonly reason: 'deposit' | 'withdraw' | 'transfer_in' | 'transfer_out';
  readonly accountId: AccountId;
  readonly wallet: Wallet;
  readonly assetId: AssetId;
  /** Signed: negative leaves the wallet. */
  readonly delta: Amount;
  readonly balanceBefore: Amount;
}

/** Money moved between two wallets of one account; its two balance changes follow it. */
export interface Transferred {
  readonly kind: 'transferred';
  readonly transferId: number;
  readonly accountId: AccountId;
  readonly assetId: AssetId;
  readonly amount: Amount;
  readonly from: Wallet;
  readonly to: Wallet;
  readonly clientOid: string;
}

/** The operator cancelled an account's orders; each one's order_closed follows. */
export interface OrdersCancelled {
  readonly kind: 'orders_cancelled';
  readonly accountId: AccountId;
  readonly ordersCount: number;
}

export interface LockSet {
  readonly kind: 'lock_set';
  readonly accountId: AccountId;
  readonly assetId: AssetId;
  readonly amount: Amount;
}

export interface AccountCreated {
  readonly kind: 'account_created';
  readonly accountId: AccountId;
  readonly settings: AccountSettings;
}

export interface AccountUpdated {
  readonly kind: 'account_updated';
  readonly accountId: AccountId;
  readonly settings: AccountSettings;
}

export interface KeyCreated {
  readonly kind: 'key_created';
  readonly record: KeyRecord;
}

export interface KeyRevoked {
  readonly kind: 'key_revoked';
  readonly key: string;
}

export interface AssetListed {
  readonly kind: 'asset_listed';
  readonly asset: Asset;
}

export interface SpotListed {
  readonly kind: 'spot_listed';
  readonly instrument: SpotInstrument;
}

export interface SpotUpdated {
  readonly kind: 'spot_updated';
  readonly instrument: SpotInstrument;
}

export interface ContractListed {
  readonly kind: 'contract_listed';
  readonly contract: Contract;
}

export type Event =
  | Refused
  | OrderAccepted
  | OrderRested
  | OrderClosed
  | Trade
  | BalanceChanged
  | Transferred
  | OrdersCancelled
  | LockSet
  | AccountCreated
  | AccountUpdated
  | KeyCreated
  | KeyRevoked
  | AssetListed
  | SpotListed
  | SpotUpdated
  | ContractListed;

/** The events of one command, with the place and time the sequencer gave it. */
export interface Step {
  readonly seq: number;
  readonly timeMs: number;
  readonly events: readonly Event[];
}
