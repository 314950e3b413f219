/**
 * A spot order while the engine knows it: the venue's record, the book's node and the account's
 * list entry in one object, so that a resting order costs one allocation.
 */

import type {
  AccountId,
  Force,
  InstrumentId,
  LimitOrderView,
  Lots,
  OpenOrderView,
  OrderFilled,
  OrderId,
  OrderType,
  OrderView,
  PlaceSpotOrder,
  Side,
  Ticks,
} from '#domain';
import {
  type Amount,
  lots,
  spendsBudget,
  orderId as toOrderId,
  ZERO_LOTS,
  ZERO_TICKS,
} from '#domain';
import { present } from '#kernel';
import type { BookLevel, BookOrder } from '../book/book.ts';
import type { ListedOrder } from '../ledger/account.ts';
import type { OrderKind } from './order-kind.ts';
import type { SpotPair } from './pair.ts';

/** What has happened to an order since it was placed. */
interface OrderChanges {
  sizeLots: Lots;
  filledLots: Lots;
  filledQuote: Amount;
  /** How far its fees are ahead of their exact sum, in PPM parts of a unit. */
  feeAhead: number;
  /** What its place in a queue goes by: its own number, or that of its last move. */
  placeId: number;
  /** When it was filled or moved last, counted like when it was created. */
  afterMs: number;
}

export class SpotOrder implements BookOrder, ListedOrder {
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly kind: OrderKind;
  // One shape for all orders keeps matching fast, so here what an order does not have is zero. It
  // leaves the engine by view() only.
  priceTicks: Ticks;
  readonly clientOrderId: string | undefined;
  /** When it was created, counted from where its kind begins. */
  readonly #createdAfterMs: number;
  /** Not yet filled, for an order with a base size; one with a budget counts in quote instead. */
  openLots: Lots;
  /** Null before the first fill or move: for most that rest, so it takes no room in them. */
  #changes: OrderChanges | null = null;
  /** Links of the book, of the account's list of open orders, and of those with a client id. */
  level: BookLevel | null = null;
  before: BookOrder | null = null;
  after: BookOrder | null = null;
  accountOlder: ListedOrder | null = null;
  accountNewer: ListedOrder | null = null;
  nextNamed: ListedOrder | null = null;

  constructor(id: number, kind: OrderKind, command: PlaceSpotOrder, createdTimeMs: number) {
    this.orderId = toOrderId(id);
    this.accountId = command.accountId;
    this.kind = kind;
    this.priceTicks = command.type === 'limit' ? command.priceTicks : ZERO_TICKS;
    this.clientOrderId = command.clientOrderId;
    this.#createdAfterMs = createdTimeMs - kind.sinceMs;
    this.openLots = spendsBudget(command) ? ZERO_LOTS : command.sizeLots;
  }

  // What follows from the fields above takes no room of its own: millions of these may rest.

  /** What it may spend, where it says that in place of a size; only a market buy does. */
  get quoteBudget(): Amount {
    return 0n;
  }

  get market(): SpotPair {
    return this.kind.market;
  }

  get side(): Side {
    return this.kind.side;
  }

  get force(): Force {
    return this.kind.force;
  }

  get createdTimeMs(): number {
    return this.kind.sinceMs + this.#createdAfterMs;
  }

  /** When it was filled or moved last; without any, when it was created. */
  get updatedTimeMs(): number {
    return this.kind.sinceMs + (this.#changes?.afterMs ?? this.#createdAfterMs);
  }

  /** What its place in a queue goes by: its own number, or that of its last move. */
  get placeId(): number {
    return this.#changes === null ? this.orderId : this.#changes.placeId;
  }

  /** All of it; before anything has happened to it, what is open. */
  get sizeLots(): Lots {
    return this.#changes === null ? this.openLots : this.#changes.sizeLots;
  }

  get filledLots(): Lots {
    return this.#changes === null ? ZERO_LOTS : this.#changes.filledLots;
  }

  get filledQuote(): Amount {
    return this.#changes === null ? 0n : this.#changes.filledQuote;
  }

  /** How far its fees are ahead of their exact sum, in PPM parts of a unit of what it receives. */
  get feeAhead(): number {
    return this.#changes === null ? 0 : this.#changes.feeAhead;
  }

  get instrumentId(): InstrumentId {
    return this.market.instrument.instrumentId;
  }

  /** A limit price is above zero, and a market order has none. */
  get type(): OrderType {
    return this.priceTicks === 0 ? 'market' : 'limit';
  }

  /** It was filled so much more, which its open lots still count. */
  addFill(size: Lots, quote: Amount, timeMs: number): void {
    const changes = this.#changes;
    const afterMs = timeMs - this.kind.sinceMs;
    if (changes === null) {
      const { openLots: sizeLots, orderId: placeId } = this;
      const filled = { filledLots: size, filledQuote: quote, feeAhead: 0 };
      this.#changes = { sizeLots, ...filled, placeId, afterMs };
      return;
    }
    changes.filledLots = lots(changes.filledLots + size);
    changes.filledQuote += quote;
    changes.afterMs = afterMs;
  }

  /** After a fill. */
  setFeeAhead(feeAhead: number): void {
    present(this.#changes, 'changes of an order that was filled').feeAhead = feeAhead;
  }

  /** It was moved, to another place in a queue or within its own, and is of this size now. */
  setMoved(sizeLots: Lots, placeId: number, timeMs: number): void {
    const changes = this.#changes;
    const afterMs = timeMs - this.kind.sinceMs;
    if (changes === null) {
      const filled = { filledLots: ZERO_LOTS, filledQuote: 0n, feeAhead: 0 };
      this.#changes = { sizeLots, ...filled, placeId, afterMs };
      return;
    }
    changes.sizeLots = sizeLots;
    changes.placeId = placeId;
    changes.afterMs = afterMs;
  }

  /** What a snapshot says of it, while its open lots are its whole size. */
  restoreChanges(
    { filledLots, filledQuote }: OrderFilled,
    feeAhead: number,
    placeId: number,
    timeMs: number,
  ): void {
    const { openLots: sizeLots } = this;
    const afterMs = timeMs - this.kind.sinceMs;
    this.#changes = { sizeLots, filledLots, filledQuote, feeAhead, placeId, afterMs };
  }

  /** Of a limit order; of another one its price is zero. */
  limitView(): LimitOrderView {
    return {
      orderId: this.orderId,
      accountId: this.accountId,
      instrumentId: this.instrumentId,
      clientOrderId: this.clientOrderId,
      type: 'limit',
      side: this.side,
      force: this.force,
      priceTicks: this.priceTicks,
      sizeLots: this.sizeLots,
      filledLots: this.filledLots,
      filledQuote: this.filledQuote,
      createdTimeMs: this.createdTimeMs,
    };
  }

  /** While it is open, which only limit orders are. */
  openView(): OpenOrderView {
    return Object.assign(this.limitView(), { updatedTimeMs: this.updatedTimeMs });
  }

  view(): OrderView {
    const limit = this.limitView();
    if (this.type === 'limit') return limit;
    const { priceTicks: _price, sizeLots, ...facts } = limit;
    return this.quoteBudget === 0n
      ? { ...facts, type: 'market', sizeLots }
      : { ...facts, type: 'market', side: 'buy', quoteBudget: this.quoteBudget };
  }
}

/** A market buy that says what to spend. It never rests, so only these have room for it. */
class BudgetOrder extends SpotOrder {
  readonly #quoteBudget: Amount;

  constructor(
    id: number,
    kind: OrderKind,
    command: PlaceSpotOrder,
    quoteBudget: Amount,
    createdTimeMs: number,
  ) {
    super(id, kind, command, createdTimeMs);
    this.#quoteBudget = quoteBudget;
  }

  override get quoteBudget(): Amount {
    return this.#quoteBudget;
  }
}

/** The order that a command asks for. */
export function createOrder(
  id: number,
  kind: OrderKind,
  command: PlaceSpotOrder,
  createdTimeMs: number,
): SpotOrder {
  return spendsBudget(command)
    ? new BudgetOrder(id, kind, command, command.quoteBudget, createdTimeMs)
    : new SpotOrder(id, kind, command, createdTimeMs);
}
