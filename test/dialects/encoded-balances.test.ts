/** Rows of balances that are kept: whatever is asked for in whatever order is written as it is. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EncodedBalances } from '#dialects/testing';
import { type Asset, accountId, assetId, type BalanceView, USUAL_FUND_BUDGET } from '#domain';

const TERMS = { transferable: true, chains: [], fundBudget: USUAL_FUND_BUDGET };
const COINS: readonly Asset[] = [
  { assetId: assetId(0), coinId: 1, code: 'BTC', scale: 8, ...TERMS },
  { assetId: assetId(1), coinId: 2, code: 'USDT', scale: 8, ...TERMS },
  // The same place in a venue that was reset and lists another.
  { assetId: assetId(1), coinId: 3, code: 'EUR', scale: 2, ...TERMS },
];

/** Few of each, so that most have been asked for before. */
const asked = fc.record({
  account: fc.integer({ min: 1, max: 2 }),
  coin: fc.constantFrom(...COINS),
  balance: fc.bigInt({ min: 5n, max: 6n }),
  available: fc.bigInt({ min: 1n, max: 2n }),
  locked: fc.bigInt({ min: 0n, max: 1n }),
  updatedTimeMs: fc.integer({ min: 1, max: 2 }),
});

function written({ coin, balance }: { coin: Asset; balance: BalanceView }): string {
  const { available, held, locked, updatedTimeMs } = balance;
  return [coin.code, balance.balance, available, held, locked, updatedTimeMs].join();
}

test('a row is of the account, the coin and the amounts that are asked for', () => {
  fc.assert(
    fc.property(fc.array(asked, { maxLength: 200 }), (questions) => {
      const kept = new EncodedBalances(written);
      for (const { account, coin, balance, available, locked, updatedTimeMs } of questions) {
        const held = balance - available - locked;
        const row = { balance, available, locked, updatedTimeMs };
        const view = { assetId: coin.assetId, held, ...row };
        const json = kept.json(accountId(account), coin, view);
        assert.equal(json, written({ coin, balance: view }));
      }
    }),
  );
});

test('what nobody changes is written once, and no more is kept than has its place', () => {
  let count = 0;
  const kept = new EncodedBalances((value) => {
    count += 1;
    return written(value);
  });
  const view = { balance: 5n, held: 0n, available: 5n, locked: 0n, updatedTimeMs: 1 };
  const [coin] = COINS;
  assert.ok(coin !== undefined);
  const ask = (id: number) => kept.json(accountId(id), coin, { assetId: coin.assetId, ...view });
  for (const id of [1, 1, 2, 1, 2]) ask(id);
  assert.equal(count, 2);
  for (let id = 3; id <= 16_385; id += 1) ask(id);
  ask(1);
  assert.equal(count, 16_386, 'the first is forgotten with all others');
});
