/**
 * What a command did, as a closed union. Every command yields at least one event; a refused one
 * yields exactly one, `refused`, and changes nothing else. Events are facts about finished steps:
 * they are immutable and safe to keep.
 */
import type {
  AccountCreated,
  AccountUpdated,
  KeyCreated,
  KeyRevoked,
  LockSet,
  MoneyHeld,
} from './account-event.ts';
import type { Asset } from './asset.ts';
import type { PlaceSpotOrder } from './command.ts';
import type { Contract, HoldSide, MarginMode } from './contract.ts';
import type {
  ContractAction,
  ContractCloseReason,
  ContractLimitView,
  ContractOrderAsked,
  ContractOrderFilled,
  ContractOrderView,
  OrderCause,
  TriggerOrderView,
  TriggerStatus,
} from './contract-order.ts';
import type { ContractPrices, MarginAccountView } from './contract-view.ts';
import type { Detail } from './detail.ts';
import type { SpotInstrument } from './instrument.ts';
import type { CloseReason, LimitOrderView, OrderFilled, OrderView, Side } from './order.ts';
import type { RejectKind } from './reject.ts';
import type {
  CheckpointDropped,
  CheckpointSaved,
  ClockSet,
  FaultAdded,
  FaultsRemoved,
  VenueReset,
} from './sandbox-event.ts';
import type { Wallet } from './symbols.ts';
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
  /** Which value was refused and what it was held against. */
  readonly detail: Detail;
}

/** An order passed every check and got its id. What became of it follows in the same step. */
export interface OrderAccepted {
  readonly kind: 'order_accepted';
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  /** Undefined when the client gave none. */
  readonly clientOrderId: string | undefined;
  /** What was asked for. */
  readonly terms: PlaceSpotOrder;
}

/** What is left of an order, spot or contract, now rests in the book. */
export interface OrderRested {
  readonly kind: 'order_rested';
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly openLots: Lots;
}

/**
 * A resting order has another price or size: `order` as it is before it meets the book again. What
 * has left the level it stood in, and what of it stays there with its place in the queue: of an
 * order that lost it nothing, and it rests again or closes in the same step.
 */
export interface OrderMoved {
  readonly kind: 'order_moved';
  readonly order: LimitOrderView;
  readonly fromTicks: Ticks;
  readonly fromLots: Lots;
  readonly keptLots: Lots;
}

/** As with a spot order. */
export interface ContractOrderMoved {
  readonly kind: 'contract_order_moved';
  readonly order: ContractLimitView;
  readonly fromTicks: Ticks;
  readonly fromLots: Lots;
  readonly keptLots: Lots;
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
  /** What each order has been filled in all, this trade included. */
  readonly takerFilled: OrderFilled;
  readonly makerFilled: OrderFilled;
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
  readonly reason: 'deposit' | 'withdraw' | 'transfer_in' | 'transfer_out' | 'funding';
  readonly accountId: AccountId;
  readonly wallet: Wallet;
  /** Of funding: the contract whose it is. A wallet may be that of several. */
  readonly instrumentId?: InstrumentId;
  readonly assetId: AssetId;
  /** Signed: negative leaves the wallet. */
  readonly delta: Amount;
  readonly balanceBefore: Amount;
  /** Of funding: the position that paid or received it. */
  readonly position?: { readonly side: HoldSide; readonly positionId: number } | undefined;
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
  /** As the command named them: a contract, where one wallet is behind several. */
  readonly fromNamed: Wallet;
  readonly toNamed: Wallet;
  readonly clientOid: string | undefined;
}

/** The operator cancelled an account's orders; each one's order_closed follows. */
export interface OrdersCancelled {
  readonly kind: 'orders_cancelled';
  readonly accountId: AccountId;
  readonly ordersCount: number;
}

export interface AssetListed {
  readonly kind: 'asset_listed';
  readonly asset: Asset;
}

export interface AssetUpdated {
  readonly kind: 'asset_updated';
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

export interface ContractUpdated {
  readonly kind: 'contract_updated';
  readonly contract: Contract;
}

/** What a command of an operator for money did. */
export type MoneyResult = BalanceChanged | Transferred | InsuranceFunded;

/** What is listed, or its terms, are others. */
export type ListingEvent =
  | AssetListed
  | AssetUpdated
  | SpotListed
  | SpotUpdated
  | ContractListed
  | ContractUpdated;

/** A contract order passed every check and got its id. */
export interface ContractOrderAccepted {
  readonly kind: 'contract_order_accepted';
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  /** Undefined when the client gave none. */
  readonly clientOrderId: string | undefined;
  readonly leverage: number;
  readonly terms: ContractOrderAsked;
  /** The order that has closed the other side, where the two reverse a position. */
  readonly reverses?: OrderId | undefined;
}

/** A position is closed that was to be reversed, and the other side is not opened. */
export interface ReversalRefused {
  readonly kind: 'reversal_refused';
  /** Of the order that has closed it. */
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly refused: Refused;
}

/** A contract order is final. `order` is its last state, complete. */
export interface ContractOrderClosed {
  readonly kind: 'contract_order_closed';
  readonly order: ContractOrderView;
  readonly reason: ContractCloseReason;
  /** What was taken off the book level by closing; zero when it rested no more or never. */
  readonly restingLots: Lots;
}

/** One party of a contract trade. */
export interface ContractFill {
  readonly orderId: OrderId;
  /** The position that was opened, grown, reduced or closed. */
  readonly positionId: number;
  readonly accountId: AccountId;
  readonly action: ContractAction;
  readonly cause: OrderCause;
  readonly orderLots: Lots;
  /** Charged, in the margin coin; never negative. */
  readonly fee: Amount;
  /** Realised by this fill, fee not included; zero for an opening one. */
  readonly realizedPnl: Amount;
  /** What its order has been filled in all, this fill included. */
  readonly filled: ContractOrderFilled;
  readonly wallet: Wallet;
  /** Of the wallet, after fee, profit and what the insurance fund had to do with them. */
  readonly balance: Amount;
  /** Paid by the insurance fund before the fill; below zero: taken by it afterwards. */
  readonly insured: Amount;
}

/** One match in a contract: in the book, by deleveraging or within an account that is netted. */
export interface ContractTrade {
  readonly kind: 'contract_trade';
  readonly tradeId: TradeId;
  readonly instrumentId: InstrumentId;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  /** The margin coin, which all amounts are in. */
  readonly assetId: AssetId;
  /** Value in the margin coin, rounded down. */
  readonly quoteAmount: Amount;
  readonly takerSide: Side;
  /** Booked before the maker, which matters where both are one account's. */
  readonly taker: ContractFill;
  readonly maker: ContractFill;
  /** False for deleveraging and netting: no order of the book, no public list or candle has it. */
  readonly inBook: boolean;
}

/** What one position or cross account lost to liquidation in this step. */
export interface Liquidated {
  readonly kind: 'liquidated';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly positionId: number;
  readonly mode: MarginMode;
  readonly side: HoldSide;
  readonly markTicks: Ticks;
  /** Zero when no price empties it. */
  readonly bankruptcyTicks: Ticks;
  readonly sizeLots: Lots;
  /** Of them by deleveraging others. */
  readonly deleveragedLots: Lots;
  /** What the fund received, or paid when below zero. */
  readonly fundDelta: Amount;
  /** Who was filled past the bankruptcy price with the fund behind it, once each. */
  readonly paidTo: readonly FundPayment[];
}

/** What an account gained by fills past a bankruptcy price. */
export interface FundPayment {
  readonly accountId: AccountId;
  /** Value between that price and the fills', in the margin coin. */
  readonly amount: Amount;
}

/** The insurance fund paid into a wallet, or took what was left there, apart from any fill. */
export interface InsuranceMoved extends WalletState {
  readonly kind: 'insurance_moved';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  /** Signed: above zero went into the wallet. */
  readonly delta: Amount;
}

/** The wallet of a margin account, and what is in it after the event. */
export interface WalletState {
  readonly wallet: Wallet;
  readonly assetId: AssetId;
  readonly balance: Amount;
}

/** The wallet's balance does not change by it. */
export interface MarginAdjusted extends WalletState {
  readonly kind: 'margin_adjusted';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly positionId: number;
  readonly side: HoldSide;
  /** Signed: above zero went into the position. */
  readonly delta: Amount;
  readonly cause: 'owner' | 'automatic';
  /** Number of the adjustment in the venue's one sequence. */
  readonly adjustmentId: number;
}

/** Leverage, margin mode or automatic margin as they are now. */
export interface ContractSettingsChanged
  extends Pick<MarginAccountView, 'marginMode' | 'leverages' | 'isSeparated'> {
  readonly kind: 'contract_settings_changed';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly longLeverage: number;
  readonly shortLeverage: number;
  readonly longAutomatic: boolean;
  readonly shortAutomatic: boolean;
}

export interface TriggerOrderAccepted {
  readonly kind: 'trigger_order_accepted';
  readonly trigger: TriggerOrderView;
}

/** A waiting TP/SL closes more than before: its order has filled further. */
export interface TriggerOrderGrown {
  readonly kind: 'trigger_order_grown';
  readonly trigger: TriggerOrderView;
}

/** The owner gave what waits another trigger, working price, execution or size. */
export interface TriggerOrderModified {
  readonly kind: 'trigger_order_modified';
  readonly trigger: TriggerOrderView;
  /** Number of the change in the venue's one sequence: among those of one price it fires by it. */
  readonly placeId: number;
}

/** A trigger order fired, failed or was cancelled. */
export interface TriggerOrderClosed {
  readonly kind: 'trigger_order_closed';
  readonly trigger: TriggerOrderView;
  readonly status: Exclude<TriggerStatus, 'waiting'>;
  /** Why it failed or was cancelled; empty when it triggered. */
  readonly reason: string;
  /** The order it became, if any. */
  readonly placedOrderId: OrderId | undefined;
  readonly executedLots: Lots;
}

export interface ContractPriced {
  readonly kind: 'contract_priced';
  readonly prices: ContractPrices;
}

/** One settlement of funding; the accounts' balance changes follow it. */
export interface FundingSettled {
  readonly kind: 'funding_settled';
  readonly instrumentId: InstrumentId;
  readonly fundingTimeMs: number;
  readonly ratePpb: number;
  readonly markTicks: Ticks;
  /** Paid by one side, received by the other; the difference went to the insurance fund. */
  readonly collected: Amount;
  readonly distributed: Amount;
  /** What payers owed and could not pay without falling below the liquidation threshold. */
  readonly uncollected: Amount;
  /**
   * Not zero in a row that charges nothing: it stands for so many settlements up to its time, which
   * were missed and lie too far back.
   */
  readonly skippedCount: number;
}

export interface IndexReported {
  readonly kind: 'index_reported';
  readonly instrumentId: InstrumentId;
  readonly source: string;
  readonly priceTicks: Ticks;
}

export interface InsuranceFunded {
  readonly kind: 'insurance_funded';
  readonly assetId: AssetId;
  readonly amount: Amount;
}

/** Time passed; what came of it follows. */
export interface Ticked {
  readonly kind: 'ticked';
}

/** A piece of what earlier commands have set off is done; it follows. */
export interface WorkContinued {
  readonly kind: 'work_continued';
}

export type Event =
  | Refused
  | OrderAccepted
  | OrderRested
  | OrderMoved
  | ContractOrderMoved
  | ReversalRefused
  | OrderClosed
  | Trade
  | BalanceChanged
  | Transferred
  | OrdersCancelled
  | LockSet
  | MoneyHeld
  | AccountCreated
  | AccountUpdated
  | KeyCreated
  | KeyRevoked
  | AssetListed
  | AssetUpdated
  | SpotListed
  | SpotUpdated
  | ContractListed
  | ContractUpdated
  | ContractOrderAccepted
  | ContractOrderClosed
  | ContractTrade
  | Liquidated
  | InsuranceMoved
  | MarginAdjusted
  | ContractSettingsChanged
  | TriggerOrderAccepted
  | TriggerOrderGrown
  | TriggerOrderModified
  | TriggerOrderClosed
  | ContractPriced
  | FundingSettled
  | IndexReported
  | InsuranceFunded
  | Ticked
  | WorkContinued
  | ClockSet
  | CheckpointSaved
  | CheckpointDropped
  | VenueReset
  | FaultAdded
  | FaultsRemoved;

/** The events of one command, with the place and time the sequencer gave it. */
export interface Step {
  readonly seq: number;
  readonly timeMs: number;
  readonly events: readonly Event[];
}
