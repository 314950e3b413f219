/** Closed orders as filters choose them: read by page, newer ones from the streams. */
import { useState } from 'react';
import { native } from '#client';
import { directionOf, Figure, Table } from '../../look/mod.ts';
import { type OrderLine, orderLine } from '../../model/orders.ts';
import { session } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import type { Texts } from '../../texts/en.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Instrument, useInstrument } from '../context.ts';
import { account } from './account-state.ts';
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
  WordChoice,
} from './history-filters.tsx';
import { ORDER_CSV, orderColumns } from './order-columns.tsx';
import { Paged, Pane } from './pane.tsx';
import { pagesOf, useHistory, useWithHeard } from './use-history.ts';

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

function selectionOf({ side, type, end, period }: OrderFilter, only: string | undefined) {
  return {
    has: (order: OrderLine) =>
      (only === undefined || order.symbol === only) &&
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
  const only = filter.scope === 'this' ? instrument.symbol : undefined;
  const selection = selectionOf(filter, only);
  const { pages, newReader } = useHistory<OrderLine>({
    name: `${only} ${gaps} ${JSON.stringify(filter)}`,
    source: pagesOf(
      (page) => session.ask(native.closedOrders, { symbol: only && only, ...page }),
      orderLine,
    ),
    selection,
  });
  const heard = useStore(account.closedOrders);
  const rows = useWithHeard(pages.rows, heard, selection);
  const hasMoney = only === undefined || instrument.kind === 'contract';
  const columns = [
    ...orderColumns(trade),
    ...(hasMoney ? MONEY.map((name) => moneyColumn(name, trade[name])) : []),
    {
      name: 'status',
      title: trade.status,
      cell: (order: OrderLine) => endText(order, trade),
    },
  ];
  const name = only ?? 'all';
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
