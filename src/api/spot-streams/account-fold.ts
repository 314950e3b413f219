/**
 * One account on the spot stream: each change of its orders and balances, folded from released
 * events. A step makes one message per channel, its rows in the order they happened.
 */
import {
  type AccountId,
  baseAmount,
  closedStatus,
  type Event,
  instrumentId,
  type Listings,
  notional,
  type OrderClosed,
  type OrderId,
  type OrderRested,
  type OrderView,
  openStatus,
  type SpotInstrument,
  type StateReader,
  type Step,
  type Trade,
} from '#domain';
import { present } from '#kernel';
import { formatAmount, jsonList } from '#wire';
import {
  type AccountFold,
  type PublishPrivate,
  rowsOf,
  type SnapshotRows,
} from '../streams/dialect.ts';
import { FollowedBalances, type ShownBalance } from './followed-balances.ts';
import {
  acceptedOrder,
  filledOrder,
  followedOrder,
  statusAfterFill,
  writeOrderChange,
  writeOrderFill,
} from './followed-order.ts';

const ACCOUNT = 'account';
const ORDERS = 'orders';

interface OrderRow {
  readonly pair: SpotInstrument;
  readonly text: string;
}

export class SpotAccountFold implements AccountFold {
  readonly #listings: Listings;
  readonly #publish: PublishPrivate;
  readonly #balances: FollowedBalances;
  /** Oldest first. */
  readonly #orders = new Map<OrderId, OrderView>();
  /** Pairs with subscribers of their own, by feed. */
  readonly #pairFeeds = new Map<string, SpotInstrument>();
  /** Rows of the step that is being applied, with their pairs. */
  #rows: OrderRow[] = [];

  constructor(
    accountId: AccountId,
    listings: Listings,
    state: StateReader,
    publish: PublishPrivate,
  ) {
    this.#listings = listings;
    this.#publish = publish;
    const balances = state.account(accountId)?.spotBalances() ?? [];
    this.#balances = new FollowedBalances(accountId, balances);
    const open = [...state.openOrders(accountId)].map(followedOrder).reverse();
    for (const order of open) this.#orders.set(order.orderId, order);
  }

  snapshot(feed: string): SnapshotRows {
    const [channel = '', id] = feed.split('/');
    const pair = id === undefined ? undefined : this.#pair({ instrumentId: instrumentId(+id) });
    if (pair !== undefined) this.#pairFeeds.set(feed, pair);
    if (channel === ACCOUNT) {
      const balances = this.#balances.all().filter(isOf(pair));
      return rowsOf(balances, (one) => this.#writeBalance(one));
    }
    const orders = [...this.#orders.values()].filter(
      (order) => pair === undefined || order.instrumentId === pair.instrumentId,
    );
    return rowsOf(orders, (order) =>
      writeOrderChange(this.#pair(order), order, openStatus(order), order.createdTimeMs),
    );
  }

  apply(event: Event, step: Step): void {
    switch (event.kind) {
      case 'order_accepted': {
        const order = acceptedOrder(event, step.timeMs);
        this.#orders.set(order.orderId, order);
        const pair = this.#pair(order);
        this.#note(pair, writeOrderChange(pair, order, 'new', step.timeMs));
        break;
      }
      case 'order_rested':
        this.#rest(event);
        break;
      case 'trade':
        this.#trade(event, step.timeMs);
        break;
      case 'order_closed':
        this.#close(event, step.timeMs);
        break;
      case 'balance_changed':
        this.#balances.setOwned(event, event.balanceBefore + event.delta);
        break;
      case 'lock_set':
        this.#balances.setLocked(event, event.amount);
        break;
      default:
    }
  }

  endStep(): void {
    const rows = this.#rows;
    this.#rows = [];
    const changed = this.#balances.takeChanged();
    this.#publishOrders(ORDERS, rows);
    this.#publishBalances(ACCOUNT, changed);
    for (const [feed, pair] of this.#pairFeeds) {
      if (feed.startsWith(ACCOUNT)) this.#publishBalances(feed, changed.filter(isOf(pair)));
      else
        this.#publishOrders(
          feed,
          rows.filter((row) => row.pair.instrumentId === pair.instrumentId),
        );
    }
  }

  #publishOrders(feed: string, rows: readonly OrderRow[]): void {
    if (rows.length > 0)
      this.#publish(
        feed,
        'update',
        jsonList(rows, ({ text }) => text),
      );
  }

  #publishBalances(feed: string, balances: readonly ShownBalance[]): void {
    if (balances.length === 0) return;
    this.#publish(
      feed,
      'update',
      jsonList(balances, (one) => this.#writeBalance(one)),
    );
  }

  #note(pair: SpotInstrument, text: string): void {
    this.#rows.push({ pair, text });
  }

  #rest(event: OrderRested): void {
    // An order of a contract rests by the same event; it holds no spot balance.
    if (this.#listings.spotById(event.instrumentId) === undefined) return;
    const order = present(this.#orders.get(event.orderId), 'order that rests');
    this.#hold(order, event.openLots, 1n);
  }

  #trade(trade: Trade, timeMs: number): void {
    const pair = this.#pair(trade);
    this.#balances.trade(pair, trade);
    for (const orderId of [trade.takerOrderId, trade.makerOrderId]) {
      const before = this.#orders.get(orderId);
      if (before === undefined) continue;
      const order = filledOrder(before, trade);
      this.#orders.set(orderId, order);
      this.#note(pair, writeOrderFill(pair, order, trade, timeMs));
    }
  }

  #close({ order, reason, restingLots }: OrderClosed, timeMs: number): void {
    const followed = present(this.#orders.get(order.orderId), 'order that closes');
    this.#orders.delete(order.orderId);
    this.#hold(order, restingLots, -1n);
    const status = closedStatus(reason);
    // Its last fill has said so already.
    if (status === statusAfterFill(followed)) return;
    const pair = this.#pair(order);
    this.#note(pair, writeOrderChange(pair, order, status, timeMs, reason));
  }

  #hold(order: OrderView, size: OrderView['sizeLots'], sign: 1n | -1n): void {
    const pair = this.#pair(order);
    if (order.side === 'sell') this.#balances.hold(pair.base, sign * baseAmount(pair, size));
    else this.#balances.hold(pair.quote, sign * notional(pair, order.priceTicks, size));
  }

  #writeBalance({ assetId, available, held, locked }: ShownBalance): string {
    const coin = present(this.#listings.assets[assetId], 'coin of a balance');
    return JSON.stringify({
      coinId: String(coin.coinId),
      coinName: coin.code,
      available: formatAmount(available, coin.scale),
      frozen: formatAmount(held, coin.scale),
      lock: formatAmount(locked, coin.scale),
    });
  }

  #pair({ instrumentId }: Pick<OrderView, 'instrumentId'>): SpotInstrument {
    return present(this.#listings.spotById(instrumentId), 'pair of an order');
  }
}

/** Whether a balance is in one of the coins of a pair; of no pair in particular, all are. */
function isOf(pair: SpotInstrument | undefined): (balance: ShownBalance) => boolean {
  if (pair === undefined) return () => true;
  const { base, quote } = pair;
  return ({ assetId }) => assetId === base.assetId || assetId === quote.assetId;
}

/** The accounts whose orders or spot balances an event changes. */
export function spotAccountsOf(event: Event): readonly AccountId[] {
  switch (event.kind) {
    case 'order_accepted':
    case 'order_rested':
    case 'lock_set':
      return [event.accountId];
    case 'order_closed':
      return [event.order.accountId];
    case 'balance_changed':
      return event.wallet === 'spot' ? [event.accountId] : [];
    case 'trade':
      return [event.takerAccountId, event.makerAccountId];
    default:
      return [];
  }
}
