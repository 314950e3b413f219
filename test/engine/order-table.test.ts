/** The table of open orders, held against a Map through random comings and goings. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type OrderId, orderId } from '#domain';
import { OrderTable } from '#engine/testing';

interface Entry {
  readonly orderId: OrderId;
}

/** How far apart the ids are; what is deleted is one of those added before. */
const step = fc.record({ apart: fc.integer({ min: 1, max: 40 }), deleted: fc.nat() });

function agree(table: OrderTable<Entry>, known: ReadonlyMap<OrderId, Entry>): void {
  assert.equal(table.size, known.size);
  assert.deepEqual([...table.byId()], [...known.values()]);
  assert.equal(new Set(table.values()).size, known.size);
  for (const [id, order] of known) assert.equal(table.get(id), order);
}

describe('order table', () => {
  it('holds what a map holds, by the ids, while orders come and go', () => {
    const runs = fc.array(step, { minLength: 100, maxLength: 600, size: 'max' });
    const first = fc.integer({ min: 1, max: 2 ** 50 });
    const property = fc.property(runs, first, fc.boolean(), (steps, start, isDense) => {
      const table = new OrderTable<Entry>();
      const known = new Map<OrderId, Entry>();
      let id = start;
      for (const { apart, deleted } of steps) {
        id += isDense ? 1 : apart;
        const order = { orderId: orderId(id) };
        assert.equal(table.get(order.orderId), undefined);
        table.add(order);
        known.set(order.orderId, order);
        const gone = [...known.values()][deleted % known.size];
        if (gone === undefined || deleted % 3 === 0) continue;
        table.delete(gone);
        known.delete(gone.orderId);
        assert.equal(table.get(gone.orderId), undefined);
      }
      agree(table, known);
      for (const order of known.values()) table.delete(order);
      agree(table, new Map());
    });
    fc.assert(property);
  });

  it('keeps every order while ranges begin, grow, thin out and end', () => {
    const table = new OrderTable<Entry>();
    const known = new Map<OrderId, Entry>();
    for (let at = 1; at <= 30_000; at += 1) {
      const order = { orderId: orderId(at * 3) };
      table.add(order);
      known.set(order.orderId, order);
      if (at % 4 !== 0) continue;
      const gone = known.get(orderId(at * 2 - (at % 3)));
      if (gone === undefined) continue;
      table.delete(gone);
      known.delete(gone.orderId);
    }
    agree(table, known);
    for (const order of known.values()) table.delete(order);
    agree(table, new Map());
  });

  it('finds ids that want the same slot', () => {
    // What is open is up to its owners: of each range those that stand in each other's way.
    const table = new OrderTable<Entry>();
    const known = new Map<OrderId, Entry>();
    const every = [1, 2 ** 4, 2 ** 6, 2 ** 8, 2 ** 12, 2 ** 32, 2 ** 35];
    let id = 0;
    for (const apart of every) {
      for (let count = 0; count < 300; count += 1) {
        id += apart;
        const order = { orderId: orderId(id) };
        table.add(order);
        known.set(order.orderId, order);
      }
    }
    agree(table, known);
    for (const order of [...known.values()].reverse()) {
      table.delete(order);
      known.delete(order.orderId);
      assert.equal(table.get(order.orderId), undefined);
      if (known.size % 100 === 0) agree(table, known);
    }
  });

  it('takes an order of a range that has ended, and of one before the last', () => {
    const table = new OrderTable<Entry>();
    const known = new Map<OrderId, Entry>();
    for (const id of [5, 9_000, 6, 20_000, 9_001, 7]) {
      const order = { orderId: orderId(id) };
      table.add(order);
      known.set(order.orderId, order);
      if (id !== 9_000 && id !== 20_000) continue;
      table.delete(order);
      known.delete(order.orderId);
    }
    const inOrder = new Map([...known].sort(([one], [other]) => one - other));
    agree(table, inOrder);
  });

  it('keeps no table for a range in which nothing is open', () => {
    const table = new OrderTable<Entry>();
    const stays = { orderId: orderId(3) };
    table.add(stays);
    for (let at = 1; at <= 100; at += 1) {
      const order = { orderId: orderId(at * 5_000) };
      table.add(order);
      assert.equal(table.rangesCount, 2);
      table.delete(order);
    }
    assert.equal(table.rangesCount, 1);
    assert.equal(table.get(stays.orderId), stays);
  });

  it('crashes when an order is deleted that is not there', () => {
    const table = new OrderTable<Entry>();
    table.add({ orderId: orderId(7) });
    assert.throws(() => table.delete({ orderId: orderId(7) }), /the order is there/);
  });
});
