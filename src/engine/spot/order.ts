/**
 * A spot order while the engine knows it: the venue's record, the book's node and the account's
 * list entry in one object, so that a resting order costs one allocation.
 */

import type {
  AccountId,
  Force,
  InstrumentId,
  Lots,
  OrderId,
  OrderType,
  PlaceSpotOrder,
  Side,
  Ticks,
} from '#domain';
import { type Amount, lots, orderId as toOrderId } from '#domain';
import { assert } from '#kernel';
import type { BookLevel, BookOrder } from '../book/book.ts';
import type { Account, ListedOrder } from '../ledger/account.ts';
import type { SpotPair } from './pair.ts';

export class SpotOrder implements BookOrder, ListedOrder {
  readonly orderId: OrderId;
  readonly account: Account;
  readonly market: SpotPair;
  readonly side: Side;
  readonly force: Force;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly quoteBudget: Amount;
  readonly clientOrderId: string;
  readonly createdTimeMs: number;
  /** Not yet filled, for an order with a base size; a market buy counts in quote instead. */
  openLots: Lots;
  filledLots: Lots;
  filledQuote: Amount;
  /** Links of the book, and of the account's list of open orders. */
  level: BookLevel | null = null;
  before: BookOrder | null = null;
  after: BookOrder | null = null;
  accountOlder: ListedOrder | null = null;
  accountNewer: ListedOrder | null = null;

  constructor(
    id: number,
    account: Account,
    market: SpotPair,
    command: PlaceSpotOrder,
    createdTimeMs: number,
  ) {
    assert((command.type === 'market') === (command.priceTicks === 0), 'only a limit has a price');
    this.orderId = toOrderId(id);
    this.account = account;
    this.market = market;
    this.side = command.side;
    this.force = command.force;
    this.priceTicks = command.priceTicks;
    this.sizeLots = command.sizeLots;
    this.quoteBudget = command.quoteBudget;
    this.clientOrderId = command.clientOrderId;
    this.createdTimeMs = createdTimeMs;
    this.openLots = command.sizeLots;
    this.filledLots = lots(0);
    this.filledQuote = 0n;
  }

  // What follows from the fields above takes no room of its own: millions of these may rest.

  get accountId(): AccountId {
    return this.account.accountId;
  }

  get instrumentId(): InstrumentId {
    return this.market.instrument.instrumentId;
  }

  /** A limit price is above zero, and a market order has none. */
  get type(): OrderType {
    return this.priceTicks === 0 ? 'market' : 'limit';
  }
}
