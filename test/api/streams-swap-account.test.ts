/** The private channels of the contract stream: every change, in order, to its owner alone. */
import { strict as assert } from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { SignedSwapName } from '#dialects';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import {
  CLOSE_LONG,
  LINEAR_SYMBOL,
  OPEN_LONG,
  OPEN_SHORT,
  type Row,
  SwapDesk,
  SYMBOL,
} from '../support/swap-desk.ts';
import { type StreamRow, SwapStream } from '../support/swap-stream.ts';

const CHANNELS = ['account', 'position', 'order', 'currentPlan', 'historyPlan'];
const PLAN = { ...SYMBOL, size: '3', type: '1', holdSide: '1', match_type: '1' };

let alice: Trader;
let bob: Trader;
let stream: SwapStream;
/** Messages before this one are snapshots. */
let from = 0;

const desk = closedAtEnd(await SwapDesk.open('contract'));
const { house } = desk;
beforeEach(async () => {
  [alice, bob] = await desk.pair();
  stream = await openFor(alice);
  from = stream.messages.length;
});
afterEach(() => stream.close());

/** A stream with all private channels of a trader, their snapshots received. */
async function openFor(who: Trader): Promise<SwapStream> {
  const opened = await SwapStream.open(await house.port());
  assert.equal((await opened.login(house, who)).event, 'login');
  opened.send({ op: 'subscribe', args: CHANNELS.map((name) => `swap/${name}:${LINEAR_SYMBOL}`) });
  await opened.until('snapshots', () => {
    const shown = opened.messages.filter(({ action }) => action === 'partial');
    return shown.length === CHANNELS.length;
  });
  return opened;
}

function rows(channel: string): StreamRow[] {
  return stream.rows(`swap/${channel}`, from).map(plain);
}

function plain(row: StreamRow | undefined): StreamRow {
  const { instrument_id, ...rest } = present(row, 'row');
  assert.equal(instrument_id, LINEAR_SYMBOL);
  return rest;
}

/** Waits until the newest row of a state is the answer of REST. */
async function settled(channel: 'account' | 'position'): Promise<StreamRow> {
  const shown = JSON.stringify(await desk.data<Row>(alice, channel, SYMBOL));
  const told = () => JSON.stringify(plain(stream.rows(`swap/${channel}`).at(-1)));
  await stream.until(`${channel} ${shown}`, () => told() === shown);
  return JSON.parse(shown);
}

async function orderRows(count: number): Promise<StreamRow[]> {
  await stream.until(`${count} rows of orders`, () => rows('order').length >= count);
  return rows('order');
}

/** What a trader reads first: what it does, how much of it is done, and how it stands. */
function life(found: readonly StreamRow[]): string[] {
  return found.map(({ type, filled_qty, size, status }) => {
    return `${type} ${filled_qty}/${size} ${status}`;
  });
}

describe('orders', () => {
  const rest = (orderId: string) => desk.detail(alice, orderId);

  test('one that rests, is filled in two parts, and is then as REST has it', async () => {
    const orderId = await desk.place(alice, { ...OPEN_LONG, client_oid: 'mine#1' });
    await desk.place(bob, { ...OPEN_SHORT, price: '29000', size: '4' });
    await desk.place(bob, { ...OPEN_SHORT, price: '29000', size: '6' });
    const found = await orderRows(3);
    assert.deepEqual(life(found), ['1 0/10 0', '1 4/10 1', '1 10/10 2']);
    const { timestamp, ...last } = await rest(orderId);
    assert.equal(typeof timestamp, 'string');
    assert.deepEqual(found.at(-1), last);
    assert.equal(found[1]?.price_avg, '29000.00');
    assert.equal(found[1]?.fee, '-0.0464');
    assert.deepEqual(new Set(found.map(({ client_oid }) => client_oid)), new Set(['mine#1']));
  });

  test('one that takes at once has each of its fills', async () => {
    for (const price of ['30000', '30001', '30002']) {
      await desk.place(bob, { ...OPEN_SHORT, price, size: '2' });
    }
    await desk.place(alice, { ...OPEN_LONG, price: '30002', size: '9' });
    assert.deepEqual(life(await orderRows(4)), ['1 0/9 0', '1 2/9 1', '1 4/9 1', '1 6/9 1']);
    await desk.house.run({ kind: 'cancel_all_contract_orders', accountId: alice.accountId });
    assert.equal(life(await orderRows(5)).at(-1), '1 6/9 -1');
  });

  test('the ways an order ends without a trade', async () => {
    await desk.place(bob, { ...OPEN_SHORT, price: '30000', size: '1' });
    const rested = await desk.place(alice, OPEN_LONG);
    await desk.call(alice, 'cancelOrder', { ...SYMBOL, orderId: rested });
    await desk.place(alice, { ...OPEN_LONG, price: '30000', order_type: '1' });
    await desk.place(alice, { ...OPEN_LONG, price: '30000', order_type: '2' });
    await desk.place(alice, { ...OPEN_LONG, order_type: '3' });
    assert.deepEqual(
      life(await orderRows(8)),
      Array.from({ length: 4 }, () => ['1 0/10 0', '1 0/10 -1']).flat(),
    );
  });

  test('a market order has no price', async () => {
    await desk.place(bob, { ...OPEN_SHORT, price: '30000', size: '5' });
    await desk.place(alice, { ...OPEN_LONG, price: null, match_price: '1', size: '5' });
    const found = await orderRows(2);
    assert.deepEqual(life(found), ['1 0/5 0', '1 5/5 2']);
    assert.deepEqual(
      found.map(({ price }) => price),
      [null, null],
    );
  });

  test('orders of a batch that is cancelled come as rows of as many messages', async () => {
    const ids = [await desk.place(alice, OPEN_LONG), await desk.place(alice, OPEN_LONG)];
    await desk.house.run({ kind: 'cancel_all_contract_orders', accountId: alice.accountId });
    const found = await orderRows(4);
    const cancelled = found.filter(({ status }) => status === '-1');
    assert.deepEqual(cancelled.map(({ order_id }) => order_id).sort(), ids.sort());
    const seqs = stream.messages
      .filter(({ table }) => table === 'swap/order')
      .map(({ seq }) => seq);
    assert.deepEqual(seqs, [0, 1, 2, 3]);
  });
});

describe('plan orders', () => {
  const plans = (channel: string) =>
    rows(channel).map(({ order_id, status_desc }) => `${order_id} ${status_desc}`);
  const place = async (fields: object) =>
    String((await desk.data(alice, 'placePlan', { ...PLAN, ...fields })).order_id);
  const restPlans = async (name: SignedSwapName) => {
    const found = await desk.data<Row[]>(alice, name, { ...SYMBOL, pageSize: 100 });
    return found.map(({ nextPage, ...row }) => ({ nextPage: false, ...row })).reverse();
  };

  test('one that is cancelled, one that fires and its order', async () => {
    const cancelled = await place({ trigger_price: '33000' });
    await desk.data(alice, 'cancelPlan', { ...SYMBOL, orderId: cancelled });
    await desk.place(bob, { ...OPEN_SHORT, price: '30100', size: '20' });
    await desk.place(await desk.trader('eve'), { ...OPEN_LONG, price: '30100', size: '1' });
    const fired = await place({ trigger_price: '30200' });
    await desk.place(bob, { ...OPEN_SHORT, price: '30200', size: '10' });
    await desk.place(await desk.trader('eve'), { ...OPEN_LONG, price: '30200', size: '20' });
    await stream.until('two ends', () => rows('historyPlan').length === 2);
    const [first = '', second = ''] = [cancelled, fired];
    const ends = [`${first} cancelled by user`, `${second} entrusted`];
    assert.deepEqual(plans('historyPlan'), ends);
    assert.deepEqual(plans('currentPlan'), [
      `${first} not executed`,
      ends[0],
      `${second} not executed`,
      ends[1],
    ]);
    const columns = (list: StreamRow[]) =>
      list.map((row) => JSON.stringify(Object.entries(row).sort()));
    assert.deepEqual(columns(rows('historyPlan')), columns(await restPlans('planHistory')));
    const placed = rows('historyPlan').at(-1)?.execute_order_id;
    const orders = rows('order').filter(({ order_id }) => order_id === placed);
    assert.ok(orders.length >= 2, 'the order it became is told like any other');
  });

  test('presets protect what has filled so far, and each fill sends their new size', async () => {
    const presets = { presetTakeProfitPrice: '33000', presetStopLossPrice: '27000' };
    await desk.place(alice, { ...OPEN_LONG, ...presets, size: '10' });
    await desk.place(bob, { ...OPEN_SHORT, price: '29000', size: '4' });
    await stream.until('armed', () => rows('currentPlan').length === 2);
    await desk.place(bob, { ...OPEN_SHORT, price: '29000', size: '6' });
    await stream.until('grown', () => rows('currentPlan').length === 4);
    const said = (list: readonly StreamRow[]) =>
      list.map(
        ({ direction_desc, delegate_count, status }) =>
          `${direction_desc} ${delegate_count} ${status}`,
      );
    assert.deepEqual(said(rows('currentPlan')), [
      'close long (take profit) 4 1',
      'close long (stop loss) 4 1',
      'close long (take profit) 10 1',
      'close long (stop loss) 10 1',
    ]);
    assert.equal(new Set(rows('currentPlan').map(({ order_id }) => order_id)).size, 2);
    await desk.place(bob, { ...OPEN_LONG, price: '29000', size: '10' });
    await desk.place(alice, { ...CLOSE_LONG, price: '29000', size: '10' });
  });

  test('presets are armed with the fill and go with the position', async () => {
    const presets = { presetTakeProfitPrice: '33000', presetStopLossPrice: '27000' };
    await desk.place(bob, { ...OPEN_SHORT, price: '30000', size: '2' });
    await desk.place(alice, { ...OPEN_LONG, ...presets, price: '30000', size: '2' });
    await desk.place(bob, { ...OPEN_LONG, price: '30000', size: '2' });
    await desk.place(alice, { ...CLOSE_LONG, price: '30000', size: '2' });
    await stream.until('two ends', () => rows('historyPlan').length === 2);
    assert.deepEqual(
      rows('currentPlan').map(({ direction_desc, status }) => `${direction_desc} ${status}`),
      [
        'close long (take profit) 1',
        'close long (stop loss) 1',
        'close long (stop loss) 4',
        'close long (take profit) 4',
      ],
    );
  });
});

test('older words name the same plans: answers repeat them, rows are the same', async () => {
  const aliases = { currentPlan: 'current_plans', historyPlan: 'history_plans' } as const;
  const older = await SwapStream.open(await house.port());
  const channels = Object.values(aliases).map((word) => `swap/${word}:${LINEAR_SYMBOL}`);
  older.send({ op: 'subscribe', args: channels });
  assert.equal((await older.next('a refusal', ({ event }) => event === 'error')).errorCode, 30004);
  assert.equal((await older.login(house, alice)).event, 'login');
  await older.subscribe(...channels);
  const fields = { ...PLAN, trigger_price: '33000' };
  const { order_id: orderId } = await desk.data(alice, 'placePlan', fields);
  await desk.data(alice, 'cancelPlan', { ...SYMBOL, orderId });
  for (const [word, alias] of Object.entries(aliases)) {
    const table = `swap/${alias}`;
    await older.until(alias, () => older.rows(table).length === (word === 'currentPlan' ? 2 : 1));
    await stream.until(word, () => rows(word).length === older.rows(table).length);
    assert.deepEqual(older.rows(table).map(plain), rows(word));
    assert.equal(older.rows(table).at(-1)?.order_id, orderId);
  }
  await older.close();
});

describe('account and positions', () => {
  const step = async (what: () => Promise<unknown>) => {
    const counts = [rows('account').length, rows('position').length];
    await what();
    await settled('account');
    await settled('position');
    return [rows('account').length - (counts[0] ?? 0), rows('position').length - (counts[1] ?? 0)];
  };

  test('what changes them, one by one: rows of the account, rows of the positions', async () => {
    const deposit = () => house.deposit(alice.accountId, 'USDT', '500', 'BTC-USDT-PERP');
    const cases: [string, () => Promise<unknown>, readonly number[]][] = [
      ['money comes in', deposit, [1, 0]],
      ['leverage', () => desk.data(alice, 'leverage', { ...SYMBOL, leverage: 10 }), [0, 1]],
      ['an order freezes margin', () => desk.place(alice, { ...OPEN_LONG, size: '10' }), [1, 0]],
      ['it is filled', () => desk.place(bob, { ...OPEN_SHORT, price: '29000' }), [1, 1]],
      ['margin is added', () => adjust(1), [1, 1]],
      ['margin is taken out', () => adjust(2), [1, 1]],
      ['a close order waits', () => desk.place(alice, { ...CLOSE_LONG, size: '4' }), [0, 1]],
      ['the mark price moves', () => desk.setIndex(30_100), [1, 1]],
      ['and back', () => desk.setIndex(30_000), [1, 1]],
      [
        'half is closed',
        () => desk.place(bob, { ...OPEN_LONG, price: '30000', size: '4' }),
        [1, 1],
      ],
    ];
    for (const [what, run, expected] of cases) assert.deepEqual(await step(run), expected, what);
  });

  test('crossed margin, and funding', async () => {
    await desk.data(alice, 'holdModel', { ...SYMBOL, holdModel: 2 });
    assert.equal((await settled('position')).margin_mode, 'crossed');
    await desk.place(alice, { ...OPEN_LONG, price: '30000' });
    await desk.place(bob, { ...OPEN_SHORT, price: '30000' });
    const { equity } = await settled('account');
    const { nextFundingMs } = present(
      house.live.contractPrices(desk.contract(LINEAR_SYMBOL).instrumentId),
      'prices',
    );
    house.clock.set(nextFundingMs);
    await house.run({ kind: 'tick' });
    const paid = Number(equity) - Number((await settled('account')).equity);
    assert.ok(paid > 0, `a long pays a rate above zero: ${paid}`);
  });

  test('new terms of a contract', async () => {
    const { tiers } = desk.contract(LINEAR_SYMBOL);
    const doubled = tiers.map((tier) => ({ ...tier, maintenanceRatePpm: 6_000 }));
    await desk.change({ tiers: doubled });
    await settled('position');
    assert.match(JSON.stringify(rows('position').at(-1)), /"keepMarginRate":"0.006"/);
    await desk.change({ tiers });
  });

  function adjust(type: number): Promise<unknown> {
    return desk.data(alice, 'adjustMargin', { ...SYMBOL, amount: '5', positionType: 0, type });
  }
});

test('a liquidation is seen in orders, positions and account', async () => {
  await desk.data(alice, 'leverage', { ...SYMBOL, leverage: 50 });
  await desk.data(bob, 'leverage', { ...SYMBOL, leverage: 2 });
  await desk.place(bob, { ...OPEN_SHORT, price: '30000' });
  await desk.place(alice, { ...OPEN_LONG, price: '30000' });
  const resting = await desk.place(alice, { ...OPEN_LONG, price: '25000', size: '1' });
  await desk.place(bob, { ...OPEN_LONG, price: '29500', size: '10' });
  const { total_avail_balance } = await settled('account');
  const count = rows('order').length;
  await desk.setIndex(29_200);
  await settled('position');
  const { equity } = await settled('account');
  const told = rows('order').slice(count);
  assert.deepEqual(life(told).at(-1), '9 10/10 2', 'a forced liquidation closes the long');
  assert.ok(Number(equity) < Number(total_avail_balance) + 30, 'its margin is lost');
  assert.match(JSON.stringify(rows('position').at(-1)), /"position":"0".*"position":"0"/);
  const { status } = await desk.detail(alice, resting);
  const lastOfResting = told.filter(({ order_id }) => order_id === resting).at(-1);
  assert.equal(lastOfResting?.status ?? '0', status, 'what becomes of a resting order is told');
  await desk.setIndex(30_000);
});

test('netting is seen as two orders filled with each other', async () => {
  await desk.data(alice, 'leverage', { ...SYMBOL, leverage: 50 });
  await desk.data(bob, 'leverage', { ...SYMBOL, leverage: 2 });
  const size = '10';
  await desk.place(bob, { ...OPEN_SHORT, price: '30000', size });
  await desk.place(alice, { ...OPEN_LONG, price: '30000', size });
  await desk.place(bob, { ...OPEN_LONG, price: '30000', size });
  await desk.place(alice, { ...OPEN_SHORT, price: '30000', size });
  await settled('position');
  const count = rows('order').length;
  await desk.setIndex(29_200);
  await settled('position');
  const told = rows('order').slice(count);
  assert.deepEqual(life(told), ['9 0/10 0', '8 0/10 0', '8 10/10 2', '9 10/10 2']);
  const [, , gained, lost] = told.map(({ totalProfits }) => Number(totalProfits));
  assert.ok(gained !== undefined && gained > 0);
  // Both sides were opened at one price.
  assert.equal(lost, -gained);
  for (const row of told.slice(2)) {
    const { timestamp, ...last } = await desk.detail(alice, String(row.order_id));
    assert.equal(typeof timestamp, 'string');
    assert.deepEqual(row, last);
  }
  await desk.setIndex(30_000);
});

describe('who hears of it', () => {
  test('the owner on every connection, and nobody else', async () => {
    const [second, others] = [await openFor(alice), await openFor(bob)];
    const counts = others.messages.length;
    const orderId = await desk.place(alice, OPEN_LONG);
    await orderRows(1);
    await second.until('the order', () => second.rows('swap/order').length === 1);
    assert.equal(second.rows('swap/order')[0]?.order_id, orderId);
    const bobs = await desk.place(bob, OPEN_LONG);
    await others.until('his own order', () => others.rows('swap/order').length === 1);
    assert.equal(others.rows('swap/order')[0]?.order_id, bobs);
    assert.ok(others.messages.slice(counts).every(({ data = [] }) => !mentions(data, orderId)));
    await Promise.all([second.close(), others.close()]);
  });

  test('a snapshot has what is open, waiting and held', async () => {
    const open = await desk.place(alice, OPEN_LONG);
    const plan = String(
      (await desk.data(alice, 'placePlan', { ...PLAN, trigger_price: '33000' })).order_id,
    );
    await orderRows(1);
    const late = await openFor(alice);
    assert.deepEqual(
      late.rows('swap/order').map(({ order_id }) => order_id),
      [open],
    );
    assert.deepEqual(
      late.rows('swap/currentPlan').map(({ order_id }) => order_id),
      [plan],
    );
    assert.deepEqual(late.rows('swap/historyPlan'), []);
    const account = await desk.data<Row>(alice, 'account', SYMBOL);
    assert.deepEqual(plain(late.rows('swap/account')[0]), account);
    await late.close();
  });
});

function mentions(data: readonly StreamRow[], orderId: string): boolean {
  return JSON.stringify(data).includes(orderId);
}
