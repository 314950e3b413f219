/**
 * Own fills as filters choose them. Those of a pair are read by page; the API gives those of a
 * contract per order, so a page is a few orders and all their fills.
 */
import { useEffect, useRef, useState } from 'react';
import { type Column, Figure, Table } from '../../look/mod.ts';
import {
  type FillLine,
  type SpotFillRow,
  type SwapFillRow,
  spotFill,
  swapFill,
} from '../../model/fills.ts';
import { nettedFills } from '../../model/netted.ts';
import { compare } from '../../model/numbers.ts';
import type { OrderLine, SwapOrderRow } from '../../model/orders.ts';
import { merged, type RowPage, type RowReader } from '../../model/selection.ts';
import { session } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import type { Texts } from '../../texts/en.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Instrument, useInstrument } from '../context.ts';
import { account, publishOrders, tables } from './account-state.ts';
import { paced } from './calls.ts';
import { CsvButton, type CsvColumn } from './csv-button.tsx';
import { instrumentOf, priceOf, shortNumber, sizeOf, sizeUnit } from './formats.ts';
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
} from './history-filters.tsx';
import { leadingColumns } from './order-columns.tsx';
import { Paged, Pane } from './pane.tsx';
import { useHistory, useWithHeard } from './use-history.ts';
import { mergedRows } from './use-pages.ts';

/** Orders of a contract whose fills make a page: a call each, of ten a second. */
const PAGE_ORDERS = 8;
const DAYS_MAX = 90;

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

function selectionOf({ side, period }: FillFilter, symbols: ReadonlySet<string>) {
  return {
    has: ({ symbol, action }: FillLine) => symbols.has(symbol) && isOfSide(action, side),
    fromMs: periodStart(period),
    // An order that was placed earlier may have filled later.
    isByTime: false,
    timeOf: ({ timeMs }: FillLine) => timeMs,
  };
}

function FillsOf({ instrument }: { readonly instrument: Instrument }) {
  const { layout, trade, records } = useTexts();
  const [filter, setFilter] = useState(ALL);
  const gaps = useStore(account.gaps);
  useContractFills(instrument);
  const markets = useMarketsOf(filter.scope, instrument);
  const symbols = new Set(markets.map(({ symbol }) => symbol));
  const selection = selectionOf(filter, symbols);
  const { pages, newReader } = useHistory<FillLine>({
    name: `${[...symbols]} ${gaps} ${JSON.stringify(filter)}`,
    source: (pageRows) => fillsOf(markets, pageRows),
    selection,
  });
  const heard = useStore(account.fills);
  const rows = useWithHeard(pages.rows, heard, selection);
  const name = filter.scope === 'this' ? instrument.symbol : 'all';
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
          // Only the stream knows some roles.
          ordered={(all) => mergedRows(all, heardOf(all)) ?? all}
          isEmpty={rows === undefined || rows.length === 0}
        />
      }
    >
      <Paged pages={pages}>
        <Table
          label={layout.fills}
          columns={fillColumns(trade, nettedFills(rows ?? []))}
          rows={rows}
          keyOf={({ id }) => id}
          empty={isFiltered ? records.nothingFound : trade.noFills}
        />
      </Paged>
    </Pane>
  );
}

/** What the stream said of these. */
function heardOf(rows: readonly FillLine[]): readonly FillLine[] {
  const ids = new Set(rows.map(({ id }) => id));
  return account.fills.get().filter(({ id }) => ids.has(id));
}

/** Reads the fills of contract orders that go on filling: the stream has no fills. */
function useContractFills({ kind, symbol }: Instrument): void {
  const open = useStore(account.openOrders);
  const closed = useStore(account.closedOrders);
  const known = useRef<ReadonlyMap<string, string> | undefined>(undefined);
  useEffect(() => {
    if (kind === 'spot' || open === undefined) return;
    const orders = [...open, ...closed].filter((order) => order.symbol === symbol);
    const news = orders.filter(({ id, filled }) => known.current?.get(id) !== filled);
    const isFirst = known.current === undefined;
    known.current = new Map(orders.map(({ id, filled }) => [id, filled]));
    // What has filled before is on the first page.
    if (!isFirst) void hearFillsOf(news.slice(0, PAGE_ORDERS));
  }, [kind, symbol, open, closed]);
}

async function hearFillsOf(orders: readonly OrderLine[]): Promise<void> {
  try {
    for (const { symbol, id, filled } of orders) {
      if (compare(filled, '0') > 0) tables.fills.learn(await readFillsOf(symbol, id));
    }
    publishOrders();
  } catch {
    return; // They come with the pages when the list is opened again.
  }
}

function fillColumns(
  trade: Texts['trade'],
  netted: ReadonlySet<string>,
): readonly Column<FillLine>[] {
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
      cell: (fill) => `${shortNumber(fill.fee)} ${feeCoin(fill)}`,
    },
    {
      name: 'role',
      title: trade.role,
      cell: ({ id, role, cause }) => {
        if (cause !== 'owner') return trade.causes[netted.has(id) ? 'netting' : cause];
        return role === undefined ? '–' : trade.roles[role];
      },
    },
  ];
}

function feeCoin({ symbol, feeCoin: told }: FillLine): string {
  if (told !== undefined) return told;
  const found = instrumentOf(symbol);
  return found?.kind === 'contract' ? found.marginCoin : '';
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
  { title: 'fee_coin', text: feeCoin },
  { title: 'role', text: ({ role }) => role ?? '', isWord: true },
];

/** Fills of some markets as one list. */
function fillsOf(markets: readonly Instrument[], pageRows: number): RowReader<FillLine> {
  const readers = markets.map(
    ({ kind, symbol }): RowReader<FillLine> =>
      (cursor) =>
        paced(() =>
          kind === 'spot' ? readSpotPage(symbol, pageRows, cursor) : readSwapPage(symbol, cursor),
        ),
  );
  const [only] = readers;
  if (only !== undefined && readers.length === 1) return only;
  return merged(readers, (one, other) => one.orderId > other.orderId, pageRows);
}

async function readSpotPage(
  symbol: string,
  limit: number,
  after: string | undefined,
): Promise<RowPage<FillLine>> {
  const path = '/api/spot/v1/trade/fills';
  const rows = await session.call<readonly SpotFillRow[]>('POST', path, { symbol, limit, after });
  const next = rows.length < limit ? undefined : rows.at(-1)?.fillId;
  return { rows: rows.map(spotFill), next };
}

/** The cursor is the number of the page of closed orders; the first page has the open ones too. */
async function readSwapPage(
  symbol: string,
  cursor: string | undefined,
): Promise<RowPage<FillLine>> {
  const pageIndex = Number(cursor ?? '1');
  const asked = { symbol, pageIndex, pageSize: PAGE_ORDERS, createDate: DAYS_MAX };
  const closed = await session.call<readonly SwapOrderRow[]>(
    'GET',
    '/api/swap/v3/order/history',
    asked,
  );
  const open = pageIndex > 1 ? [] : await readPartlyFilled(symbol);
  const found: FillLine[] = [];
  for (const order of [...open, ...closed]) {
    if (compare(order.filled_qty, '0') <= 0) continue;
    found.push(...(await readFillsOf(symbol, order.order_id)));
  }
  const next = closed.length < PAGE_ORDERS ? undefined : String(pageIndex + 1);
  return { rows: found, next };
}

async function readPartlyFilled(symbol: string): Promise<readonly SwapOrderRow[]> {
  const path = '/api/swap/v3/order/current';
  const open = await session.call<readonly SwapOrderRow[]>('GET', path, { symbol });
  return open.filter(({ status }) => status === '1').slice(0, PAGE_ORDERS);
}

async function readFillsOf(symbol: string, orderId: string): Promise<FillLine[]> {
  const rows = await paced(() =>
    session.call<readonly SwapFillRow[]>('GET', '/api/swap/v3/order/fills', { symbol, orderId }),
  );
  return rows.map(swapFill);
}
