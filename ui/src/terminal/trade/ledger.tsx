/** What changed the wallets, with the balance after each change. */
import { type ReactNode, useState } from 'react';
import { native } from '#client';
import { type Column, directionOf, Figure, Table, Time } from '../../look/mod.ts';
import { session } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { useInstrument } from '../context.ts';
import { account } from './account-state.ts';
import { CsvButton, type CsvColumn } from './csv-button.tsx';
import { marketName, shortNumber, walletName } from './formats.ts';
import {
  type HistoryPeriod,
  PeriodChoice,
  periodStart,
  type Scope,
  ScopeChoice,
  WordChoice,
} from './history-filters.tsx';
import { Paged, Pane } from './pane.tsx';
import { pagesOf, useHistory } from './use-history.ts';

type LedgerRow = native.LedgerRow;
type LedgerType = LedgerRow['reason'];

interface LedgerProps {
  readonly choice: ReactNode;
}

const TYPES = [
  'buy',
  'sell',
  'open_long',
  'open_short',
  'close_long',
  'close_short',
  'funding',
  'deposit',
  'withdraw',
  'transfer_in',
  'transfer_out',
  'liquidation_started',
  'liquidation_finished',
  'insurance',
  'margin_added',
  'margin_taken',
] as const satisfies readonly LedgerType[];

interface LedgerFilter {
  readonly scope: Scope;
  readonly type: 'any' | LedgerType;
  readonly period: HistoryPeriod;
}

const ALL: LedgerFilter = { scope: 'all', type: 'any', period: 'all' };

/** Newest first; it is read again when there is a new fill. */
export function Ledger({ choice }: LedgerProps) {
  const [filter, setFilter] = useState(ALL);
  return <LedgerList {...{ choice, filter, setFilter }} name="ledger" />;
}

/** What funding paid or took, of all contracts. */
export function FundingPayments({ choice }: LedgerProps) {
  const [filter, setFilter] = useState<LedgerFilter>({ ...ALL, type: 'funding' });
  return <LedgerList {...{ choice, filter, setFilter }} name="funding" isTypeFixed />;
}

interface LedgerListProps extends LedgerProps {
  readonly name: string;
  readonly filter: LedgerFilter;
  readonly setFilter: (filter: LedgerFilter) => void;
  readonly isTypeFixed?: boolean;
}

function LedgerList({ choice, name, filter, setFilter, isTypeFixed }: LedgerListProps) {
  const { trade, records } = useTexts();
  const gaps = useStore(account.gaps);
  const newest = useStore(account.fills)[0]?.id;
  const chosen = useInstrument()?.symbol;
  const symbol = filter.scope === 'this' && chosen !== undefined ? chosen : undefined;
  const reason = filter.type === 'any' ? undefined : filter.type;
  const { pages, newReader } = useHistory<LedgerRow>({
    name: `${name} ${gaps} ${newest} ${symbol} ${JSON.stringify(filter)}`,
    source: pagesOf((page) => session.ask(native.ledger, { symbol, reason, ...page }), shownRow),
    selection: {
      has: () => true,
      fromMs: periodStart(filter.period),
      isByTime: true,
      timeOf: ({ time }) => time,
    },
  });
  const put = (news: Partial<LedgerFilter>): void => setFilter({ ...filter, ...news });
  const isFiltered = JSON.stringify(filter) !== JSON.stringify(ALL);
  return (
    <Pane
      controls={
        <>
          {choice}
          <div className="history-filters">
            <ScopeChoice value={filter.scope} onValue={(scope) => put({ scope })} />
            {isTypeFixed === true ? null : (
              <WordChoice
                label={trade.type}
                names={TYPES}
                words={trade.ledgerTypes}
                value={filter.type}
                onValue={(type) => put({ type })}
              />
            )}
            <PeriodChoice value={filter.period} onValue={(period) => put({ period })} />
          </div>
        </>
      }
      aside={
        <CsvButton
          name={name}
          columns={LEDGER_CSV}
          newReader={newReader}
          isEmpty={pages.rows === undefined || pages.rows.length === 0}
        />
      }
    >
      <Paged pages={pages}>
        <Table
          label={name === 'ledger' ? trade.ledger : records.payments}
          columns={useColumns()}
          rows={pages.rows}
          keyOf={({ id }) => id}
          empty={isFiltered ? records.nothingFound : trade.noBills}
        />
      </Paged>
    </Pane>
  );
}

/** Markets and wallets by the names that the page has for them. */
function shownRow(row: LedgerRow): LedgerRow {
  return { ...row, wallet: row.wallet, symbol: row.symbol && row.symbol };
}

function useColumns(): readonly Column<LedgerRow>[] {
  const { trade } = useTexts();
  return [
    { name: 'time', title: trade.time, cell: ({ time }) => <Time at={time} /> },
    { name: 'type', title: trade.type, cell: ({ reason }) => trade.ledgerTypes[reason] },
    {
      name: 'market',
      title: trade.market,
      cell: ({ symbol }) => (symbol === null ? '–' : marketName(symbol, trade)),
    },
    {
      name: 'wallet',
      title: trade.accountName,
      cell: ({ wallet, coin }) => walletName(wallet, coin, trade),
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
  { title: 'time', text: ({ time }) => new Date(time).toISOString() },
  { title: 'ledger_id', text: ({ id }) => id },
  { title: 'type', text: ({ reason }) => reason, isWord: true },
  { title: 'symbol', text: ({ symbol }) => symbol ?? '' },
  { title: 'account', text: ({ wallet }) => wallet, isWord: true },
  { title: 'coin', text: ({ coin }) => coin },
  { title: 'change', text: ({ change }) => change },
  { title: 'fee', text: ({ fee }) => fee },
  { title: 'balance', text: ({ balance }) => balance },
  { title: 'order_id', text: ({ order }) => order ?? '' },
  { title: 'trade_id', text: ({ trade }) => trade ?? '' },
];
