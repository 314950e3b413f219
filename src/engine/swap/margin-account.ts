/**
 * An account's side of one contract: settings, both positions, open orders and plan orders. Its
 * money is the balance of the contract's wallet, shared with no other contract.
 */
import {
  type AccountId,
  type Amount,
  entryMargin,
  type FineAmount,
  feeOnFine,
  finePnl,
  fineToFloor,
  fineValue,
  type HoldSide,
  holdSideOf,
  type MarginMode,
} from '#domain';
import type { Account } from '../ledger/account.ts';
import { Balance, type Reserve } from '../ledger/balance.ts';
import { UsedIds } from '../ledger/used-ids.ts';
import { AttentionUnit, thresholdPpm } from './attention.ts';
import type { SwapMarket } from './market.ts';
import { type ContractOrder, promisedPresets } from './order.ts';
import type { PlanOrder } from './plan.ts';
import { Position } from './position.ts';

export class MarginAccount implements Reserve {
  readonly account: Account;
  readonly market: SwapMarket;
  readonly balance: Balance;
  readonly long: Position;
  readonly short: Position;
  readonly units: readonly AttentionUnit[];
  mode: MarginMode = 'fixed';
  openOrdersCount = 0;
  newestOrder: ContractOrder | null = null;
  oldestOrder: ContractOrder | null = null;
  plansCount = 0;
  presetsCount = 0;
  /** What open orders may yet arm. */
  promisedPresetsCount = 0;
  newestPlan: PlanOrder | null = null;
  oldestPlan: PlanOrder | null = null;
  /** Client order ids of open orders and waiting plan orders, but for orders' own numbers. */
  readonly openIds = new Set<string>();
  /** Client order ids of what is over; null before the first one. */
  usedOrderIds: UsedIds | null = null;
  /** Profit and loss of everything ever closed here, and all funding; fees are no part of it. */
  realizedPnl: Amount = 0n;
  /** Zero until a command changed something. */
  updatedTimeMs = 0;

  constructor(account: Account, market: SwapMarket, balance: Balance, leverage: number) {
    this.account = account;
    this.market = market;
    this.balance = balance;
    this.long = new Position('long', leverage);
    this.short = new Position('short', leverage);
    this.units = [
      new AttentionUnit(this, 'long'),
      new AttentionUnit(this, 'short'),
      new AttentionUnit(this, 'both'),
    ];
  }

  get accountId(): AccountId {
    return this.account.accountId;
  }

  position(side: HoldSide): Position {
    return side === 'long' ? this.long : this.short;
  }

  get isFlat(): boolean {
    return this.long.lots === 0 && this.short.lots === 0;
  }

  /** The money and the positions once more, known to nobody else: for trying fills out on it. */
  copy(): MarginAccount {
    const { assetId, balance, held, locked } = this.balance;
    const money = Object.assign(new Balance(assetId), { balance, held, locked });
    const made = new MarginAccount(this.account, this.market, money, this.long.leverage);
    made.mode = this.mode;
    Object.assign(made.long, this.long);
    Object.assign(made.short, this.short);
    return made;
  }

  /**
   * What positions need of the balance beyond order freezes. Crossed: the margin in use and what
   * they stand to lose, and in any case what keeps the account above its threshold.
   */
  reservedAmount(): Amount {
    if (this.mode === 'fixed') return this.long.margin + this.short.margin;
    if (this.isFlat) return 0n;
    const pnl = this.unrealizedPnl();
    const used = this.usedMargin(this.long) + this.usedMargin(this.short) - (pnl < 0n ? pnl : 0n);
    const kept = this.#thresholdAmount() - pnl;
    return used > kept ? used : kept;
  }

  /** The least equity of a crossed account that is not liquidated at the mark price. */
  #thresholdAmount(): Amount {
    const { contract, markTicks } = this.market;
    const larger = Math.max(this.long.lots, this.short.lots);
    const ratePpm = thresholdPpm(contract, this.long.lots + this.short.lots);
    return feeOnFine(contract, fineValue(contract, larger, markTicks), ratePpm) + 1n;
  }

  /** A crossed account stands and falls with its balance. */
  balanceMoved(): void {
    if (!this.isFlat) this.market.attention.changed(this);
  }

  /** Margin in use by one side. */
  usedMargin(position: Position): Amount {
    if (this.mode === 'fixed') return position.margin;
    return entryMargin(this.market.contract, position.open, position.leverage);
  }

  /** What can be used for opening or moved out; below zero when losses have eaten into freezes. */
  get spendable(): Amount {
    return this.balance.balance - this.balance.held - this.balance.locked - this.reservedAmount();
  }

  /** Profit of a side at the mark price, in fine units. */
  finePnlOf({ side, lots, open }: Pick<Position, 'side' | 'lots' | 'open'>): FineAmount {
    if (lots === 0) return 0n;
    const { contract, markTicks } = this.market;
    return finePnl(contract, side, open, fineValue(contract, lots, markTicks));
  }

  /** Profit of both sides at the mark price, rounded down. */
  unrealizedPnl(): Amount {
    return fineToFloor(
      this.market.contract,
      this.finePnlOf(this.long) + this.finePnlOf(this.short),
    );
  }

  /** Profit of one side at the mark price, rounded down. */
  unrealizedPnlOf(position: Position): Amount {
    return fineToFloor(this.market.contract, this.finePnlOf(position));
  }

  /** Notes that positions, margins or the balance changed. */
  touch(timeMs: number): void {
    this.updatedTimeMs = timeMs;
    const { holding, attention, changes } = this.market;
    changes?.add(this);
    if (this.isFlat) {
      holding.delete(this);
      return;
    }
    holding.add(this);
    attention.changed(this);
  }

  /** Where the used ids of this account's orders in this contract are kept. */
  usedIds(): UsedIds {
    this.usedOrderIds ??= new UsedIds(this.accountId, this.market.contract.instrumentId);
    return this.usedOrderIds;
  }

  /** Whether an order or plan order was given this id and is pending, or closed not long ago. */
  isOrderIdTaken(clientOrderId: string, timeMs: number): boolean {
    if (this.openIds.size > 0 && this.openIds.has(clientOrderId)) return true;
    return this.usedOrderIds?.isTaken(clientOrderId, timeMs) === true;
  }

  /** An id for an order whose owner gave none: as made, or longer when somebody chose that. */
  freeClientId(made: string, timeMs: number): string {
    let found = made;
    while (this.isOrderIdTaken(found, timeMs)) found += '#';
    return found;
  }

  addOrder(order: ContractOrder): void {
    order.older = this.newestOrder;
    if (this.newestOrder !== null) this.newestOrder.newer = order;
    else this.oldestOrder = order;
    this.newestOrder = order;
    this.openOrdersCount += 1;
    this.promisedPresetsCount += promisedPresets(order);
    if (!order.hasMadeId) this.openIds.add(order.clientOrderId);
  }

  removeOrder(order: ContractOrder): void {
    const { older, newer } = order;
    if (newer !== null) newer.older = older;
    else this.newestOrder = older;
    if (older !== null) older.newer = newer;
    else this.oldestOrder = newer;
    order.older = null;
    order.newer = null;
    this.openOrdersCount -= 1;
    this.promisedPresetsCount -= promisedPresets(order);
    if (!order.hasMadeId) this.openIds.delete(order.clientOrderId);
  }

  addPlan(plan: PlanOrder): void {
    plan.older = this.newestPlan;
    if (this.newestPlan !== null) this.newestPlan.newer = plan;
    else this.oldestPlan = plan;
    this.newestPlan = plan;
    if (plan.purpose === 'plan') {
      this.plansCount += 1;
      this.openIds.add(plan.clientOrderId);
    } else this.presetsCount += 1;
  }

  removePlan(plan: PlanOrder): void {
    const { older, newer } = plan;
    if (newer !== null) newer.older = older;
    else this.newestPlan = older;
    if (older !== null) older.newer = newer;
    else this.oldestPlan = newer;
    plan.older = null;
    plan.newer = null;
    if (plan.purpose === 'plan') {
      this.plansCount -= 1;
      this.openIds.delete(plan.clientOrderId);
    } else this.presetsCount -= 1;
  }

  /** Open orders, newest first; only those of one side when it is named. */
  *orders(side?: HoldSide): Generator<ContractOrder> {
    let order = this.newestOrder;
    while (order !== null) {
      const { older }: ContractOrder = order;
      if (side === undefined || holdSideOf(order.action) === side) yield order;
      order = older;
    }
  }

  /** Waiting plan orders and presets, newest first; only those of one side when it is named. */
  *plans(side?: HoldSide): Generator<PlanOrder> {
    let plan = this.newestPlan;
    while (plan !== null) {
      const { older }: PlanOrder = plan;
      if (side === undefined || holdSideOf(plan.action) === side) yield plan;
      plan = older;
    }
  }
}
