/** Does the money add up: the conservation report per coin, and the insurance funds. */

import { useState } from 'react';
import { admin } from '#client';
import { Button, type Column, Mark, Refusal, Section, Table } from '../../look/mod.ts';
import { grouped, signOf } from '../../model/numbers.ts';
import { useHasPeople } from '../../session/use-venue.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { Act } from '../act.tsx';
import { useLoaded } from '../use-loaded.ts';
import { FundDialog } from './fund-dialog.tsx';
import { PaymentQueue } from './payment-queue.tsx';

type AuditLine = admin.AuditAnswer['coins'][number];

export function Money() {
  const hasPeople = useHasPeople() === true;
  const audit = useLoaded(admin.audit, {});
  const funds = useLoaded(admin.insurance, {});
  const reload = (): void => {
    audit.reload();
    funds.reload();
  };
  return (
    <div className="ops-page">
      {hasPeople ? <PaymentQueue /> : null}
      <Refusal failure={audit.failure} />
      <Verdict audit={audit.data} onAgain={reload} />
      <Report audit={audit.data} />
      <Refusal failure={funds.failure} />
      <Funds funds={funds.data} onFunded={reload} />
    </div>
  );
}

interface VerdictProps {
  readonly audit: admin.AuditAnswer | undefined;
  readonly onAgain: () => void;
}

/** Accounts and wallets, as many as fit into a line. */
function uncoveredText(wallets: admin.AuditAnswer['uncoveredWallets']): string {
  const named = wallets.slice(0, 5).map(({ accountId, wallet }) => `${accountId} ${wallet}`);
  return named.join(', ') + (wallets.length > 5 ? `, … ${wallets.length}` : '');
}

function Verdict({ audit, onAgain }: VerdictProps) {
  const { money } = useOpsTexts();
  const tone = audit === undefined ? 'plain' : audit.balanced ? 'good' : 'fault';
  const verdict = audit?.balanced === true ? money.balanced : money.unbalanced;
  return (
    <section className={`panel ops-verdict ops-verdict-${tone}`} aria-label={money.verdict}>
      <div role="status">
        <strong>{audit === undefined ? money.counting : verdict}</strong>
        <p className="remark">
          {audit === undefined
            ? money.countingMeaning
            : money.counted(
                grouped(String(audit.seq)),
                grouped(String(audit.accounts)),
                grouped(String(audit.openOrders)),
              )}
        </p>
        {audit !== undefined && audit.mismatchedContracts.length > 0 ? (
          <p className="fault">{money.mismatched(audit.mismatchedContracts.join(', '))}</p>
        ) : null}
        {audit !== undefined && audit.uncoveredWallets.length > 0 ? (
          <p className="fault">{money.uncovered(uncoveredText(audit.uncoveredWallets))}</p>
        ) : null}
      </div>
      <Button onClick={onAgain}>{money.again}</Button>
    </section>
  );
}

const AMOUNTS = [
  'accounts',
  'frozen',
  'frozenByOrders',
  'lock',
  'fees',
  'insuranceFund',
  'clearing',
  'deposited',
  'withdrawn',
  'imbalance',
] as const;

function isLineBalanced({ imbalance, frozen, frozenByOrders }: AuditLine): boolean {
  return signOf(imbalance) === 0 && frozen === frozenByOrders;
}

function Report({ audit }: { readonly audit: admin.AuditAnswer | undefined }) {
  const { money } = useOpsTexts();
  const columns: readonly Column<AuditLine>[] = [
    { name: 'coin', title: money.coin, cell: ({ coin }) => <strong>{coin}</strong> },
    {
      name: 'verdict',
      title: money.verdict,
      cell: (line) =>
        isLineBalanced(line) ? (
          <Mark tone="good">✓ {money.lineBalanced}</Mark>
        ) : (
          <Mark tone="fault">✕ {money.lineUnbalanced}</Mark>
        ),
    },
    ...AMOUNTS.map((name) => ({
      name,
      title: <span title={money.columns[name][1]}>{money.columns[name][0]}</span>,
      cell: (line: AuditLine) => grouped(line[name]),
      isNumber: true,
    })),
  ];
  return (
    <Section title={money.report}>
      <Table
        label={money.report}
        columns={columns}
        rows={audit?.coins}
        keyOf={({ coin }) => coin}
      />
      <p className="remark ops-note">{money.equation}</p>
    </Section>
  );
}

interface FundsProps {
  readonly funds: readonly admin.InsuranceRow[] | undefined;
  readonly onFunded: () => void;
}

function Funds({ funds, onFunded }: FundsProps) {
  const ops = useOpsTexts();
  const { money } = ops;
  const [coin, setCoin] = useState<string>();
  const columns: readonly Column<admin.InsuranceRow>[] = [
    { name: 'coin', title: money.coin, cell: (row) => <strong>{row.coin}</strong> },
    { name: 'fund', title: money.inFund, cell: ({ fund }) => grouped(fund), isNumber: true },
    {
      name: 'action',
      title: <span className="only-read-out">{ops.actions}</span>,
      cell: (row) => (
        <Act aria-label={`${money.fund}: ${row.coin}`} onClick={() => setCoin(row.coin)}>
          {money.fund}
        </Act>
      ),
      isNumber: true,
    },
  ];
  return (
    <Section title={money.funds}>
      <div className="ops-narrow">
        <Table label={money.funds} columns={columns} rows={funds} keyOf={(row) => row.coin} />
      </div>
      {coin === undefined ? null : (
        <FundDialog coin={coin} onDone={onFunded} onClose={() => setCoin(undefined)} />
      )}
    </Section>
  );
}
