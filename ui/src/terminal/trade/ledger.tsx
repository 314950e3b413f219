/** What changed the wallets of contracts, with the balance after each change. */
import type { ReactNode } from 'react';
import { type Column, directionOf, Figure, Table, Time } from '../../look/mod.ts';
import { session } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { account } from './account-state.ts';
import { CsvButton, type CsvColumn } from './csv-button.tsx';
import { marketName, shortNumber } from './formats.ts';
import { Paged, Pane } from './pane.tsx';
import { type Page, usePages } from './use-pages.ts';

const PAGE_ROWS = 50;

interface LedgerRow {
  readonly ledger_id: string;
  readonly timestamp: string;
  readonly symbol: string | null;
  readonly account: string;
  readonly coin: string;
  readonly type: LedgerType;
  readonly change: string;
  readonly fee: string;
  readonly balance: string;
  readonly order_id: string | null;
  readonly trade_id: string | null;
}

type LedgerType = keyof ReturnType<typeof useTexts>['trade']['ledgerTypes'];

interface LedgerProps {
  readonly choice: ReactNode;
}

/** Newest first; it is read again when there is a new fill. */
export function Ledger({ choice }: LedgerProps) {
  const { trade } = useTexts();
  const gaps = useStore(account.gaps);
  const newest = useStore(account.fills)[0]?.id;
  const pages = usePages(`ledger ${gaps} ${newest}`, readLedger);
  return (
    <Pane
      controls={choice}
      aside={<CsvButton name="ledger" columns={LEDGER_CSV} rows={pages.rows} />}
    >
      <Paged pages={pages}>
        <Table
          label={trade.ledger}
          columns={useColumns()}
          rows={pages.rows}
          keyOf={({ ledger_id }) => ledger_id}
          empty={trade.noBills}
        />
      </Paged>
    </Pane>
  );
}

function useColumns(): readonly Column<LedgerRow>[] {
  const { trade } = useTexts();
  return [
    { name: 'time', title: trade.time, cell: ({ timestamp }) => <Time at={Number(timestamp)} /> },
    { name: 'type', title: trade.type, cell: ({ type }) => trade.ledgerTypes[type] },
    {
      name: 'market',
      title: trade.market,
      cell: ({ symbol }) => (symbol === null ? '–' : marketName(symbol, trade)),
    },
    { name: 'coin', title: trade.coin, cell: ({ coin }) => coin },
    {
      name: 'amount',
      title: trade.amount,
      isNumber: true,
      cell: ({ change }) => {
        const text = shortNumber(change);
        return <Figure text={text} direction={directionOf(text)} />;
      },
    },
    { name: 'fee', title: trade.fee, isNumber: true, cell: ({ fee }) => shortNumber(fee) },
    {
      name: 'balance',
      title: trade.balanceAfter,
      isNumber: true,
      cell: ({ balance }) => shortNumber(balance),
    },
  ];
}

const LEDGER_CSV: readonly CsvColumn<LedgerRow>[] = [
  { title: 'time', text: ({ timestamp }) => new Date(Number(timestamp)).toISOString() },
  { title: 'ledger_id', text: ({ ledger_id }) => ledger_id },
  { title: 'type', text: ({ type }) => type },
  { title: 'symbol', text: ({ symbol }) => symbol ?? '' },
  { title: 'account', text: ({ account: wallet }) => wallet },
  { title: 'coin', text: ({ coin }) => coin },
  { title: 'change', text: ({ change }) => change },
  { title: 'fee', text: ({ fee }) => fee },
  { title: 'balance', text: ({ balance }) => balance },
  { title: 'order_id', text: ({ order_id }) => order_id ?? '' },
  { title: 'trade_id', text: ({ trade_id }) => trade_id ?? '' },
];

async function readLedger(before: string | undefined): Promise<Page<LedgerRow, string>> {
  const path = '/api/swap/v3/account/income';
  const asked = { limit: PAGE_ROWS, before };
  const rows = await session.call<readonly LedgerRow[]>('GET', path, asked);
  return { rows, next: rows.length < PAGE_ROWS ? undefined : rows.at(-1)?.ledger_id };
}
