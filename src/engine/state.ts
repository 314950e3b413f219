/** Everything the engine knows. Handlers change it; nothing else does. */

import {
  type AccountId,
  type Event,
  type HoldSide,
  type InstrumentId,
  type KeyRecord,
  LIMITS,
  type ListingEvent,
  Listings,
  type OrderId,
  type Refused,
  RULES_VERSION,
  type SpotInstrument,
  type Ticks,
} from '#domain';
import { assert, present } from '#kernel';
import { createBook } from './book/fast-book.ts';
import type { Account } from './ledger/account.ts';
import type { NamedOrder } from './ledger/contract-ids.ts';
import { Ledger } from './ledger/ledger.ts';
import { OperatorRequests } from './ledger/operator-requests.ts';
import { OrderTable } from './ledger/order-table.ts';
import { UsedIdsTable } from './ledger/used-ids.ts';
import type { MarginAccount } from './margin/margin-account.ts';
import type { Work } from './pending-work.ts';
import { RequestTable } from './requests.ts';
import { Sandbox } from './sandbox/sandbox.ts';
import type { SpotMarket } from './spot/market.ts';
import type { SpotOrder } from './spot/order.ts';
import { OrderKinds } from './spot/order-kind.ts';
import type { SwapMarket } from './swap/market.ts';
import type { ContractOrder } from './swap/order.ts';
import type { TriggerOrder } from './trigger/trigger-order.ts';

export class State {
  seq = 0;
  /** Time of the current command; never goes back. */
  timeMs = 0;
  /** Last number given to an order, trade, bill or transfer. */
  lastId = 0;
  readonly listings = new Listings();
  readonly ledger = new Ledger();
  /** Pairs; index is the instrument id, whose sequence they share with contracts. */
  readonly markets: (SpotMarket | undefined)[] = [];
  /** Every open spot order. */
  readonly orders = new OrderTable<SpotOrder>();
  /** Contracts, in the order of their ids. */
  readonly swaps = new Map<InstrumentId, SwapMarket>();
  /** The same; index is the instrument id. */
  readonly swapsById: (SwapMarket | undefined)[] = [];
  /** Every open contract order. */
  readonly contractOrders = new OrderTable<ContractOrder>();
  /** Every waiting trigger order and TP/SL, in the order of the ids. */
  readonly triggers = new Map<OrderId, TriggerOrder>();
  /** What commands have set off and is not done yet, in the order in which it came up. */
  readonly work: Work[] = [];
  readonly usedIds = new UsedIdsTable();
  readonly operatorRequests = new OperatorRequests();
  readonly keys = new Map<string, KeyRecord>();
  readonly keysPerAccount = new Map<AccountId, number>();
  readonly sandbox = new Sandbox();
  readonly requests = new RequestTable();
  /** Those of the current command: what is replayed may have been written under earlier ones. */
  rules = RULES_VERSION;
  /** What the current command has done so far. */
  #events: Event[] = [];
  /** Whether it has done as much that shows in no events. */
  #isSpent = false;
  /** The pair or contract at work on, where the command does not name it: for when it fails. */
  instrumentInWork: InstrumentId | undefined;

  /** Begins a command: what it does is collected from here on. */
  beginStep(timeMs: number, rules: number): void {
    this.seq += 1;
    this.timeMs = timeMs;
    this.rules = rules;
    this.#events = [];
    this.#isSpent = false;
    this.instrumentInWork = undefined;
  }

  /** Adds to what the current command has done. */
  emit(event: Event): void {
    this.#events.push(event);
  }

  get events(): readonly Event[] {
    return this.#events;
  }

  get eventsCount(): number {
    return this.#events.length;
  }

  /** The current command does no more of what it or earlier ones have set off. */
  spend(): void {
    this.#isSpent = true;
  }

  get isSpent(): boolean {
    return this.#isSpent || this.#events.length >= LIMITS.commandEventsMax;
  }

  /**
   * Lists something, or replaces its terms: for everybody at once, since the market at work on a
   * pair or contract holds the very object that is listed. Nothing else changes a listing.
   */
  list(event: ListingEvent): void {
    this.listings.apply(event);
    if (event.kind === 'spot_updated') {
      const { instrument } = event;
      present(this.markets[instrument.instrumentId], 'listed pair').instrument = instrument;
    } else if (event.kind === 'contract_updated') {
      this.swapOf(event.contract).contract = event.contract;
    }
    this.emit(event);
  }

  /** A pair of listed coins, with an empty book. */
  addMarket(instrument: SpotInstrument, lastTicks: Ticks): void {
    const { instrumentId, base, quote } = instrument;
    // Dense from the start: a hole would turn the array into a slow dictionary.
    while (this.markets.length < instrumentId) this.markets.push(undefined);
    this.markets.push({
      instrument,
      book: createBook(),
      kinds: new OrderKinds(),
      baseBalances: this.ledger.spot(base.assetId),
      quoteBalances: this.ledger.spot(quote.assetId),
      lastTicks,
    });
  }

  market(id: InstrumentId): SpotMarket | undefined {
    return this.markets[id];
  }

  /** Whose order it is. */
  ownerOf({ accountId }: SpotOrder): Account {
    return present(this.ledger.account(accountId), 'account of an order');
  }

  addSwap(market: SwapMarket): void {
    const { instrumentId } = market.contract;
    this.swaps.set(instrumentId, market);
    while (this.swapsById.length < instrumentId) this.swapsById.push(undefined);
    this.swapsById.push(market);
  }

  swap(id: InstrumentId): SwapMarket | undefined {
    return this.swapsById[id];
  }

  /** The contract that an order or account is in. */
  swapOf({ instrumentId }: { readonly instrumentId: InstrumentId }): SwapMarket {
    return present(this.swapsById[instrumentId], 'contract of an order or account');
  }

  /** What an account has done something in: one contract, or all in the order of their ids. */
  *marginsOf(accountId: AccountId, instrumentId?: InstrumentId): Generator<MarginAccount> {
    const named = instrumentId === undefined ? undefined : this.swaps.get(instrumentId);
    const markets = instrumentId === undefined ? this.swaps.values() : named ? [named] : [];
    for (const { accounts } of markets) {
      const margin = accounts.get(accountId);
      if (margin !== undefined) yield margin;
    }
  }

  /** An open contract order by the id that its client chose. */
  contractOrderByClientId(accountId: AccountId, clientId: string): ContractOrder | undefined {
    const named = this.#namedInContracts(accountId, clientId);
    return named && this.contractOrders.get(named.orderId);
  }

  /** A waiting trigger order or TP/SL by the id that its client chose. */
  triggerByClientId(accountId: AccountId, clientId: string): TriggerOrder | undefined {
    const named = this.#namedInContracts(accountId, clientId);
    return named && this.triggers.get(named.orderId);
  }

  #namedInContracts(accountId: AccountId, clientId: string): NamedOrder | undefined {
    return this.ledger.account(accountId)?.chosenContractIds?.find(clientId);
  }

  /** An account's open orders in a contract, newest first; only those of one side when named. */
  *contractOrdersOf(margin: MarginAccount, side?: HoldSide): Generator<ContractOrder> {
    for (const { orderId } of margin.orders(side)) {
      yield present(this.contractOrders.get(orderId), 'listed order');
    }
  }

  /** An account's waiting trigger orders and TP/SL in a contract, newest first; or of one side. */
  *triggersOf(margin: MarginAccount, side?: HoldSide): Generator<TriggerOrder> {
    for (const { orderId } of margin.triggers(side)) {
      yield present(this.triggers.get(orderId), 'listed trigger order');
    }
  }

  /** Takes the next `count` numbers of the venue's one sequence and returns the first. */
  takeIds(count: number): number {
    const first = this.lastId + 1;
    this.lastId += count;
    assert(this.lastId <= LIMITS.idMax, 'the id sequence has room');
    return first;
  }
}

/** What a handler answers: undefined when the command was carried out. */
export type Refusal = Refused | undefined;
