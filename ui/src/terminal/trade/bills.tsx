/** What changed the balances of spot, transfers, and the funding rates of a contract. */
import { type ReactNode, useState } from 'react';
import { native } from '#client';
import { type Column, directionOf, Figure, Table, Time } from '../../look/mod.ts';
import { fixed, percentText } from '../../model/numbers.ts';
import type { RowPage } from '../../model/selection.ts';
import { session } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { ask } from '../../wire/ask.ts';
import { account } from './account-state.ts';
import { CsvButton, type CsvColumn } from './csv-button.tsx';
import { marketName, shortNumber } from './formats.ts';
import { type HistoryPeriod, PeriodChoice, periodStart, WordChoice } from './history-filters.tsx';
import { Paged, Pane } from './pane.tsx';
import { useHistory } from './use-history.ts';
import { type Page, usePages } from './use-pages.ts';

const PAGE_ROWS = 50;

interface ChoiceProps {
  readonly choice: ReactNode;
}

interface BillRow {
  readonly cTime: string;
  readonly coinName: string;
  readonly groupType: BillKind;
  readonly bizType: string;
  readonly quantity: string;
  /** Before it changed. */
  readonly balance: string;
  readonly fees: string;
  readonly billId: string;
}

const KINDS = ['transaction', 'transfer', 'deposit', 'withdraw'] as const;
type BillKind = (typeof KINDS)[number];

interface BillFilter {
  readonly kind: 'any' | BillKind;
  readonly period: HistoryPeriod;
}

const ALL: BillFilter = { kind: 'any', period: 'all' };

/** Every change of a spot balance, newest first; the stream says when there is a new one. */
export function Bills({ choice }: ChoiceProps) {
  const { trade, records } = useTexts();
  const [filter, setFilter] = useState(ALL);
  const gaps = useStore(account.gaps);
  const { pages, newReader } = useHistory<BillRow>({
    name: `bills ${gaps} ${JSON.stringify(filter)}`,
    source: (pageRows) => (cursor) => readBills(filter.kind, pageRows, cursor),
    selection: {
      has: () => true,
      fromMs: periodStart(filter.period),
      isByTime: true,
      timeOf: ({ cTime }) => Number(cTime),
    },
  });
  const isFiltered = JSON.stringify(filter) !== JSON.stringify(ALL);
  return (
    <Pane
      controls={
        <>
          {choice}
          <div className="history-filters">
            <WordChoice
              label={trade.type}
              names={KINDS}
              words={trade.kinds}
              value={filter.kind}
              onValue={(kind) => setFilter({ ...filter, kind })}
            />
            <PeriodChoice
              value={filter.period}
              onValue={(period) => setFilter({ ...filter, period })}
            />
          </div>
        </>
      }
      aside={
        <CsvButton
          name="bills"
          columns={BILL_CSV}
          newReader={newReader}
          isEmpty={pages.rows === undefined || pages.rows.length === 0}
        />
      }
    >
      <Paged pages={pages}>
        <Table
          label={trade.bills}
          columns={useBillColumns()}
          rows={pages.rows}
          keyOf={({ billId }) => billId}
          empty={isFiltered ? records.nothingFound : trade.noBills}
        />
      </Paged>
    </Pane>
  );
}

function useBillColumns(): readonly Column<BillRow>[] {
  const { trade } = useTexts();
  return [
    { name: 'time', title: trade.time, cell: ({ cTime }) => <Time at={Number(cTime)} /> },
    { name: 'type', title: trade.type, cell: ({ groupType }) => trade.kinds[groupType] },
    { name: 'coin', title: trade.coin, cell: ({ coinName }) => coinName },
    {
      name: 'amount',
      title: trade.amount,
      isNumber: true,
      cell: ({ quantity }) => {
        const text = shortNumber(quantity);
        return <Figure text={text} direction={directionOf(text)} />;
      },
    },
    { name: 'fee', title: trade.fee, isNumber: true, cell: ({ fees }) => shortNumber(fees) },
  ];
}

const BILL_CSV: readonly CsvColumn<BillRow>[] = [
  { title: 'time', text: ({ cTime }) => new Date(Number(cTime)).toISOString() },
  { title: 'bill_id', text: ({ billId }) => billId },
  { title: 'group', text: ({ groupType }) => groupType, isWord: true },
  { title: 'business', text: ({ bizType }) => bizType, isWord: true },
  { title: 'coin', text: ({ coinName }) => coinName },
  { title: 'amount', text: ({ quantity }) => quantity },
  { title: 'balance_before', text: ({ balance }) => balance },
  { title: 'fee', text: ({ fees }) => fees },
];

async function readBills(
  kind: BillFilter['kind'],
  limit: number,
  after: string | undefined,
): Promise<RowPage<BillRow>> {
  const asked = { limit, after, groupType: kind === 'any' ? undefined : kind };
  const rows = await session.call<readonly BillRow[]>('POST', '/api/spot/v1/account/bills', asked);
  return { rows, next: rows.length < limit ? undefined : rows.at(-1)?.billId };
}

interface TransferRow {
  readonly coinName: string;
  readonly status: string;
  readonly toType: string;
  readonly toSymbol: string;
  readonly fromType: string;
  readonly fromSymbol: string;
  readonly amount: string;
  readonly tradeTime: string;
}

const TRANSFERS_MAX = 100;
/** What a transfer calls every wallet but spot. */
const CONTRACT = 'CONTRACT';

/** The newest transfers: they have no ids that pages could be cut at. */
export function Transfers({ choice }: ChoiceProps) {
  const { trade } = useTexts();
  const gaps = useStore(account.gaps);
  const pages = usePages(`transfers ${gaps}`, readTransfers);
  // The wallet of a coin names none of the contracts that stand on it.
  const wallet = (type: string, symbol: string, coin: string): string => {
    if (type !== CONTRACT) return trade.spot;
    return symbol === '' ? trade.coinWallet(coin) : marketName(symbol, trade);
  };
  const columns: readonly Column<TransferRow>[] = [
    { name: 'time', title: trade.time, cell: ({ tradeTime }) => <Time at={Number(tradeTime)} /> },
    { name: 'coin', title: trade.coin, cell: ({ coinName }) => coinName },
    {
      name: 'from',
      title: trade.from,
      cell: (row) => wallet(row.fromType, row.fromSymbol, row.coinName),
    },
    {
      name: 'to',
      title: trade.to,
      cell: (row) => wallet(row.toType, row.toSymbol, row.coinName),
    },
    {
      name: 'amount',
      title: trade.amount,
      isNumber: true,
      cell: ({ amount }) => shortNumber(amount),
    },
  ];
  return (
    <Pane controls={choice}>
      <Paged pages={pages}>
        <Table
          label={trade.transfers}
          columns={columns}
          rows={pages.rows}
          keyOf={({ tradeTime, amount, toSymbol }) => `${tradeTime} ${amount} ${toSymbol}`}
        />
      </Paged>
    </Pane>
  );
}

async function readTransfers(): Promise<Page<TransferRow, undefined>> {
  const path = '/api/spot/v1/account/transferRecords';
  const asked = { limit: TRANSFERS_MAX };
  const rows = await session.call<readonly TransferRow[]>('GET', path, asked);
  return { rows, next: undefined };
}

interface FundingRatesProps extends ChoiceProps {
  readonly symbol: string;
}

/** The settled funding rates; own payments are in the ledger. */
export function FundingRates({ symbol, choice }: FundingRatesProps) {
  const { trade } = useTexts();
  const pages = usePages(symbol, (before: string | undefined) => readFunding(symbol, before));
  const columns: readonly Column<native.FundingRow>[] = [
    {
      name: 'time',
      title: trade.time,
      cell: ({ time }) => <Time at={time} />,
    },
    { name: 'market', title: trade.market, cell: () => marketName(symbol, trade) },
    {
      name: 'rate',
      title: trade.fundingRate,
      isNumber: true,
      cell: ({ rate }) => {
        const text = percentText(fixed(rate, 6), 4);
        return <Figure text={text} direction={directionOf(rate)} />;
      },
    },
  ];
  return (
    <Pane controls={choice}>
      <Paged pages={pages}>
        <Table
          label={trade.funding}
          columns={columns}
          rows={pages.rows}
          keyOf={({ time }) => String(time)}
        />
      </Paged>
    </Pane>
  );
}

async function readFunding(
  symbol: string,
  before: string | undefined,
): Promise<Page<native.FundingRow, string>> {
  const { rows, next } = await ask(native.funding, { symbol, before, limit: PAGE_ROWS });
  return { rows, next: next ?? undefined };
}
