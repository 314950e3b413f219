/** The conservation report: where every unit of every coin is, and whether it adds up. */
import type { AuditLine, AuditReport, SpotInstrument } from '#domain';
import type { SpotOrder } from '../spot/order.ts';
import { reservation } from '../spot/settle.ts';
import type { State } from '../state.ts';

type Sums = { -readonly [name in keyof AuditLine]: AuditLine[name] };

/** Adds up all accounts and all open orders. Costs one walk over both. */
export function audit(state: State): AuditReport {
  const lines = state.listings.assets.map(({ assetId }) => emptyLine(state, assetId));
  for (const account of state.ledger.accounts()) {
    for (const balance of account.spotBalances()) addBalance(lines, balance);
    for (const [, balance] of account.contractBalances()) addBalance(lines, balance);
  }
  for (const order of state.orders.values()) addReservation(lines, order, order.market.instrument);
  for (const line of lines) {
    line.imbalance = line.accounts + line.fees - (line.deposited - line.withdrawn);
  }
  return {
    seq: state.seq,
    accountsCount: state.ledger.accountsCount,
    openOrdersCount: state.orders.size,
    lines,
    balanced: lines.every((line) => line.imbalance === 0n && line.held === line.heldByOrders),
  };
}

function emptyLine(state: State, assetId: AuditLine['assetId']): Sums {
  const { fees, deposited, withdrawn } = state.ledger.totals(assetId);
  const zero = { accounts: 0n, held: 0n, locked: 0n, heldByOrders: 0n, imbalance: 0n };
  return { assetId, ...zero, fees, deposited, withdrawn };
}

function addBalance(
  lines: readonly Sums[],
  entry: Pick<AuditLine, 'assetId' | 'held' | 'locked'> & { readonly balance: bigint },
): void {
  const line = lines[entry.assetId];
  if (line === undefined) return;
  line.accounts += entry.balance;
  line.held += entry.held;
  line.locked += entry.locked;
}

function addReservation(
  lines: readonly Sums[],
  order: SpotOrder,
  instrument: SpotInstrument,
): void {
  const paid = order.side === 'buy' ? instrument.quote : instrument.base;
  const line = lines[paid.assetId];
  if (line !== undefined) line.heldByOrders += reservation(instrument, order, order.openLots);
}
