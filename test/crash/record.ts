/**
 * What was asked of the exchange and what it answered. An unanswered request is 'unknown': it may
 * have happened, once. Looking at the restarted exchange settles it, and then it stays settled.
 */
import assert from 'node:assert/strict';
import type { Row } from '../support/http-trader.ts';

export interface OrderTerms {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly orderType: 'limit' | 'market';
  readonly force: string;
  readonly price: string;
  readonly quantity: string;
}

/** An order id, or why there is none. */
export type OrderFate =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'placed'; readonly orderId: string }
  | { readonly kind: 'absent' };

export type TransferFate = 'unknown' | 'made' | 'absent';

export interface ContractTerms {
  readonly symbol: string;
  readonly type: string;
  readonly order_type: string;
  readonly match_price: string;
  readonly price: string;
  readonly size: string;
}

export interface PlanTerms {
  readonly symbol: string;
  readonly holdSide: string;
  readonly size: string;
  readonly trigger_price: string;
}

/** What became of the orders of one account in one kind of market, over all restarts. */
export class OrderRecord<Terms extends { readonly symbol: string }> {
  readonly #prefix: string;
  readonly #clientOrderIdOf = new Map<string, string>();
  readonly terms = new Map<string, Terms>();
  readonly fates = new Map<string, OrderFate>();
  /** Cancels that were answered with success. */
  readonly cancelled = new Set<string>();
  /** Order and fill ids that any answer has shown. */
  readonly shownOrders = new Set<string>();
  readonly shownFills = new Set<string>();
  /** Closed orders and fills as they were first seen: they never change. */
  readonly final = new Map<string, Row>();
  /** Orders that were placed and not yet seen closed. */
  readonly open: string[] = [];
  /** Requests whose answer was never seen. */
  unknownCount = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Notes an order that is about to be sent and names it. */
  asking(terms: Terms): string {
    const clientOrderId = `${this.#prefix}-${this.terms.size + 1}`;
    this.terms.set(clientOrderId, terms);
    this.fates.set(clientOrderId, { kind: 'unknown' });
    return clientOrderId;
  }

  placed(clientOrderId: string, orderId: string): void {
    this.found(clientOrderId, orderId);
    this.open.push(orderId);
  }

  found(clientOrderId: string, orderId: string): void {
    this.fates.set(clientOrderId, { kind: 'placed', orderId });
    this.#clientOrderIdOf.set(orderId, clientOrderId);
  }

  /** Refused, or found never to have arrived. */
  absent(clientOrderId: string): void {
    this.fates.set(clientOrderId, { kind: 'absent' });
  }

  /** The terms of an order that this account must have asked for. */
  termsOf(clientOrderId: string): Terms {
    const terms = this.terms.get(clientOrderId);
    assert(terms !== undefined, `nobody asked for order ${clientOrderId}`);
    return terms;
  }

  symbolOf(orderId: string): string {
    const clientOrderId = this.#clientOrderIdOf.get(orderId);
    assert(clientOrderId !== undefined, `order ${orderId} was never placed`);
    return this.termsOf(clientOrderId).symbol;
  }

  countFates(kind: OrderFate['kind']): number {
    return [...this.fates.values()].filter((fate) => fate.kind === kind).length;
  }
}

export class ContractRecord extends OrderRecord<ContractTerms> {
  readonly plans: OrderRecord<PlanTerms>;

  constructor(account: string) {
    super(`c-${account}`);
    this.plans = new OrderRecord(`p-${account}`);
  }
}

/** One account's side of the story. */
export class AccountRecord extends OrderRecord<OrderTerms> {
  /** By amount: no two transfers have the same. */
  readonly transfers = new Map<string, TransferFate>();
  readonly contracts: ContractRecord;

  constructor(prefix: string) {
    super(prefix);
    this.contracts = new ContractRecord(prefix);
  }

  /** An amount no transfer had before, a little above one coin. */
  askingTransfer(): string {
    const amount = `1.${String(this.transfers.size + 1).padStart(7, '0')}1`;
    this.transfers.set(amount, 'unknown');
    return amount;
  }
}
