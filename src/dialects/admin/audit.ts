/** The report that money adds up. */
import type { Asset, AuditLine, AuditReport, StateReader, UncoveredWallet } from '#domain';
import { formatDecimal, present } from '#kernel';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { type Column, dataOf, decimal, row, rows, text, texts, truth, whole } from '../kit/row.ts';
import { type AdminContext, BASE } from './context.ts';
import { type OfPayments, ofPayments } from './payment-accounts.ts';

interface Audited {
  readonly report: AuditReport;
  readonly assets: readonly Asset[];
  /** Of each asset. */
  readonly payments: readonly OfPayments[];
}

/** What a report is read off. */
function audited(report: AuditReport, state: StateReader): Audited {
  const { assets } = state.listings;
  return { report, assets, payments: assets.map((coin) => ofPayments(state, coin)) };
}

const COMPETITION_ID = '019a1b2c3d4e5f60718293a4';

/** A line of the report and its coin. */
interface OfCoin<T> {
  readonly line: T;
  readonly coin: Asset;
}

const MISSING = row<OfCoin<UncoveredWallet>>()({
  accountId: text('Account', '7', ({ line }) => String(line.accountId)),
  wallet: text(
    'Wallet with less in it than orders, locks and isolated positions set aside',
    'spot',
    ({ line }) => line.wallet,
  ),
  coin: text('Coin', 'USDT', ({ coin }) => coin.code),
  missing: decimal('What is missing', '0.00000001', ({ line, coin }) =>
    formatDecimal(line.missing, coin.scale),
  ),
});

const HELD = row<AuditReport['heldAccounts'][number]>()({
  accountId: text('Account whose money is held', '7', ({ accountId }) => String(accountId)),
  holder: text('Competition and round that hold it', `${COMPETITION_ID}/1`, ({ holder }) => holder),
});

type Line = AuditLine & { readonly payments: OfPayments };

function sum(
  description: string,
  example: string,
  of: (line: Line) => bigint,
): Column<OfCoin<Line>, string> {
  return decimal(description, example, ({ line, coin }) => formatDecimal(of(line), coin.scale));
}

const NONE = '0.00000000';

const LINE = row<OfCoin<Line>>()({
  coin: text('Coin', 'USDT', ({ coin }) => coin.code),
  accounts: sum(
    'Sum over all accounts and wallets',
    '3200000.00000000',
    ({ accounts }) => accounts,
  ),
  paymentsHolding: sum(
    'Of them in payments-holding: kept apart for withdrawals',
    NONE,
    ({ payments }) => payments.holding,
  ),
  paymentsFees: sum(
    'Of them in payments-fees: fees of withdrawals',
    NONE,
    ({ payments }) => payments.fees,
  ),
  frozen: sum('Reserved by open orders', '29.40000000', ({ held }) => held),
  frozenByOrders: sum(
    'The same, computed from the orders',
    '29.40000000',
    ({ heldByOrders }) => heldByOrders,
  ),
  lock: sum('Locked by the operator', NONE, ({ locked }) => locked),
  fees: sum('Fees the venue took', NONE, ({ fees }) => fees),
  insuranceFund: sum(
    'What is kept for liquidations that fall short',
    NONE,
    ({ insuranceFund }) => insuranceFund,
  ),
  clearing: sum(
    'Owed between open positions: below zero is profit already paid out',
    NONE,
    ({ clearing }) => clearing,
  ),
  deposited: sum('Came in', '3200000.00000000', ({ deposited }) => deposited),
  withdrawn: sum('Went out', NONE, ({ withdrawn }) => withdrawn),
  imbalance: sum(
    'accounts + fees + insuranceFund + clearing - (deposited - withdrawn)',
    NONE,
    ({ imbalance }) => imbalance,
  ),
});

const AUDIT = row<Audited>()({
  balanced: truth('Nothing was invented, nothing was lost', true, ({ report }) => report.balanced),
  seq: whole('Last command', 128, ({ report }) => report.seq),
  accounts: whole('Accounts', 3, ({ report }) => report.accountsCount),
  openOrders: whole('Open orders', 40, ({ report }) => report.openOrdersCount),
  mismatchedContracts: texts(
    'Contract whose longs and shorts, or their money, do not match; none when all is well',
    [],
    ({ report }) => report.mismatchedContracts,
  ),
  heldAccounts: rows(HELD, ({ report }: Audited) => report.heldAccounts, []),
  uncoveredWallets: rows(
    MISSING,
    ({ report, assets }: Audited) => withCoins(report.uncoveredWallets, assets),
    [],
  ),
  coins: rows(LINE, ({ report, assets, payments }: Audited) =>
    withCoins(
      report.lines.map((line) => ({
        ...line,
        payments: present(payments[line.assetId], 'payments of an audit line'),
      })),
      assets,
    ),
  ),
});

export const AUDIT_ENDPOINTS = {
  audit: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/audit`,
    summary: 'Does the money add up: per coin what is held, what came in and what went out',
    request: {},
    response: AUDIT,
    answer: ({ venue }: AdminContext) =>
      venue.read((state) => AUDIT.write(audited(state.audit(), state))),
  }),
} as const satisfies Record<string, OperatorEndpoint<AdminContext>>;

/** The report as data, for the command line. */
export function auditData(report: AuditReport, state: StateReader) {
  return dataOf(AUDIT, audited(report, state));
}

function withCoins<T extends Pick<AuditLine, 'assetId'>>(
  lines: readonly T[],
  assets: readonly Asset[],
): OfCoin<T>[] {
  return lines.map((line) => {
    return { line, coin: present(assets[line.assetId], 'coin of an audit line') };
  });
}
