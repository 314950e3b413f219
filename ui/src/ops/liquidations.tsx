/** What was liquidated and who was deleveraged for it, newest first, page by page. */

import { useState } from 'react';
import { admin } from '#client';
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
  const listed = useLoaded(admin.instruments, {}).data;
  const [symbol, setSymbol] = useState(ALL);
  const [isOnlyAdl, setOnlyAdl] = useState(false);
  // What each page lies before; the newest page has no end.
  const [ends, setEnds] = useState<readonly string[]>([]);
  const { data, failure } = useLoaded(
    admin.liquidations,
    { limit: ROWS, symbol: symbol === ALL ? undefined : symbol, before: ends.at(-1) },
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

function olderEnd(rows: readonly admin.LiquidationsRow[]): string | undefined {
  return rows.length < ROWS ? undefined : rows.at(-1)?.liquidationId;
}

interface PaymentsProps {
  readonly payments: admin.LiquidationsRow['paidTo'];
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
  readonly rows: readonly admin.LiquidationsRow[] | undefined;
  readonly contracts: admin.InstrumentsAnswer['contracts'];
}

function LiquidationTable({ rows, contracts }: LiquidationTableProps) {
  const { liquidations } = useOpsTexts();
  const coinOf = (symbol: string): string =>
    contracts.find((contract) => contract.symbol === symbol)?.margin ?? '';
  const number = (
    name: 'mark' | 'bankruptcy' | 'contracts' | 'deleveraged',
  ): Column<admin.LiquidationsRow> => ({
    name,
    title: liquidations.columns[name],
    cell: (row) => (signOf(row[name]) === 0 ? '–' : grouped(row[name])),
    isNumber: true,
  });
  const columns: readonly Column<admin.LiquidationsRow>[] = [
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
