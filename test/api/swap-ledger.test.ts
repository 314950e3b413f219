/** The ledger of contract wallets over HTTP: it chains, adds up, and pages by its ids. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import { type Row, SwapDesk, SYMBOL } from '../support/swap-desk.ts';

const desk = closedAtEnd(await SwapDesk.open());

async function ledger(who: Trader, fields: object = {}): Promise<readonly Row[]> {
  const { status, body } = await desk.call(who, 'ledger', fields);
  assert.equal(status, 200);
  assert.ok(Array.isArray(body));
  return body;
}

function units(text: unknown): bigint {
  const [whole = '', fraction = ''] = String(text).replace('-', '').split('.');
  const value = BigInt(whole + fraction.padEnd(8, '0'));
  return String(text).startsWith('-') ? -value : value;
}

/** With money in one contract alone. */
function trader(name: string): Promise<Trader> {
  return desk.trader(name, { cmt_btcusd: '0' });
}

/** A round trip at 30000 and 30100: opened and closed by alice, against two orders of bob. */
async function roundTrip(): Promise<{ alice: Trader; bob: Trader }> {
  await desk.clear();
  const [alice, bob] = [await trader('alice'), await trader('bob')];
  await desk.order(bob, 'open_short', 30_000, 10);
  await desk.order(alice, 'open_long', 30_000, 10);
  await desk.order(bob, 'close_short', 30_100, 10);
  await desk.order(alice, 'close_long', 30_100, 10);
  return { alice, bob };
}

test('every change is a row with the balance after it, newest first', async () => {
  const { alice, bob } = await roundTrip();
  for (const who of [alice, bob]) {
    const rows = await ledger(who);
    const types = rows.map(({ type }) => type);
    const side = who === alice ? 'long' : 'short';
    assert.deepEqual(types, [`close_${side}`, `open_${side}`, 'deposit']);
    for (const [index, { change, balance }] of rows.entries()) {
      const before = units(rows[index + 1]?.balance ?? '0');
      assert.equal(units(balance), before + units(change));
    }
    const [closed, opened, deposit] = rows;
    const account = await desk.data(who, 'account', SYMBOL);
    assert.equal(units(closed?.balance), units(account.equity));
    assert.equal(units(opened?.change), -units(opened?.fee));
    const profit = who === alice ? 1n : -1n;
    assert.equal(units(closed?.change), profit * 100_000_000n - units(closed?.fee));
    assert.ok(units(closed?.fee) > 0n);
    assert.deepEqual([deposit?.symbol, deposit?.order_id], [null, null]);
    assert.deepEqual([closed?.symbol, closed?.coin], [SYMBOL.symbol, 'USDT']);
    assert.equal((await desk.detail(who, String(closed?.order_id))).symbol, SYMBOL.symbol);
  }
});

test('rows are filtered by contract, type and time, and paged by their ids', async () => {
  const { alice } = await roundTrip();
  const all = await ledger(alice);
  const contract = await ledger(alice, SYMBOL);
  assert.deepEqual(contract, all.slice(0, 2));
  assert.deepEqual(await ledger(alice, { type: 'open_long' }), all.slice(1, 2));
  assert.deepEqual(await ledger(alice, { type: 'funding' }), []);
  assert.deepEqual(await ledger(alice, { limit: 2 }), all.slice(0, 2));
  const before = String(all[1]?.ledger_id);
  assert.deepEqual(await ledger(alice, { before, limit: 5 }), all.slice(2));
  const at = Number(all[0]?.timestamp);
  assert.deepEqual(await ledger(alice, { startTime: at, endTime: at }), all);
  assert.deepEqual(await ledger(alice, { endTime: at - 1 }), []);
  assert.deepEqual(await ledger(alice, { startTime: at + 1 }), []);
});

test('a type, contract or bound that is none is refused', async () => {
  const [alice] = await desk.pair();
  const bad: readonly object[] = [
    { type: 'chickens' },
    { symbol: 'cmt_nosuch' },
    { before: 'x' },
    { startTime: '-1' },
    { limit: '0' },
  ];
  for (const fields of bad) {
    const { status } = await desk.call(alice, 'ledger', fields);
    assert.ok(status >= 400 && status < 500, JSON.stringify(fields));
  }
});
