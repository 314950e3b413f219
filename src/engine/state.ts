/** Everything the engine knows. Handlers change it; nothing else does. */

import {
  type AccountId,
  type InstrumentId,
  type KeyRecord,
  Listings,
  type OrderId,
  type Refused,
  type RejectKind,
} from '#domain';
import { assert } from '#kernel';
import { Ledger } from './ledger/ledger.ts';
import type { SpotMarket } from './spot/market.ts';
import type { SpotOrder } from './spot/order.ts';

export class State {
  seq = 0;
  /** Time of the current command; never goes back. */
  timeMs = 0;
  /** Last number given to an order, trade, bill or transfer. */
  lastId = 0;
  readonly listings = new Listings();
  readonly ledger = new Ledger();
  /** Index is the instrument id. */
  readonly markets: SpotMarket[] = [];
  /** Every open order, in the order of the ids. */
  readonly orders = new Map<OrderId, SpotOrder>();
  readonly keys = new Map<string, KeyRecord>();
  readonly keysPerAccount = new Map<AccountId, number>();

  market(id: InstrumentId): SpotMarket | undefined {
    return this.markets[id];
  }

  /** Takes the next `count` numbers of the venue's one sequence and returns the first. */
  takeIds(count: number): number {
    const first = this.lastId + 1;
    this.lastId += count;
    assert(Number.isSafeInteger(this.lastId), 'the id sequence has room');
    return first;
  }
}

/** What a handler answers: undefined when the command was carried out. */
export type Refusal = Refused | undefined;

export function refuse(reject: RejectKind, detail = ''): Refused {
  return { kind: 'refused', reject, detail };
}
