/**
 * Nothing private is missing: whoever keeps what the contract stream tells has what REST has, after
 * hundreds of orders, plan orders and liquidations, and after a connection that broke in between.
 */
import { strict as assert } from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import type { SignedSwapName } from '#dialects';
import { type ContractFill, holdSideOf, isOpen, type Step, type WalletScope } from '#domain';
import { present } from '#kernel';
import type { Trader } from '../support/house.ts';
import { LINEAR_SYMBOL, type Row, SwapDesk, SYMBOL } from '../support/swap-desk.ts';
import { type StreamRow, SwapStream } from '../support/swap-stream.ts';

const CHANNELS = ['account', 'position', 'order', 'currentPlan', 'historyPlan'];
const ACTIONS = 400;
/** Actions that are on their way at the same time. */
const AT_ONCE = 8;
const PAGE = { ...SYMBOL, pageSize: 100 };

let desk: SwapDesk;
let trader: Trader;
let rival: Trader;

/** Little enough to be liquidated now and then; all of it stands behind crossed positions. */
const MONEY: Readonly<Record<WalletScope, string>> = { contract: '2000', coin: '100' };
const LEVERAGES: Readonly<Record<WalletScope, number>> = { contract: 20, coin: 50 };

async function open(wallets: WalletScope): Promise<void> {
  desk = await SwapDesk.open(wallets);
  trader = await desk.trader('trader', { cmt_btcusdt: MONEY[wallets] });
  rival = await desk.trader('rival', { cmt_btcusdt: '10000000' });
  const settings = { ...SYMBOL, leverage: LEVERAGES[wallets] };
  for (const who of [trader, rival]) await desk.data(who, 'leverage', settings);
}

const PRICE = fc.integer({ min: -60, max: 60 }).map((steps) => (30_000 + steps * 10).toFixed(1));

/** One thing that happens; most of it is refused now and then, which is as good. */
const ACTION = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('order' as const),
      isRival: fc.boolean(),
      type: fc.constantFrom('1', '2', '3', '4'),
      order_type: fc.constantFrom('0', '0', '0', '1', '3'),
      price: PRICE,
      size: fc.integer({ min: 1, max: 40 }).map(String),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('plan' as const),
      type: fc.constantFrom('1', '2'),
      holdSide: fc.constantFrom('1', '2'),
      trigger_price: PRICE,
      size: fc.integer({ min: 1, max: 10 }).map(String),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('index' as const), price: PRICE }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const) }) },
);
type Action = typeof ACTION extends fc.Arbitrary<infer One> ? One : never;

async function act(action: Action): Promise<unknown> {
  switch (action.kind) {
    case 'order': {
      const { kind, isRival, ...fields } = action;
      const order = { ...SYMBOL, match_price: '0', ...fields };
      return desk.call(isRival ? rival : trader, 'placeOrder', order);
    }
    case 'plan': {
      const { kind, ...fields } = action;
      return desk.call(trader, 'placePlan', { ...SYMBOL, match_type: '1', ...fields });
    }
    case 'index':
      return desk.setIndex(Number(action.price) + (Number(action.price) - 30_000) * 2);
    case 'cancel': {
      const [newest] = await desk.data<Row[]>(trader, 'openOrders', SYMBOL);
      if (newest === undefined) return undefined;
      return desk.call(trader, 'cancelOrder', { ...SYMBOL, orderId: newest.order_id });
    }
  }
}

async function happen(seed: number): Promise<void> {
  const actions = fc.sample(ACTION, { numRuns: ACTIONS, seed });
  for (let at = 0; at < actions.length; at += AT_ONCE) {
    await Promise.all(actions.slice(at, at + AT_ONCE).map(act));
  }
}

async function follow(): Promise<SwapStream> {
  const stream = await SwapStream.open(await desk.house.port());
  assert.equal((await stream.login(desk.house, trader)).event, 'login');
  await stream.subscribe(...CHANNELS.map((name) => `swap/${name}:${LINEAR_SYMBOL}`));
  await stream.until('snapshots', () => {
    return new Set(stream.messages.map(({ table }) => table)).size > CHANNELS.length;
  });
  return stream;
}

/** Every page of a list, oldest first. */
async function all(name: SignedSwapName, fields: object = {}): Promise<Row[]> {
  const found: Row[] = [];
  for (let pageIndex = 1; ; pageIndex += 1) {
    const rows = await desk.data<Row[]>(trader, name, { ...PAGE, ...fields, pageIndex });
    found.push(...rows);
    if (rows.length < PAGE.pageSize) return found.reverse();
  }
}

const closedOrders = () => all('orderHistory', { createDate: '1' });
const openOrders = () => desk.data<Row[]>(trader, 'openOrders', SYMBOL);

function plain({ instrument_id, nextPage, ...row }: StreamRow): StreamRow {
  return row;
}

/** Rows of a table by their id, each list oldest first. */
function byId(rows: readonly StreamRow[]): Map<string, StreamRow[]> {
  return Map.groupBy(rows.map(plain), ({ order_id }) => String(order_id));
}

/** Waits until the newest rows of both states are what REST says now. */
async function settled(stream: SwapStream): Promise<void> {
  for (const channel of ['account', 'position'] as const) {
    const shown = JSON.stringify(await desk.data<Row>(trader, channel, SYMBOL));
    const told = () =>
      JSON.stringify(plain(present(stream.rows(`swap/${channel}`).at(-1), channel)));
    await stream.until(`${channel} as REST has it`, () => told() === shown);
  }
}

/** Numbers of a table's messages go up one by one from the snapshot's. */
function assertNoGap(stream: SwapStream): void {
  for (const channel of CHANNELS) {
    const pushes = stream.messages.filter(({ table }) => table === `swap/${channel}`);
    const first = pushes[0]?.seq ?? 0;
    const seqs = pushes.map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      seqs.map((_, at) => first + at),
      channel,
    );
  }
}

async function ordersAreWhole(): Promise<void> {
  const stream = await follow();
  await happen(1);
  await settled(stream);
  const told = byId(stream.rows('swap/order'));
  const states = [...(await closedOrders()), ...(await openOrders())];
  assert.equal(told.size, states.length, 'as many orders as REST knows');
  for (const state of states) {
    const { order_id: orderId, size, filled_qty } = state;
    const rows = present(told.get(String(orderId)), `rows of order ${orderId}`);
    assert.deepEqual(rows.at(-1), state);
    assert.deepEqual([rows[0]?.status, rows[0]?.filled_qty], ['0', '0'], 'it begins as new');
    const fills = await desk.data<Row[]>(trader, 'fills', { ...SYMBOL, orderId });
    const isCancelled = state.status === '-1' ? 1 : 0;
    assert.equal(rows.length, 1 + fills.length + isCancelled, `rows of order ${orderId}`);
    const parts = fills.toReversed().map(({ order_qty }) => Number(order_qty));
    const sums = parts.map((_, at) => parts.slice(0, at + 1).reduce((sum, part) => sum + part, 0));
    assert.deepEqual(
      rows.slice(1, 1 + fills.length).map((row) => Number(row.filled_qty)),
      sums,
    );
    assert.ok(Number(filled_qty) <= Number(size));
  }
  const types = new Set(states.map(({ type }) => type));
  assert.ok(
    ['1', '2'].every((type) => types.has(type)) && (types.has('9') || types.has('10')),
    [...types].join(),
  );
  assertNoGap(stream);
  await stream.close();
}

async function plansAreWhole(): Promise<void> {
  const stream = await follow();
  await happen(2);
  await settled(stream);
  const over = (await all('planHistory')).map(plain);
  const waiting = (await all('openPlans')).map(plain);
  const told = byId(stream.rows('swap/currentPlan'));
  assert.equal(told.size, over.length + waiting.length);
  for (const state of [...over, ...waiting]) {
    const rows = present(told.get(String(state.order_id)), 'rows of a plan order');
    assert.equal(rows[0]?.status, '1');
    assert.equal(rows.length, state.status === '1' ? 1 : 2);
    assert.deepEqual(rows.at(-1), state);
  }
  const ends = stream.rows('swap/historyPlan').map(plain);
  const byText = (one: StreamRow, other: StreamRow) =>
    String(one.order_id).localeCompare(String(other.order_id));
  assert.deepEqual(ends.sort(byText), over.sort(byText));
  const stati = new Set(over.map(({ status }) => status));
  assert.ok(stati.has('2') && stati.has('3'), [...stati].join());
  assertNoGap(stream);
  await stream.close();
}

async function nothingIsLost(): Promise<void> {
  const first = await follow();
  await happen(3);
  first.breakOff();
  await happen(4);
  const second = await follow();
  await happen(5);
  await settled(second);
  const known = new Map<unknown, StreamRow>();
  const learn = (rows: readonly StreamRow[]) => {
    for (const row of rows.map(plain)) known.set(row.order_id, row);
  };
  learn(first.rows('swap/order'));
  // What closed unseen is in the history; what is still open is in the snapshot.
  learn(await closedOrders());
  learn(second.rows('swap/order'));
  for (const state of [...(await closedOrders()), ...(await openOrders())]) {
    assert.deepEqual(known.get(state.order_id), state);
    known.delete(state.order_id);
  }
  assert.equal(known.size, 0, 'nothing is known that is not so');
  assertNoGap(second);
  await second.close();
}

/** Lots held long and short after each step that changed them, summed up from the trades alone. */
class Holdings {
  readonly walk: string[] = ['0 0'];
  readonly #held = { long: 0, short: 0 };

  take({ events }: Step): void {
    for (const event of events) {
      if (event.kind === 'contract_trade') {
        for (const fill of [event.maker, event.taker]) this.#fill(fill, event.sizeLots);
      }
    }
    addNew(this.walk, `${this.#held.long} ${this.#held.short}`);
  }

  #fill({ accountId, action }: ContractFill, size: number): void {
    if (accountId !== trader.accountId) return;
    this.#held[holdSideOf(action)] += isOpen(action) ? size : -size;
  }
}

function addNew(walk: string[], state: string): void {
  if (walk.at(-1) !== state) walk.push(state);
}

async function positionsAreWhole(): Promise<void> {
  const holdings = new Holdings();
  desk.house.listeners.push((step) => holdings.take(step));
  const stream = await follow();
  await happen(8);
  await settled(stream);
  const told: string[] = [];
  for (const { holding } of stream.rows('swap/position')) {
    assert.ok(Array.isArray(holding));
    addNew(told, holding.map(({ position }) => position).join(' '));
  }
  assert.ok(told.length > 20, `${told.length} states`);
  assert.deepEqual(told, holdings.walk);
  assertNoGap(stream);
  await stream.close();
}

async function changesComeOneByOne(): Promise<void> {
  const stream = await follow();
  const { equity: before } = await desk.data<Row>(trader, 'account', SYMBOL);
  const amounts = ['1', '20', '300'];
  const deposit = (amount: string) =>
    desk.house.deposit(trader.accountId, 'USDT', amount, 'BTC-USDT-PERP');
  await Promise.all(amounts.map(deposit));
  await settled(stream);
  const balances = stream.rows('swap/account').map(({ equity }) => equity);
  const sums = [0, 1, 21, 321].map((added) => String(Number(before) + added));
  assert.deepEqual(balances, sums);
  await stream.close();
}

async function latecomersAgree(): Promise<void> {
  const [, early, late] = await Promise.all([happen(6), follow(), follow()]);
  await happen(7);
  await Promise.all([settled(early), settled(late)]);
  const states = new Map((await closedOrders()).map((row) => [row.order_id, row]));
  for (const row of await openOrders()) states.set(row.order_id, row);
  const last = await follow();
  assert.deepEqual(last.rows('swap/order').map(plain).reverse(), await openOrders());
  assert.deepEqual(last.rows('swap/currentPlan').map(plain), (await all('openPlans')).map(plain));
  await last.close();
  for (const stream of [early, late]) {
    const told = byId(stream.rows('swap/order'));
    assert.ok(told.size > 50);
    for (const [orderId, rows] of told) {
      assert.deepEqual(rows.at(-1), states.get(orderId), orderId);
      const done = rows.map(({ filled_qty }) => Number(filled_qty));
      assert.deepEqual(
        done,
        done.toSorted((one, other) => one - other),
        'fills only add',
      );
    }
    assertNoGap(stream);
    await stream.close();
  }
}

/** With a wallet per contract and isolated margin, or with a wallet per coin and crossed. */
export function nothingPrivateIsMissing(wallets: WalletScope): void {
  describe(`a wallet per ${wallets}`, () => {
    beforeEach(() => open(wallets));
    afterEach(() => desk.house.close());

    test('each change of each order is a row, and the last row is its state', ordersAreWhole);
    test('plan orders: what waits and what is over, each once and in order', plansAreWhole);
    test('after a broken connection the snapshot and the history leave no gap', nothingIsLost);
    test('positions go through every state they were in', positionsAreWhole);
    test('changes that reach the disk together are told one by one', changesComeOneByOne);
    test('two who begin in the middle of the trading end with the same', latecomersAgree);
  });
}
