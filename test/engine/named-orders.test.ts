/** Orders by their client ids, held against a Map through random comings and goings. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fingerprint, NamedOrders } from '#engine/testing';

class Named {
  readonly clientOrderId: string;
  nextNamed: Named | null = null;

  constructor(clientOrderId: string) {
    this.clientOrderId = clientOrderId;
  }
}

/** A table and a map that have to agree. */
class Pair {
  readonly table = new NamedOrders<Named>();
  readonly known = new Map<string, Named>();

  add(id: string): void {
    if (this.known.has(id)) return;
    assert.equal(this.table.get(id), undefined);
    const order = new Named(id);
    this.table.add(id, order);
    this.known.set(id, order);
  }

  delete(id: string): void {
    const order = this.known.get(id);
    if (order === undefined) return;
    this.table.delete(id, order);
    this.known.delete(id);
    assert.equal(order.nextNamed, null);
    assert.equal(this.table.get(id), undefined);
  }

  agree(): void {
    for (const [id, order] of this.known) assert.equal(this.table.get(id), order);
  }
}

describe('orders by client id', () => {
  it('are what a map holds, while they come and go', () => {
    const step = fc.record({ id: fc.nat({ max: 300 }), goes: fc.boolean() });
    const property = fc.property(fc.array(step, { minLength: 50, maxLength: 800 }), (steps) => {
      const pair = new Pair();
      for (const { id, goes } of steps) {
        if (goes) pair.delete(`id-${id}`);
        else pair.add(`id-${id}`);
      }
      pair.agree();
    });
    fc.assert(property);
  });

  it('are found while thousands come, and while they go in another order', () => {
    const pair = new Pair();
    for (let at = 0; at < 5_000; at += 1) {
      pair.add(`order ${at}`);
      if (at % 500 === 0) pair.agree();
    }
    for (let at = 0; at < 5_000; at += 1) {
      pair.delete(`order ${(at * 7) % 5_000}`);
      if (at % 500 === 0) pair.agree();
    }
    assert.equal(pair.known.size, 0);
  });

  it('are found where their owner chose ids that lead to one place', () => {
    const pair = new Pair();
    const colliding: string[] = [];
    for (let at = 0; colliding.length < 60; at += 1) {
      const id = `x${at}`;
      if ((fingerprint(id) & 1_023) === 5) colliding.push(id);
    }
    for (const id of colliding) pair.add(id);
    for (let at = 0; at < 300; at += 1) pair.add(`other ${at}`);
    pair.agree();
    for (const [at, id] of colliding.entries()) if (at % 2 === 0) pair.delete(id);
    pair.agree();
    for (const id of [...pair.known.keys()]) pair.delete(id);
    for (const id of colliding) pair.add(id);
    pair.agree();
  });
});
