/**
 * One account on the spot stream. Orders are folded from released events; balances are those of the
 * venue's state right after each step, published when the step is released. A step makes one
 * message per channel, its rows in the order they happened.
 */
import {
  type AccountId,
  type Amount,
  type AssetId,
  type BalanceView,
  closedStatus,
  type Event,
  instrumentId,
  type Listings,
  type OrderClosed,
  type OrderId,
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

/** What clients are shown of a coin. */
interface ShownBalance {
  readonly assetId: AssetId;
  readonly available: Amount;
  readonly held: Amount;
  readonly locked: Amount;
}

export interface SpotFoldOptions {
  readonly listings: Listings;
  readonly accountId: AccountId;
  readonly publish: PublishPrivate;
  readonly onClose: () => void;
}

export class SpotAccountFold implements AccountFold {
  readonly #listings: Listings;
  readonly #accountId: AccountId;
  readonly #publish: PublishPrivate;
  readonly #onClose: () => void;
  /** Every coin the account ever touched, as last published. */
  readonly #balances = new Map<AssetId, ShownBalance>();
  /** What steps left that are not released yet; the venue bounds how many those are. */
  readonly #ahead: { readonly seq: number; readonly balances: readonly ShownBalance[] }[] = [];
  /** Oldest first. */
  readonly #orders = new Map<OrderId, OrderView>();
  /** Pairs with subscribers of their own, by feed. */
  readonly #pairFeeds = new Map<string, SpotInstrument>();
  /** Rows of the step that is being applied, with their pairs. */
  #rows: OrderRow[] = [];

  constructor({ listings, accountId, publish, onClose }: SpotFoldOptions, state: StateReader) {
    this.#listings = listings;
    this.#accountId = accountId;
    this.#publish = publish;
    this.#onClose = onClose;
    const balances = state.account(accountId)?.spotBalances() ?? [];
    for (const balance of balances) this.#balances.set(balance.assetId, shown(balance));
    const open = [...state.openOrders(accountId)].map(followedOrder).reverse();
    for (const order of open) this.#orders.set(order.orderId, order);
  }

  snapshot(feed: string): SnapshotRows {
    const [channel = '', id] = feed.split('/');
    const pair = id === undefined ? undefined : this.#pair({ instrumentId: instrumentId(+id) });
    if (pair !== undefined) this.#pairFeeds.set(feed, pair);
    if (channel === ACCOUNT) {
      const balances = [...this.#balances.values()].filter(isOf(pair));
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
      case 'trade':
        this.#trade(event, step.timeMs);
        break;
      case 'order_closed':
        this.#close(event, step.timeMs);
        break;
      default:
    }
  }

  /** Takes down what a step that was just applied has left of the coins it touched. */
  onApplied({ seq, events }: Step, state: StateReader): void {
    const coins = new Set(events.flatMap((event) => this.#coinsOf(event)));
    const account = present(state.account(this.#accountId), 'account of a key');
    const found = [...coins].map((assetId) => account.balance('spot', assetId));
    const balances = found.filter((balance) => balance !== undefined).map(shown);
    if (balances.length > 0) this.#ahead.push({ seq, balances });
  }

  /** The coins in which an event moves the account's spot money, held money included. */
  #coinsOf(event: Event): readonly AssetId[] {
    if (!spotAccountsOf(event).includes(this.#accountId)) return [];
    switch (event.kind) {
      case 'balance_changed':
      case 'lock_set':
        return [event.assetId];
      case 'order_rested':
        return this.#heldCoin(event);
      case 'order_closed':
        return event.restingLots > 0 ? this.#heldCoin(event.order) : [];
      case 'trade': {
        const { base, quote } = this.#pair(event);
        return [base.assetId, quote.assetId];
      }
      default:
        return [];
    }
  }

  /** An order of a contract rests by the same event; it holds no spot balance. */
  #heldCoin({ instrumentId, side }: Pick<OrderView, 'instrumentId' | 'side'>): readonly AssetId[] {
    const pair = this.#listings.spotById(instrumentId);
    if (pair === undefined) return [];
    return [side === 'sell' ? pair.base.assetId : pair.quote.assetId];
  }

  close(): void {
    this.#onClose();
  }

  /** The balances that the steps up to a released one left, in the order they were touched. */
  #released(seq: number): readonly ShownBalance[] {
    const changed: ShownBalance[] = [];
    while (this.#ahead[0] !== undefined && this.#ahead[0].seq <= seq) {
      changed.push(...this.#ahead[0].balances);
      this.#ahead.shift();
    }
    for (const balance of changed) this.#balances.set(balance.assetId, balance);
    return changed;
  }

  endStep({ seq }: Step): void {
    const rows = this.#rows;
    this.#rows = [];
    const changed = this.#released(seq);
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

  #trade(trade: Trade, timeMs: number): void {
    const pair = this.#pair(trade);
    for (const orderId of [trade.takerOrderId, trade.makerOrderId]) {
      const before = this.#orders.get(orderId);
      if (before === undefined) continue;
      const order = filledOrder(before, trade);
      this.#orders.set(orderId, order);
      this.#note(pair, writeOrderFill(pair, order, trade, timeMs));
    }
  }

  #close({ order, reason }: OrderClosed, timeMs: number): void {
    const followed = present(this.#orders.get(order.orderId), 'order that closes');
    this.#orders.delete(order.orderId);
    const status = closedStatus(reason);
    // Its last fill has said so already.
    if (status === statusAfterFill(followed)) return;
    const pair = this.#pair(order);
    this.#note(pair, writeOrderChange(pair, order, status, timeMs, reason));
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

/** A balance as it is now, safe to keep: the venue's own goes on changing. */
function shown({ assetId, available, held, locked }: BalanceView): ShownBalance {
  return { assetId, available, held, locked };
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
