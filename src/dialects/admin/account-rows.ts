/**
 * What the operator is shown of an account's trading. Pairs and contracts are in one list, so each
 * row says in words what it is; amounts are in the units of its market.
 */
import {
  AVERAGE_EXTRA_SCALE,
  type Contract,
  type ContractOrderView,
  cancelReason,
  type Listings,
  type OrderStatus,
  type OrderView,
  openStatus,
  type PositionView,
  type SpotInstrument,
  spendsBudget,
  type TriggerOrderView,
} from '#domain';
import type {
  Bill,
  ClosedContractOrder,
  ClosedOrder,
  ContractFillRecord,
  Fill,
  LedgerEntry,
} from '#history';
import { formatDecimal, formatTrimmed, present } from '#kernel';
import {
  formatFillAverage,
  formatMoney,
  formatPrice,
  formatSize,
} from '../kit/contract-figures.ts';
import { ORDER_ID, TIME_MS } from '../kit/examples.ts';
import { clientIdOf, formatId } from '../kit/ids.ts';
import { CONTRACT_SYMBOL, PAIR_SYMBOL } from '../kit/markets.ts';
import { averagePrice } from '../kit/ratios.ts';
import { decimal, id, oneOf, row, text, timeMs, whole } from '../kit/row.ts';

const ACTIONS = ['buy', 'sell', 'open_long', 'open_short', 'close_long', 'close_short'] as const;
type Action = (typeof ACTIONS)[number];

const STATUSES = ['new', 'partial_fill', 'full_fill', 'cancelled'] as const;

export interface ShownOrder {
  readonly orderId: number;
  readonly market: string;
  readonly clientOrderId: string;
  readonly action: Action;
  readonly type: 'limit' | 'market';
  readonly price: string;
  readonly size: string;
  readonly filled: string;
  readonly average: string;
  readonly status: OrderStatus;
  readonly reason: string;
  readonly createdMs: number;
}

const MARKET = text<{ readonly market: string }>(
  'Pair or contract',
  PAIR_SYMBOL,
  ({ market }) => market,
);

export const ACCOUNT_ORDER = row<ShownOrder>()({
  orderId: id('Order id', ORDER_ID, (order) => formatId(order.orderId)),
  market: MARKET,
  clientOrderId: text(
    'Id chosen by the client, or the order id',
    'grid#7',
    (one) => one.clientOrderId,
  ),
  action: oneOf(ACTIONS, 'Of a pair buy or sell', 'buy', ({ action }) => action),
  type: oneOf(['limit', 'market'], 'Order type', 'limit', ({ type }) => type),
  price: decimal('Limit price; 0 for a market order', '29400.00', ({ price }) => price),
  size: decimal(
    'Base coin or contracts; of a market buy of a pair the quote coin to spend',
    '0.0005',
    ({ size }) => size,
  ),
  filled: decimal('Filled in base coin or contracts', '0', ({ filled }) => filled),
  average: decimal('Average price of that; 0 for nothing', '0', ({ average }) => average),
  status: oneOf(STATUSES, 'Order status', 'new', ({ status }) => status),
  reason: text('Why it was cancelled; empty otherwise', '', ({ reason }) => reason),
  cTime: timeMs('When it was placed', TIME_MS, ({ createdMs }) => createdMs),
});

export function pairOrder(pair: SpotInstrument, order: OrderView | ClosedOrder): ShownOrder {
  const isClosed = 'reason' in order;
  return {
    orderId: order.orderId,
    market: pair.symbol,
    clientOrderId: clientIdOf(order),
    action: order.side,
    type: order.type,
    price: order.type === 'market' ? '0' : formatDecimal(order.priceTicks, pair.priceScale),
    size: spendsBudget(order)
      ? formatTrimmed(order.quoteBudget, pair.quote.scale)
      : formatTrimmed(order.sizeLots, pair.quantityScale),
    filled: formatTrimmed(order.filledLots, pair.quantityScale),
    average: averagePrice(pair, order),
    status: isClosed ? order.status : openStatus(order),
    reason: isClosed ? cancelReason(order.reason) : '',
    createdMs: order.createdTimeMs,
  };
}

export function contractOrder(
  contract: Contract,
  order: ContractOrderView | ClosedContractOrder,
): ShownOrder {
  const reason = 'reason' in order ? order.reason : undefined;
  const closed = reason === 'filled' ? 'full_fill' : 'cancelled';
  return {
    orderId: order.orderId,
    market: contract.symbol,
    clientOrderId: clientIdOf(order),
    action: order.action,
    type: order.type,
    price: order.type === 'market' ? '0' : formatPrice(contract, order.priceTicks),
    size: formatSize(contract, order.sizeLots),
    filled: formatSize(contract, order.filledLots),
    average: formatFillAverage(contract, order),
    status: reason === undefined ? openStatus(order) : closed,
    reason: cancelReason(reason),
    createdMs: order.createdTimeMs,
  };
}

export interface ShownFill {
  readonly tradeId: number;
  readonly orderId: number;
  readonly market: string;
  readonly action: Action;
  readonly role: 'taker' | 'maker';
  readonly price: string;
  readonly size: string;
  readonly value: string;
  readonly fee: string;
  readonly feeCoin: string;
  readonly timeMs: number;
}

export const ACCOUNT_FILL = row<ShownFill>()({
  tradeId: id('Trade id', formatId(31), (fill) => formatId(fill.tradeId)),
  orderId: id('Order id', ORDER_ID, (fill) => formatId(fill.orderId)),
  market: MARKET,
  action: oneOf(ACTIONS, 'Of a pair buy or sell', 'buy', ({ action }) => action),
  role: oneOf(['taker', 'maker'], 'Whether it took or rested', 'taker', ({ role }) => role),
  price: decimal('Price', '30010.00', ({ price }) => price),
  size: decimal('Base coin or contracts', '0.0005', ({ size }) => size),
  value: decimal('Value in quote or margin coin', '15.005', ({ value }) => value),
  fee: decimal('Fee that was charged', '0.0000005', ({ fee }) => fee),
  feeCoin: text('Coin of the fee', 'BTC', ({ feeCoin }) => feeCoin),
  cTime: timeMs('When it traded', TIME_MS, (fill) => fill.timeMs),
});

export function pairFill(pair: SpotInstrument, fill: Fill): ShownFill {
  const coin = fill.side === 'buy' ? pair.base : pair.quote;
  return {
    tradeId: fill.fillId,
    orderId: fill.orderId,
    market: pair.symbol,
    action: fill.side,
    role: fill.role,
    price: formatDecimal(fill.priceTicks, pair.priceScale),
    size: formatTrimmed(fill.sizeLots, pair.quantityScale),
    value: formatTrimmed(fill.quoteAmount, pair.quote.scale),
    fee: formatTrimmed(fill.feeAmount, coin.scale),
    feeCoin: coin.code,
    timeMs: fill.timeMs,
  };
}

export function contractFill(contract: Contract, fill: ContractFillRecord): ShownFill {
  return {
    tradeId: fill.tradeId,
    orderId: fill.orderId,
    market: contract.symbol,
    action: fill.action,
    role: fill.role,
    price: formatPrice(contract, fill.priceTicks),
    size: formatSize(contract, fill.sizeLots),
    value: formatMoney(contract, fill.quoteAmount),
    fee: formatMoney(contract, fill.fee),
    feeCoin: contract.margin.code,
    timeMs: fill.timeMs,
  };
}

export interface ShownPosition {
  readonly contract: Contract;
  readonly mode: 'cross' | 'isolated';
  readonly position: PositionView;
}

export const ACCOUNT_POSITION = row<ShownPosition>()({
  contract: text('Contract', CONTRACT_SYMBOL, ({ contract }) => contract.symbol),
  side: oneOf(['long', 'short'], 'Which side', 'long', ({ position }) => position.side),
  mode: oneOf(['cross', 'isolated'], 'Margin mode', 'cross', ({ mode }) => mode),
  size: decimal('Contracts held', '10', ({ contract, position }) =>
    formatSize(contract, position.lots),
  ),
  entry: decimal('Average entry price', '30000', ({ contract, position }) =>
    formatTrimmed(position.averageEntry, contract.priceScale + AVERAGE_EXTRA_SCALE),
  ),
  liquidation: decimal('Estimate; 0 when no price liquidates it', '27150.5', (one) =>
    formatPrice(one.contract, one.position.liquidationTicks),
  ),
  leverage: whole('Leverage', 20, ({ position }) => position.leverage),
  margin: decimal('Margin in use, in the margin coin', '15', ({ contract, position }) =>
    formatMoney(contract, position.margin),
  ),
  unrealizedPnl: decimal('At the mark price', '0.015', ({ contract, position }) =>
    formatMoney(contract, position.unrealizedPnl),
  ),
  realizedPnl: decimal('By what was closed of it', '0', ({ contract, position }) =>
    formatMoney(contract, position.realizedPnl),
  ),
  coin: text('Margin coin', 'USDT', ({ contract }) => contract.margin.code),
  cTime: timeMs('When it was opened', TIME_MS, ({ position }) => position.openedTimeMs),
});

export interface ShownTrigger {
  readonly contract: Contract;
  readonly trigger: TriggerOrderView;
}

export const ACCOUNT_TRIGGER = row<ShownTrigger>()({
  orderId: id('Order id', ORDER_ID, ({ trigger }) => formatId(trigger.orderId)),
  contract: text('Contract', CONTRACT_SYMBOL, ({ contract }) => contract.symbol),
  purpose: oneOf(
    ['trigger', 'take_profit', 'stop_loss'],
    'What it waits for',
    'stop_loss',
    ({ trigger }) => trigger.purpose,
  ),
  action: oneOf(ACTIONS, 'What it will do', 'close_long', ({ trigger }) => trigger.action),
  triggerPrice: decimal('Price that sets it off', '29000', ({ contract, trigger }) =>
    formatPrice(contract, trigger.triggerTicks),
  ),
  price: decimal('Limit price of its order; 0 at the market', '0', ({ contract, trigger }) =>
    trigger.type === 'market' ? '0' : formatPrice(contract, trigger.executeTicks),
  ),
  size: decimal('Contracts; 0 for whatever is held then', '0', ({ contract, trigger }) =>
    formatSize(contract, trigger.sizeLots),
  ),
  cTime: timeMs('When it was placed', TIME_MS, ({ trigger }) => trigger.createdTimeMs),
});

export interface ShownEntry {
  readonly entryId: number;
  readonly wallet: string;
  readonly coin: string;
  readonly kind: string;
  readonly market: string;
  readonly amount: string;
  readonly fee: string;
  readonly balance: string;
  readonly timeMs: number;
}

export const ACCOUNT_ENTRY = row<ShownEntry>()({
  entryId: whole('Where the next page begins', 12, ({ entryId }) => entryId),
  wallet: text('spot, margin, or the contract', 'spot', ({ wallet }) => wallet),
  coin: text('Coin', 'USDT', ({ coin }) => coin),
  kind: text('What it was', 'deposit', ({ kind }) => kind),
  market: text('Pair or contract; may be empty', '', ({ market }) => market),
  amount: decimal('Signed change of the balance', '250', ({ amount }) => amount),
  fee: decimal('Contained in it', '0', ({ fee }) => fee),
  balance: decimal('Of the wallet, after it', '1000250', ({ balance }) => balance),
  cTime: timeMs('When', TIME_MS, (entry) => entry.timeMs),
});

export function spotEntry(listings: Listings, bill: Bill): ShownEntry {
  const coin = present(listings.asset(bill.assetId), 'coin of a bill');
  const pair = bill.traded && listings.spotById(bill.traded.instrumentId);
  const change = bill.delta - bill.fee;
  return {
    entryId: bill.billId,
    wallet: bill.wallet,
    coin: coin.code,
    kind: bill.biz,
    market: pair === undefined ? '' : pair.symbol,
    amount: formatTrimmed(change, coin.scale),
    fee: formatTrimmed(bill.fee, coin.scale),
    balance: formatTrimmed(bill.balanceBefore + change, coin.scale),
    timeMs: bill.timeMs,
  };
}

export function contractEntry(listings: Listings, entry: LedgerEntry): ShownEntry {
  const coin = present(listings.asset(entry.assetId), 'coin of an entry');
  const { instrumentId } = entry;
  const contract = instrumentId === undefined ? undefined : listings.contractById(instrumentId);
  return {
    entryId: entry.entryId,
    wallet: entry.wallet,
    coin: coin.code,
    kind: entry.kind,
    market: contract === undefined ? '' : contract.symbol,
    amount: formatTrimmed(entry.delta, coin.scale),
    fee: formatTrimmed(entry.fee, coin.scale),
    balance: formatTrimmed(entry.balance, coin.scale),
    timeMs: entry.timeMs,
  };
}
