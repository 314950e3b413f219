/** Closed orders as filters choose them: read by page, newer ones from the streams. */
import { useState } from 'react';
import { directionOf, Figure, Table } from '../../look/mod.ts';
import { nettedOrders } from '../../model/netted.ts';
import {
  type OrderLine,
  type SpotOrderRow,
  type SwapOrderRow,
  spotOrder,
  swapOrder,
} from '../../model/orders.ts';
import { merged, type RowPage, type RowReader } from '../../model/selection.ts';
import { session } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import type { Texts } from '../../texts/en.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Instrument, useInstrument } from '../context.ts';
import { account } from './account-state.ts';
import { paced } from './calls.ts';
import { CsvButton } from './csv-button.tsx';
import { instrumentOf, moneyOf } from './formats.ts';
import {
  type HistoryPeriod,
  isOfSide,
  PeriodChoice,
  periodStart,
  type Scope,
  ScopeChoice,
  type Side,
  SideChoice,
  useMarketsOf,
  WordChoice,
} from './history-filters.tsx';
import { ORDER_CSV, orderColumns } from './order-columns.tsx';
import { Paged, Pane } from './pane.tsx';
import { useHistory, useWithHeard } from './use-history.ts';

/** As many days as the venue keeps. */
const DAYS_MAX = 90;
/** The contracts' list has no larger pages. */
const SWAP_PAGE_MAX = 100;

export function OrderHistory() {
  const instrument = useInstrument();
  return instrument === undefined ? null : (
    <HistoryOf key={instrument.symbol} instrument={instrument} />
  );
}

interface OrderFilter {
  readonly scope: Scope;
  readonly side: Side;
  readonly type: 'any' | (typeof TYPES)[number];
  readonly end: 'any' | (typeof ENDS)[number];
  readonly period: HistoryPeriod;
}

const TYPES = ['limit', 'market'] as const;
const ENDS = ['full_fill', 'cancelled'] as const;

const ALL: OrderFilter = { scope: 'this', side: 'any', type: 'any', end: 'any', period: 'all' };

function selectionOf({ side, type, end, period }: OrderFilter, symbols: ReadonlySet<string>) {
  return {
    has: (order: OrderLine) =>
      symbols.has(order.symbol) &&
      isOfSide(order.action, side) &&
      (type === 'any' || order.type === type) &&
      (end === 'any' || order.status === end),
    fromMs: periodStart(period),
    isByTime: true,
    timeOf: ({ createdMs }: OrderLine) => createdMs,
  };
}

function HistoryOf({ instrument }: { readonly instrument: Instrument }) {
  const { layout, trade, records } = useTexts();
  const [filter, setFilter] = useState(ALL);
  const gaps = useStore(account.gaps);
  const markets = useMarketsOf(filter.scope, instrument);
  const symbols = new Set(markets.map(({ symbol }) => symbol));
  const selection = selectionOf(filter, symbols);
  const { pages, newReader } = useHistory<OrderLine>({
    name: `${[...symbols]} ${gaps} ${JSON.stringify(filter)}`,
    source: (pageRows) => ordersOf(markets, pageRows),
    selection,
  });
  const heard = useStore(account.closedOrders);
  const rows = useWithHeard(pages.rows, heard, selection);
  const hasMoney = markets.some(({ kind }) => kind === 'contract');
  const columns = [
    ...orderColumns(trade, nettedOrders(rows ?? [])),
    ...(hasMoney ? MONEY.map((name) => moneyColumn(name, trade[name])) : []),
    {
      name: 'status',
      title: trade.status,
      cell: (order: OrderLine) => endText(order, trade),
    },
  ];
  const name = filter.scope === 'this' ? instrument.symbol : 'all';
  const isFiltered = JSON.stringify(filter) !== JSON.stringify(ALL);
  return (
    <Pane
      controls={<OrderFilters filter={filter} onFilter={setFilter} />}
      aside={
        <CsvButton
          name={`orders-${name}`}
          columns={ORDER_CSV}
          newReader={newReader}
          isEmpty={rows === undefined || rows.length === 0}
        />
      }
    >
      <Paged pages={pages}>
        <Table
          label={layout.history}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          empty={isFiltered ? records.nothingFound : trade.noHistory}
        />
      </Paged>
    </Pane>
  );
}

interface OrderFiltersProps {
  readonly filter: OrderFilter;
  readonly onFilter: (filter: OrderFilter) => void;
}

function OrderFilters({ filter, onFilter }: OrderFiltersProps) {
  const { trade, records } = useTexts();
  const put = (news: Partial<OrderFilter>): void => onFilter({ ...filter, ...news });
  return (
    <div className="history-filters">
      <ScopeChoice value={filter.scope} onValue={(scope) => put({ scope })} />
      <SideChoice value={filter.side} onValue={(side) => put({ side })} />
      <WordChoice
        label={trade.type}
        names={TYPES}
        words={trade.types}
        value={filter.type}
        onValue={(type) => put({ type })}
      />
      <WordChoice
        label={trade.status}
        names={ENDS}
        words={records.ends}
        value={filter.end}
        onValue={(end) => put({ end })}
      />
      <PeriodChoice value={filter.period} onValue={(period) => put({ period })} />
    </div>
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

/** Closed orders of some markets as one list. */
function ordersOf(markets: readonly Instrument[], pageRows: number): RowReader<OrderLine> {
  const readers = markets.map(
    ({ kind, symbol }): RowReader<OrderLine> =>
      (cursor) =>
        paced(() =>
          kind === 'spot'
            ? readSpotPage(symbol, pageRows, cursor)
            : readSwapPage(symbol, Math.min(pageRows, SWAP_PAGE_MAX), cursor),
        ),
  );
  const [only] = readers;
  if (only !== undefined && readers.length === 1) return only;
  return merged(readers, (one, other) => one.id > other.id, pageRows);
}

async function readSpotPage(
  symbol: string,
  limit: number,
  after: string | undefined,
): Promise<RowPage<OrderLine>> {
  const path = '/api/spot/v1/trade/history';
  const rows = await session.call<readonly SpotOrderRow[]>('POST', path, { symbol, limit, after });
  const lines = rows.map(spotOrder);
  return { rows: lines, next: rows.length < limit ? undefined : lines.at(-1)?.id };
}

/** The cursor is the number of the page. */
async function readSwapPage(
  symbol: string,
  pageSize: number,
  cursor: string | undefined,
): Promise<RowPage<OrderLine>> {
  const pageIndex = Number(cursor ?? '1');
  const asked = { symbol, pageIndex, pageSize, createDate: DAYS_MAX };
  const path = '/api/swap/v3/order/history';
  const rows = await session.call<readonly SwapOrderRow[]>('GET', path, asked);
  const next = rows.length < pageSize ? undefined : String(pageIndex + 1);
  return { rows: rows.map(swapOrder), next };
}
