/** What the compiler holds callers of the typed client to: each wrong call has to be an error. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { type admin, type native, outcryClient } from '#client';

type Same<A, B> = [A, B] extends [B, A] ? true : false;

const venue = outcryClient({ url: 'http://127.0.0.1:1' });

/** Compiled and never run. */
async function calls(): Promise<void> {
  await venue.native.time();
  await venue.native.book({ symbol: 'BTC-USDT', limit: 5 });
  await venue.native.placeOrder({ symbol: 'BTC-USDT', side: 'buy', type: 'market', spend: '10' });
  // @ts-expect-error: an order has a symbol
  await venue.native.placeOrder({ side: 'buy', type: 'market', spend: '10' });
  // @ts-expect-error: a side is buy or sell
  await venue.native.placeOrder({ symbol: 'BTC-USDT', side: 'long', type: 'market', size: '1' });
  // @ts-expect-error: no such field
  await venue.native.book({ symbol: 'BTC-USDT', depth: 5 });
  // @ts-expect-error: whose account it is stands in the path
  await venue.admin.account();
  // @ts-expect-error: no such call
  await venue.native.placeOrders({});
  const { rows, next } = await venue.native.fills({ limit: 10 });
  const before: string | null = next;
  const side: 'buy' | 'sell' | undefined = rows[0]?.side;
  // @ts-expect-error: amounts are text
  const amount: number | undefined = rows[0]?.price;
  void [before, side, amount];
}

const same: readonly true[] = [
  true satisfies Same<native.OpenOrdersRow['price'], string | null>,
  true satisfies Same<native.OpenOrdersRow['status'], native.OrderAnswer['status']>,
  true satisfies Same<admin.AuditAnswer['balanced'], boolean>,
];

test('the types are as the tables say', () => {
  assert.equal(typeof calls, 'function');
  assert.ok(same.every(Boolean));
});
