/** The ledger of an account that has a wallet for each contract: its balances are of the coin. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { parseDecimal, present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { LINEAR } from '../support/contracts.ts';
import { CurrentContractDesk, type Row } from './current-contract-desk.ts';

const OTHER = 'cmt_ethusdt';
const SCALE = 18;

const desk = await CurrentContractDesk.open();
const { swap } = desk;
const house = closedAtEnd(desk.house);
await house.run({
  kind: 'list_contract',
  spec: { ...LINEAR, symbol: 'ETH-USDT-PERP', baseCode: 'ETH', contractValue: '0.01' },
});
await swap.setIndex(30_000, OTHER);

function exact(text: string | undefined): bigint {
  const value = parseDecimal(present(text, 'amount'), SCALE);
  assert.ok(typeof value === 'bigint', text);
  return value;
}

test('each balance is the older one with the income, over contracts and transfers', async () => {
  const ann = await house.trader('ann', {}, {}, 'contract');
  const bob = await house.trader('bob', {}, {}, 'contract');
  for (const who of [ann, bob]) {
    await swap.fund(who, '100000');
    await swap.fund(who, '5000', OTHER);
  }
  await swap.setIndex(30_000);
  await swap.trade(ann, bob, 30_000, 10);
  await swap.trade(bob, ann, 30_000, 7, OTHER);
  const { assetId } = swap.contract(OTHER).margin;
  await house.run({
    kind: 'transfer',
    accountId: ann.accountId,
    assetId,
    amount: 123_456_789n,
    from: 'ETH-USDT-PERP',
    to: 'BTC-USDT-PERP',
    clientOid: '',
  });
  await swap.order(bob, 'close_short', 30_100, 4);
  await swap.order(ann, 'close_long', 30_100, 4);
  await swap.trade(bob, ann, 30_010, 3, OTHER);
  const { items } = await desk.ask<{ items: Row[] }>(ann, 'income', { asset: 'USDT', limit: 100 });
  assert.ok(items.length >= 8);
  assert.equal(items[0]?.balance, (await desk.balance(ann)).balance, 'the newest');
  for (const [at, row] of items.slice(0, -1).entries()) {
    assert.equal(exact(row.balance), exact(items[at + 1]?.balance) + exact(row.income), row.billId);
  }
  const { items: some } = await desk.ask<{ items: Row[] }>(ann, 'income', { symbol: 'ETHUSDT' });
  const whole = new Map(items.map((row) => [String(row.billId), row]));
  assert.ok(some.length > 1);
  for (const row of some) assert.deepEqual(row, whole.get(String(row.billId)));
});
