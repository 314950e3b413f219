/** Columns that the lists of orders share. */
import type { Column } from '../../look/mod.ts';
import { Figure, Time } from '../../look/mod.ts';
import type { OrderLine } from '../../model/orders.ts';
import type { Texts } from '../../texts/en.ts';
import { select } from '../context.ts';
import type { CsvColumn } from './csv-button.tsx';
import { marketName, orderSize, priceOf, sizeOf, toneOf } from './formats.ts';

type Words = Texts['trade'];

/** A market that is chosen when it is clicked. */
export function MarketLink({ symbol, trade }: { readonly symbol: string; readonly trade: Words }) {
  return (
    <button type="button" className="market-link" onClick={() => select(symbol)}>
      {marketName(symbol, trade)}
    </button>
  );
}

interface ActionWordProps {
  readonly action: OrderLine['action'];
  readonly trade: Words;
}

function ActionWord({ action, trade }: ActionWordProps) {
  return <span className={`direction-${toneOf(action)}`}>{trade.actions[action]}</span>;
}

/** Limit or market, with an unusual time in force; the cause of an order of the venue. */
function typeText({ type, force, cause }: OrderLine, trade: Words): string {
  if (cause !== 'owner') return trade.causes[cause];
  const word = trade.types[type];
  const isUsual = force === 'gtc' || (type === 'market' && force === 'ioc');
  return isUsual ? word : `${word} · ${trade.forcesShort[force]}`;
}

/** When, where and what: how every list of orders and fills begins. */
export function leadingColumns<Line extends Pick<OrderLine, 'symbol' | 'action'>>(
  trade: Words,
  timeOf: (line: Line) => number,
): readonly Column<Line>[] {
  return [
    { name: 'time', title: trade.time, cell: (line) => <Time at={timeOf(line)} /> },
    {
      name: 'market',
      title: trade.market,
      cell: ({ symbol }) => <MarketLink symbol={symbol} trade={trade} />,
    },
    {
      name: 'action',
      title: trade.action,
      cell: ({ action }) => <ActionWord action={action} trade={trade} />,
    },
  ];
}

export function orderColumns(trade: Words): readonly Column<OrderLine>[] {
  return [
    ...leadingColumns<OrderLine>(trade, ({ createdMs }) => createdMs),
    { name: 'type', title: trade.type, cell: (order) => typeText(order, trade) },
    {
      name: 'price',
      title: trade.price,
      isNumber: true,
      cell: ({ price, symbol }) => priceOf(price, symbol) ?? trade.marketPrice,
    },
    {
      name: 'average',
      title: trade.average,
      isNumber: true,
      cell: ({ average, symbol }) => <Figure text={priceOf(average, symbol)} />,
    },
    {
      name: 'filled',
      title: trade.filled,
      isNumber: true,
      cell: ({ filled, symbol }) => sizeOf(filled, symbol),
    },
    {
      name: 'size',
      title: trade.quantity,
      isNumber: true,
      cell: (order) => orderSize(order, trade),
    },
  ];
}

/** In English with the names of the API. */
export const ORDER_CSV: readonly CsvColumn<OrderLine>[] = [
  { title: 'time', text: ({ createdMs }) => new Date(createdMs).toISOString() },
  { title: 'order_id', text: ({ id }) => id },
  { title: 'client_order_id', text: ({ clientId }) => clientId },
  { title: 'symbol', text: ({ symbol }) => symbol },
  { title: 'action', text: ({ action }) => action, isWord: true },
  { title: 'cause', text: ({ cause }) => cause, isWord: true },
  { title: 'type', text: ({ type }) => type, isWord: true },
  { title: 'force', text: ({ force }) => force, isWord: true },
  { title: 'price', text: ({ price }) => price ?? '' },
  { title: 'size', text: ({ size }) => size },
  { title: 'filled', text: ({ filled }) => filled },
  { title: 'average_price', text: ({ average }) => average },
  { title: 'fee', text: ({ fee }) => fee ?? '' },
  { title: 'profit', text: ({ profit }) => profit ?? '' },
  { title: 'status', text: ({ status }) => status, isWord: true },
  { title: 'cancel_reason', text: ({ cancelReason }) => cancelReason, isWord: true },
];
