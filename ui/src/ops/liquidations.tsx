/** What was liquidated and who was deleveraged for it, newest first, page by page. */
import { useState } from 'react';
import type { LiquidationRow, Listed } from '#dialects';
import {
  Button,
  Check,
  type Column,
  directionOf,
  Figure,
  Refusal,
  Section,
  Select,
  Table,
  Time,
} from '../look/mod.ts';
import { grouped, signOf, withSign } from '../model/numbers.ts';
import { useOpsTexts } from '../texts/ops.ts';
import { useLoaded } from './use-loaded.ts';

const ROWS = 50;
const EVERY_MS = 5_000;
const ALL = '';

export function Liquidations() {
  const ops = useOpsTexts();
  const { liquidations } = ops;
  const listed = useLoaded<Listed>('/admin/v1/instruments').data;
  const [symbol, setSymbol] = useState(ALL);
  const [isOnlyAdl, setOnlyAdl] = useState(false);
  // What each page lies before; the newest page has no end.
  const [ends, setEnds] = useState<readonly string[]>([]);
  const { data, failure } = useLoaded<readonly LiquidationRow[]>(
    pathOf(symbol, ends.at(-1)),
    ends.length === 0 ? EVERY_MS : 0,
  );
  const choose = (chosen: string): void => {
    setEnds([]);
    setSymbol(chosen);
  };
  const older = data === undefined ? undefined : olderEnd(data);
  const choices = [
    [ALL, liquidations.allContracts] as const,
    ...(listed?.contracts ?? []).map((contract) => [contract.symbol, contract.symbol] as const),
  ];
  return (
    <div className="ops-page">
      <Section
        title={liquidations.title}
        actions={
          <>
            <Check label={liquidations.onlyAdl} value={isOnlyAdl} onValue={setOnlyAdl} />
            <Select
              label={liquidations.contract}
              isLabelHidden
              value={symbol}
              choices={choices}
              onValue={choose}
            />
          </>
        }
      >
        <Refusal failure={failure} />
        <LiquidationTable
          rows={data?.filter(({ deleveraged }) => !isOnlyAdl || signOf(deleveraged) > 0)}
          contracts={listed?.contracts ?? []}
        />
        <nav className="pager" aria-label={ops.pages}>
          <Button disabled={ends.length === 0} onClick={() => setEnds(ends.slice(0, -1))}>
            {liquidations.newer}
          </Button>
          <span className="remark">{ops.page(String(ends.length + 1))}</span>
          <Button disabled={older === undefined} onClick={() => setEnds([...ends, older ?? ''])}>
            {liquidations.older}
          </Button>
        </nav>
      </Section>
    </div>
  );
}

function olderEnd(rows: readonly LiquidationRow[]): string | undefined {
  return rows.length < ROWS ? undefined : rows.at(-1)?.liquidationId;
}

function pathOf(symbol: string, before: string | undefined): string {
  const query = new URLSearchParams({ limit: String(ROWS) });
  if (symbol !== ALL) query.set('symbol', symbol);
  if (before !== undefined) query.set('before', before);
  return `/admin/v1/liquidations?${query}`;
}

interface PaymentsProps {
  readonly payments: LiquidationRow['paidTo'];
  readonly coin: string;
}

/** Who gained at the cost of the fund, most first. */
function Payments({ payments, coin }: PaymentsProps) {
  if (payments.length === 0) return '–';
  const most = payments.toSorted((a, b) => Number(b.amount) - Number(a.amount));
  return (
    <>
      {most.map(({ accountId, amount }) => (
        <div key={accountId}>
          <a href={`#accounts/${accountId}`}>{accountId}</a>{' '}
          <Figure text={grouped(amount)} unit={coin} />
        </div>
      ))}
    </>
  );
}

interface LiquidationTableProps {
  readonly rows: readonly LiquidationRow[] | undefined;
  readonly contracts: Listed['contracts'];
}

function LiquidationTable({ rows, contracts }: LiquidationTableProps) {
  const { liquidations } = useOpsTexts();
  const coinOf = (symbol: string): string =>
    contracts.find((contract) => contract.symbol === symbol)?.margin ?? '';
  const number = (
    name: 'mark' | 'bankruptcy' | 'contracts' | 'deleveraged',
  ): Column<LiquidationRow> => ({
    name,
    title: liquidations.columns[name],
    cell: (row) => (signOf(row[name]) === 0 ? '–' : grouped(row[name])),
    isNumber: true,
  });
  const columns: readonly Column<LiquidationRow>[] = [
    { name: 'time', title: liquidations.time, cell: ({ time }) => <Time at={Number(time)} /> },
    { name: 'symbol', title: liquidations.contract, cell: (row) => row.symbol },
    {
      name: 'account',
      title: liquidations.account,
      cell: ({ accountId }) => <a href={`#accounts/${accountId}`}>{accountId}</a>,
      isNumber: true,
    },
    { name: 'mode', title: liquidations.mode, cell: (row) => liquidations.modes(row.marginMode) },
    { name: 'side', title: liquidations.side, cell: ({ side }) => liquidations.sides[side] },
    number('contracts'),
    number('mark'),
    number('bankruptcy'),
    number('deleveraged'),
    {
      name: 'fund',
      title: liquidations.fund,
      cell: ({ fundDelta, symbol }) => (
        <Figure
          text={grouped(withSign(fundDelta))}
          direction={directionOf(fundDelta)}
          unit={coinOf(symbol)}
        />
      ),
      isNumber: true,
    },
    {
      name: 'paidTo',
      title: liquidations.paidTo,
      cell: ({ paidTo, symbol }) => <Payments payments={paidTo} coin={coinOf(symbol)} />,
    },
  ];
  return (
    <Table
      label={liquidations.title}
      columns={columns}
      rows={rows}
      keyOf={(row) => JSON.stringify(row)}
      empty={liquidations.none}
    />
  );
}
