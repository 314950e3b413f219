/** Accounts with equal terms share them inside the engine; each is changed for itself alone. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountSettings, accountId } from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';

const TERMS = {
  frozen: false,
  selfTradePrevention: 'cancel_maker',
  openOrdersMax: 100,
  takerFeePpm: null,
  makerFeePpm: null,
} as const;

function create(engine: Engine, settings: AccountSettings): void {
  const { events } = engine.apply({ kind: 'create_account', settings }, 1);
  assert.equal(events[0]?.kind, 'account_created');
}

test('terms of one account change and those of the others stay', () => {
  const engine = Engine.empty();
  for (const name of ['mia', 'tom', 'zoe']) create(engine, { ...TERMS, name });
  const tom = accountId(2);
  engine.apply({ kind: 'update_account', accountId: tom, changes: { takerFeePpm: 500 } }, 2);
  engine.apply({ kind: 'update_account', accountId: accountId(3), changes: { frozen: true } }, 3);
  const terms = [...engine.accounts()].map(({ name, frozen, takerFeePpm }) => {
    return [name, frozen, takerFeePpm];
  });
  assert.deepEqual(terms, [
    ['mia', false, null],
    ['tom', false, 500],
    ['zoe', true, null],
  ]);
  engine.apply({ kind: 'update_account', accountId: tom, changes: { name: 'tim' } }, 4);
  const renamed = present(engine.accountByName('tim'), 'account by its new name');
  assert.deepEqual([renamed.frozen, renamed.takerFeePpm], [false, 500]);
});

test('more different terms than are shared are kept all the same', () => {
  const engine = Engine.empty();
  const rates = Array.from({ length: 200 }, (_, at) => at % 100);
  rates.forEach((makerFeePpm, at) => {
    create(engine, { ...TERMS, name: `account-${at}`, makerFeePpm });
  });
  assert.deepEqual(
    [...engine.accounts()].map(({ makerFeePpm }) => makerFeePpm),
    rates,
  );
});
