/** Closed orders of the chosen market: read by page, newer ones from the streams. */
import { useMemo } from 'react';
import { directionOf, Figure, Table } from '../../look/mod.ts';
import { nettedOrders } from '../../model/netted.ts';
import {
  type OrderLine,
  type SpotOrderRow,
  type SwapOrderRow,
  spotOrder,
  swapOrder,
} from '../../model/orders.ts';
import { session } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import type { Texts } from '../../texts/en.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Instrument, useInstrument } from '../context.ts';
import { account } from './account-state.ts';
import { CsvButton } from './csv-button.tsx';
import { instrumentOf, moneyOf } from './formats.ts';
import { ORDER_CSV, orderColumns } from './order-columns.tsx';
import { Paged, Pane } from './pane.tsx';
import { mergedRows, type Page, usePages } from './use-pages.ts';

const PAGE_ROWS = 50;
/** As many days as the venue keeps. */
const DAYS_MAX = 90;

export function OrderHistory() {
  const instrument = useInstrument();
  return instrument === undefined ? null : (
    <HistoryOf key={instrument.symbol} instrument={instrument} />
  );
}

function HistoryOf({ instrument }: { readonly instrument: Instrument }) {
  const { layout, trade } = useTexts();
  const { kind, symbol } = instrument;
  const gaps = useStore(account.gaps);
  const pages = usePages(`${symbol} ${gaps}`, (cursor: string | undefined) =>
    kind === 'spot' ? readSpotPage(symbol, cursor) : readSwapPage(symbol, cursor),
  );
  const heard = useStore(account.closedOrders);
  const rows = useMemo(
    () =>
      mergedRows(
        pages.rows,
        heard.filter((order) => order.symbol === symbol),
      ),
    [pages.rows, heard, symbol],
  );
  const columns = [
    ...orderColumns(trade, nettedOrders(rows ?? [])),
    ...(kind === 'spot' ? [] : MONEY.map((name) => moneyColumn(name, trade[name]))),
    {
      name: 'status',
      title: trade.status,
      cell: (order: OrderLine) => endText(order, trade),
    },
  ];
  return (
    <Pane aside={<CsvButton name={`orders-${symbol}`} columns={ORDER_CSV} rows={rows} />}>
      <Paged pages={pages}>
        <Table
          label={layout.history}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          empty={trade.noHistory}
        />
      </Paged>
    </Pane>
  );
}

/** What its owner did needs no reason. */
function endText({ status, cancelReason }: OrderLine, trade: Texts['trade']): string {
  const word = trade.statuses[status];
  const isOwn = cancelReason === '' || cancelReason === 'cancelled_by_owner';
  return isOwn ? word : `${word}: ${trade.cancelReasons[cancelReason]}`;
}

const MONEY = ['fee', 'profit'] as const;

function moneyColumn(name: (typeof MONEY)[number], title: string) {
  return {
    name,
    title,
    isNumber: true,
    cell: (order: OrderLine) => <OrderMoney order={order} name={name} />,
  };
}

interface OrderMoneyProps {
  readonly order: OrderLine;
  readonly name: (typeof MONEY)[number];
}

function OrderMoney({ order, name }: OrderMoneyProps) {
  const found = instrumentOf(order.symbol);
  const amount = order[name];
  if (found?.kind !== 'contract' || amount === undefined) return <Figure text={undefined} />;
  const text = moneyOf(amount, found.marginCoin);
  const direction = name === 'profit' ? directionOf(text) : 'none';
  return <Figure text={text} unit={found.marginCoin} direction={direction} />;
}

async function readSpotPage(
  symbol: string,
  after: string | undefined,
): Promise<Page<OrderLine, string>> {
  const asked = { symbol, limit: PAGE_ROWS, after };
  const path = '/api/spot/v1/trade/history';
  const rows = await session.call<readonly SpotOrderRow[]>('POST', path, asked);
  const lines = rows.map(spotOrder);
  return { rows: lines, next: rows.length < PAGE_ROWS ? undefined : lines.at(-1)?.id };
}

/** The cursor is the number of the page. */
async function readSwapPage(
  symbol: string,
  cursor: string | undefined,
): Promise<Page<OrderLine, string>> {
  const pageIndex = Number(cursor ?? '1');
  const asked = { symbol, pageIndex, pageSize: PAGE_ROWS, createDate: DAYS_MAX };
  const path = '/api/swap/v3/order/history';
  const rows = await session.call<readonly SwapOrderRow[]>('GET', path, asked);
  const next = rows.length < PAGE_ROWS ? undefined : String(pageIndex + 1);
  return { rows: rows.map(swapOrder), next };
}
