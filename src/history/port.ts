/**
 * The history as its users see it: what a page is made of, who writes it and who reads it. It is
 * not the record of truth: the journal is, and a deleted history is rebuilt from it.
 */
import type {
  AccountId,
  Amount,
  AssetId,
  Candle,
  CandlePrice,
  CloseReason,
  InstrumentId,
  Lots,
  OrderId,
  OrderStatus,
  OrderType,
  OrderView,
  Period,
  PublicTrade,
  Side,
  Step,
  Ticks,
  TradeId,
  Wallet,
} from '#domain';
import type { ActivityReader } from './activity-port.ts';
import type {
  ClosedContractOrder,
  ClosedContractOrdersQuery,
  ClosedTriggerOrder,
  ContractFillRecord,
  ContractFillsQuery,
  ContractOrdersQuery,
  EndedContractOrder,
  FundingRate,
  FundingRatesQuery,
  LiquidationRecord,
  LiquidationsQuery,
  TriggersQuery,
} from './contract-port.ts';
import type { DayEquity, DayFund, EquitiesQuery, FundsQuery, ProjectedStep } from './day-port.ts';
import type { ExportReader } from './export-port.ts';
import type { LedgerEntry, LedgerQuery } from './ledger-port.ts';
import type { PageLimit } from './page-limit.ts';
import type { TimeRange } from './time-range.ts';
import type { VolumeReader } from './volume-port.ts';
import type { BillBiz, BillGroup, WalletKind } from './words.ts';

export { BILL_GROUPS, type BillBiz, type BillGroup, type WalletKind } from './words.ts';

/** The last state of an order that is no longer open. Open orders are the engine's. */
export type ClosedOrder = OrderView & {
  readonly status: OrderStatus;
  readonly reason: CloseReason;
  readonly closedSeq: number;
  readonly closedTimeMs: number;
};

export type FillRole = 'taker' | 'maker';

/** One side of a trade. Both sides carry the trade's id. */
export interface Fill {
  readonly fillId: TradeId;
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly role: FillRole;
  readonly side: Side;
  readonly orderType: OrderType;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly quoteAmount: Amount;
  /** What the venue kept of the coin received: base for a buyer, quote for a seller. */
  readonly feeAmount: Amount;
  readonly feeAssetId: AssetId;
  readonly timeMs: number;
}

/** One change of one balance. What is left afterwards is balanceBefore + delta - fee. */
export interface Bill {
  readonly billId: number;
  readonly accountId: AccountId;
  readonly wallet: Wallet;
  readonly assetId: AssetId;
  readonly group: BillGroup;
  readonly biz: BillBiz;
  /** Signed, before the fee: negative leaves the wallet. */
  readonly delta: Amount;
  readonly fee: Amount;
  readonly balanceBefore: Amount;
  readonly timeMs: number;
  /** The trade, if it was one: what changed hands, before fees. */
  readonly traded: TradedAmounts | undefined;
}

export interface TradedAmounts {
  readonly instrumentId: InstrumentId;
  readonly tradeId: TradeId;
  /** The account's own. */
  readonly orderId: OrderId;
  readonly base: Amount;
  readonly quote: Amount;
}

/** What a bill added to the balance, its fee taken off. */
export function netOfBill({ delta, fee }: Pick<Bill, 'delta' | 'fee'>): Amount {
  return delta - fee;
}

export interface TransferRecord {
  readonly transferId: number;
  readonly accountId: AccountId;
  readonly assetId: AssetId;
  readonly amount: Amount;
  readonly from: Wallet;
  readonly to: Wallet;
  /** As the request named them: a contract, where one wallet is behind several. */
  readonly fromNamed: Wallet;
  readonly toNamed: Wallet;
  readonly clientOid: string | undefined;
  readonly timeMs: number;
}

/**
 * Which rows of an id sequence a page shows. Neither bound: newest first. afterId: ids below it,
 * descending. beforeId: ids above it, ascending. Both: ids strictly between, descending.
 */
export interface IdPage {
  readonly afterId?: number | undefined;
  readonly beforeId?: number | undefined;
  /** 1 to LIMITS.historyRowsMax. */
  readonly limit: number;
}

export interface OrdersQuery extends IdPage, TimeRange {
  readonly accountId: AccountId;
  readonly instrumentId?: InstrumentId | undefined;
  /** Rows of the page that are passed over: 0, which is meant when it is left out, to offsetMax. */
  readonly offset?: number | undefined;
}

export interface FillsQuery extends IdPage {
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly orderId?: OrderId | undefined;
}

/** The newest fills of an account; all filters at once. */
export interface NewestFillsQuery extends TimeRange, PageLimit {
  readonly accountId: AccountId;
  readonly instrumentId?: InstrumentId | undefined;
  readonly orderId?: OrderId | undefined;
  /** Only fills before this one. */
  readonly before?: TradeId | undefined;
}

export interface BillsQuery extends IdPage, PageLimit, TimeRange {
  readonly accountId: AccountId;
  readonly wallet: Wallet;
  readonly assetId?: AssetId | undefined;
  /** Only bills of trades in this pair. */
  readonly instrumentId?: InstrumentId | undefined;
  readonly group?: BillGroup | undefined;
  readonly biz?: BillBiz | undefined;
  /** Of trades: only what the account received, or what it gave. Others are left out then. */
  readonly tradeSide?: 'received' | 'given' | undefined;
}

/** As IdPage, with the time of the transfer in place of an id; newest first before an id. */
export interface TransfersQuery extends PageLimit {
  readonly accountId: AccountId;
  readonly assetId?: AssetId | undefined;
  readonly fromType?: WalletKind | undefined;
  readonly clientOid?: string | undefined;
  readonly afterTimeMs?: number | undefined;
  readonly beforeTimeMs?: number | undefined;
  /** Only transfers before this one. */
  readonly before?: number | undefined;
}

/** The candles of a market and period over one kind of price, the last one unless it is named. */
export interface CandlesOf {
  readonly instrumentId: InstrumentId;
  readonly period: Period;
  readonly price?: CandlePrice | undefined;
}

export interface CandlesQuery extends CandlesOf {
  /** Opening times, both inclusive. */
  readonly fromMs: number;
  readonly toMs: number;
  /** 1 to LIMITS.candlePageMax. */
  readonly limit: number;
  /** Which rows are kept when the window holds more than `limit`. */
  readonly keep: 'oldest' | 'newest';
}

/** A piece of a removal. */
export interface Removed {
  readonly rowsCount: number;
  /** Nothing older is left but what stays; the next call begins another removal. */
  readonly isDone: boolean;
}

/** Folds the engine's steps into rows. A history has one writer at a time. */
export interface HistoryWriter {
  /** The last step whose rows are there; zero for a new history. */
  readonly projectedSeq: number;
  /**
   * Takes everything back and goes on after this step, whose rows are the first: where a snapshot
   * is all that is known of what was before. Its events list the instruments of the snapshot.
   * Rejects as project does.
   */
  beginAfter(step: Step): Promise<void>;
  /**
   * Adds the rows of these steps and the new projectedSeq, all or nothing. Steps up to projectedSeq
   * are passed over, so that what was projected may come again; no later number is left out.
   * Rejects with HistoryDamaged when the rows that are there do not allow it, HistoryUnusable when
   * the disk does not or another writer was there. Then it is spent: close it, open another.
   */
  project(steps: readonly ProjectedStep[]): Promise<void>;
  /**
   * Adds rows that the next call of project makes true: until then nobody reads them, projectedSeq
   * is what it was, and an end of the process takes them back. Rejects as project does.
   */
  prepare(steps: readonly ProjectedStep[]): Promise<void>;
  /**
   * Removes the next few rows from before a time, which is that of the first call until a removal
   * is done. What later steps go on from stays, and what live views begin with. Steps of before
   * that time must have been projected. Rejects as project does.
   */
  removeBefore(timeMs: number): Promise<Removed>;
  close(): Promise<void>;
}

/** Pages of the past. Every page costs what it returns, however long the history is. */
export interface HistoryReader extends ExportReader, VolumeReader, ActivityReader {
  projectedSeq(): Promise<number>;
  /** Rows were taken back: whatever it remembers of the file is read again. */
  forget(): void;
  /** Closed orders; ids are order ids. */
  orders(query: OrdersQuery): Promise<ClosedOrder[]>;
  order(accountId: AccountId, orderId: OrderId): Promise<ClosedOrder | undefined>;
  /** The newest closed order of an account with this client order id, in one pair or in any. */
  orderByClientId(
    accountId: AccountId,
    instrumentId: InstrumentId | undefined,
    clientOrderId: string,
  ): Promise<ClosedOrder | undefined>;
  /**
   * Fills of an account in a pair, by order id and within an order by fill id. The bounds are order
   * ids. A page ends between two orders, so it may hold up to pageOverrunMax rows more than its
   * limit; the rest of a larger order comes with that order asked for and the id of the last fill
   * as the bound.
   */
  fills(query: FillsQuery): Promise<Fill[]>;
  /** By fill id, newest first; of a trade with oneself both sides, taker first. */
  newestFills(query: NewestFillsQuery): Promise<Fill[]>;
  bills(query: BillsQuery): Promise<Bill[]>;
  /** Transfers by time. */
  transfers(query: TransfersQuery): Promise<TransferRecord[]>;
  /** Closed orders of an account, by their creation, newest first. */
  contractOrders(query: ClosedContractOrdersQuery): Promise<ClosedContractOrder[]>;
  contractOrder(accountId: AccountId, orderId: OrderId): Promise<ClosedContractOrder | undefined>;
  /** The newest closed order of an account with this client order id, in one contract or any. */
  contractOrderByClientId(
    accountId: AccountId,
    instrumentId: InstrumentId | undefined,
    clientOrderId: string,
    except?: readonly InstrumentId[],
  ): Promise<ClosedContractOrder | undefined>;
  /** By fill id, newest first; of a trade with oneself both sides, taker first. */
  contractFills(query: ContractFillsQuery): Promise<ContractFillRecord[]>;
  /** Trigger orders and TP/SL that wait no more, newest first. */
  triggers(query: TriggersQuery): Promise<ClosedTriggerOrder[]>;
  trigger(accountId: AccountId, orderId: OrderId): Promise<ClosedTriggerOrder | undefined>;
  /** The newest ended trigger order of an account with this client id, in any contract but some. */
  triggerByClientId(
    accountId: AccountId,
    clientOrderId: string,
    except?: readonly InstrumentId[],
  ): Promise<ClosedTriggerOrder | undefined>;
  /** Closed orders and ended trigger orders in one list, by their creation, newest first. */
  contractPast(query: ContractOrdersQuery): Promise<EndedContractOrder[]>;
  /** Changes of contract wallets, newest first. */
  ledger(query: LedgerQuery): Promise<LedgerEntry[]>;
  /**
   * What an account owned when days began, newest day first. A page holds whole days, as many as
   * have LIMITS.historyRowsMax rows; the next one ends before its last day.
   */
  equities(query: EquitiesQuery): Promise<DayEquity[]>;
  /** What was in the insurance fund of a coin when days began, newest first. */
  funds(query: FundsQuery): Promise<DayFund[]>;
  /** Settlements of a contract, newest first. */
  fundingRates(query: FundingRatesQuery): Promise<FundingRate[]>;
  /** Liquidations of every account, newest first. */
  liquidations(query: LiquidationsQuery): Promise<LiquidationRecord[]>;
  /** The newest public trades of a market, newest first; limit 1 to LIMITS.recentTradesMax. */
  recentTrades(instrumentId: InstrumentId, limit: number): Promise<PublicTrade[]>;
  /** Candles that had trades, ascending. Gaps are the caller's to fill. */
  candles(query: CandlesQuery): Promise<Candle[]>;
  /** The newest candle that opened before this time. */
  lastCandleBefore(candles: CandlesOf, timeMs: number): Promise<Candle | undefined>;
  close(): Promise<void>;
}

/** Reads every row again and again, a few at a time, and proves that it is what was written. */
export interface HistoryScrub {
  /** Looks at the next few rows and gives what is wrong with them. */
  step(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Rows that were removed for their age are no difference. */
export interface RowDifference {
  readonly table: string;
  /** The key columns of the row, as in order_id=7. */
  readonly key: string;
  /** What is wrong with the row that is there, or is not. */
  readonly what: 'missing' | 'not of this journal' | 'differs';
  /** Columns whose value is another one. */
  readonly columns: readonly string[];
}

/** A history as of one moment, and an empty one beside it that is written anew, to be compared. */
export interface HistoryProof {
  readonly projectedSeq: number;
  /** Of the empty one. */
  readonly writer: HistoryWriter;
  /** What the history has otherwise than the one that was written anew. */
  differences(): Promise<readonly RowDifference[]>;
  close(): Promise<void>;
}

/**
 * The history of a venue as its users are given it: they open what they need and do not know where
 * it is kept. All openings reject with HistoryUnusable. open.ts makes one from plain data.
 */
export interface History {
  /** Where it is kept, for messages. */
  readonly place: string;
  /** Creates what is missing. venueId names the journal that it is the history of. */
  openWriter(venueId: string): Promise<HistoryWriter>;
  /**
   * How far it has come by its file; undefined where that has to be asked of a server, or cannot be
   * read: its writer knows.
   */
  projectedSeq(): Promise<number | undefined>;
  /** A writer must have been there. */
  openReader(): Promise<HistoryReader>;
  openScrub(): Promise<HistoryScrub>;
  openProof(): Promise<HistoryProof>;
  /**
   * Puts a damaged history out of the way and says where it is now. The next writer begins anew.
   */
  setAside(): Promise<string>;
}

/** It cannot serve this venue; the message says why and what to do. */
export class HistoryUnusable extends Error {
  override readonly name: string = 'HistoryUnusable';
}

/** It is this venue's history, or was: what is in it cannot be read or continued. */
export class HistoryDamaged extends HistoryUnusable {
  override readonly name = 'HistoryDamaged';
}

/** It is kept elsewhere, and cannot be reached now: that passes, and nothing of it is lost. */
export class HistoryAway extends HistoryUnusable {
  override readonly name = 'HistoryAway';
}
