/** How the spot stream shows an account: rows of its orders and of its balances. */

import {
  type AccountWriter,
  type OrderChange,
  type PrivateRow,
  type SpotOrderChange,
  type StateRow,
  spotOrdersOf,
} from '#api';
import {
  type AccountId,
  type AssetId,
  type BalanceView,
  type Coin,
  closedStatus,
  type Event,
  instrumentId,
  type Listings,
  notional,
  type OrderStatus,
  type OrderView,
  openStatus,
  type SpotInstrument,
  type StateReader,
  spendsBudget,
  type Trade,
} from '#domain';
import { formatTrimmed, present } from '#kernel';
import { coinsChanged } from '../kit/account-events.ts';
import type { CoinBalance } from '../kit/encoded-balances.ts';
import { TIME_MS } from '../kit/examples.ts';
import { formatId } from '../kit/ids.ts';
import {
  type Column,
  decimal,
  encoded,
  listedName,
  listOf,
  oneOf,
  row,
  timeMs,
} from '../kit/row.ts';
import { ASSET } from './spot-account.ts';
import { ORDER, type PairOrder } from './spot-orders.ts';

const ACCOUNT = 'account';
const ORDERS = 'orders';

/** A change of an order; `trade` is the fill that was it, if one was. */
interface ChangedOrder extends PairOrder {
  readonly timeMs: number;
  readonly trade: Trade | undefined;
}

/** A figure of the fill; an order that a change did not fill has 0. */
function ofFill(
  description: string,
  example: string,
  of: (trade: Trade, change: ChangedOrder) => string,
): Column<ChangedOrder, string> {
  return decimal(description, example, (change) =>
    change.trade === undefined ? '0' : of(change.trade, change),
  );
}

function feeCoin({ pair, order }: ChangedOrder): Coin {
  return order.side === 'buy' ? pair.base : pair.quote;
}

/** Fees are negative when charged, here and nowhere else in the spot API. */
const FEE = {
  fee: ofFill('Fee of the fill, negative when charged', '-0.0000005', (trade, change) => {
    const fee = change.order.side === 'buy' ? trade.buyerFee : trade.sellerFee;
    return formatTrimmed(-fee, feeCoin(change).scale);
  }),
  coin: listedName<ChangedOrder>('Coin of the fee; empty without a fill', 'BTC', (change) =>
    change.trade === undefined ? '' : feeCoin(change).code,
  ),
};

const FEE_ROW = row<ChangedOrder>()({ feeCcy: FEE.coin, fee: FEE.fee });

/** The stream has hyphens where REST has underscores, as on the exchanges clients come from. */
const STATUS_WORDS = {
  new: 'new',
  partial_fill: 'partial-fill',
  full_fill: 'full-fill',
  cancelled: 'cancelled',
} as const;

const CHANGED_ORDER = row<ChangedOrder>()({
  instId: ORDER.columns.symbol,
  ordId: ORDER.columns.orderId,
  clOrdId: ORDER.columns.clientOrderId,
  px: ORDER.columns.price,
  sz: ORDER.columns.quantity,
  notional: decimal('Value at its limit; of a market buy what it may spend', '14.7', (change) =>
    formatTrimmed(orderValue(change), change.pair.quote.scale),
  ),
  ordType: ORDER.columns.orderType,
  force: oneOf(
    ['normal', 'post_only', 'fok', 'ioc'],
    'How long it stays',
    'normal',
    ({ order: { force } }) => (force === 'gtc' ? 'normal' : force),
  ),
  side: ORDER.columns.side,
  fillPx: ofFill('Price of the fill', '30010', ({ priceTicks }, { pair }) =>
    formatTrimmed(priceTicks, pair.priceScale),
  ),
  tradeId: ofFill('Trade of the fill', formatId(31), (trade) => formatId(trade.tradeId)),
  fillSz: ofFill('Size of the fill', '0.0005', ({ sizeLots }, { pair }) =>
    formatTrimmed(sizeLots, pair.quantityScale),
  ),
  fillTime: ofFill('When it was filled', String(TIME_MS), (_trade, change) =>
    String(change.timeMs),
  ),
  fillFee: FEE.fee,
  fillFeeCcy: FEE.coin,
  execType: oneOf(
    ['T', 'M', ''],
    'T when it took, M when it rested; empty without a fill',
    'T',
    ({ trade, order }) => {
      if (trade === undefined) return '';
      return trade.takerOrderId === order.orderId ? 'T' : 'M';
    },
  ),
  accFillSz: ORDER.columns.fillQuantity,
  avgPx: ORDER.columns.fillPrice,
  status: oneOf(
    Object.values(STATUS_WORDS),
    'Order status',
    'full-fill',
    ({ status }) => STATUS_WORDS[status],
  ),
  orderFee: encoded(listOf(FEE_ROW), (change) =>
    change.trade === undefined ? '[]' : `[${FEE_ROW.write(change)}]`,
  ),
  cTime: ORDER.columns.cTime,
  uTime: timeMs('When it changed', TIME_MS, (change) => change.timeMs),
  cancelReason: ORDER.columns.cancelReason,
});

/** What the order is worth at its limit; for a market buy the budget it may spend. */
function orderValue({ pair, order }: ChangedOrder): bigint {
  if (order.type === 'limit') return notional(pair, order.priceTicks, order.sizeLots);
  return spendsBudget(order) ? order.quoteBudget : 0n;
}

/** Status of an order that has not been closed yet: a full one is about to be. */
function statusAfterFill(order: OrderView): OrderStatus {
  const isFull = spendsBudget(order)
    ? order.filledQuote === order.quoteBudget
    : order.filledLots === order.sizeLots;
  return isFull ? 'full_fill' : openStatus(order);
}

/** Whether the last fill has said already that the order is done. */
function isRepeated({ order, reason }: SpotOrderChange): boolean {
  return reason === 'filled' && statusAfterFill(order) === 'full_fill';
}

function writeChange(pair: SpotInstrument, change: SpotOrderChange): string {
  const { order, reason, timeMs, trade } = change;
  const status = reason === undefined ? statusAfterFill(order) : closedStatus(reason);
  return CHANGED_ORDER.write({ pair, order, status, reason, timeMs, trade });
}

/** A balance as REST has it, but when it changed: the message says so. */
const BALANCE = row<CoinBalance>()({
  coinId: ASSET.columns.coinId,
  coinName: ASSET.columns.coinName,
  available: ASSET.columns.available,
  frozen: ASSET.columns.frozen,
  lock: ASSET.columns.lock,
});

export class SpotAccountWriter implements AccountWriter {
  readonly #listings: Listings;
  readonly #accountId: AccountId;

  constructor(listings: Listings, accountId: AccountId) {
    this.#listings = listings;
    this.#accountId = accountId;
  }

  orders(state: StateReader): readonly OrderChange[] {
    return spotOrdersOf(state, this.#accountId);
  }

  orderRows(change: OrderChange): readonly PrivateRow[] {
    if (change.kind !== 'spot_order' || isRepeated(change)) return [];
    const { instrumentId } = change.order;
    const pair = present(this.#listings.spotById(instrumentId), 'pair of an order');
    return [
      {
        feed: ORDERS,
        isIn: (feed) => feed === `${ORDERS}/${instrumentId}`,
        write: () => writeChange(pair, change),
      },
    ];
  }

  showsOrder({ kind, order }: OrderChange, feed: string): boolean {
    if (kind !== 'spot_order') return false;
    return feed === ORDERS || feed === `${ORDERS}/${order.instrumentId}`;
  }

  /** Every coin the account ever touched. */
  stateRows(state: StateReader): readonly StateRow[] {
    const balances = state.account(this.#accountId)?.spotBalances() ?? [];
    return Array.from(balances, (balance) => this.#balanceRow(balance, state.listings));
  }

  changedRows(events: readonly Event[], state: StateReader): readonly StateRow[] {
    const coins = new Set(events.flatMap((event) => coinsChanged(event, state.listings)));
    const account = present(state.account(this.#accountId), 'account of a key');
    return [...coins]
      .map((assetId) => account.balance('spot', assetId))
      .filter((balance) => balance !== undefined)
      .map((balance) => this.#balanceRow(balance, state.listings));
  }

  #balanceRow(balance: BalanceView, listings: Listings): StateRow {
    const { assetId } = balance;
    const coin = present(listings.asset(assetId), 'coin of a balance');
    const text = BALANCE.write({ coin, balance });
    return {
      key: String(assetId),
      feed: ACCOUNT,
      isIn: (feed) => isCoinOf(pairOf(feed, this.#listings), assetId),
      write: () => text,
    };
  }
}

/** The pair of a feed like account/3; undefined for any other feed. */
function pairOf(feed: string, listings: Listings): SpotInstrument | undefined {
  const [channel, id] = feed.split('/');
  return channel === ACCOUNT && id !== undefined
    ? listings.spotById(instrumentId(Number(id)))
    : undefined;
}

function isCoinOf(pair: SpotInstrument | undefined, assetId: AssetId): boolean {
  return pair?.base.assetId === assetId || pair?.quote.assetId === assetId;
}
