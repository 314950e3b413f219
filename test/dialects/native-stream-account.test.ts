/**
 * The account channel: whoever keeps what it says has what REST has, after any flow of orders and
 * over connections that break; who was away for too long is told all of it.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { STREAM_LIMITS } from '#api';
import { NATIVE_ENDPOINTS as CALLS } from '#dialects';
import type { WalletScope } from '#domain';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { ETH } from '../support/coin-floor.ts';
import { House, type Trader } from '../support/house.ts';
import {
  AccountCopy,
  type AccountData,
  type Message,
  NativeStream,
  type Row,
  sorted,
} from '../support/native-stream.ts';
import { LINEAR_SYMBOL, SwapDesk } from '../support/swap-desk.ts';
import { until } from '../support/until.ts';

/** Little enough that a test goes beyond it in no time. */
const KEPT = { ...STREAM_LIMITS, keptMs: 400, keptMessagesMax: 20, keptAccountsMax: 3 };
const ACTIONS = 150;
const FLOWS = 4;
const AT_ONCE = 5;

const PRICE = fc.integer({ min: -40, max: 40 }).map((steps) => String(30_000 + 10 * steps));

const ACTION = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('order' as const),
      isRival: fc.boolean(),
      isMarket: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
      symbol: fc.constantFrom('BTC-USDT', 'BTC-USDT-PERP', 'BTC-USD-PERP'),
      side: fc.constantFrom('buy', 'sell'),
      timeInForce: fc.constantFrom('gtc', 'gtc', 'ioc', 'post_only'),
      reduceOnly: fc.boolean(),
      price: PRICE,
      size: fc.integer({ min: 1, max: 30 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), at: fc.nat(5) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('trigger' as const),
      side: fc.constantFrom('buy', 'sell'),
      reduceOnly: fc.boolean(),
      direction: fc.constantFrom('rise', 'fall'),
      price: PRICE,
      size: fc.integer({ min: 1, max: 10 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('index' as const), price: PRICE }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deposit' as const) }) },
);
type Action = typeof ACTION extends fc.Arbitrary<infer One> ? One : never;

/** A trader whose account is followed, and a rival with deep pockets. */
class Stage {
  readonly desk: SwapDesk;
  readonly trader: Trader;
  readonly rival: Trader;

  private constructor(desk: SwapDesk, trader: Trader, rival: Trader) {
    this.desk = desk;
    this.trader = trader;
    this.rival = rival;
  }

  static async open(wallets: WalletScope): Promise<Stage> {
    const house = await House.open({ streamLimits: KEPT });
    return Stage.on(await SwapDesk.open(wallets, house), '');
  }

  /** With two traders of their own. */
  static async on(desk: SwapDesk, mark: string): Promise<Stage> {
    const trader = await desk.trader(`trader${mark}`, { [LINEAR_SYMBOL]: '300' });
    const rival = await desk.trader(`rival${mark}`, { [LINEAR_SYMBOL]: '10000000' });
    for (const who of [trader, rival]) {
      await desk.house.deposit(who.accountId, 'USDT', '1000000');
      await desk.house.deposit(who.accountId, 'BTC', '50');
    }
    return new Stage(desk, trader, rival);
  }

  get house(): House {
    return this.desk.house;
  }

  async act(action: Action): Promise<unknown> {
    switch (action.kind) {
      case 'order':
        return this.house.signedPost(
          action.isRival ? this.rival : this.trader,
          CALLS.placeOrder.path,
          orderOf(action),
        );
      case 'cancel': {
        const open = await this.read<Row[]>('/v1/orders');
        const id = open[action.at]?.id;
        return typeof id === 'string' ? this.cancel(id) : undefined;
      }
      case 'trigger':
        return this.house.signedPost(this.trader, '/v1/triggers', triggerOf(action));
      case 'index':
        return this.desk.setIndex(30_000 + 4 * (Number(action.price) - 30_000));
      case 'deposit':
        return this.house.deposit(this.trader.accountId, 'USDT', '1.5');
    }
  }

  cancel(id: string): Promise<unknown> {
    const url = `/v1/orders/${id}`;
    const headers = this.house.sign(this.trader, 'DELETE', url, '');
    return this.house.call({ method: 'DELETE', url, headers });
  }

  async happen(actions: readonly Action[]): Promise<void> {
    for (let at = 0; at < actions.length; at += AT_ONCE) {
      await Promise.all(actions.slice(at, at + AT_ONCE).map((action) => this.act(action)));
    }
  }

  async read<T>(url: string): Promise<T> {
    const { status, text } = await this.house.signedGet(this.trader, url);
    assert.equal(status, 200, text);
    return JSON.parse(text);
  }

  /** Every page of a list. */
  async all(path: string): Promise<Row[]> {
    const rows: Row[] = [];
    let before = '';
    for (;;) {
      const page = await this.read<{ rows: Row[]; next: string | null }>(
        `${path}?limit=100${before}`,
      );
      rows.push(...page.rows);
      if (page.next === null) return rows;
      before = `&before=${page.next}`;
    }
  }

  /** Waits until the copy is what REST says; its orders that ended and its fills, too. */
  async isShownBy(copy: AccountCopy, take: () => void): Promise<void> {
    const wanted = {
      balances: sorted(await this.read<Row[]>('/v1/balances')),
      settings: sorted((await this.read<Row[]>('/v1/margin')).map(settingsOf)),
      positions: sorted(await this.read<Row[]>('/v1/positions')),
      orders: sorted(await this.read<Row[]>('/v1/orders')),
      triggers: sorted(await this.read<Row[]>('/v1/triggers')),
    };
    const told = () => {
      take();
      const { balances, settings, positions, openOrders: orders } = copy;
      return { balances, settings, positions, orders, triggers: sorted(copy.triggers.values()) };
    };
    await until('all of it', () => JSON.stringify(told()) === JSON.stringify(wanted), {
      withinMs: 5_000,
    }).catch(() => assert.deepEqual(told(), wanted));
  }
}

/** Of a row of /v1/margin the part that the stream has. */
function settingsOf(row: Row): Row {
  const names = Object.keys(row);
  const last = names.indexOf('shortAutoMargin');
  return Object.fromEntries(Object.entries(row).slice(0, last + 1));
}

function triggerOf({ kind: _kind, price, size, ...more }: Extract<Action, { kind: 'trigger' }>) {
  const symbol = 'BTC-USDT-PERP';
  return { ...more, symbol, trigger: price, size: String(size), type: 'market' };
}

function orderOf({
  symbol,
  side,
  isMarket,
  timeInForce,
  reduceOnly,
  price,
  size,
}: Extract<Action, { kind: 'order' }>): object {
  const isPair = symbol === 'BTC-USDT';
  const sizeText = isPair ? String(size / 100) : String(size);
  return {
    ...{ symbol, side, size: sizeText, type: isMarket ? 'market' : 'limit' },
    ...(isMarket ? {} : { price, timeInForce }),
    ...(isPair ? {} : { reduceOnly }),
  };
}

/** Reads a stream into a copy, each message once. */
function reader(stream: NativeStream, copy: AccountCopy): () => void {
  let read = 0;
  return () => {
    const pushes = stream.pushes('account');
    for (const push of pushes.slice(read)) copy.take(push);
    read = pushes.length;
  };
}

for (const wallets of ['contract', 'coin'] as const) {
  test(`a copy of the account is what REST has, with a wallet per ${wallets}`, async () => {
    const { desk } = await Stage.open(wallets);
    const seen = { cases: 0, closed: 0, fills: 0, positions: 0, triggers: 0 };
    const flow = fc.array(ACTION, { minLength: ACTIONS, maxLength: ACTIONS });
    await fc.assert(
      fc.asyncProperty(flow, async (actions) => {
        await desk.setIndex(30_000);
        const stage = await Stage.on(desk, String(seen.cases));
        const stream = await NativeStream.at(stage.house);
        const copy = new AccountCopy();
        await stream.follow(stage.house, stage.trader);
        await stage.happen(actions);
        await stage.isShownBy(copy, reader(stream, copy));
        const later = await NativeStream.at(stage.house);
        await later.follow(stage.house, stage.trader);
        const fresh = new AccountCopy();
        fresh.take(await later.push('account'));
        await stage.isShownBy(fresh, () => undefined);
        assert.ok(
          fresh.lastPositions.every(({ size }) => size !== '0'),
          'nothing that is closed',
        );
        await later.close();
        const closed = await stage.all('/v1/closed-orders');
        assert.deepEqual(sorted(copy.ended), sorted(closed));
        const fills = await stage.all('/v1/fills');
        assert.deepEqual(sorted(copy.fills), sorted(fills));
        await stream.close();
        seen.cases += 1;
        seen.closed += closed.length;
        seen.fills += fills.length;
        seen.positions += copy.positions.length;
        seen.triggers += copy.triggers.size;
      }),
      { numRuns: FLOWS, seed: 33, endOnFailure: true },
    );
    await desk.house.close();
    assert.equal(seen.cases, FLOWS);
    const { closed, fills, positions, triggers } = seen;
    const isRich = closed > 10 * FLOWS && fills > 10 * FLOWS && positions > 0 && triggers > 0;
    assert.ok(isRich, JSON.stringify(seen));
  });
}

const stage = await Stage.open('coin');
const house = closedAtEnd(stage.house);
const { trader } = stage;

const BID = { symbol: 'BTC-USDT', side: 'buy', type: 'limit', price: '20000', size: '0.001' };

async function place(order: object = BID): Promise<string> {
  const { status, text } = await house.signedPost(trader, CALLS.placeOrder.path, order);
  assert.equal(status, 200, text);
  return JSON.parse(text).id;
}

function ordersIn({ data }: Message): (string | null | undefined)[] {
  return (data as AccountData).orders.map(({ id }) => id);
}

test('the snapshot has rows as REST has them, and an update what one step changed', async () => {
  await place();
  const stream = await NativeStream.at(house);
  const { resumed } = await stream.follow(house, trader);
  assert.equal(resumed, undefined);
  const first = await stream.push('account');
  assert.equal(first.type, 'snapshot');
  assert.equal(first.previous, undefined);
  const data = first.data as AccountData;
  assert.deepEqual(data.orders, await stage.read('/v1/orders'), 'newest first');
  assert.deepEqual(sorted(data.balances), sorted(await stage.read('/v1/balances')));
  assert.deepEqual(data.fills, []);
  const id = await place();
  const second = await stream.push('account');
  assert.deepEqual([second.type, second.previous], ['update', first.seq]);
  assert.equal(second.seq, house.venue.releasedSeq, 'the number of the step');
  const changed = second.data as AccountData;
  assert.deepEqual(ordersIn(second), [id]);
  assert.deepEqual(
    changed.balances.map(({ wallet, coin }) => [wallet, coin]),
    [['spot', 'USDT']],
  );
  assert.deepEqual([changed.positions, changed.fills], [[], []]);
  await stream.close();
});

test('what is set in a contract is told, and of a contract that is new', async () => {
  const stream = await NativeStream.at(house);
  await stream.follow(house, trader);
  const { data } = await stream.push('account');
  const { settings } = data as AccountData;
  const symbols = settings.map(({ symbol }) => symbol);
  assert.deepEqual(symbols.toSorted(), ['BTC-USD-PERP', 'BTC-USDT-PERP']);
  const next = async () => ((await stream.push('account')).data as AccountData).settings;
  const asked = { symbol: 'BTC-USDT-PERP', longLeverage: 7 };
  assert.equal((await house.signedPost(trader, CALLS.setLeverage.path, asked)).status, 200);
  assert.deepEqual(
    (await next()).map(({ symbol, longLeverage }) => [symbol, longLeverage]),
    [['BTC-USDT-PERP', 7]],
  );
  await house.run({ kind: 'list_contract', spec: ETH });
  assert.deepEqual(
    (await next()).map(({ symbol }) => symbol),
    ['ETH-USDT-PERP'],
  );
  await stream.close();
});

test('after a cut it goes on where it was: nothing is missing or comes twice', async () => {
  const stream = await NativeStream.at(house);
  await stream.follow(house, trader);
  const copy = new AccountCopy();
  let take = reader(stream, copy);
  await place();
  await stage.isShownBy(copy, take);
  stream.socket.terminate();
  await stream.gone;
  const missed = [await place(), await place(), await place()];
  const again = await NativeStream.at(house);
  assert.deepEqual(await again.follow(house, trader, copy.seq), {
    channels: ['account'],
    resumed: true,
  });
  take = reader(again, copy);
  await stage.isShownBy(copy, take);
  const pushes = again.pushes('account');
  assert.deepEqual(
    pushes.map(({ type }) => type),
    ['update', 'update', 'update'],
  );
  assert.deepEqual(pushes.flatMap(ordersIn), missed);
  const next = await place();
  await stage.isShownBy(copy, take);
  assert.deepEqual(again.pushes('account').slice(3).flatMap(ordersIn), [next]);
  await again.close();
});

/** What one who comes back with this number is told first. */
async function comesBack(since: number): Promise<[resumed: unknown, type: unknown]> {
  const stream = await NativeStream.at(house);
  const { resumed } = await stream.follow(house, trader, since);
  if (resumed !== true) {
    const { type } = await stream.push('account');
    await stream.close();
    return [resumed, type];
  }
  await place();
  const { type } = await stream.push('account');
  await stream.close();
  return [resumed, type];
}

/** The number of the last message of the account, which is then followed no more. */
async function leave(): Promise<number> {
  const stream = await NativeStream.at(house);
  await stream.follow(house, trader);
  await stream.push('account');
  await place();
  const { seq } = await stream.push('account');
  await stream.close();
  return present(seq, 'seq');
}

test('with all kept it resumes; from before or after all that is kept it begins anew', async () => {
  const seq = await leave();
  assert.deepEqual(await comesBack(seq), [true, 'update']);
  assert.deepEqual(await comesBack(0), [false, 'snapshot']);
  assert.deepEqual(await comesBack(10 ** 12), [false, 'snapshot']);
});

test('more messages than are kept: a snapshot', async () => {
  const seq = await leave();
  for (let at = 0; at < KEPT.keptMessagesMax; at += 1) await place();
  assert.deepEqual(await comesBack(seq), [true, 'update'], 'as many as are kept');
  await place();
  assert.deepEqual(await comesBack(seq), [false, 'snapshot']);
});

test('away for longer than it is kept: a snapshot', async () => {
  const seq = await leave();
  await until('a snapshot', async () => {
    // Each try keeps the account a while longer, so it is away for all of that while.
    await new Promise((resolve) => setTimeout(resolve, KEPT.keptMs + 100));
    return (await comesBack(seq))[0] === false;
  });
});

test('more accounts that were left than are kept: the one that left first is not', async () => {
  const seq = await leave();
  for (let at = 0; at < KEPT.keptAccountsMax; at += 1) {
    const other = await house.trader(`other-${at}`);
    const stream = await NativeStream.at(house);
    await stream.follow(house, other);
    await stream.push('account');
    await stream.close();
  }
  assert.deepEqual(await comesBack(seq), [false, 'snapshot']);
});

test('two who follow are numbered alike, and one who follows again is sent nothing', async () => {
  const streams = [await NativeStream.at(house), await NativeStream.at(house)];
  for (const stream of streams) await stream.follow(house, trader);
  for (const stream of streams) await stream.push('account');
  await streams[0]?.done('subscribe', { channels: ['account'] });
  await place();
  const [one, other] = await Promise.all(streams.map((stream) => stream.push('account')));
  assert.deepEqual(one, other);
  for (const stream of streams) await stream.close();
});
