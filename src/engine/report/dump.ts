/**
 * The whole state as text rows, one JSON array each, in an order that depends on the state alone.
 * Equal states give equal rows, so their hash identifies the state. A snapshot is these rows;
 * restore.ts reads them back.
 */
import { writeTagged } from '#domain';
import type { Account } from '../ledger/account.ts';
import type { SpotOrder } from '../spot/order.ts';
import type { State } from '../state.ts';

/** Changes whenever the rows do; a snapshot of another version is not restored. */
export const DUMP_VERSION = 1;

export function* dump(state: State): Generator<string> {
  const { seq, timeMs, lastId, listings } = state;
  yield row('outcry', DUMP_VERSION, seq, timeMs, lastId);
  for (const asset of listings.assets) {
    const { deposited, withdrawn, fees } = state.ledger.totals(asset.assetId);
    yield row('asset', asset, deposited, withdrawn, fees);
  }
  for (const instrument of listings.spot) yield row('spot', instrument);
  for (const contract of listings.contracts.values()) yield row('contract', contract);
  for (const account of state.ledger.accounts()) yield* accountRows(account);
  for (const record of state.keys.values()) yield row('key', record);
  for (const order of state.orders.values()) yield orderRow(order);
}

function* accountRows(account: Account): Generator<string> {
  const { accountId, settings, createdTimeMs } = account;
  yield row('account', accountId, settings, createdTimeMs);
  for (const { assetId, balance, held, locked, updatedTimeMs } of account.spotBalances()) {
    yield row('balance', accountId, 'spot', assetId, balance, held, locked, updatedTimeMs);
  }
  for (const [wallet, margin] of account.contractBalances()) {
    const { assetId, balance, held, locked, updatedTimeMs } = margin;
    yield row('balance', accountId, wallet, assetId, balance, held, locked, updatedTimeMs);
  }
}

/** Orders go out in id order; resting them again in that order rebuilds every queue. */
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
    order.clientOrderId,
    order.createdTimeMs,
  );
}

function row(...fields: readonly unknown[]): string {
  return writeTagged(fields);
}
