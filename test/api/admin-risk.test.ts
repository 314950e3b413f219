/** The operator's hand on risk: index prices, insurance funds, cancels and the liquidation log. */

import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AccountId,
  type Command,
  type Contract,
  type ContractAction,
  type Event,
  lots,
  ticks,
} from '#domain';
import { ManualClock, present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { type Json, Operator, SHORT_CONTRACT } from '../support/operator.ts';
import { contractOrder, triggerOrder } from '../support/orders.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { startHere } from '../support/server-here.ts';

const BTC = 'BTC-USDT-PERP';
const clock = new ManualClock(Date.now());

const server = closedAtEnd(await startHere({ clock }));
const operator = new Operator(server.url, ADMIN_TOKEN);

const call: Operator['call'] = (...request) => operator.call(...request);
const done: Operator['done'] = (...request) => operator.done(...request);

interface WrongCase {
  readonly body: Json;
  readonly code: string;
}

async function contractOf(symbol: string): Promise<Contract> {
  return server.venue.read(({ listings }) => present(listings.contract(symbol), symbol));
}

/** A clamp of less than a tick: the mark price is the index price. */
const MARK_IS_INDEX = '0.000001';

async function pricesOf(symbol: string): Promise<Json> {
  const { data } = await done('contract', `/contracts/${symbol}`);
  return data.prices as Json;
}

function report(symbol: string, body: Json): ReturnType<Operator['done']> {
  return done('reportIndex', `/contracts/${symbol}/index`, body);
}

test("the operator's index price outranks the sources until it is taken back", async () => {
  const index = { sources: [{ feed: 'elsewhere' }], outlier: '0.5' };
  const fedBy = { symbol: 'FED-PERP', index, markClamp: MARK_IS_INDEX };
  await done('listContract', '/contracts', { ...SHORT_CONTRACT, ...fedBy });
  assert.equal((await pricesOf('FED-PERP')).index, '30000', 'the reference price to begin with');
  const fed = await report('FED-PERP', { source: 'elsewhere', price: '30100.5' });
  assert.deepEqual([fed.data.source, fed.data.price], ['elsewhere', '30100.5']);
  assert.equal((fed.data.prices as Json).index, '30100.5');
  await report('FED-PERP', { price: 31_000 });
  await report('FED-PERP', { source: 'elsewhere', price: '30200' });
  const { index: set, highest, lowest, mark } = await pricesOf('FED-PERP');
  assert.deepEqual([set, mark, highest, lowest], ['31000', '31000', '32550', '29450']);
  const back = await report('FED-PERP', { price: '0' });
  assert.equal((back.data.prices as Json).index, '30200');
});

const WRONG_REPORTS: readonly WrongCase[] = [
  { body: {}, code: '40017' },
  { body: { price: '1.55' }, code: '40017' },
  { body: { price: '-1' }, code: '40017' },
  { body: { price: '30000', source: 'nowhere' }, code: '60751' },
  { body: { price: '0', source: 'elsewhere' }, code: '40706' },
  { body: { price: '900719925474099.1' }, code: '40706' },
  { body: { price: '30000', symbol: 'FED-PERP' }, code: '40017' },
];

test('an index price from nowhere, or finer than the contract, is refused', async () => {
  const before = await pricesOf('FED-PERP');
  for (const { body, code } of WRONG_REPORTS) {
    const answer = await call('POST', '/contracts/FED-PERP/index', body);
    assert.equal(answer.code, code, `${JSON.stringify(body)}: ${answer.msg}`);
  }
  assert.equal((await call('POST', '/contracts/NO-PERP/index', { price: '1' })).code, '40102');
  assert.equal((await pricesOf('FED-PERP')).index, before.index);
});

test('an index price that nobody has reported for too long is stale', async () => {
  const staleAfter = async (ms: number): Promise<unknown> => {
    clock.advance(ms);
    await run({ kind: 'tick' });
    return (await pricesOf('FED-PERP')).indexStale;
  };
  await report('FED-PERP', { source: 'elsewhere', price: '30300' });
  assert.equal(await staleAfter(60_000), false, 'a report counts for staleSeconds');
  assert.equal(await staleAfter(60_000), false, 'and the price that came of it as long again');
  assert.equal(await staleAfter(1), true);
  assert.equal((await pricesOf('FED-PERP')).index, '30300', 'it is held');
  const again = await report('FED-PERP', { source: 'elsewhere', price: '30300' });
  assert.equal((again.data.prices as Json).indexStale, false);
});

async function fundOf(coin: string): Promise<unknown> {
  const { rows } = await done('insurance', '/insurance');
  return rows.find((row) => row.coin === coin)?.fund;
}

test('the insurance fund takes money in, and the money adds up', async () => {
  assert.equal(await fundOf('USDT'), '0.00000000');
  const paid = await done('fundInsurance', '/insurance', { coin: 'usdt', amount: '1000.5' });
  assert.deepEqual(paid.data, { coin: 'USDT', amount: '1000.50000000' });
  assert.equal(await fundOf('USDT'), '1000.50000000');
  assert.equal(await fundOf('BTC'), '0.00000000');
  assert.equal((await pricesOf('FED-PERP')).insuranceFund, '1000.50000000', 'before any tick');
  const { data } = await done('audit', '/audit');
  const coins = data.coins as readonly Json[];
  const usdt = coins.find(({ coin }) => coin === 'USDT');
  assert.deepEqual([usdt?.insuranceFund, usdt?.imbalance], ['1000.50000000', '0.00000000']);
  assert.deepEqual([data.balanced, data.mismatchedContracts], [true, []]);
});

const WRONG_FUNDS: readonly WrongCase[] = [
  { body: { coin: 'USDT', amount: '0' }, code: '40020' },
  { body: { coin: 'USDT', amount: '-1' }, code: '40020' },
  { body: { coin: 'USDT', amount: '0.000000001' }, code: '40020' },
  { body: { coin: 'EUR', amount: '1' }, code: '40034' },
  { body: { coin: 'USDT' }, code: '40017' },
  { body: { amount: '1' }, code: '40017' },
];

test('money that is none does not reach the insurance fund', async () => {
  const before = await fundOf('USDT');
  for (const { body, code } of WRONG_FUNDS) {
    const answer = await call('POST', '/insurance', body);
    assert.equal(answer.code, code, `${JSON.stringify(body)}: ${answer.msg}`);
  }
  assert.equal(await fundOf('USDT'), before);
});

async function run(command: Command): Promise<readonly Event[]> {
  const events = await server.venue.submit(command);
  const [first] = events;
  assert.ok(first?.kind !== 'refused', first?.kind === 'refused' ? first.reject : '');
  return events;
}

/** An account with a wallet per contract, and so many USDT in that of BTC. */
async function trader(name: string, amount: string): Promise<AccountId> {
  await done('createAccount', '/accounts', { name, wallets: 'contract' });
  await done('deposit', `/accounts/${name}/deposits`, { wallet: BTC, coin: 'USDT', amount });
  const accountId = await server.venue.read((state) => state.accountByName(name)?.accountId);
  return present(accountId, name);
}

/** A limit order at a whole price. */
async function order(
  accountId: AccountId,
  action: ContractAction,
  price: number,
  size: number,
): Promise<void> {
  const { instrumentId } = await contractOf(BTC);
  await run(
    contractOrder({
      accountId,
      instrumentId,
      action,
      priceTicks: ticks(price * 10),
      sizeLots: lots(size),
    }),
  );
}

async function walletOf(account: string): Promise<Json | undefined> {
  const { data } = await done('account', `/accounts/${account}`);
  return (data.balances as readonly Json[]).find(({ wallet }) => wallet === BTC);
}

test('orders of an account are cancelled in every market, plan orders too', async () => {
  const busy = await trader('busy', '10000');
  await done('deposit', '/accounts/busy/deposits', { coin: 'USDT', amount: '1000' });
  await order(busy, 'open_long', 29_000, 10);
  await order(busy, 'open_short', 31_000, 10);
  const { instrumentId } = await contractOf(BTC);
  await run(
    triggerOrder({
      accountId: busy,
      instrumentId,
      action: 'open_long',
      sizeLots: lots(1),
      triggerTicks: ticks(320_000),
    }),
  );
  const { data } = await done('cancelOrders', '/accounts/busy/cancel-orders');
  assert.equal(data.cancelled, 2);
  const left = await server.venue.read((state) => [
    ...state.openContractOrders(busy, instrumentId),
    ...state.waitingTriggers(busy, instrumentId),
  ]);
  assert.deepEqual(left, []);
  const { balance, available, frozen } = (await walletOf('busy')) ?? {};
  assert.deepEqual(
    [balance, available, frozen],
    ['10000.00000000', '10000.00000000', '0.00000000'],
  );
});

async function liquidated(query = ''): Promise<readonly Json[]> {
  return (await done('liquidations', `/liquidations${query}`)).rows;
}

test('what was liquidated is in the log, newest first', async () => {
  assert.deepEqual(await liquidated(), []);
  await done('updateContract', `/contracts/${BTC}`, { markClamp: MARK_IS_INDEX });
  const [rich, bold] = [await trader('rich', '100000'), await trader('bold', '200')];
  await order(rich, 'open_short', 30_000, 100);
  await order(bold, 'open_long', 30_000, 100);
  const held = await walletOf('bold');
  assert.ok(Number(held?.available) < 60, 'the margin of the position cannot be withdrawn');
  await report(BTC, { price: '28400' });
  const rows = await liquidated();
  assert.equal(rows.length, 1, JSON.stringify(rows));
  const [row] = rows;
  assert.deepEqual(
    [row?.symbol, row?.accountId, row?.marginMode, row?.side, row?.contracts, row?.mark],
    [BTC, String(bold), 'isolated', 'long', '100', '28400'],
  );
  assert.equal(row?.deleveraged, '100', 'nobody else was in the book');
  assert.deepEqual(await liquidated(`?symbol=${BTC.toUpperCase()}&limit=1`), rows);
  assert.deepEqual(await liquidated('?symbol=BTC-USD-PERP'), []);
  assert.deepEqual(await liquidated(`?before=${row?.liquidationId}`), []);
  assert.deepEqual(await liquidated(`?before=${Number(row?.liquidationId) + 1}`), rows);
  await report(BTC, { price: '0' });
  assert.equal((await call('GET', '/liquidations?symbol=NONE-PERP')).code, '40102');
  assert.equal((await call('GET', '/liquidations?before=soon')).code, '40017');
  assert.equal((await call('GET', '/liquidations?limit=0')).code, '40017');
});

test('after all of this the money still adds up', async () => {
  const { data } = await done('audit', '/audit');
  assert.deepEqual([data.balanced, data.mismatchedContracts], [true, []]);
});
