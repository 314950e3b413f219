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

/** The last state of a contract order that is no longer open. Open orders are the engine's. */
export type ClosedContractOrder = ContractOrderView & {
  readonly reason: ContractCloseReason;
  readonly closedSeq: number;
  readonly closedTimeMs: number;
};

/** One side of a contract trade. Both sides carry the trade's id. */
export interface ContractFillRecord extends Omit<ContractFill, 'filled' | 'positionId'> {
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
  /** When it triggered, failed or was cancelled. */
  readonly updatedTimeMs: number;
};

export type FundingRate = Omit<FundingSettled, 'kind'>;

export interface LiquidationRecord extends Omit<Liquidated, 'kind' | 'positionId'> {
  readonly seq: number;
  readonly timeMs: number;
}

/** A page by its place. Skipped rows cost an index step each, so only so many may be skipped. */
export interface OffsetPage {
  /** 0 to LIMITS.contractPageIndexMax pages of LIMITS.contractPageRowsMax rows. */
  readonly offset: number;
  /** 1 to LIMITS.pageRowsMax. */
  readonly limit: number;
}

export interface ContractOrdersQuery extends OffsetPage {
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  /** Only orders created at or after this time. */
  readonly sinceMs: number;
}

export interface ContractFillsQuery {
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  /** One order's fills; undefined for those of all. */
  readonly orderId?: OrderId | undefined;
  /** Only fills before this one; undefined for the newest. */
  readonly before?: TradeId | undefined;
  /** 1 to LIMITS.pageRowsMax. */
  readonly limit: number;
}

export interface PlansQuery extends OffsetPage {
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly action?: ContractAction | undefined;
  /** Creation times, both inclusive. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

export interface FundingRatesQuery extends OffsetPage {
  readonly instrumentId: InstrumentId;
}

export interface LiquidationsQuery {
  readonly instrumentId?: InstrumentId | undefined;
  /** Only those before this time. */
  readonly beforeTimeMs?: number | undefined;
  /** 1 to LIMITS.pageRowsMax. */
  readonly limit: number;
}
