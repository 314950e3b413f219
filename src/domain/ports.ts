/**
 * The venue as its users see it. The API and the simulated traders speak only to this port;
 * the venue room implements it and main joins them, so neither side imports the other.
 */
import type { AccountView, KeyRecord } from './account.ts';
import type { Command, MoneyCommand } from './command.ts';
import type { ContractOrderView, TriggerOrderView } from './contract-order.ts';
import type { ContractPrices, MarginAccountView, MarginFundsView } from './contract-view.ts';
import type { Event, MoneyResult, Refused, Step } from './event.ts';
import type { Listings } from './listings.ts';
import type { OpenOrderView, Side } from './order.ts';
import type { SandboxView } from './sandbox.ts';
import type { Wallet } from './symbols.ts';
import type { AccountId, Amount, AssetId, InstrumentId, Lots, OrderId, Ticks } from './units.ts';

export interface BookLevel {
  readonly priceTicks: Ticks;
  readonly lots: Lots;
  readonly ordersCount: number;
}

/**
 * Per asset: what every account, the fee wallet, the insurance fund, the clearing of contracts and
 * the outside world hold. It sums to zero.
 */
export interface AuditLine {
  readonly assetId: AssetId;
  /** Sum over all accounts and wallets. */
  readonly accounts: Amount;
  readonly held: Amount;
  readonly locked: Amount;
  /** What open orders should hold, computed from the orders themselves. */
  readonly heldByOrders: Amount;
  readonly fees: Amount;
  readonly insuranceFund: Amount;
  /**
   * What open positions owe each other: profit already paid out and not yet lost by the other side
   * counts below zero. It is zero when no position is open.
   */
  readonly clearing: Amount;
  readonly deposited: Amount;
  readonly withdrawn: Amount;
  /** accounts + fees + insuranceFund + clearing - (deposited - withdrawn): zero, always. */
  readonly imbalance: Amount;
}

export interface UncoveredWallet {
  readonly accountId: AccountId;
  readonly assetId: AssetId;
  readonly wallet: Wallet;
  readonly missing: Amount;
}

export interface AuditReport {
  readonly seq: number;
  readonly accountsCount: number;
  readonly openOrdersCount: number;
  /** Accounts whose money is held. */
  readonly heldAccounts: readonly { readonly accountId: AccountId; readonly holder: string }[];
  readonly lines: readonly AuditLine[];
  /** Contracts whose longs and shorts differ, or whose clearing differs from its positions. */
  readonly mismatchedContracts: readonly string[];
  /** Wallets with less in them than orders, locks and isolated positions have set aside. */
  readonly uncoveredWallets: readonly UncoveredWallet[];
  /** True when every imbalance is zero, every hold matches its orders and nothing else is named. */
  readonly balanced: boolean;
}

/** The engine's state, read-only. Valid only inside the call that receives it. */
export interface StateReader {
  /** Sequence number and time of the last command applied. */
  readonly seq: number;
  readonly timeMs: number;
  /** Orders, trades and bills of later commands have higher ids. */
  readonly lastId: number;
  readonly listings: Listings;
  readonly accountsCount: number;
  account(accountId: AccountId): AccountView | undefined;
  accountByName(name: string): AccountView | undefined;
  accounts(): Iterable<AccountView>;
  /** Those whose money is held. */
  heldAccounts(): Iterable<AccountView>;
  keys(): Iterable<KeyRecord>;
  openOrder(orderId: OrderId): OpenOrderView | undefined;
  /** The open order of an account with this client order id. */
  openOrderByClientId(accountId: AccountId, clientOrderId: string): OpenOrderView | undefined;
  /** Open orders of an account, newest first. */
  openOrders(accountId: AccountId): Iterable<OpenOrderView>;
  /** Price levels of one side of a pair's book, best first. */
  bookLevels(instrumentId: InstrumentId, side: Side): Iterable<BookLevel>;
  /** Index, mark and funding of a contract as last emitted, and what is held in it now. */
  contractPrices(instrumentId: InstrumentId): ContractPrices | undefined;
  /** An account's side of a contract; all zero, with default settings, before it did anything. */
  marginAccount(accountId: AccountId, instrumentId: InstrumentId): MarginAccountView | undefined;
  /** An account's money behind all linear contracts of a coin, in one wallet or in many. */
  marginFunds(accountId: AccountId, assetId: AssetId): MarginFundsView | undefined;
  /** What an account owns of each coin in all wallets, with its unrealised profit. */
  owned(accountId: AccountId): ReadonlyMap<AssetId, Amount>;
  openContractOrder(orderId: OrderId): ContractOrderView | undefined;
  /** The open contract order of an account with this client order id. */
  openContractOrderByClientId(
    accountId: AccountId,
    clientOrderId: string,
  ): ContractOrderView | undefined;
  /**
   * Open orders of an account in a contract, newest first; without one in all of them, contract by
   * contract.
   */
  openContractOrders(
    accountId: AccountId,
    instrumentId?: InstrumentId,
  ): Iterable<ContractOrderView>;
  /** A trigger order or TP/SL that waits. */
  waitingTrigger(orderId: OrderId): TriggerOrderView | undefined;
  /** The waiting trigger order of an account with this client order id: see orders. */
  waitingTriggerByClientId(
    accountId: AccountId,
    clientOrderId: string,
  ): TriggerOrderView | undefined;
  /** Waiting trigger orders and TP/SL of an account, in the order of openContractOrders. */
  waitingTriggers(accountId: AccountId, instrumentId?: InstrumentId): Iterable<TriggerOrderView>;
  /** The insurance fund of a margin coin. */
  insuranceFund(assetId: AssetId): Amount;
  /**
   * What a command under an operator's id did when it was carried out; undefined when it was not,
   * refused when something else was under this id.
   */
  moneyResult(command: MoneyCommand): MoneyResult | Refused | undefined;
  audit(): AuditReport;
  readonly sandbox: SandboxView;
}

export interface VenuePort {
  /**
   * Applies a command and resolves with its events once they are durable. A refusal is an event; it
   * changes nothing, is not journaled, and resolves once what it was judged by is durable.
   * An overloaded or halted venue resolves with one `refused` event: venue_busy or venue_halted
   * where nothing was carried out, rate_exceeded where so much of this account waits that no more
   * may, outcome_unknown where it cannot be known.
   */
  submit(command: Command): Promise<readonly Event[]>;
  /**
   * Runs a query on the current state and resolves with its answer once everything the answer
   * could show is durable. Rejects with VenueHalted when that will never be. It sees what was
   * submitted before; with a reader, of what waits for its turn only what that account did.
   */
  read<T>(query: (state: StateReader) => T, reader?: AccountId): Promise<T>;
  /**
   * Calls `look` for every later step with the state the step left, as soon as it is applied: for
   * what events do not say. A crash may still undo the step, so nothing of it may be shown before
   * the step is released.
   */
  onApplied(look: (step: Step, state: StateReader) => void): void;
  /** Last sequence number whose effects are durable and visible. */
  readonly releasedSeq: number;
  /**
   * Whether commands wait for their turn or this one is used up: a caller with many commands lets
   * others in before the next one.
   */
  readonly isCrowded: boolean;
  /** Whether something that earlier commands have set off is still being done, piece by piece. */
  readonly hasWork: boolean;
}

/** The venue stopped taking commands, for instance because its disk is full. */
export class VenueHalted extends Error {
  override readonly name = 'VenueHalted';
}

/** Closed orders, fills, bills and transfers cannot be read now; the market itself goes on. */
export class HistoryUnavailable extends Error {
  override readonly name = 'HistoryUnavailable';
}
