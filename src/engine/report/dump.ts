/**
 * The whole state as text rows, one JSON array each, in an order that depends on the state alone.
 * Equal states give equal rows, so their hash identifies the state. A snapshot is these rows;
 * restore.ts reads them back.
 */
import {
  type Contract,
  type Listings,
  type SpotInstrument,
  type Wallet,
  writeTagged,
} from '#domain';
import type { Account } from '../ledger/account.ts';
import type { Balance } from '../ledger/balance.ts';
import type { Work } from '../pending-work.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SpotOrder } from '../spot/order.ts';
import type { State } from '../state.ts';
import type { SwapMarket } from '../swap/market.ts';
import type { ContractOrder } from '../swap/order.ts';
import type { TriggerOrder } from '../trigger/trigger-order.ts';
import {
  CONTRACT_ORDER_FIELDS,
  MARKET_FIELDS,
  POSITION_FIELDS,
  pick,
  TRIGGER_FIELDS,
} from './swap-fields.ts';
import { waveRows } from './wave-rows.ts';

/** Changes whenever the rows do. */
export const DUMP_VERSION = 1;

/** What stands for no client id in a row: a row's values have fixed places. */
export const NO_CLIENT_ID = '';

const IDS_PER_ROW = 1_000;
/** With what each did. */
const REQUESTS_PER_ROW = 100;

export function* dump(state: State): Generator<string> {
  yield* dumpVenue(state);
  yield* sandboxRows(state.sandbox);
  for (const requests of state.requests.rows()) yield row('requests', ...requests);
}

/** All but what a sandbox and senders keep: what a checkpoint holds. */
export function* dumpVenue(state: State): Generator<string> {
  const { seq, timeMs, lastId, listings } = state;
  yield row('outcry', DUMP_VERSION, seq, timeMs, lastId);
  for (const asset of listings.assets) {
    const { deposited, withdrawn, fees, fund } = state.ledger.totals(asset.assetId);
    yield row('asset', asset, deposited, withdrawn, fees, fund.held, fund.spans);
  }
  // Pairs and contracts share their ids: they go out in that order.
  for (const instrument of listings.instruments) {
    yield 'base' in instrument ? spotRow(state, instrument) : contractRow(instrument);
  }
  for (const account of state.ledger.accounts()) yield* accountRows(account, listings);
  for (const record of state.keys.values()) yield row('key', record);
  for (const order of state.orders.byId()) yield orderRow(order);
  for (const market of state.swaps.values()) yield* marketRows(market);
  for (const order of state.contractOrders.byId()) yield contractOrderRow(order);
  for (const trigger of state.triggers.values()) yield triggerRow(trigger);
  for (const work of state.work) yield* workRows(work);
  yield* usedIdRows(state);
  yield* operatorRows(state);
}

function* operatorRows({ operatorRequests }: State): Generator<string> {
  const entries = [...operatorRequests.entries()];
  for (let at = 0; at < entries.length; at += REQUESTS_PER_ROW) {
    yield row('operator_requests', entries.slice(at, at + REQUESTS_PER_ROW));
  }
}

/** Nothing at all before the first id. Rows have a bounded length. */
function* usedIdRows({ usedIds }: State): Generator<string> {
  const { startMs, keptCount } = usedIds;
  if (startMs > 0) yield row('used_ids', startMs, keptCount);
  for (const [generation, { accountId, scope }, ids] of usedIds.entries()) {
    const entries = ids.entries();
    for (let at = 0; at < entries.length; at += IDS_PER_ROW) {
      yield row('used', generation, accountId, scope, entries.slice(at, at + IDS_PER_ROW));
    }
  }
}

/** Its coins are those of its codes: a row says nothing twice. */
function spotRow(state: State, { base: _base, quote: _quote, ...pair }: SpotInstrument): string {
  return row('spot', pair, state.market(pair.instrumentId)?.lastTicks ?? 0);
}

function contractRow({ margin: _, ...contract }: Contract): string {
  return row('contract', contract);
}

/** Rows of a checkpoint go out one by one: a row has a bounded length. */
function* sandboxRows({ clock, kept, rules }: Sandbox): Generator<string> {
  if (clock !== undefined) yield row('clock', clock);
  for (const { view, rows } of kept.values()) {
    yield row('checkpoint', view);
    for (const text of rows) yield row('kept', view.name, text);
  }
  for (const rule of rules.values()) yield row('fault', rule);
}

function* accountRows(account: Account, listings: Listings): Generator<string> {
  const { accountId, settings, createdTimeMs } = account;
  yield row('account', accountId, settings, createdTimeMs);
  if (account.moneyHolder !== '') yield row('hold', accountId, account.moneyHolder);
  for (const { assetId, balance, held, locked, updatedTimeMs } of account.spotBalances()) {
    yield row('balance', accountId, 'spot', assetId, balance, held, locked, updatedTimeMs);
  }
  for (const [wallet, margin] of inListingOrder(account.contractBalances(), listings)) {
    const { assetId, balance, held, locked, updatedTimeMs } = margin;
    yield row('balance', accountId, wallet, assetId, balance, held, locked, updatedTimeMs);
  }
}

/** An account has its wallets in the order of first use, by refused commands too. */
function inListingOrder(
  balances: Iterable<readonly [Wallet, Balance]>,
  listings: Listings,
): (readonly [Wallet, Balance])[] {
  const placeOf = (wallet: Wallet): number => listings.contract(wallet)?.instrumentId ?? -1;
  return [...balances].sort(([one], [other]) => placeOf(one) - placeOf(other));
}

/** Orders go out in id order; one that has changed says its place in a queue, and when it did. */
function orderRow(order: SpotOrder): string {
  return row(
    'order',
    order.orderId,
    order.accountId,
    order.instrumentId,
    order.side,
    order.force,
    order.priceTicks,
    order.sizeLots,
    order.openLots,
    order.filledQuote,
    order.clientOrderId ?? NO_CLIENT_ID,
    order.createdTimeMs,
    ...changesOf(order),
  );
}

/** As far as there are any; of one that spends a budget, what its size does not say. */
function changesOf(order: SpotOrder) {
  const { orderId, placeId, createdTimeMs, updatedTimeMs, feeAhead } = order;
  if (order.quoteBudget > 0n) {
    return [placeId, updatedTimeMs, feeAhead, order.quoteBudget, order.filledLots];
  }
  if (feeAhead > 0) return [placeId, updatedTimeMs, feeAhead];
  if (updatedTimeMs !== createdTimeMs) return [placeId, updatedTimeMs];
  return placeId === orderId ? [] : [placeId];
}

function* marketRows(market: SwapMarket): Generator<string> {
  yield row('market', market.contract.instrumentId, pick(market, MARKET_FIELDS), [
    ...market.reports,
  ]);
  for (const margin of market.touchedAccounts()) {
    const { accountId, mode, long, short, updatedTimeMs, realizedPnl, leverages, isSeparated } =
      margin;
    const sides = [pick(long, POSITION_FIELDS), pick(short, POSITION_FIELDS)];
    const { instrumentId } = market.contract;
    const values = [...sides, updatedTimeMs, realizedPnl, leverages, isSeparated];
    yield row('margin', instrumentId, accountId, mode, ...values);
  }
}

function contractOrderRow(order: ContractOrder): string {
  const { instrumentId, accountId } = order;
  return row('contract_order', instrumentId, accountId, pick(order, CONTRACT_ORDER_FIELDS));
}

function triggerRow(trigger: TriggerOrder): string {
  const { instrumentId, accountId, partner, parent } = trigger;
  const partnerId = partner === null ? 0 : partner.orderId;
  const parentId = parent === null ? 0 : parent.orderId;
  return row(
    'trigger',
    instrumentId,
    accountId,
    pick(trigger, TRIGGER_FIELDS),
    partnerId,
    parentId,
  );
}

function* workRows(work: Work): Generator<string> {
  if (work.kind === 'liquidations') {
    const { kind, instrumentId, wave } = work;
    yield row('work', { kind, instrumentId });
    for (const values of waveRows(wave.state(), IDS_PER_ROW)) yield row(...values);
    return;
  }
  if ('order' in work) {
    const { order, ...facts } = work;
    yield row('work', { ...facts, orderId: order.orderId });
    return;
  }
  if (work.kind !== 'triggers') {
    yield row('work', work);
    return;
  }
  const { kind, instrumentId, due } = work;
  yield row('work', { kind, instrumentId });
  for (const { orderId } of due.triggers()) yield row('due', orderId);
}

function row(...fields: readonly unknown[]): string {
  return writeTagged(fields);
}
