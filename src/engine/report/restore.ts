/**
 * Reads the rows of dump.ts back into a state. It trusts their content: the snapshot's own hash has
 * shown that it is what was written. What it rebuilds must dump the same rows again.
 */

import {
  type AccountId,
  type AccountSettings,
  type Amount,
  type Asset,
  type AssetId,
  bareCoin,
  type CheckpointView,
  type Coin,
  type Contract,
  type FaultRule,
  type Force,
  holdSideOf,
  type InstrumentId,
  isOpen,
  type KeyRecord,
  type Lots,
  lots,
  type MarginMode,
  marginCode,
  type OrderId,
  orderId,
  type PlaceSpotOrder,
  readTagged,
  type Side,
  type SpotInstrument,
  type StoredLeverages,
  type Ticks,
  type VenueClockSetting,
  type Wallet,
} from '#domain';
import { assert, present, unreachable } from '#kernel';
import type { FundSpan } from '../ledger/insurance-fund.ts';
import type { OperatorRequest } from '../ledger/operator-requests.ts';
import type { Generation, IdScope, UsedIds } from '../ledger/used-ids.ts';
import { Wave } from '../liquidation/wave.ts';
import type { MarginAccount } from '../margin/margin-account.ts';
import { ordersAtWork } from '../orders-at-work.ts';
import type {
  CancelContractWork,
  CancelSpotWork,
  ContractOrderWork,
  LiquidationsWork,
  SpotOrderWork,
  TriggersWork,
} from '../pending-work.ts';
import type { RequestsRow as SenderRequests } from '../requests.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createOrder, type SpotOrder } from '../spot/order.ts';
import { State } from '../state.ts';
import { SwapMarket } from '../swap/market.ts';
import type { IndexReport } from '../swap/market-state.ts';
import { ContractOrder, frozenCost, type OrderTerms } from '../swap/order.ts';
import { DueTriggers } from '../trigger/levels.ts';
import { adopt, awaitTrigger, listTrigger } from '../trigger/tp-sl.ts';
import { TriggerOrder } from '../trigger/trigger-order.ts';
import { DUMP_VERSION, NO_CLIENT_ID } from './dump.ts';
import type {
  ContractOrderFields,
  MarketFields,
  PositionFields,
  TriggerFields,
} from './swap-fields.ts';
import { restoreWave, type WaveRow } from './wave-rows.ts';

type HeaderRow = ['outcry', version: number, seq: number, timeMs: number, lastId: number];
type AssetRow = [
  'asset',
  asset: Asset,
  deposited: Amount,
  withdrawn: Amount,
  fees: Amount,
  fund: Amount,
  spans: FundSpan[],
];
type SpotRow = ['spot', pair: Omit<SpotInstrument, 'base' | 'quote'>, lastTicks: Ticks];
type ContractRow = ['contract', contract: Omit<Contract, 'margin'>];
type AccountRow = ['account', id: AccountId, settings: AccountSettings, createdTimeMs: number];
type HoldRow = ['hold', accountId: AccountId, holder: string];
type BalanceRow = [
  'balance',
  accountId: AccountId,
  wallet: Wallet,
  assetId: AssetId,
  balance: Amount,
  held: Amount,
  locked: Amount,
  updatedTimeMs: number,
];
type KeyRow = ['key', record: KeyRecord];
type OrderRow = [
  'order',
  orderId: number,
  accountId: AccountId,
  instrumentId: InstrumentId,
  side: Side,
  force: Force,
  priceTicks: Ticks,
  sizeLots: Lots,
  openLots: Lots,
  filledQuote: Amount,
  clientOrderId: string,
  createdTimeMs: number,
  /** Only of an order that was moved or filled. */
  placeId?: number,
  /** Only of an order that was filled, or moved to less at its price. */
  updatedTimeMs?: number,
  /** Only of an order whose fees are ahead of their exact sum. */
  feeAhead?: number,
  /** Only of an order at work that spends a budget. */
  quoteBudget?: Amount,
  filledLots?: Lots,
];
type MarketRow = [
  'market',
  id: InstrumentId,
  fields: MarketFields,
  reports: [string, IndexReport][],
];
type MarginRow = [
  'margin',
  id: InstrumentId,
  accountId: AccountId,
  mode: MarginMode,
  long: PositionFields,
  short: PositionFields,
  updatedTimeMs: number,
  realizedPnl: Amount,
  leverages: StoredLeverages,
  isSeparated: boolean,
];
type ContractOrderRow = [
  'contract_order',
  id: InstrumentId,
  accountId: AccountId,
  fields: ContractOrderFields,
];
type TriggerRow = [
  'trigger',
  id: InstrumentId,
  accountId: AccountId,
  fields: TriggerFields,
  partnerId: number,
  parentId: number,
];
type UsedIdsRow = ['used_ids', startMs: number, keptCount: number];
type OperatorRequestsRow = ['operator_requests', requests: (readonly [string, OperatorRequest])[]];
type UsedRow = [
  'used',
  generation: Generation,
  accountId: AccountId,
  scope: IdScope,
  ids: [mark: number, freeMs: number][],
];
type AtWorkRow<W> = Omit<W, 'order'> & { readonly orderId: OrderId };
type WorkRow = [
  'work',
  work:
    | CancelSpotWork
    | CancelContractWork
    | AtWorkRow<SpotOrderWork>
    | AtWorkRow<ContractOrderWork>
    | Omit<TriggersWork, 'due'>
    | Omit<LiquidationsWork, 'wave'>,
];
type DueRow = ['due', orderId: OrderId];
type ClockRow = ['clock', clock: VenueClockSetting];
type CheckpointRow = ['checkpoint', view: CheckpointView];
type KeptRow = ['kept', name: string, text: string];
type FaultRow = ['fault', rule: FaultRule];
type RequestsRow = ['requests', ...SenderRequests];
type Row =
  | ClockRow
  | CheckpointRow
  | KeptRow
  | FaultRow
  | RequestsRow
  | MarketRow
  | MarginRow
  | ContractOrderRow
  | TriggerRow
  | UsedIdsRow
  | OperatorRequestsRow
  | UsedRow
  | WorkRow
  | DueRow
  | WaveRow
  | HeaderRow
  | AssetRow
  | SpotRow
  | ContractRow
  | AccountRow
  | HoldRow
  | BalanceRow
  | KeyRow
  | OrderRow;

/** The state that these rows were dumped from. */
export function restore(rows: Iterable<string>): State {
  const state = new State();
  for (const text of rows) restoreRow(state, readTagged<Row>(text));
  queueAll(state);
  // Else the first price would have to: with a hundred thousand positions that takes a second.
  for (const { liquidationIndex } of state.swaps.values()) liquidationIndex.placeChanged();
  return state;
}

function restoreRow(state: State, row: Row): void {
  if (row[0] === 'outcry') restoreHeader(state, row);
  else if (row[0] === 'asset') restoreAsset(state, row);
  else if (row[0] === 'spot') restoreSpot(state, row);
  else if (row[0] === 'contract') restoreContract(state, row);
  else if (row[0] === 'account') restoreAccount(state, row);
  else if (row[0] === 'hold') restoreHold(state, row);
  else if (row[0] === 'balance') restoreBalance(state, row);
  else if (row[0] === 'key') restoreKey(state, row[1]);
  else if (row[0] === 'order') restoreOrder(state, row);
  else if (row[0] === 'market') restoreMarket(state, row);
  else if (row[0] === 'margin') restoreMargin(state, row);
  else if (row[0] === 'contract_order') restoreContractOrder(state, row);
  else if (row[0] === 'trigger') restoreTrigger(state, row);
  else if (row[0] === 'used_ids') restoreUsedIds(state, row);
  else if (row[0] === 'used') restoreUsed(state, row);
  else if (row[0] === 'operator_requests') restoreOperatorRequests(state, row);
  else if (row[0] === 'work') restoreWork(state, row[1]);
  else if (row[0] === 'due') restoreDue(state, row[1]);
  else if (row[0] === 'wave' || row[0] === 'wave_ranking') restoreWave(state, row);
  else if (row[0] === 'requests') restoreRequests(state, row);
  else restoreSandboxRow(state.sandbox, row);
}

type SandboxRow = ClockRow | CheckpointRow | KeptRow | FaultRow;

function restoreSandboxRow(sandbox: Sandbox, row: SandboxRow): void {
  if (row[0] === 'clock') sandbox.clock = row[1];
  else if (row[0] === 'checkpoint') sandbox.kept.set(row[1].name, { view: row[1], rows: [] });
  else if (row[0] === 'kept') present(sandbox.kept.get(row[1]), 'checkpoint').rows.push(row[2]);
  else if (row[0] === 'fault') sandbox.rules.set(row[1].faultId, row[1]);
  else unreachable(row);
}

function restoreRequests({ requests }: State, [, ...row]: RequestsRow): void {
  requests.restore(row);
}

function restoreHeader(state: State, [, version, seq, timeMs, lastId]: HeaderRow): void {
  assert(version === DUMP_VERSION, `snapshot version ${version} is not ${DUMP_VERSION}`);
  state.seq = seq;
  state.timeMs = timeMs;
  state.lastId = lastId;
}

function restoreAsset(state: State, row: AssetRow): void {
  const [, asset, deposited, withdrawn, fees, held, spans] = row;
  state.listings.apply({ kind: 'asset_listed', asset });
  state.ledger.addAsset();
  const totals = state.ledger.totals(asset.assetId);
  Object.assign(totals, { deposited, withdrawn, fees });
  Object.assign(totals.fund, { held, spans });
}

function restoreSpot(state: State, [, pair, lastTicks]: SpotRow): void {
  const base = coinNamed(state, pair.baseCode);
  const quote = coinNamed(state, pair.quoteCode);
  const instrument = { ...pair, base, quote };
  state.listings.apply({ kind: 'spot_listed', instrument });
  state.addMarket(instrument, lastTicks);
}

function coinNamed({ listings }: State, code: string): Coin {
  return bareCoin(present(listings.assetByCode(code), 'coin of a market'));
}

function restoreContract(state: State, [, dumped]: ContractRow): void {
  const margin = coinNamed(state, marginCode(dumped));
  const contract = { ...dumped, margin };
  state.listings.apply({ kind: 'contract_listed', contract });
  const { fund } = state.ledger.totals(margin.assetId);
  state.addSwap(new SwapMarket(contract, fund, 0));
}

function restoreAccount(state: State, [, id, settings, createdTimeMs]: AccountRow): void {
  const account = state.ledger.addAccount(settings, createdTimeMs);
  assert(account.accountId === id, 'accounts are restored in the order of their ids');
}

function restoreHold({ ledger }: State, [, accountId, holder]: HoldRow): void {
  ledger.holdMoney(present(ledger.account(accountId), 'account that is held'), holder);
}

function restoreBalance(state: State, row: BalanceRow): void {
  const [, accountId, wallet, assetId, balance, held, locked, updatedTimeMs] = row;
  const account = present(state.ledger.account(accountId), 'account of a balance');
  account.wallet(wallet, assetId).restore({ balance, held, locked, updatedTimeMs });
}

function restoreKey(state: State, record: KeyRecord): void {
  state.keys.set(record.key, record);
  const count = state.keysPerAccount.get(record.accountId) ?? 0;
  state.keysPerAccount.set(record.accountId, count + 1);
}

/** Only limit orders rest; one without a price is at work. */
function restoreOrder(state: State, row: OrderRow): void {
  const [, id, accountId, instrumentId, side, force, priceTicks, sizeLots, openLots] = row;
  const [, , , , , , , , , filledQuote, clientId, createdTimeMs, ...changes] = row;
  const [placeId = id, updatedTimeMs, feeAhead = 0, quoteBudget, budgetFilledLots] = changes;
  const clientOrderId = clientId === NO_CLIENT_ID ? undefined : clientId;
  const account = present(state.ledger.account(accountId), 'account of an order');
  const market = present(state.market(instrumentId), 'market of an order');
  const kind = 'place_spot_order';
  const facts = { kind, accountId, instrumentId, clientOrderId, force } as const;
  const command: PlaceSpotOrder =
    quoteBudget !== undefined
      ? { ...facts, type: 'market', side: 'buy', quoteBudget }
      : priceTicks === 0
        ? { ...facts, type: 'market', side, sizeLots }
        : { ...facts, type: 'limit', side, priceTicks, sizeLots };
  const orderKind = market.kinds.of(market, side, force, createdTimeMs);
  const order = createOrder(id, orderKind, command, createdTimeMs);
  const filledLots = budgetFilledLots ?? lots(sizeLots - openLots);
  if (filledLots > 0 || changes.length > 0) {
    const filled = { filledLots, filledQuote };
    order.restoreChanges(filled, feeAhead, placeId, updatedTimeMs ?? createdTimeMs);
  }
  order.openLots = openLots;
  state.orders.add(order);
  account.addOrder(order);
}

function restoreMarket(state: State, [, id, fields, reports]: MarketRow): void {
  const market = present(state.swap(id), 'contract of a market');
  const { basis, ...plain } = fields;
  Object.assign(market, plain);
  market.basis.push(...basis);
  market.setMark(fields.markTicks);
  for (const [source, report] of reports) market.reports.set(source, report);
}

function marginOf(state: State, id: InstrumentId, accountId: AccountId): MarginAccount {
  const market = present(state.swap(id), 'contract of an account');
  return market.margin(present(state.ledger.account(accountId), 'account in a contract'));
}

function restoreMargin(state: State, row: MarginRow): void {
  const [, id, accountId, mode, long, short, updatedTimeMs, realizedPnl, leverages] = row;
  const margin = marginOf(state, id, accountId);
  margin.mode = mode;
  margin.realizedPnl = realizedPnl;
  margin.isSeparated = row[9];
  margin.leverages = leverages;
  Object.assign(margin.long, long);
  Object.assign(margin.short, short);
  margin.touch(updatedTimeMs);
}

/** Only owners' limit orders rest; one without a price is at work. */
function restoreContractOrder(state: State, row: ContractOrderRow): void {
  const [, id, accountId, fields] = row;
  const margin = marginOf(state, id, accountId);
  const position = margin.position(holdSideOf(fields.action));
  const { priceTicks, ...facts } = { ...fields, cause: 'owner' } as const;
  const terms: OrderTerms =
    priceTicks === 0 ? { ...facts, type: 'market' } : { ...facts, type: 'limit', priceTicks };
  const { orderId, frozenFeePpm, createdTimeMs } = fields;
  const order = new ContractOrder(orderId, margin, position, terms, frozenFeePpm, createdTimeMs);
  const { filledLots, filledTickLots, filledPerTick, fee, realizedPnl } = fields;
  const { feeAhead, marginOwed } = fields;
  order.filled = { filledLots, filledTickLots, filledPerTick, fee, realizedPnl };
  Object.assign(order, { feeAhead, marginOwed });
  const { takeProfitDropped, stopLossDropped, protectedLots, placeId } = fields;
  Object.assign(order, { takeProfitDropped, stopLossDropped, protectedLots, placeId });
  order.openLots = order.unfilledLots;
  if (!isOpen(order.action)) position.frozenLots = lots(position.frozenLots + order.openLots);
  state.contractOrders.add(order);
  margin.addOrder(order);
}

/** The later one of two TP/SL finds the earlier one. */
function restoreTrigger(
  state: State,
  [, id, accountId, fields, partnerId, parentId]: TriggerRow,
): void {
  const margin = marginOf(state, id, accountId);
  const terms = { ...fields, ...fields.attached };
  const trigger = new TriggerOrder(fields.orderId, margin, terms, fields.createdTimeMs);
  trigger.placeId = fields.placeId;
  listTrigger(state, trigger);
  const parent = parentId === 0 ? undefined : state.contractOrders.get(orderId(parentId));
  if (parent !== undefined) adopt(state, parent, trigger);
  const partner = state.triggers.get(orderId(Math.max(partnerId, 1)));
  if (partner === undefined || partnerId === 0) return;
  trigger.partner = partner;
  partner.partner = trigger;
}

function restoreUsedIds(state: State, [, startMs, keptCount]: UsedIdsRow): void {
  state.usedIds.startMs = startMs;
  state.usedIds.keptCount = keptCount;
}

function restoreOperatorRequests(state: State, [, requests]: OperatorRequestsRow): void {
  for (const [key, request] of requests) state.operatorRequests.restore(key, request);
}

function restoreUsed(state: State, [, generation, accountId, scope, ids]: UsedRow): void {
  const used = usedIdsOf(state, accountId, scope);
  for (const [mark, freeMs] of ids) state.usedIds.add(generation, used, mark, freeMs);
}

function usedIdsOf(state: State, accountId: AccountId, scope: IdScope): UsedIds {
  const account = present(state.ledger.account(accountId), 'account of used ids');
  if (scope === 'spot' || scope === 'transfer') return account.usedIds(scope);
  return account.contractIds.used;
}

function restoreWork(state: State, work: WorkRow[1]): void {
  if (work.kind === 'triggers') state.work.push({ ...work, due: new DueTriggers() });
  else if (work.kind === 'liquidations') {
    state.work.push({ ...work, wave: new Wave(state.swapOf(work)) });
  } else if (work.kind === 'spot_order') {
    const { orderId: id, ...facts } = work;
    state.work.push({ ...facts, order: present(state.orders.get(id), 'order at work') });
  } else if (work.kind === 'contract_order') {
    const { orderId: id, ...facts } = work;
    state.work.push({ ...facts, order: present(state.contractOrders.get(id), 'order at work') });
  } else state.work.push(work);
}

/** A trigger order that a trade has met waits with the work that its row comes after. */
function restoreDue(state: State, id: OrderId): void {
  const trigger = present(state.triggers.get(id), 'trigger order that is due');
  const work = state.work.at(-1);
  assert(work?.kind === 'triggers', 'what is due follows its work');
  work.due.restore(trigger);
}

/**
 * What rests and what waits takes its place in a queue once all of it is known: a number that an
 * order was given later counts there, and not its id.
 */
function queueAll(state: State): void {
  const atWork = new Set<SpotOrder | ContractOrder>(ordersAtWork(state).map(({ order }) => order));
  for (const order of inPlace(state.orders.values())) {
    if (atWork.has(order)) continue;
    present(state.market(order.instrumentId), 'market of an order').book.rest(order);
  }
  for (const order of inPlace(state.contractOrders.values())) {
    if (!atWork.has(order)) restContractOrder(state, order);
  }
  for (const trigger of inPlace(state.triggers.values())) {
    if (trigger.level === null) awaitTrigger(state, trigger);
  }
}

function restContractOrder(state: State, order: ContractOrder): void {
  const { action, margin, openLots } = order;
  order.frozen = frozenCost(order, openLots);
  if (isOpen(action)) margin.position(holdSideOf(action)).pendingLots += openLots;
  state.swapOf(order).book.rest(order);
}

function inPlace<T extends { readonly placeId: number }>(items: Iterable<T>): T[] {
  return [...items].sort((one, other) => one.placeId - other.placeId);
}
