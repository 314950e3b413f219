/** What the venue has taken out of trade by itself, why, and the way back. */

import type { admin } from '#client';
import type { Column } from '../../look/mod.ts';
import { Section, Table } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { StatusButtons } from './status.tsx';
import type { StatusOrder } from './status-dialog.tsx';

interface SuspendedRow {
  readonly kind: StatusOrder['kind'];
  readonly symbol: string;
  readonly status: string;
  readonly suspendedReason: string;
}

interface SuspendedProps {
  readonly listed: admin.InstrumentsAnswer;
  readonly onOrder: (order: StatusOrder) => void;
}

/** Nothing while nothing is suspended. */
export function Suspended({ listed, onOrder }: SuspendedProps) {
  const ops = useOpsTexts();
  const { instruments } = ops;
  const rows = suspendedRows(listed);
  if (rows.length === 0) return null;
  const columns: readonly Column<SuspendedRow>[] = [
    { name: 'symbol', title: instruments.symbol, cell: ({ symbol }) => <strong>{symbol}</strong> },
    {
      name: 'reason',
      title: instruments.suspendedReason,
      cell: ({ suspendedReason }) => suspendedReason,
    },
    {
      name: 'actions',
      title: <span className="only-read-out">{ops.actions}</span>,
      cell: (row) => (
        <span className="actions">
          <StatusButtons {...row} onOrder={onOrder} />
        </span>
      ),
    },
  ];
  return (
    <Section title={instruments.suspended}>
      <Table
        label={instruments.suspended}
        columns={columns}
        rows={rows}
        keyOf={({ symbol }) => symbol}
      />
    </Section>
  );
}

function suspendedRows({ spot, contracts }: admin.InstrumentsAnswer): readonly SuspendedRow[] {
  return [
    ...spot.map((row) => ({ ...row, kind: 'spot' as const })),
    ...contracts.map((row) => ({ ...row, kind: 'contract' as const })),
  ].filter(({ status }) => status === 'suspended');
}
