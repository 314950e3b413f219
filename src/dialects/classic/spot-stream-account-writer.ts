/** How the spot stream shows an account: rows of its orders and of its balances. */

import {
  type AccountWriter,
  type OrderChange,
  type PrivateRow,
  type StateRow,
  spotOrdersOf,
} from '#api';
import {
  type AccountId,
  type AssetId,
  type BalanceView,
  type Event,
  instrumentId,
  type Listings,
  type OrderView,
  type SpotInstrument,
  type StateReader,
} from '#domain';
import { present } from '#kernel';
import { formatAmount } from './amounts.ts';
import { isRepeated, writeOrder } from './spot-stream-write-order.ts';

const ACCOUNT = 'account';
const ORDERS = 'orders';

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
        write: () => writeOrder(pair, change),
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
    const coins = new Set(events.flatMap((event) => this.#coinsOf(event, state.listings)));
    const account = present(state.account(this.#accountId), 'account of a key');
    return [...coins]
      .map((assetId) => account.balance('spot', assetId))
      .filter((balance) => balance !== undefined)
      .map((balance) => this.#balanceRow(balance, state.listings));
  }

  /** The coins in which an event moves the account's spot money, held money included. */
  #coinsOf(event: Event, listings: Listings): readonly AssetId[] {
    switch (event.kind) {
      case 'balance_changed':
        return event.wallet === 'spot' ? [event.assetId] : [];
      case 'lock_set':
        return [event.assetId];
      case 'order_rested':
        return heldCoin(event, listings);
      case 'order_closed':
        return event.restingLots > 0 ? heldCoin(event.order, listings) : [];
      case 'trade': {
        const { base, quote } = present(listings.spotById(event.instrumentId), 'pair of a trade');
        return [base.assetId, quote.assetId];
      }
      default:
        return [];
    }
  }

  #balanceRow(balance: BalanceView, listings: Listings): StateRow {
    const { assetId } = balance;
    const text = writeBalance(balance, listings);
    return {
      key: String(assetId),
      feed: ACCOUNT,
      isIn: (feed) => isCoinOf(pairOf(feed, this.#listings), assetId),
      write: () => text,
    };
  }
}

/** An order of a contract rests by the same event; it holds no spot balance. */
function heldCoin(
  { instrumentId, side }: Pick<OrderView, 'instrumentId' | 'side'>,
  listings: Listings,
): readonly AssetId[] {
  const pair = listings.spotById(instrumentId);
  if (pair === undefined) return [];
  return [side === 'sell' ? pair.base.assetId : pair.quote.assetId];
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

function writeBalance(
  { assetId, available, held, locked }: BalanceView,
  { assets }: Listings,
): string {
  const coin = present(assets[assetId], 'coin of a balance');
  return JSON.stringify({
    coinId: String(coin.coinId),
    coinName: coin.code,
    available: formatAmount(available, coin.scale),
    frozen: formatAmount(held, coin.scale),
    lock: formatAmount(locked, coin.scale),
  });
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
