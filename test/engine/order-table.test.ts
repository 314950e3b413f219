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

  it('keeps every order while its pages are split', () => {
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

  it('finds ids that all belong into one page', () => {
    // What is open is up to its owners: as many as make a page grow by itself.
    const table = new OrderTable<Entry>();
    const known = new Map<OrderId, Entry>();
    for (let at = 0; at < 9_000; at += 1) {
      const order = { orderId: orderId(2 ** 35 * Math.floor(at / 8) + 8 + (at % 8)) };
      table.add(order);
      known.set(order.orderId, order);
    }
    agree(table, known);
  });

  it('crashes when an order is deleted that is not there', () => {
    const table = new OrderTable<Entry>();
    table.add({ orderId: orderId(7) });
    assert.throws(() => table.delete({ orderId: orderId(7) }), /the order is there/);
  });
});
