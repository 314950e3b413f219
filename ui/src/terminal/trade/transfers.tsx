/** Transfers between wallets, and the funding rates of a contract. */
import type { ReactNode } from 'react';
import { native } from '#client';
import { type Column, directionOf, Figure, Table, Time } from '../../look/mod.ts';
import { fixed, percentText } from '../../model/numbers.ts';
import { session } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { ask } from '../../wire/ask.ts';
import { account } from './account-state.ts';
import { marketName, shortNumber, walletName } from './formats.ts';
import { Paged, Pane } from './pane.tsx';
import { type Page, usePages } from './use-pages.ts';

const PAGE_ROWS = 50;

interface ChoiceProps {
  readonly choice: ReactNode;
}

type Cursor = string | undefined;

export function Transfers({ choice }: ChoiceProps) {
  const { trade } = useTexts();
  const gaps = useStore(account.gaps);
  const pages = usePages(`transfers ${gaps}`, readTransfers);
  const wallet = (name: string, coin: string) => walletName(name, coin, trade);
  const columns: readonly Column<native.TransfersRow>[] = [
    { name: 'time', title: trade.time, cell: ({ time }) => <Time at={time} /> },
    { name: 'coin', title: trade.coin, cell: ({ coin }) => coin },
    { name: 'from', title: trade.from, cell: ({ from, coin }) => wallet(from, coin) },
    { name: 'to', title: trade.to, cell: ({ to, coin }) => wallet(to, coin) },
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
        <Table label={trade.transfers} columns={columns} rows={pages.rows} keyOf={({ id }) => id} />
      </Paged>
    </Pane>
  );
}

async function readTransfers(before: Cursor): Promise<Page<native.TransfersRow, string>> {
  const { rows, next } = await session.ask(native.transfers, { before, limit: PAGE_ROWS });
  return { rows, next: next ?? undefined };
}

interface FundingRatesProps extends ChoiceProps {
  readonly symbol: string;
}

/** The settled funding rates; own payments are in the ledger. */
export function FundingRates({ symbol, choice }: FundingRatesProps) {
  const { trade } = useTexts();
  const pages = usePages(symbol, (cursor: Cursor) => readFunding(symbol, cursor));
  const columns: readonly Column<native.FundingRow>[] = [
    { name: 'time', title: trade.time, cell: ({ time }) => <Time at={time} /> },
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
  before: Cursor,
): Promise<Page<native.FundingRow, string>> {
  const asked = { symbol: symbol, before, limit: PAGE_ROWS };
  const { rows, next } = await ask(native.funding, asked);
  return { rows, next: next ?? undefined };
}
