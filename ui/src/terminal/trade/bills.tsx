/** What changed the balances of spot, transfers, and the funding rates of a contract. */
import type { ReactNode } from 'react';
import { type Column, directionOf, Figure, Table, Time } from '../../look/mod.ts';
import { fixed, percentText } from '../../model/numbers.ts';
import { session } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { publicGet } from '../../wire/rest.ts';
import { account } from './account-state.ts';
import { CsvButton, type CsvColumn } from './csv-button.tsx';
import { marketName, shortNumber } from './formats.ts';
import { Paged, Pane } from './pane.tsx';
import { type Page, usePages } from './use-pages.ts';

const PAGE_ROWS = 50;

interface ChoiceProps {
  readonly choice: ReactNode;
}

interface BillRow {
  readonly cTime: string;
  readonly coinName: string;
  readonly groupType: 'deposit' | 'withdraw' | 'transfer' | 'transaction';
  readonly bizType: string;
  readonly quantity: string;
  /** Before it changed. */
  readonly balance: string;
  readonly fees: string;
  readonly billId: string;
}

/** Every change of a spot balance, newest first; the stream says when there is a new one. */
export function Bills({ choice }: ChoiceProps) {
  const { trade } = useTexts();
  const gaps = useStore(account.gaps);
  const pages = usePages(`bills ${gaps}`, readBills);
  const columns: readonly Column<BillRow>[] = [
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
  return (
    <Pane controls={choice} aside={<CsvButton name="bills" columns={BILL_CSV} rows={pages.rows} />}>
      <Paged pages={pages}>
        <Table
          label={trade.bills}
          columns={columns}
          rows={pages.rows}
          keyOf={({ billId }) => billId}
          empty={trade.noBills}
        />
      </Paged>
    </Pane>
  );
}

const BILL_CSV: readonly CsvColumn<BillRow>[] = [
  { title: 'time', text: ({ cTime }) => new Date(Number(cTime)).toISOString() },
  { title: 'bill_id', text: ({ billId }) => billId },
  { title: 'group', text: ({ groupType }) => groupType },
  { title: 'business', text: ({ bizType }) => bizType },
  { title: 'coin', text: ({ coinName }) => coinName },
  { title: 'amount', text: ({ quantity }) => quantity },
  { title: 'balance_before', text: ({ balance }) => balance },
  { title: 'fee', text: ({ fees }) => fees },
];

async function readBills(after: string | undefined): Promise<Page<BillRow, string>> {
  const asked = { limit: PAGE_ROWS, after };
  const rows = await session.call<readonly BillRow[]>('POST', '/api/spot/v1/account/bills', asked);
  return { rows, next: rows.length < PAGE_ROWS ? undefined : rows.at(-1)?.billId };
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

interface FundingRow {
  readonly funding_rate: string;
  readonly funding_time: string;
}

interface FundingRatesProps extends ChoiceProps {
  readonly symbol: string;
}

/** The settled funding rates. The API lists no payments: they show in the balance only. */
export function FundingRates({ symbol, choice }: FundingRatesProps) {
  const { trade } = useTexts();
  const pages = usePages(symbol, (page: number | undefined) => readFunding(symbol, page ?? 1));
  const columns: readonly Column<FundingRow>[] = [
    {
      name: 'time',
      title: trade.time,
      cell: ({ funding_time }) => <Time at={Number(funding_time)} />,
    },
    { name: 'market', title: trade.market, cell: () => marketName(symbol, trade) },
    {
      name: 'rate',
      title: trade.fundingRate,
      isNumber: true,
      cell: ({ funding_rate }) => {
        const text = percentText(fixed(funding_rate, 6), 4);
        return <Figure text={text} direction={directionOf(funding_rate)} />;
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
          keyOf={({ funding_time }) => funding_time}
        />
      </Paged>
    </Pane>
  );
}

async function readFunding(symbol: string, pageIndex: number): Promise<Page<FundingRow, number>> {
  const rows = await publicGet<readonly FundingRow[]>('/api/swap/v3/market/historyFundRate', {
    ...{ symbol, pageIndex, pageSize: PAGE_ROWS },
  });
  return { rows, next: rows.length < PAGE_ROWS ? undefined : pageIndex + 1 };
}
