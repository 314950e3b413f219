/**
 * An account's open orders by the client ids that their owner chose. Orders whose ids lead to one
 * place are linked by a field of their own: an order takes 8 bytes there and 6 here, and 36 in a
 * Map. Places come and go one by one (linear hashing), so nobody waits while many orders move.
 */
import { assert, present } from '#kernel';
import { fingerprint } from './fingerprints.ts';

const PLACES_MIN = 8;
/** A place is added when so many orders share one on average, and one goes with a quarter of it. */
const ORDERS_PER_PLACE = 2;
/** Whoever chooses ids may choose such as lead to one place: those beyond this go to a Map. */
const ORDERS_OF_PLACE_MAX = 16;

interface Named<O> {
  readonly clientOrderId: string | undefined;
  /** The next one whose id leads to the same place. */
  nextNamed: O | null;
}

export class NamedOrders<O extends Named<O>> {
  /** Of each place the order that came last. */
  readonly #places: (O | null)[] = new Array<O | null>(PLACES_MIN).fill(null);
  #placedCount = 0;
  #beyond: Map<string, O> | null = null;

  get(id: string): O | undefined {
    let order = this.#first(this.#placeOf(id));
    for (; order !== null; order = order.nextNamed) if (order.clientOrderId === id) return order;
    return this.#beyond?.get(id);
  }

  /** An order whose id no other one has. */
  add(id: string, order: O): void {
    const at = this.#placeOf(id);
    if (lengthOf(this.#first(at)) >= ORDERS_OF_PLACE_MAX) {
      this.#beyond ??= new Map();
      this.#beyond.set(id, order);
      return;
    }
    this.#put(at, order);
    this.#placedCount += 1;
    if (this.#placedCount > this.#places.length * ORDERS_PER_PLACE) this.#addPlace();
  }

  /** An order that is there. */
  delete(id: string, order: O): void {
    if (this.#beyond?.delete(id)) return;
    const at = this.#placeOf(id);
    let before = this.#first(at);
    if (before === order) this.#places[at] = order.nextNamed;
    else {
      while (before !== null && before.nextNamed !== order) before = before.nextNamed;
      present(before, 'order before the one that goes').nextNamed = order.nextNamed;
    }
    order.nextNamed = null;
    this.#placedCount -= 1;
    const { length } = this.#places;
    if (length > PLACES_MIN && this.#placedCount * 4 < length * ORDERS_PER_PLACE) {
      this.#removePlace();
    }
  }

  /** By the last bits of its hash: one bit more in the places that were divided already. */
  #placeOf(id: string): number {
    const { length } = this.#places;
    const undivided = powerWithin(length);
    const at = fingerprint(id) & (2 * undivided - 1);
    return at < length ? at : at - undivided;
  }

  #addPlace(): void {
    const from = this.#places.length - powerWithin(this.#places.length);
    this.#places.push(null);
    this.#scatter(from);
  }

  #removePlace(): void {
    const last = this.#places.length - 1;
    const first = this.#first(last);
    this.#places.pop();
    const into = last - powerWithin(last);
    for (let order = first; order !== null; ) {
      const next: O | null = order.nextNamed;
      this.#put(into, order);
      order = next;
    }
  }

  /** Puts each order of a place where its id leads by now. */
  #scatter(at: number): void {
    const first = this.#first(at);
    this.#places[at] = null;
    for (let order = first; order !== null; ) {
      const next: O | null = order.nextNamed;
      this.#put(this.#placeOf(present(order.clientOrderId, 'client id')), order);
      order = next;
    }
  }

  #put(at: number, order: O): void {
    order.nextNamed = this.#first(at);
    this.#places[at] = order;
  }

  #first(at: number): O | null {
    const first = this.#places[at];
    assert(first !== undefined, 'a place is in the table');
    return first;
  }
}

/** The largest power of two that is no larger. */
function powerWithin(count: number): number {
  return 1 << (31 - Math.clz32(count));
}

function lengthOf<O extends Named<O>>(first: O | null): number {
  let length = 0;
  for (let order = first; order !== null; order = order.nextNamed) length += 1;
  return length;
}
