/** How the private stream of pairs shows an account: its orders, its fills and its balances. */
import {
  type AccountWriter,
  type OrderChange,
  type PrivateRow,
  type SpotOrderChange,
  type StateRow,
  type StreamServices,
  spotOrdersOf,
} from '#api';
import {
  type AccountId,
  type BalanceView,
  closedStatus,
  type Event,
  type Listings,
  type OrderView,
  openStatus,
  type SpotInstrument,
  type StateReader,
  spendsBudget,
  type Trade,
} from '#domain';
import { formatTrimmed, present } from '#kernel';
import { coinsChanged } from '../kit/account-events.ts';
import { clientIdOf, formatId } from '../kit/ids.ts';
import { forceWord, orderTypeWord, sideWord, statusWord } from './enums.ts';
import { FeeRates } from './fee-rates.ts';
import { MarketFigures } from './market-figures.ts';
import { type FilledPrices, OrderPrices } from './order-prices.ts';
import { messageData, NO_CANCEL_REASON, NO_TRIGGER } from './private-message.ts';
import { marketName } from './symbols.ts';

export class SpotAccountWriter implements AccountWriter {
  readonly #services: StreamServices;
  readonly #listings: Listings;
  readonly #accountId: AccountId;
  readonly #prices = new OrderPrices();
  readonly #rates = new FeeRates();

  constructor(services: StreamServices, accountId: AccountId) {
    this.#services = services;
    this.#listings = services.live.listings;
    this.#accountId = accountId;
  }

  data(feed: string, rows: readonly string[], events: readonly Event[]): string {
    return messageData(feed, rows, events);
  }

  orders(state: StateReader): readonly OrderChange[] {
    return spotOrdersOf(state, this.#accountId);
  }

  recall(standing: Iterable<OrderChange>, lastId: number): Promise<void> {
    const { history } = this.#services;
    const accountId = this.#accountId;
    return this.#prices.recall(this.#services, standing, lastId, async (page) => {
      const fills = await history.newestFills({ accountId, ...page });
      return fills.map(({ fillId, priceTicks, feeAmount }) => {
        return { tradeId: fillId, priceTicks, fee: feeAmount };
      });
    });
  }

  /** The state after a step is what counts of an order, and each of its fills. */
  orderRows(change: OrderChange): readonly PrivateRow[] {
    if (change.kind !== 'spot_order') return [];
    const { orderId, instrumentId } = change.order;
    const pair = present(this.#listings.spotById(instrumentId), 'pair of an order');
    const prices = this.#pricesAfter(change);
    const rates = { ...this.#rates.of(pair), takerFeeDiscount: '1', makerFeeDiscount: '1' };
    const order: PrivateRow = {
      feed: 'orders',
      about: String(orderId),
      write: () => JSON.stringify({ ...orderFields(pair, change, prices), ...rates }),
    };
    const { trade, timeMs } = change;
    if (trade === undefined) return [order];
    const write = () => JSON.stringify(fillFields(pair, change.order, trade, timeMs));
    return [order, { feed: 'fill', write }];
  }

  /** Nothing is sent before something changes. */
  showsOrder(): boolean {
    return false;
  }

  stateRows(state: StateReader): readonly StateRow[] {
    this.#look(state);
    return [];
  }

  changedRows(events: readonly Event[], state: StateReader): readonly StateRow[] {
    const account = this.#look(state);
    const coins = new Set(events.flatMap((event) => coinsChanged(event, state.listings)));
    return [...coins]
      .map((assetId) => account.balance('spot', assetId))
      .filter((balance) => balance !== undefined)
      .map((balance) => balanceRow(balance, state.listings));
  }

  #look(state: StateReader) {
    const account = present(state.account(this.#accountId), 'account of a key');
    this.#rates.become(account);
    return account;
  }

  #pricesAfter({ order, trade, reason }: SpotOrderChange): FilledPrices {
    const { orderId } = order;
    if (trade !== undefined) {
      return this.#prices.filled(orderId, trade.priceTicks, feeOf(order, trade));
    }
    return reason === undefined ? this.#prices.of(orderId) : this.#prices.ended(orderId);
  }
}

function orderFields(
  pair: SpotInstrument,
  { order, timeMs, reason }: SpotOrderChange,
  { latest, highest, lowest, fee }: FilledPrices,
) {
  const figures = new MarketFigures(pair);
  const status = reason === undefined ? openStatus(order) : closedStatus(reason);
  const feeScale = order.side === 'buy' ? pair.base.scale : pair.quote.scale;
  return {
    id: formatId(order.orderId),
    symbol: marketName(pair.symbol),
    baseCoin: pair.baseCode,
    quoteCoin: pair.quoteCode,
    orderSide: sideWord(order.side),
    price: order.type === 'limit' ? figures.price(order.priceTicks) : '0',
    size: figures.size(spendsBudget(order) ? order.filledLots : order.sizeLots),
    value: spendsBudget(order) ? figures.amount(order.quoteBudget) : '0',
    clientOrderId: clientIdOf(order),
    type: orderTypeWord(order.type),
    timeInForce: forceWord(order.type, order.force),
    reduceOnly: false,
    ...NO_TRIGGER,
    status: statusWord(status),
    cancelReason: NO_CANCEL_REASON,
    latestFillPrice: figures.price(latest),
    maxFillPrice: figures.price(highest),
    minFillPrice: figures.price(lowest),
    cumFillSize: figures.size(order.filledLots),
    cumFillValue: figures.amount(order.filledQuote),
    cumFillFee: formatTrimmed(fee, feeScale),
    createdTime: String(order.createdTimeMs),
    updatedTime: String(timeMs),
  };
}

/** Charged in the coin that is received. */
function feeOf(order: OrderView, trade: Trade): bigint {
  return order.side === 'buy' ? trade.buyerFee : trade.sellerFee;
}

function fillFields(pair: SpotInstrument, order: OrderView, trade: Trade, timeMs: number) {
  const figures = new MarketFigures(pair);
  const feeScale = order.side === 'buy' ? pair.base.scale : pair.quote.scale;
  return {
    id: formatId(trade.tradeId),
    symbol: marketName(pair.symbol),
    baseCoin: pair.baseCode,
    quoteCoin: pair.quoteCode,
    orderId: formatId(order.orderId),
    orderSide: sideWord(order.side),
    fillSize: figures.size(trade.sizeLots),
    fillValue: figures.amount(trade.quoteAmount),
    fillFee: formatTrimmed(feeOf(order, trade), feeScale),
    direction: trade.takerOrderId === order.orderId ? 'TAKER' : 'MAKER',
    createdTime: String(timeMs),
    updatedTime: String(timeMs),
  };
}

function balanceRow(balance: BalanceView, listings: Listings): StateRow {
  const coin = present(listings.asset(balance.assetId), 'coin of a balance');
  const text = (amount: bigint) => formatTrimmed(amount, coin.scale);
  const row = JSON.stringify({
    coin: coin.code,
    equity: text(balance.balance),
    available: text(balance.available),
    frozen: text(balance.held + balance.locked),
  });
  return { key: coin.code, feed: 'account', write: () => row };
}
