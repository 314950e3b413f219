/** What a client of the current dialect's private streams finds again after a restart. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '#kernel';
import { CurrentStream, loginHeaders, type Row } from '../support/current-stream.ts';
import { DEMO, dataOf, MAKER, Trader } from '../support/http-trader.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { startVenueProcess, type VenueProcess } from '../support/venue-process.ts';

const PATH = '/spot/v3/ws/private';
const LIMIT = { symbol: 'BTCUSDT_SPBL', orderType: 'limit', force: 'normal' };

const directory = scratchDirectory();

async function order({ url }: VenueProcess, who: typeof DEMO, fields: object): Promise<void> {
  const answer = await new Trader(url, who).post('/trade/orders', { ...LIMIT, ...fields });
  assert.ok(dataOf(answer));
}

async function follow({ url }: VenueProcess): Promise<CurrentStream> {
  const headers = loginHeaders({ clock: { nowMs: Date.now } }, DEMO);
  const stream = await CurrentStream.open(Number(new URL(url).port), PATH, headers);
  await stream.subscribe('orders');
  return stream;
}

/** The number of the next message, and what its order was filled for. */
async function next(stream: CurrentStream): Promise<[v: number, fee: unknown]> {
  const { v, d } = await stream.event('orders');
  const [row] = d as Row[];
  return [Number(v), present(row, 'row').cumFillFee];
}

test('messages count on, and an order has all of its fees', async () => {
  const first = await startVenueProcess({ participants: false, directory });
  const stream = await follow(first);
  await order(first, DEMO, { side: 'buy', price: '30000', quantity: '0.05' });
  const numbers = [(await next(stream))[0]];
  for (const fee of ['0.00001', '0.00002']) {
    await order(first, MAKER, { side: 'sell', price: '30000', quantity: '0.01' });
    const [v, shown] = await next(stream);
    assert.equal(shown, fee);
    numbers.push(v);
  }
  await first.close();
  const second = await startVenueProcess({ participants: false, directory });
  const again = await follow(second);
  await order(second, MAKER, { side: 'sell', price: '30000', quantity: '0.01' });
  const [v, fee] = await next(again);
  assert.equal(fee, '0.00003');
  numbers.push(v);
  assert.deepEqual(
    numbers,
    numbers.toSorted((one, other) => one - other),
  );
  assert.equal(new Set(numbers).size, numbers.length, 'every message has a number of its own');
  await again.close();
  await second.close();
});
