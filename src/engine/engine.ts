/**
 * The engine: a deterministic function from (state, command, time) to events. It does no I/O, has
 * no clock and no randomness, and runs each command to its end. Everything it knows follows from
 * the commands it was given, which is why replaying the journal rebuilds it exactly.
 */

import type {
  AccountId,
  AccountView,
  Amount,
  AssetId,
  AuditReport,
  BookLevel,
  Command,
  ContractCommand,
  ContractOrderView,
  ContractPrices,
  InstrumentId,
  KeyRecord,
  Listings,
  MarginAccountView,
  MarginFundsView,
  MoneyCommand,
  MoneyResult,
  OpenOrderView,
  OrderId,
  Origin,
  Refused,
  SandboxCommand,
  SandboxView,
  Side,
  StateReader,
  Step,
  TimedCommand,
  TriggerOrderView,
} from '#domain';
import { lots, RULES_VERSION, refuse } from '#domain';
import { assert, unreachable } from '#kernel';
import { createAccount, createKey, revokeKey, updateAccount } from './ledger/administer.ts';
import {
  deposit,
  holdMoney,
  setLock,
  transfer,
  transferBetweenAccounts,
  withdraw,
} from './ledger/funds.ts';
import { adjustMargin } from './margin/adjust.ts';
import { dueSettlement, firstFundingMs, settleFunding } from './margin/funding.ts';
import { marginFundsView } from './margin/funds-view.ts';
import { setLeverage } from './margin/leverage.ts';
import { setAutoMargin, setMarginMode } from './margin/mode.ts';
import { ownedBy } from './margin/owned.ts';
import { marginAccountView } from './margin/view.ts';
import { holdsBack, isAtWork, ordersAtWork } from './orders-at-work.ts';
import { audit } from './report/audit.ts';
import { checkMarket } from './report/check.ts';
import { dump } from './report/dump.ts';
import { restore } from './report/restore.ts';
import { dropCheckpoint, resetToCheckpoint, saveCheckpoint } from './sandbox/checkpoints.ts';
import { addFault, removeFaults, setClock } from './sandbox/clock-and-faults.ts';
import { cancelAllSpotOrders, cancelSpotOrder } from './spot/close.ts';
import { listAsset, listSpot, updateAsset, updateSpot } from './spot/listing.ts';
import { moveSpotOrder } from './spot/move.ts';
import { placeSpotOrder } from './spot/place.ts';
import { type Refusal, State } from './state.ts';
import { suspendInstrument } from './suspension.ts';
import { cancelAllContractOrders, cancelContractOrder, cancelTriggerOrder } from './swap/close.ts';
import { closePosition } from './swap/close-position.ts';
import { listContract, updateContract } from './swap/listing.ts';
import { moveContractOrder } from './swap/move.ts';
import { placeContractOrder } from './swap/place.ts';
import { fundInsurance, reportIndex, tick } from './swap/tick.ts';
import { modifyTpSl, modifyTriggerOrder } from './trigger/modify.ts';
import { placeTriggerOrder } from './trigger/place.ts';
import { placeTpSl } from './trigger/position-tp-sl.ts';
import { doWork, hasWork } from './work.ts';

/** A settlement itself, what takes a market out of its way, what takes away what was settled. */
const NEEDS_NO_SETTLEMENT: ReadonlySet<Command['kind']> = new Set([
  'settle_funding',
  'suspend_instrument',
  'reset_to_checkpoint',
]);

export class Engine implements StateReader {
  readonly #state: State;
  #fundingDueMs: number;
  /** While it is applied. */
  #command: Command | undefined;

  private constructor(state: State) {
    this.#state = state;
    this.#fundingDueMs = firstFundingMs(state);
  }

  /** A venue before its first command. */
  static empty(): Engine {
    return new Engine(new State());
  }

  /** The engine that these dumped rows describe. */
  static restore(rows: Iterable<string>): Engine {
    return new Engine(restore(rows));
  }

  /** Number of commands applied so far. */
  get seq(): number {
    return this.#state.seq;
  }

  /** Time of the last command. */
  get timeMs(): number {
    return this.#state.timeMs;
  }

  get lastId(): number {
    return this.#state.lastId;
  }

  /** The next settlement of funding in any contract; infinite while none is listed. */
  get fundingDueMs(): number {
    return this.#fundingDueMs;
  }

  /**
   * What comes before a command at a time, and when: the first settlement that is due by then, for
   * what is held at its own time. Undefined when nothing is due.
   */
  dueBefore({ command: { kind }, timeMs }: TimedCommand): TimedCommand | undefined {
    if (timeMs < this.#fundingDueMs || NEEDS_NO_SETTLEMENT.has(kind)) return undefined;
    const { fundingTimeMs } = dueSettlement(this.#state, timeMs);
    const command = { kind: 'settle_funding', untilMs: timeMs } as const;
    return { command, timeMs: Math.max(fundingTimeMs, this.timeMs) };
  }

  /** Whether a `continue_work` would do something. */
  get hasWork(): boolean {
    return this.#state.work.length > 0 && hasWork(this.#state);
  }

  /** Whether an owner's order goes on in the next `continue_work`. */
  get hasOrdersAtWork(): boolean {
    return this.#state.work.length > 0 && ordersAtWork(this.#state).length > 0;
  }

  isAtWork(orderId: OrderId): boolean {
    return isAtWork(this.#state, orderId);
  }

  /** Whether a command would be refused until an order is done that goes on: it has to wait. */
  holdsBack(command: Command): boolean {
    return holdsBack(this.#state, command);
  }

  /**
   * Applies one command and returns what it did. A refused command yields one `refused` event and
   * changes nothing but the sequence number and the time. What a log holds is applied under the
   * rules it was written under. One that has an origin must not be done.
   */
  apply(
    command: Command,
    timeMs: number,
    rules: number = RULES_VERSION,
    origin: Origin | undefined = undefined,
  ): Step {
    const state = this.#state;
    assert(timeMs >= state.timeMs, 'time never goes back');
    state.beginStep(timeMs, rules);
    this.#command = command;
    const mayWork = command.kind === 'continue_work' || !this.hasWork;
    const refusal = holdsBack(state, command) ? refuse('venue_busy') : handle(state, command);
    // What others have set off before is done by commands of its own, and this behind it.
    const isReset = command.kind === 'reset_to_checkpoint';
    if (refusal === undefined && state.work.length > 0 && mayWork && !isReset) {
      doWork(state);
    }
    if (movesFunding(command)) this.#fundingDueMs = firstFundingMs(state);
    if (refusal !== undefined) {
      assert(state.eventsCount === 0, 'a refused command has no other effect');
      state.emit(refusal);
    } else if (origin !== undefined) state.requests.keep(origin, state.seq);
    this.#command = undefined;
    return { seq: state.seq, timeMs, events: state.events };
  }

  /**
   * Applies one command unless it is refused. A refusal leaves no trace, neither number nor time: a
   * log that does not hold the command leads to the same state.
   */
  attempt(
    command: Command,
    timeMs: number,
    origin: Origin | undefined = undefined,
    rules: number = RULES_VERSION,
  ): Step | Refused {
    const state = this.#state;
    const before = { seq: state.seq, timeMs: state.timeMs };
    const step = this.apply(command, timeMs, rules, origin);
    const [first] = step.events;
    if (first?.kind !== 'refused') return step;
    Object.assign(state, before);
    return first;
  }

  /** Whether a sender's request was carried out before: asked again, it must not be once more. */
  isDone(origin: Origin): boolean {
    return this.#state.requests.isDone(origin);
  }

  /** Whether one more open request of this sender can be remembered. */
  hasRoomFor(origin: Origin): boolean {
    return this.#state.requests.hasRoom(origin);
  }

  /** Where the command that failed was at work; undefined when it concerned no one market. */
  get instrumentInWork(): InstrumentId | undefined {
    const command = this.#command;
    if (command === undefined) return undefined;
    return this.#state.instrumentInWork ?? instrumentOf(command);
  }

  /** The state as text rows: the content of a snapshot, and what the state hash is taken over. */
  dump(): Iterable<string> {
    return dump(this.#state);
  }

  audit(): AuditReport {
    return audit(this.#state);
  }

  /** Asserts what must hold between any two commands. Walks everything: for tests and audits. */
  check(): void {
    const report = this.audit();
    assert(report.balanced, 'the books balance');
    for (const market of this.#state.markets) market?.book.check();
    for (const market of this.#state.swaps.values()) checkMarket(this.#state, market);
  }

  get listings(): Listings {
    return this.#state.listings;
  }

  get accountsCount(): number {
    return this.#state.ledger.accountsCount;
  }

  account(accountId: AccountId): AccountView | undefined {
    return this.#state.ledger.account(accountId);
  }

  accountByName(name: string): AccountView | undefined {
    return this.#state.ledger.accountByName(name);
  }

  accounts(): Iterable<AccountView> {
    return this.#state.ledger.accounts();
  }

  heldAccounts(): Iterable<AccountView> {
    return this.#state.ledger.heldAccounts();
  }

  keys(): Iterable<KeyRecord> {
    return this.#state.keys.values();
  }

  openOrder(orderId: OrderId): OpenOrderView | undefined {
    return this.#state.orders.get(orderId)?.openView();
  }

  openOrderByClientId(accountId: AccountId, clientOrderId: string): OpenOrderView | undefined {
    return this.#state.ledger.account(accountId)?.orderByClientId(clientOrderId)?.openView();
  }

  *openOrders(accountId: AccountId): Generator<OpenOrderView> {
    let order = this.#state.ledger.account(accountId)?.newestOrder ?? null;
    for (; order !== null; order = order.accountOlder) yield order.openView();
  }

  bookLevels(instrumentId: InstrumentId, side: Side): Iterable<BookLevel> {
    const market = this.#state.market(instrumentId) ?? this.#state.swap(instrumentId);
    return market?.book.levels(side) ?? [];
  }

  get sandbox(): SandboxView {
    return this.#state.sandbox;
  }

  insuranceFund(assetId: AssetId): Amount {
    return this.#state.ledger.totals(assetId).fund.held;
  }

  moneyResult(command: MoneyCommand): MoneyResult | Refused | undefined {
    return this.#state.operatorRequests.resultOf(command, this.#state.timeMs);
  }

  contractPrices(instrumentId: InstrumentId): ContractPrices | undefined {
    const market = this.#state.swap(instrumentId);
    return market?.prices && { ...market.prices, openInterestLots: lots(market.longLots) };
  }

  /**
   * How many units prices have found since this engine was made, to judge whether they are
   * liquidated: what prices cost in work, and no part of the state.
   */
  get unitsLookedAtCount(): number {
    let count = 0;
    for (const { liquidationIndex } of this.#state.swaps.values()) {
      count += liquidationIndex.lookedAtCount;
    }
    return count;
  }

  marginAccount(accountId: AccountId, instrumentId: InstrumentId): MarginAccountView | undefined {
    const account = this.#state.ledger.account(accountId);
    const market = this.#state.swap(instrumentId);
    return account && market && marginAccountView(market.margin(account));
  }

  marginFunds(accountId: AccountId, assetId: AssetId): MarginFundsView | undefined {
    const account = this.#state.ledger.account(accountId);
    return account && marginFundsView(this.#state.swaps.values(), account, assetId);
  }

  owned(accountId: AccountId): ReadonlyMap<AssetId, Amount> {
    const account = this.#state.ledger.account(accountId);
    return account === undefined ? new Map() : ownedBy(account);
  }

  openContractOrder(orderId: OrderId): ContractOrderView | undefined {
    return this.#state.contractOrders.get(orderId)?.view();
  }

  openContractOrderByClientId(
    accountId: AccountId,
    clientOrderId: string,
  ): ContractOrderView | undefined {
    return this.#state.contractOrderByClientId(accountId, clientOrderId)?.view();
  }

  *openContractOrders(
    accountId: AccountId,
    instrumentId?: InstrumentId,
  ): Generator<ContractOrderView> {
    for (const margin of this.#state.marginsOf(accountId, instrumentId)) {
      for (const order of margin.orders()) yield order.view();
    }
  }

  waitingTrigger(orderId: OrderId): TriggerOrderView | undefined {
    return this.#state.triggers.get(orderId)?.view();
  }

  waitingTriggerByClientId(
    accountId: AccountId,
    clientOrderId: string,
  ): TriggerOrderView | undefined {
    return this.#state.triggerByClientId(accountId, clientOrderId)?.view();
  }

  *waitingTriggers(accountId: AccountId, instrumentId?: InstrumentId): Generator<TriggerOrderView> {
    for (const margin of this.#state.marginsOf(accountId, instrumentId)) {
      for (const trigger of margin.triggers()) yield trigger.view();
    }
  }
}

function instrumentOf(command: Command): InstrumentId | undefined {
  return 'instrumentId' in command ? command.instrumentId : undefined;
}

/** Whether a settlement may be due at another time afterwards. */
function movesFunding({ kind }: Command): boolean {
  return (
    kind === 'settle_funding' ||
    kind === 'list_contract' ||
    kind === 'update_contract' ||
    kind === 'suspend_instrument' ||
    kind === 'reset_to_checkpoint'
  );
}

function handle(state: State, command: Command): Refusal {
  switch (command.kind) {
    case 'place_spot_order':
      return placeSpotOrder(state, command);
    case 'cancel_spot_order':
      return cancelSpotOrder(state, command);
    case 'move_spot_order':
      return moveSpotOrder(state, command);
    case 'cancel_all_spot_orders':
      return cancelAllSpotOrders(state, command);
    case 'create_account':
      return createAccount(state, command);
    case 'update_account':
      return updateAccount(state, command);
    case 'create_key':
      return createKey(state, command);
    case 'revoke_key':
      return revokeKey(state, command);
    case 'list_asset':
      return listAsset(state, command);
    case 'update_asset':
      return updateAsset(state, command);
    case 'list_spot':
      return listSpot(state, command);
    case 'update_spot':
      return updateSpot(state, command);
    case 'list_contract':
      return listContract(state, command);
    case 'update_contract':
      return updateContract(state, command);
    case 'suspend_instrument':
      return suspendInstrument(state, command);
    case 'report_index':
      return reportIndex(state, command);
    case 'tick':
      return tick(state);
    case 'settle_funding':
      return settleFunding(state, command);
    case 'continue_work':
      state.emit({ kind: 'work_continued' });
      return undefined;
    case 'fund_insurance':
      return fundInsurance(state, command);
    case 'deposit':
      return deposit(state, command);
    case 'withdraw':
      return withdraw(state, command);
    case 'set_lock':
      return setLock(state, command);
    case 'hold_money':
      return holdMoney(state, command);
    case 'transfer':
      return transfer(state, command);
    case 'transfer_between_accounts':
      return transferBetweenAccounts(state, command);
    default:
      return handleOfContract(state, command);
  }
}

function handleOfContract(state: State, command: ContractCommand | SandboxCommand): Refusal {
  switch (command.kind) {
    case 'place_contract_order':
      return placeContractOrder(state, command);
    case 'cancel_contract_order':
      return cancelContractOrder(state, command);
    case 'cancel_all_contract_orders':
      return cancelAllContractOrders(state, command);
    case 'place_trigger_order':
      return placeTriggerOrder(state, command);
    case 'cancel_trigger_order':
      return cancelTriggerOrder(state, command);
    case 'move_contract_order':
      return moveContractOrder(state, command);
    case 'place_tp_sl':
      return placeTpSl(state, command);
    case 'modify_tp_sl':
      return modifyTpSl(state, command);
    case 'modify_trigger_order':
      return modifyTriggerOrder(state, command);
    case 'close_position':
      return closePosition(state, command);
    case 'set_leverage':
      return setLeverage(state, command);
    case 'adjust_margin':
      return adjustMargin(state, command);
    case 'set_auto_margin':
      return setAutoMargin(state, command);
    case 'set_margin_mode':
      return setMarginMode(state, command);
    default:
      return handleSandbox(state, command);
  }
}

function handleSandbox(state: State, command: SandboxCommand): Refusal {
  switch (command.kind) {
    case 'set_clock':
      return setClock(state, command);
    case 'save_checkpoint':
      return saveCheckpoint(state, command);
    case 'reset_to_checkpoint':
      return resetToCheckpoint(state, command);
    case 'drop_checkpoint':
      return dropCheckpoint(state, command);
    case 'add_fault':
      return addFault(state, command);
    case 'remove_faults':
      return removeFaults(state, command);
    default:
      return unreachable(command);
  }
}
