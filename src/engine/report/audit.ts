/** The conservation report: where every unit of every coin is, and whether it adds up. */
import type { AuditLine, AuditReport, SpotInstrument, UncoveredWallet } from '#domain';
import type { Account } from '../ledger/account.ts';
import type { SpotOrder } from '../spot/order.ts';
import { reservation } from '../spot/settle.ts';
import type { State } from '../state.ts';
import { frozenOf } from '../swap/order.ts';
import { mismatchOf, shortfallOf } from './check.ts';

type Sums = { -readonly [name in keyof AuditLine]: AuditLine[name] };

/** Adds up all accounts, positions and open orders. Costs one walk over each. */
export function audit(state: State): AuditReport {
  const lines = state.listings.assets.map(({ assetId }) => emptyLine(state, assetId));
  for (const account of state.ledger.accounts()) {
    for (const balance of account.spotBalances()) addBalance(lines, balance);
    for (const [, balance] of account.contractBalances()) addBalance(lines, balance);
  }
  for (const order of state.orders.values()) addReservation(lines, order, order.market.instrument);
  addContracts(state, lines);
  for (const line of lines) {
    const inside = line.accounts + line.fees + line.insuranceFund + line.clearing;
    line.imbalance = inside - (line.deposited - line.withdrawn);
  }
  const mismatchedContracts = [...state.swaps.values()]
    .filter((market) => mismatchOf(market) !== undefined)
    .map(({ contract }) => contract.symbol);
  const uncoveredWallets = [...state.ledger.accounts()].flatMap(uncoveredOf);
  const isEven = lines.every((line) => line.imbalance === 0n && line.held === line.heldByOrders);
  return {
    seq: state.seq,
    accountsCount: state.ledger.accountsCount,
    heldAccounts: [...state.ledger.heldAccounts()].map(({ accountId, moneyHolder: holder }) => {
      return { accountId, holder };
    }),
    openOrdersCount: state.orders.size + state.contractOrders.size,
    lines,
    mismatchedContracts,
    uncoveredWallets,
    balanced: isEven && mismatchedContracts.length + uncoveredWallets.length === 0,
  };
}

/** Wallets of an account that do not hold what is set aside in them. */
function uncoveredOf(account: Account): UncoveredWallet[] {
  const { accountId } = account;
  const spot = [...account.spotBalances()].map((balance) => ['spot', balance] as const);
  return [...spot, ...account.contractBalances()].flatMap(([wallet, balance]) => {
    const missing = shortfallOf(balance);
    return missing > 0n ? [{ accountId, wallet, assetId: balance.assetId, missing }] : [];
  });
}

/** What contract orders freeze, and what positions owe each other. */
function addContracts(state: State, lines: readonly Sums[]): void {
  for (const { contract, clearing } of state.swaps.values()) {
    const line = lines[contract.margin.assetId];
    if (line !== undefined) line.clearing += clearing;
  }
  for (const order of state.contractOrders.values()) {
    const line = lines[order.market.contract.margin.assetId];
    if (line === undefined) continue;
    line.heldByOrders += frozenOf(order);
  }
}

function emptyLine(state: State, assetId: AuditLine['assetId']): Sums {
  const { fees, deposited, withdrawn, fund } = state.ledger.totals(assetId);
  const zero = { accounts: 0n, held: 0n, locked: 0n, heldByOrders: 0n, imbalance: 0n };
  return { assetId, ...zero, clearing: 0n, insuranceFund: fund.held, fees, deposited, withdrawn };
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
