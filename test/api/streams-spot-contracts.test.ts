/** The spot stream of an account tells nothing of its contracts, and nothing breaks. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { StreamClient, topic } from '../support/streams-client.ts';
import { OPEN_LONG, OPEN_SHORT, SwapDesk } from '../support/swap-desk.ts';

test('contract orders that rest, trade and close are not told', async (context) => {
  const desk = await SwapDesk.open();
  const { house } = desk;
  context.after(() => house.close());
  const [alice, bob] = [await desk.trader('alice'), await desk.trader('bob')];
  await house.deposit(alice.accountId, 'USDT', '1000');
  const client = await StreamClient.at(house);
  await client.login(house, alice);
  client.subscribe(topic('orders', 'default', 'spbl'), topic('account', 'default', 'spbl'));
  await client.push('account');

  const resting = await desk.place(alice, OPEN_LONG);
  await desk.place(bob, { ...OPEN_SHORT, price: OPEN_LONG.price, size: '4' });
  await desk.call(alice, 'cancelOrder', { symbol: OPEN_LONG.symbol, orderId: resting });
  const fields = { orderType: 'limit', force: 'normal', price: '100', quantity: '1', side: 'buy' };
  const spot = { symbol: 'BTCUSDT_SPBL', ...fields };
  assert.equal((await house.signedPost(alice, '/api/spot/v1/trade/orders', spot)).status, 200);

  const { action, data = [] } = await client.push('orders');
  assert.equal(action, 'update');
  assert.deepEqual(
    data.map((row) => Reflect.get(Object(row), 'instId')),
    ['BTCUSDT_SPBL'],
  );
  await client.close();
});
