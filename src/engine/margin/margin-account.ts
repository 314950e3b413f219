/**
 * An account's side of one contract: settings, both positions, open orders and trigger orders. Its
 * money is that of a wallet, which other contracts of the account may stand on, too.
 */
import {
  type AccountId,
  type Amount,
  type BreachPrice,
  type ContractAction,
  type ContractOrderView,
  entryMargin,
  type FineAmount,
  finePnl,
  fineToFloor,
  fineValue,
  type HoldSide,
  holdSideOf,
  type MarginMode,
  type StoredLeverages,
  type TriggerOrderView,
  type TriggerPurpose,
  type WalletState,
} from '#domain';
import type { HeapEntry } from '#kernel';
import type { Account } from '../ledger/account.ts';
import {
  type AmountPages,
  AmountRow,
  fits,
  LASTING_ROWS,
  PASSING_ROWS,
} from '../ledger/amount-row.ts';
import type { Balance } from '../ledger/balance.ts';
import type { NamedOrder } from '../ledger/contract-ids.ts';
import type { MarketState } from '../swap/market-state.ts';
import type { MarginWallet, WalletMember } from './margin-wallet.ts';
import { Position, type UnitSide } from './position.ts';

/** A price from which on a unit is looked at, whatever it was worked out in. */
export interface WatchPrice {
  readonly direction: BreachPrice['direction'];
  readonly atTicks: bigint | number;
}

/** The contract of an account, as far as the account has to do with it. */
export interface MarginMarket extends MarketState {
  /** Positions, margins or the balance changed. */
  accountMoved(margin: MarginAccount): void;
  /** Only the money behind the account came or went. */
  moneyMoved(margin: MarginAccount): void;
  /** Puts a unit into the liquidation index at a price, or takes it out. */
  watch(unit: LiquidationUnit, breach: WatchPrice | undefined): void;
}

/** An open order, as much as the list of its account needs of it. */
export interface ListedContractOrder extends NamedOrder {
  readonly action: ContractAction;
  /** How many TP/SL it may yet arm. */
  readonly promisedTpSl: number;
  older: ListedContractOrder | null;
  newer: ListedContractOrder | null;
  /** As it is now. */
  view(): ContractOrderView;
}

/** A waiting trigger order or TP/SL, as much as the list of its account needs of it. */
export interface ListedTrigger extends NamedOrder {
  readonly action: ContractAction;
  readonly purpose: TriggerPurpose;
  older: ListedTrigger | null;
  newer: ListedTrigger | null;
  /** As it is now. */
  view(): TriggerOrderView;
}

const UNIT_SIDES: readonly UnitSide[] = ['long', 'short', 'both'];

/** A unit's place in the liquidation index, kept with the account so that none is looked up. */
export class LiquidationUnit implements HeapEntry {
  readonly margin: MarginAccount;
  readonly side: UnitSide;
  /** Which of two at the same price comes first: by account, then by side. */
  readonly rank: number;
  atTicks = 0;
  direction: 'fall' | 'rise' = 'fall';
  heapIndex = -1;
  /** The mark price when its place was last worked out with those of other contracts, or zero. */
  anchoredTicks = 0;

  constructor(margin: MarginAccount, side: UnitSide) {
    this.margin = margin;
    this.side = side;
    this.rank = UNIT_SIDES.length * margin.accountId + UNIT_SIDES.indexOf(side);
  }
}

/** The words of its row; its sides have rows of their own. */
const UPDATED = 0;
const REALIZED_PNL = 1;

export class MarginAccount extends AmountRow implements WalletMember {
  // What every order asks stands first, side by side.
  readonly accountId: AccountId;
  readonly account: Account;
  readonly market: MarginMarket;
  /** Of the wallet. */
  readonly balance: Balance;
  readonly long: Position;
  readonly short: Position;
  mode: MarginMode = 'isolated';
  readonly isWalletShared: boolean;
  openOrdersCount = 0;
  newestOrder: ListedContractOrder | null = null;
  oldestOrder: ListedContractOrder | null = null;
  /** What open orders may yet arm. */
  promisedTpSlCount = 0;
  /** Whether the contract has it among those that hold something: noted by the contract. */
  isHolder = false;
  /** Whether its places in the liquidation index are to be worked out again: noted there. */
  isMisplaced = false;
  tpSlCount = 0;
  readonly wallet: MarginWallet<MarginAccount>;
  /**
   * What may stand in the liquidation index: null until it has to, for most accounts never hold
   * more than one side, and a list of three is two more places in memory to wait for.
   */
  longUnit: LiquidationUnit | null = null;
  shortUnit: LiquidationUnit | null = null;
  crossUnit: LiquidationUnit | null = null;
  /** Of both modes: the positions have those of the mode the account is in. */
  leverages: StoredLeverages;
  /** Kept and shown; it changes nothing. */
  isSeparated = false;
  triggersCount = 0;
  newestTrigger: ListedTrigger | null = null;
  oldestTrigger: ListedTrigger | null = null;

  constructor(
    account: Account,
    market: MarginMarket,
    wallet: MarginWallet<MarginAccount>,
    leverage: number,
    rows: AmountPages = LASTING_ROWS,
  ) {
    super(rows);
    this.accountId = account.accountId;
    this.account = account;
    this.market = market;
    this.wallet = wallet;
    this.balance = wallet.balance;
    this.isWalletShared = wallet.isShared;
    this.long = new Position('long', leverage, market.contract, rows);
    this.short = new Position('short', leverage, market.contract, rows);
    this.leverages = { cross: leverage, isolatedLong: leverage, isolatedShort: leverage };
    // Accounts of all contracts of a coin begin in cross mode, the others isolated.
    if (wallet.isShared) this.mode = 'cross';
    wallet.join(this);
  }

  /** Zero until a command changed something. */
  get updatedTimeMs(): number {
    return this.numbers[this.start + UPDATED] ?? 0;
  }

  set updatedTimeMs(timeMs: number) {
    this.numbers[this.start + UPDATED] = timeMs;
  }

  /** Profit and loss of everything ever closed here, and all funding; fees are no part of it. */
  get realizedPnl(): Amount {
    return this.amounts[this.start + REALIZED_PNL] ?? 0n;
  }

  set realizedPnl(amount: Amount) {
    if (fits(amount)) this.amounts[this.start + REALIZED_PNL] = amount;
    else this.setWide(REALIZED_PNL, amount);
  }

  /** The wallet as it is now, for events. */
  walletState(): WalletState {
    const { assetId, balance } = this.balance;
    return { wallet: this.wallet.name, assetId, balance };
  }

  position(side: HoldSide): Position {
    return side === 'long' ? this.long : this.short;
  }

  /** The unit of a side, the same one ever after. */
  unit(side: UnitSide): LiquidationUnit {
    const known =
      side === 'long' ? this.longUnit : side === 'short' ? this.shortUnit : this.crossUnit;
    if (known !== null) return known;
    const made = new LiquidationUnit(this, side);
    if (side === 'long') this.longUnit = made;
    else if (side === 'short') this.shortUnit = made;
    else this.crossUnit = made;
    return made;
  }

  /** Keeps the leverages of the positions as those of the mode the account is in. */
  storeLeverages(): void {
    const { leverages, long, short } = this;
    this.leverages =
      this.mode === 'cross'
        ? { ...leverages, cross: long.leverage }
        : { ...leverages, isolatedLong: long.leverage, isolatedShort: short.leverage };
  }

  /** Gives the positions the leverages that are kept for the mode the account is in. */
  applyLeverages(): void {
    const { cross, isolatedLong, isolatedShort } = this.leverages;
    const isCross = this.mode === 'cross';
    this.long.leverage = isCross ? cross : isolatedLong;
    this.short.leverage = isCross ? cross : isolatedShort;
  }

  get isFlat(): boolean {
    return this.long.lots === 0 && this.short.lots === 0;
  }

  /** A copy of the money and the positions, in no list: for rehearsing fills on it. */
  copy(): MarginAccount {
    const wallet = this.wallet.copyWithout(this);
    const { account, market, long } = this;
    const made = new MarginAccount(account, market, wallet, long.leverage, PASSING_ROWS);
    made.mode = this.mode;
    made.long.become(this.long);
    made.short.become(this.short);
    return made;
  }

  walletMoved(): void {
    this.market.moneyMoved(this);
  }

  /** Margin in use by one side. */
  usedMargin(position: Position): Amount {
    if (this.mode === 'isolated') return position.margin;
    return entryMargin(this.market.contract, position.open, position.leverage);
  }

  /** What can be used for opening or moved out; below zero when losses have eaten into freezes. */
  get spendable(): Amount {
    // Every order asks. On a wallet of its own the list of what else stands there is not walked.
    if (this.mode === 'cross' || this.isWalletShared) return this.wallet.spendable;
    return this.balance.free - (this.long.margin + this.short.margin);
  }

  /** Profit of a side at the mark price, in fine units. */
  finePnlOf({ side, lots, open }: Pick<Position, 'side' | 'lots' | 'open'>): FineAmount {
    if (lots === 0) return 0n;
    const { contract, markTicks } = this.market;
    return finePnl(contract, side, open, fineValue(contract, lots, markTicks));
  }

  /** Profit of both sides at the mark price, in fine units. */
  finePnl(): FineAmount {
    return this.finePnlOf(this.long) + this.finePnlOf(this.short);
  }

  /** Profit of both sides at the mark price, rounded down. */
  unrealizedPnl(): Amount {
    return fineToFloor(this.market.contract, this.finePnl());
  }

  /** Profit of one side at the mark price, rounded down. */
  unrealizedPnlOf(position: Position): Amount {
    return fineToFloor(this.market.contract, this.finePnlOf(position));
  }

  /** Notes that money came which no isolated side of it stands on. */
  touchMoney(timeMs: number): void {
    if (this.mode === 'cross' || this.isWalletShared) this.touch(timeMs);
    else this.updatedTimeMs = timeMs;
  }

  /** Notes that an order came or went, which nothing is liquidated by: a freeze is no loss. */
  touchOrders(timeMs: number): void {
    this.updatedTimeMs = timeMs;
  }

  /** Notes that positions, margins or the balance changed. */
  touch(timeMs: number): void {
    this.updatedTimeMs = timeMs;
    this.market.accountMoved(this);
    if (this.isWalletShared) this.wallet.memberMoved(this);
  }

  addOrder(order: ListedContractOrder): void {
    order.older = this.newestOrder;
    if (this.newestOrder !== null) this.newestOrder.newer = order;
    else this.oldestOrder = order;
    this.newestOrder = order;
    this.openOrdersCount += 1;
    this.promisedTpSlCount += order.promisedTpSl;
    this.#addName(order);
  }

  /** Whether an order is in its list: the end of the list or followed by another one. */
  lists(order: ListedContractOrder): boolean {
    return order.newer !== null || this.newestOrder === order;
  }

  removeOrder(order: ListedContractOrder): void {
    const { older, newer } = order;
    if (newer !== null) newer.older = older;
    else this.newestOrder = older;
    if (older !== null) older.newer = newer;
    else this.oldestOrder = newer;
    order.older = null;
    order.newer = null;
    this.openOrdersCount -= 1;
    this.promisedTpSlCount -= order.promisedTpSl;
    this.#removeName(order);
  }

  addTrigger(trigger: ListedTrigger): void {
    trigger.older = this.newestTrigger;
    if (this.newestTrigger !== null) this.newestTrigger.newer = trigger;
    else this.oldestTrigger = trigger;
    this.newestTrigger = trigger;
    if (trigger.purpose === 'trigger') this.triggersCount += 1;
    else this.tpSlCount += 1;
    this.#addName(trigger);
  }

  removeTrigger(trigger: ListedTrigger): void {
    const { older, newer } = trigger;
    if (newer !== null) newer.older = older;
    else this.newestTrigger = older;
    if (older !== null) older.newer = newer;
    else this.oldestTrigger = newer;
    trigger.older = null;
    trigger.newer = null;
    if (trigger.purpose === 'trigger') this.triggersCount -= 1;
    else this.tpSlCount -= 1;
    this.#removeName(trigger);
  }

  #addName(named: NamedOrder): void {
    const { clientOrderId } = named;
    if (clientOrderId !== undefined) this.account.contractIds.add(clientOrderId, named);
  }

  #removeName({ clientOrderId }: NamedOrder): void {
    if (clientOrderId !== undefined) this.account.contractIds.remove(clientOrderId);
  }

  /** Open orders, newest first; only those of one side when it is named. */
  *orders(side?: HoldSide): Generator<ListedContractOrder> {
    let order = this.newestOrder;
    while (order !== null) {
      const { older }: ListedContractOrder = order;
      if (side === undefined || holdSideOf(order.action) === side) yield order;
      order = older;
    }
  }

  /** Waiting trigger orders and TP/SL, newest first; only those of one side when it is named. */
  *triggers(side?: HoldSide): Generator<ListedTrigger> {
    let trigger = this.newestTrigger;
    while (trigger !== null) {
      const { older }: ListedTrigger = trigger;
      if (side === undefined || holdSideOf(trigger.action) === side) yield trigger;
      trigger = older;
    }
  }
}
