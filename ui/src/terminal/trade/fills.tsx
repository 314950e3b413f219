/** Own fills as filters choose them: read by page, newer ones from the stream. */
import { useState } from 'react';
import { native } from '#client';
import { type Column, Figure, Table } from '../../look/mod.ts';
import { type FillLine, fillLine } from '../../model/fills.ts';
import { session } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import type { Texts } from '../../texts/en.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Instrument, useInstrument } from '../context.ts';
import { account } from './account-state.ts';
import { CsvButton, type CsvColumn } from './csv-button.tsx';
import { priceOf, shortNumber, sizeOf, sizeUnit } from './formats.ts';
import {
  type HistoryPeriod,
  isOfSide,
  PeriodChoice,
  periodStart,
  type Scope,
  ScopeChoice,
  type Side,
  SideChoice,
} from './history-filters.tsx';
import { leadingColumns } from './order-columns.tsx';
import { Paged, Pane } from './pane.tsx';
import { pagesOf, useHistory, useWithHeard } from './use-history.ts';

export function Fills() {
  const instrument = useInstrument();
  return instrument === undefined ? null : (
    <FillsOf key={instrument.symbol} instrument={instrument} />
  );
}

interface FillFilter {
  readonly scope: Scope;
  readonly side: Side;
  readonly period: HistoryPeriod;
}

const ALL: FillFilter = { scope: 'this', side: 'any', period: 'all' };

function selectionOf({ side, period }: FillFilter, only: string | undefined) {
  return {
    has: ({ symbol, action }: FillLine) =>
      (only === undefined || symbol === only) && isOfSide(action, side),
    fromMs: periodStart(period),
    isByTime: true,
    timeOf: ({ timeMs }: FillLine) => timeMs,
  };
}

function FillsOf({ instrument }: { readonly instrument: Instrument }) {
  const { layout, trade, records } = useTexts();
  const [filter, setFilter] = useState(ALL);
  const gaps = useStore(account.gaps);
  const only = filter.scope === 'this' ? instrument.symbol : undefined;
  const selection = selectionOf(filter, only);
  const { pages, newReader } = useHistory<FillLine>({
    name: `${only} ${gaps} ${JSON.stringify(filter)}`,
    source: pagesOf(
      (page) => session.ask(native.fills, { symbol: only && only, ...page }),
      fillLine,
    ),
    selection,
  });
  const heard = useStore(account.fills);
  const rows = useWithHeard(pages.rows, heard, selection);
  const name = only ?? 'all';
  const put = (news: Partial<FillFilter>): void => setFilter({ ...filter, ...news });
  const isFiltered = JSON.stringify(filter) !== JSON.stringify(ALL);
  return (
    <Pane
      controls={
        <div className="history-filters">
          <ScopeChoice value={filter.scope} onValue={(scope) => put({ scope })} />
          <SideChoice value={filter.side} onValue={(side) => put({ side })} />
          <PeriodChoice value={filter.period} onValue={(period) => put({ period })} />
        </div>
      }
      aside={
        <CsvButton
          name={`fills-${name}`}
          columns={FILL_CSV}
          newReader={newReader}
          isEmpty={rows === undefined || rows.length === 0}
        />
      }
    >
      <Paged pages={pages}>
        <Table
          label={layout.fills}
          columns={fillColumns(trade)}
          rows={rows}
          keyOf={({ id }) => id}
          empty={isFiltered ? records.nothingFound : trade.noFills}
        />
      </Paged>
    </Pane>
  );
}

function fillColumns(trade: Texts['trade']): readonly Column<FillLine>[] {
  return [
    ...leadingColumns<FillLine>(trade, ({ timeMs }) => timeMs),
    {
      name: 'price',
      title: trade.price,
      isNumber: true,
      cell: ({ price, symbol }) => <Figure text={priceOf(price, symbol)} />,
    },
    {
      name: 'size',
      title: trade.quantity,
      isNumber: true,
      cell: ({ size, symbol }) => `${sizeOf(size, symbol)} ${sizeUnit(symbol, trade)}`,
    },
    {
      name: 'fee',
      title: trade.fee,
      isNumber: true,
      cell: ({ fee, feeCoin }) => `${shortNumber(fee)} ${feeCoin}`,
    },
    {
      name: 'role',
      title: trade.role,
      cell: ({ role, cause }) => (cause === 'owner' ? trade.roles[role] : trade.causes[cause]),
    },
  ];
}

const FILL_CSV: readonly CsvColumn<FillLine>[] = [
  { title: 'time', text: ({ timeMs }) => new Date(timeMs).toISOString() },
  { title: 'trade_id', text: ({ tradeId }) => tradeId },
  { title: 'order_id', text: ({ orderId }) => orderId },
  { title: 'symbol', text: ({ symbol }) => symbol },
  { title: 'action', text: ({ action }) => action, isWord: true },
  { title: 'cause', text: ({ cause }) => cause, isWord: true },
  { title: 'price', text: ({ price }) => price },
  { title: 'size', text: ({ size }) => size },
  { title: 'fee', text: ({ fee }) => fee },
  { title: 'fee_coin', text: ({ feeCoin }) => feeCoin },
  { title: 'role', text: ({ role }) => role, isWord: true },
];
