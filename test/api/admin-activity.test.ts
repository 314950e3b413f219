/** An account's orders, fills, positions and bills, as the operator sees and ends them. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountId, accountId, type Command, type ContractAction, lots, ticks } from '#domain';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { type Json, Operator, SHORT_CONTRACT } from '../support/operator.ts';
import { contractOrder, spotOrder, triggerOrder } from '../support/orders.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { startHere } from '../support/server-here.ts';

const server = closedAtEnd(await startHere());
const operator = new Operator(server.url, ADMIN_TOKEN);
const done: Operator['done'] = (...request) => operator.done(...request);

async function run(command: Command): Promise<void> {
  const [first] = await server.venue.submit(command);
  assert.ok(first?.kind !== 'refused', first?.kind === 'refused' ? first.reject : '');
}

async function opened(name: string): Promise<AccountId> {
  const { data } = await done('createAccount', '/accounts', { name });
  const id = accountId(Number(data.accountId));
  for (const wallet of ['spot', 'margin']) {
    await done('deposit', `/accounts/${name}/deposits`, { wallet, coin: 'USDT', amount: '50000' });
  }
  await done('deposit', `/accounts/${name}/deposits`, { coin: 'BTC', amount: '2' });
  return id;
}

await done('listContract', '/contracts', SHORT_CONTRACT);
const { pairId, contractId } = await server.venue.read(({ listings }) => ({
  pairId: present(listings.spotBySymbol('BTCUSDT'), 'pair').instrumentId,
  contractId: present(listings.contract('SHORT-PERP'), 'contract').instrumentId,
}));
const ada = await opened('ada');
const bob = await opened('bob');

const ofPair = (owner: AccountId, side: 'buy' | 'sell', price: number): Command =>
  spotOrder({
    ...{ accountId: owner, instrumentId: pairId, side },
    ...{ priceTicks: ticks(price * 100), sizeLots: lots(100) },
  });

const ofContract = (owner: AccountId, action: ContractAction, price: number, size = 5) =>
  contractOrder({
    ...{ accountId: owner, instrumentId: contractId, action },
    ...{ priceTicks: ticks(price * 10), sizeLots: lots(size) },
  });

const markets = (rows: readonly Json[]) => rows.map(({ market }) => market);

test('an account that did nothing has nothing, and an unknown one is refused', async () => {
  await opened('idle');
  const reads = [
    ['openOrders', 'open-orders'],
    ['closedOrders', 'closed-orders?product=contract'],
    ['fills', 'fills'],
    ['positions', 'positions'],
    ['triggers', 'triggers'],
  ] as const;
  for (const [name, path] of reads) {
    assert.deepEqual((await done(name, `/accounts/idle/${path}`)).rows, [], path);
    const unknown = await operator.call('GET', `/accounts/nobody/${path}`);
    assert.equal(unknown.code, '60601', path);
  }
  for (const product of ['', 'option']) {
    const bad = await operator.call('GET', `/accounts/idle/bills?product=${product}`);
    assert.equal(bad.status, 400, product);
  }
});

test('orders, fills, positions, triggers and bills of pairs and contracts', async () => {
  await run(ofPair(ada, 'sell', 30_000));
  await run(ofPair(bob, 'buy', 30_000));
  await run(ofPair(bob, 'buy', 29_000));
  await run(ofContract(ada, 'open_short', 30_000));
  await run(ofContract(bob, 'open_long', 30_000));
  await run(ofContract(bob, 'open_long', 29_500));
  const stop = { action: 'close_long', sizeLots: lots(5), triggerTicks: ticks(290_000) } as const;
  await run(triggerOrder({ accountId: bob, instrumentId: contractId, ...stop }));

  const open = await done('openOrders', '/accounts/bob/open-orders');
  assert.deepEqual(
    open.rows.map(({ market, action, price, status }) => [market, action, price, status]),
    [
      ['SHORT-PERP', 'open_long', '29500.0', 'new'],
      ['BTC-USDT', 'buy', '29000.00', 'new'],
    ],
  );
  const first = await done('openOrders', `/accounts/${bob}/open-orders?limit=1`);
  assert.deepEqual(markets(first.rows), ['SHORT-PERP']);

  for (const [product, market] of [
    ['spot', 'BTC-USDT'],
    ['contract', 'SHORT-PERP'],
  ]) {
    const closed = await done('closedOrders', `/accounts/bob/closed-orders?product=${product}`);
    assert.deepEqual(markets(closed.rows), [market]);
    assert.equal(closed.rows[0]?.status, 'full_fill');
    const [last] = closed.rows;
    const beyond = `/accounts/bob/closed-orders?product=${product}&before=${last?.orderId}`;
    assert.deepEqual((await done('closedOrders', beyond)).rows, []);
  }

  const fills = await done('fills', '/accounts/bob/fills');
  assert.deepEqual(markets(fills.rows), ['SHORT-PERP', 'BTC-USDT']);
  const page = await done('fills', '/accounts/bob/fills?limit=1');
  const next = `/accounts/bob/fills?limit=1&before=${page.rows[0]?.tradeId}`;
  assert.deepEqual(markets((await done('fills', next)).rows), ['BTC-USDT']);

  const { rows: positions } = await done('positions', '/accounts/bob/positions');
  assert.deepEqual(
    positions.map(({ contract, side, size, entry }) => [contract, side, size, entry]),
    [['SHORT-PERP', 'long', '5', '30000']],
  );
  const { rows: triggers } = await done('triggers', '/accounts/bob/triggers');
  assert.deepEqual(
    triggers.map(({ action, triggerPrice }) => [action, triggerPrice]),
    [['close_long', '29000.0']],
  );
  const spot = await done('bills', '/accounts/bob/bills?product=spot');
  assert.deepEqual(
    spot.rows.map(({ kind }) => kind),
    ['buy', 'buy', 'deposit', 'deposit'],
  );
  const older = `/accounts/bob/bills?product=spot&before=${spot.rows[2]?.entryId}`;
  assert.equal((await done('bills', older)).rows.length, 1);
  const contracts = await done('bills', '/accounts/bob/bills?product=contract');
  assert.equal(contracts.rows.at(-1)?.kind, 'deposit');
});

test('a trade with oneself is on one page, whatever its limit', async () => {
  const self = await opened('self');
  await done('updateAccount', '/accounts/self', { selfTradePrevention: 'none' });
  await run(ofPair(self, 'sell', 30_000));
  await run(ofPair(self, 'buy', 30_000));
  const { rows } = await done('fills', '/accounts/self/fills?limit=1');
  assert.deepEqual(
    rows.map(({ role }) => role),
    ['taker', 'maker'],
  );
});

test('closes every position, and names what it cannot close', async () => {
  await done('cancelOrders', '/accounts/bob/cancel-orders');
  const { data: none } = await done('closePositions', '/accounts/bob/close-positions');
  assert.equal(none.closed, 0, 'there is nobody to buy what bob holds');
  assert.ok(Array.isArray(none.left));
  assert.equal(none.left.length, 1);
  assert.match(String(none.left[0].why), /other side of the book/);
  const maker = await opened('carol');
  await run(ofContract(maker, 'open_long', 30_000, 3));
  const some = await done('closePositions', '/accounts/bob/close-positions');
  assert.deepEqual(some.data, {
    accountId: String(bob),
    closed: 0,
    left: [
      { contract: 'SHORT-PERP', side: 'long', why: 'The book or the price band kept a part back' },
    ],
  });
  await run(ofContract(maker, 'open_long', 30_000, 3));
  await done('updateAccount', '/accounts/bob', { frozen: true });
  const frozen = await operator.call('POST', '/accounts/bob/close-positions');
  assert.equal(frozen.code, '40013');
  await done('updateAccount', '/accounts/bob', { frozen: false });
  const all = await done('closePositions', '/accounts/bob/close-positions');
  assert.deepEqual(all.data, { accountId: String(bob), closed: 1, left: [] });
  assert.deepEqual((await done('positions', '/accounts/bob/positions')).rows, []);
});
