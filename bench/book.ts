/**
 * The order book alone: throughput against nodejs-order-book on the same orders in the same run,
 * far levels, and memory. What a venue needs around a book is included: order objects and an index
 * by id. Money, events and input checks are not.
 */
import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { OrderBook, Side as PeerSide } from 'nodejs-order-book';
import {
  type AccountId,
  accountId,
  type Lots,
  lots,
  type OrderId,
  orderId,
  type Side,
  type Ticks,
  ticks,
} from '#domain';
import {
  type Book,
  type BookLevel,
  type BookOrder,
  createBook,
  type MatchHandler,
  matchOrder,
  OrderTable,
} from '#engine/testing';
import { randomOf } from '../tools/random.ts';
import { median, timeSeconds } from './measure.ts';
import type { BenchResult } from './result.ts';

/** Sizes a decade apart, with rounds enough for a stable median in bearable time. */
const CROSSING_RUNS = [
  { ordersCount: 20_000, rounds: 9 },
  { ordersCount: 200_000, rounds: 5 },
];
const WARM_ROUNDS = 10;
const LEVELS_COUNTS = [10_000, 100_000];
const LEVELS_ROUNDS = 9;
/** Half of them stay: the last leaves about 4.4 million resting. */
const STAYING_COUNTS = [1_000_000, 9_000_000];
const RESTING_COUNTS = [100_000, 1_000_000];
const RESTING_LEVELS = 1_000;
const ACCOUNTS = 100;
const SEED = 11;
const PEER_SIDES = { buy: PeerSide.BUY, sell: PeerSide.SELL };

/** Measures the book and prints each result as it comes. */
export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  const tell = (result: BenchResult) => {
    print(describe(result));
    results.push(result);
  };
  const running = warmUp();
  for (const { ordersCount, rounds } of CROSSING_RUNS) tell(crossing(ordersCount, rounds));
  for (const count of LEVELS_COUNTS) for (const result of farLevels(count)) tell(result);
  for (const count of STAYING_COUNTS) tell(staying(count));
  for (const count of RESTING_COUNTS) tell(memory(count));
  running.book.check();
  return results;
}

interface Row {
  readonly side: Side;
  readonly size: number;
  readonly price: number;
}

class Order implements BookOrder {
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly side: Side;
  readonly priceTicks: Ticks;
  openLots: Lots;
  level: BookLevel | null = null;
  before: BookOrder | null = null;
  after: BookOrder | null = null;

  constructor(id: number, account: AccountId, side: Side, priceTicks: Ticks, size: Lots) {
    this.orderId = orderId(id);
    this.accountId = account;
    this.side = side;
    this.priceTicks = priceTicks;
    this.openLots = size;
  }
}

/** The least that a venue keeps around a book: the orders by their id. */
class Market implements MatchHandler<Order> {
  readonly book: Book<Order> = createBook<Order>();
  readonly orders = new OrderTable<Order>();
  readonly #accounts = Array.from({ length: ACCOUNTS }, (_, at) => accountId(at + 1));
  #taker: Order | undefined;

  /** A good-till-cancelled limit order, priced 100 and up as the peer has it. */
  place(id: number, row: Row): void {
    const account = this.#accounts[id % ACCOUNTS];
    assert(account !== undefined);
    const order = new Order(id, account, row.side, ticks(row.price), lots(row.size));
    this.#taker = order;
    const { side, priceTicks: limitTicks, openLots: sizeLots } = order;
    const taker = { accountId: account, side, limitTicks, sizeLots };
    matchOrder(this.book, taker, 'gtc', 'none', this);
    if (order.openLots > 0) this.rest(order);
  }

  rest(order: Order): void {
    this.orders.add(order);
    this.book.rest(order);
  }

  cancel(id: OrderId): void {
    const order = this.orders.get(id);
    assert(order !== undefined);
    this.orders.delete(order);
    this.book.remove(order);
  }

  wantedLots(): Lots {
    return this.#taker?.openLots ?? lots(0);
  }

  admit(): 'trade' {
    return 'trade';
  }

  makerDropped(): never {
    throw new Error('a bare book drops nothing');
  }

  trade(maker: Order, size: Lots): void {
    if (this.#taker !== undefined) this.#taker.openLots = lots(this.#taker.openLots - size);
    if (maker.openLots === size) this.orders.delete(maker);
  }

  selfTradeCancelled(): void {
    assert.fail('this market allows self-trades');
  }
}

/**
 * Lets the compiler finish with both sides first: a venue runs for days. The market it returns is
 * kept alive meanwhile, because sweeping the last order of a kind discards the code made for it.
 */
function warmUp(): Market {
  const rows = crossingRows(200_000);
  const ids = peerIds(rows);
  feedPeer(new OrderBook(), rows, ids);
  let market = new Market();
  for (let round = 0; round < WARM_ROUNDS; round += 1) {
    market = new Market();
    feedOurs(market, rows);
  }
  return market;
}

function crossing(ordersCount: number, rounds: number): BenchResult {
  const rows = crossingRows(ordersCount);
  const ids = peerIds(rows);
  const ours: number[] = [];
  const peers: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const market = new Market();
    const peer = new OrderBook();
    ours.push(perSecond(ordersCount, () => feedOurs(market, rows)));
    peers.push(perSecond(ordersCount, () => feedPeer(peer, rows, ids)));
    assert.deepEqual(depth(market.book), peer.depth(), 'both books end up the same');
  }
  const value = median(ours);
  const peer = median(peers);
  return {
    name: 'book, crossing limit orders',
    size: ordersCount,
    value,
    unit: 'orders/s',
    peer,
    ratio: value / peer,
    floor: 20,
    aim: 40,
  };
}

/** Random sides, sizes 1 to 10, prices 100 to 109. */
function crossingRows(ordersCount: number): Row[] {
  const random = randomOf(SEED);
  return Array.from({ length: ordersCount }, () => ({
    side: random() < 0.5 ? 'buy' : 'sell',
    size: 1 + Math.floor(random() * 10),
    price: 100 + Math.floor(random() * 10),
  }));
}

function peerIds(rows: readonly Row[]): string[] {
  return rows.map((_, at) => `order-${at}`);
}

function feedOurs(market: Market, rows: readonly Row[]): void {
  let id = 0;
  for (const row of rows) {
    id += 1;
    market.place(id, row);
  }
}

function feedPeer(peer: OrderBook, rows: readonly Row[], ids: readonly string[]): void {
  let at = 0;
  for (const { side, size, price } of rows) {
    peer.limit({ side: PEER_SIDES[side], id: ids[at] ?? '', size, price });
    at += 1;
  }
}

/** Our levels in the peer's words: asks and bids as [price, size], best first. */
function depth(book: Book<Order>): [number[][], number[][]] {
  const pairs = (side: Side) =>
    Array.from(book.levels(side), ({ priceTicks, lots: size }): number[] => [priceTicks, size]);
  return [pairs('sell'), pairs('buy')];
}

/** Resting one order on each of many prices in random order, then cancelling them all. */
function farLevels(levelsCount: number): BenchResult[] {
  const prices = shuffled(levelsCount, SEED);
  const resting: number[] = [];
  const cancelling: number[] = [];
  for (let round = 0; round < LEVELS_ROUNDS; round += 1) {
    const market = new Market();
    const orders = shuffled(levelsCount, SEED + 1).map((id) => orderId(id));
    const rest = () => {
      let id = 0;
      for (const price of prices) {
        id += 1;
        market.place(id, { side: 'buy', size: 1, price });
      }
    };
    const cancel = () => {
      for (const id of orders) market.cancel(id);
    };
    resting.push(perSecond(levelsCount, rest));
    cancelling.push(perSecond(levelsCount, cancel));
    assert.equal(market.book.ordersCount, 0);
  }
  const common = { size: levelsCount, unit: 'orders/s' };
  return [
    { name: 'book, resting on distinct prices', value: median(resting), ...common },
    { name: 'book, cancelling on distinct prices', value: median(cancelling), ...common },
  ];
}

/** 1 to count in a random order. */
function shuffled(count: number, seed: number): number[] {
  const random = randomOf(seed);
  const keys = Array.from({ length: count }, () => random());
  const numbers = Array.from(keys.keys());
  numbers.sort((one, other) => (keys[one] ?? 0) - (keys[other] ?? 0));
  return numbers.map((number) => number + 1);
}

/** Sides in turn over fourteen prices, six of them of both: as Liquibook's own benchmark does. */
function staying(ordersCount: number): BenchResult {
  const random = randomOf(SEED);
  const market = new Market();
  const value = perSecond(ordersCount, () => {
    for (let id = 1; id <= ordersCount; id += 1) {
      const side = id % 2 === 0 ? 'buy' : 'sell';
      const price = (side === 'buy' ? 1_880 : 1_884) + Math.floor(random() * 10);
      market.place(id, { side, price, size: 100 * (1 + Math.floor(random() * 10)) });
    }
  });
  const { ordersCount: restingCount } = market.book;
  assert.ok(restingCount > 0.4 * ordersCount, 'nearly half of the orders stay');
  return { name: 'book, half of the orders stay', size: ordersCount, value, unit: 'orders/s' };
}

function memory(ordersCount: number): BenchResult {
  const before = heapBytes();
  const market = new Market();
  for (let id = 1; id <= ordersCount; id += 1) {
    market.place(id, { side: 'buy', size: 1 + (id % 10), price: 1 + (id % RESTING_LEVELS) });
  }
  const bytes = heapBytes() - before;
  assert.equal(market.book.ordersCount, ordersCount);
  return {
    name: 'book, memory per resting order',
    size: ordersCount,
    value: bytes / ordersCount,
    unit: 'bytes',
    floor: 400,
    aim: 200,
  };
}

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
}

/** The rate of some work, started on a swept heap so that no round pays for the one before. */
function perSecond(count: number, work: () => void): number {
  collectGarbage();
  return count / timeSeconds(work);
}

function describe(result: BenchResult): string {
  const { name, size, value, unit, peer, ratio } = result;
  const line = `  ${name} ${size}: ${Math.round(value)} ${unit}`;
  if (peer === undefined || ratio === undefined) return line;
  return `${line}, peer ${Math.round(peer)}, ratio ${ratio.toFixed(1)}`;
}

if (import.meta.main) await run((line) => process.stdout.write(`${line}\n`));
