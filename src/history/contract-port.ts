/**
 * The history of contracts as its users see it: what a page is made of. The reader that answers
 * with these is in port.ts.
 */
import type {
  AccountId,
  Amount,
  ContractAction,
  ContractCloseReason,
  ContractFill,
  ContractOrderView,
  FillSums,
  FundingSettled,
  InstrumentId,
  Liquidated,
  Lots,
  OrderId,
  Side,
  Ticks,
  TradeId,
  TriggerOrderClosed,
  TriggerOrderView,
} from '#domain';
import type { PageLimit } from './page-limit.ts';
import type { TimeRange } from './time-range.ts';

/**
 * The last state of a contract order that is no longer open. Open orders are the engine's. Which
 * price its take-profit and stop-loss look at is not kept here but with those, which are trigger
 * orders of their own.
 */
export type ClosedContractOrder = ContractOrderView & {
  readonly reason: ContractCloseReason;
  readonly closedSeq: number;
  readonly closedTimeMs: number;
};

/** The order keeps what it has been filled in all, the ledger the money. */
type FillFactUnkept = 'filled' | 'positionId' | 'wallet' | 'balance' | 'insured';

/** One side of a contract trade. Both sides carry the trade's id. */
export interface ContractFillRecord extends Omit<ContractFill, FillFactUnkept> {
  readonly tradeId: TradeId;
  readonly instrumentId: InstrumentId;
  readonly role: 'taker' | 'maker';
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  /** Value in the margin coin, rounded down. */
  readonly quoteAmount: Amount;
  readonly takerSide: Side;
  /** False for deleveraging. */
  readonly inBook: boolean;
  readonly timeMs: number;
}

/** A trigger order or TP/SL that no longer waits. */
export type ClosedTriggerOrder = TriggerOrderView & {
  readonly status: TriggerOrderClosed['status'];
  /** Why it failed or was cancelled; empty when it triggered. */
  readonly reason: string;
  /** The order it became, if any. */
  readonly placedOrderId: OrderId | undefined;
  /** Filled of that order: at once or, when that is closed, in the end. */
  readonly executedLots: Lots;
  /** What the order that it placed has been filled in all; absent while that is open. */
  readonly executed?: FillSums | undefined;
  /** When it triggered, failed or was cancelled. */
  readonly updatedTimeMs: number;
};

export type FundingRate = Omit<FundingSettled, 'kind'>;

export interface LiquidationRecord extends Omit<Liquidated, 'kind' | 'positionId'> {
  /** Rises with time, from 1. */
  readonly liquidationId: number;
  readonly seq: number;
  readonly timeMs: number;
}

/** A page by its place. Skipped rows cost an index step each, so only so many may be skipped. */
export interface OffsetPage {
  /** 0 to LIMITS.contractPageIndexMax pages of LIMITS.contractPageRowsMax rows. */
  readonly offset: number;
  /** 1 to LIMITS.historyRowsMax. */
  readonly limit: number;
}

/** Contracts whose rows are left out, beside what else a query asks for. */
export interface LeavingOut {
  readonly except?: readonly InstrumentId[] | undefined;
}

/** Times are those of creation. */
export interface ContractOrdersQuery extends OffsetPage, TimeRange, LeavingOut {
  readonly accountId: AccountId;
  /** Undefined for orders of every contract. */
  readonly instrumentId?: InstrumentId | undefined;
}

export interface ClosedContractOrdersQuery extends ContractOrdersQuery {
  /** Only orders before this one. */
  readonly before?: OrderId | undefined;
}

/** An order or trigger order that is over. */
export type EndedContractOrder =
  | { readonly kind: 'order'; readonly order: ClosedContractOrder }
  | { readonly kind: 'trigger'; readonly trigger: ClosedTriggerOrder };

export interface ContractFillsQuery extends TimeRange, PageLimit, LeavingOut {
  readonly accountId: AccountId;
  /** Undefined for fills of every contract. */
  readonly instrumentId?: InstrumentId | undefined;
  /** One order's fills; undefined for those of all. */
  readonly orderId?: OrderId | undefined;
  /** Only fills before this one; undefined for the newest. */
  readonly before?: TradeId | undefined;
}

/** Times are those of creation. */
export interface TriggersQuery extends OffsetPage, TimeRange, LeavingOut {
  readonly accountId: AccountId;
  /** Undefined for those of every contract; then an action is no filter. */
  readonly instrumentId?: InstrumentId | undefined;
  readonly action?: ContractAction | undefined;
  /** Only those before this one. */
  readonly before?: OrderId | undefined;
}

/** Times are those of the settlements. */
export interface FundingRatesQuery extends OffsetPage, TimeRange {
  readonly instrumentId: InstrumentId;
}

export interface LiquidationsQuery {
  readonly instrumentId?: InstrumentId | undefined;
  /** Only those before this one. */
  readonly before?: number | undefined;
  /** 1 to LIMITS.historyRowsMax. */
  readonly limit: number;
}
