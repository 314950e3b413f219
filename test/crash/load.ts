/** Many clients at once on a running server, noting every answer. A broken connection ends one. */
import assert from 'node:assert/strict';
import { pick, type Random } from '../../tools/random.ts';
import { type Answer, asRow, dataOf, field, rowsOf, type Trader } from '../support/http-trader.ts';
import { contractAct } from './contract-load.ts';
import type { AccountRecord, OrderTerms } from './record.ts';

export interface Side {
  readonly trader: Trader;
  readonly record: AccountRecord;
}

/** Answers that a client in a race with others may get. Anything else fails the test. */
const CANCEL_TOO_LATE = ['43004', '40109'];
const HALTED = '40200';
/** The venue has halted, or only its history: what was asked may or may not have happened. */
const OUTAGES: readonly unknown[] = [HALTED, '40725'];
const SYMBOLS = ['BTCUSDT_SPBL', 'ETHUSDT_SPBL'] as const;
const MIDDLE_CENTS = { BTCUSDT_SPBL: 3_000_000, ETHUSDT_SPBL: 200_000 } as const;
const BATCH_ORDERS = 30;
/** How much of what clients do is about contracts. */
const CONTRACTS_SHARE = 0.4;

export class Load {
  readonly #random: Random;
  readonly #clients: Promise<void>[] = [];
  #isOver = false;
  answersCount = 0;
  haltedCount = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Clients of one account, each with a connection of its own. */
  start({ trader, record }: Side, clientsCount: number): void {
    for (let number = 0; number < clientsCount; number += 1) {
      this.#add(this.#repeat(record, () => this.#act(trader, record)));
    }
    this.#add(this.#repeat(record, () => this.#watch(trader, record)));
  }

  /** A failure is told to whoever asks for the end, and is no surprise before. */
  #add(client: Promise<void>): void {
    client.catch(() => undefined);
    this.#clients.push(client);
  }

  /** Lets every client finish what it is at. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.ended();
  }

  /** Resolves when the last client has stopped; rejects when an answer was not as it must be. */
  async ended(): Promise<void> {
    await Promise.all(this.#clients);
  }

  /**
   * Until told to end, the connection breaks, or the venue says that it has halted. A history
   * that is no longer written ends nobody: the market goes on without it.
   */
  async #repeat(record: AccountRecord, act: () => Promise<Answer>): Promise<void> {
    while (!this.#isOver) {
      const answer = await act().catch(connectionBroke);
      if (answer === undefined) {
        record.unknownCount += 1;
        return;
      }
      this.answersCount += 1;
      if (answer.code !== HALTED) continue;
      this.haltedCount += 1;
      return;
    }
  }

  #act(trader: Trader, record: AccountRecord): Promise<Answer> {
    if (this.#random() < CONTRACTS_SHARE) {
      return contractAct(trader, record.contracts, this.#random, OUTAGES);
    }
    const choice = this.#random();
    if (choice < 0.15) return this.#cancel(trader, record);
    if (choice < 0.22) return this.#transfer(trader, record);
    if (choice < 0.32) return this.#placeBatch(trader, record);
    return this.#place(trader, record, choice < 0.42 ? this.#market() : this.#limit());
  }

  /** About half of them find somebody to trade with at once. */
  #limit(symbol = pick(SYMBOLS, this.#random)): OrderTerms {
    const cents = MIDDLE_CENTS[symbol] + Math.floor(this.#random() * 21) - 10;
    return {
      symbol,
      side: pick(['buy', 'sell'], this.#random),
      orderType: 'limit',
      force: pick(['normal', 'normal', 'normal', 'ioc', 'post_only'], this.#random),
      price: (cents / 100).toFixed(2),
      quantity: `0.0${1 + Math.floor(this.#random() * 9)}00`,
    };
  }

  #market(): OrderTerms {
    const symbol = pick(SYMBOLS, this.#random);
    const side = pick(['buy', 'sell'] as const, this.#random);
    const quantity = side === 'buy' ? `${50 + Math.floor(this.#random() * 500)}` : '0.0150';
    return { symbol, side, orderType: 'market', force: 'normal', price: '0', quantity };
  }

  async #place(trader: Trader, record: AccountRecord, terms: OrderTerms) {
    const clientOrderId = record.asking(terms);
    const answer = await trader.post('/trade/orders', { ...terms, clientOrderId });
    if (OUTAGES.includes(answer.code)) return answer;
    if (answer.code === '00000') {
      record.placed(clientOrderId, field(asRow(answer.data), 'orderId'));
    } else {
      expectRefusal(answer);
      record.absent(clientOrderId);
    }
    return answer;
  }

  async #placeBatch(trader: Trader, record: AccountRecord) {
    const symbol = pick(SYMBOLS, this.#random);
    const orderList = Array.from({ length: BATCH_ORDERS }, () => {
      const terms = this.#limit(symbol);
      return { ...terms, clientOrderId: record.asking(terms) };
    });
    const answer = await trader.post('/trade/batch-orders', { symbol, orderList });
    if (OUTAGES.includes(answer.code)) return answer;
    for (const placed of listIn(dataOf(answer), 'resultList')) {
      record.placed(field(placed, 'clientOrderId'), field(placed, 'orderId'));
    }
    for (const failed of listIn(answer.data, 'failure')) {
      if (OUTAGES.includes(failed.errorCode)) continue;
      record.absent(field(failed, 'clientOrderId'));
    }
    return answer;
  }

  async #cancel(trader: Trader, record: AccountRecord): Promise<Answer> {
    const at = Math.floor(this.#random() * record.open.length);
    const [orderId] = record.open.splice(at, 1);
    if (orderId === undefined) return this.#place(trader, record, this.#limit());
    const symbol = record.symbolOf(orderId);
    const answer = await trader.post('/trade/cancel-order', { symbol, orderId });
    if (OUTAGES.includes(answer.code)) return answer;
    if (answer.code === '00000') record.cancelled.add(orderId);
    else assert(CANCEL_TOO_LATE.includes(answer.code), `${answer.code} ${answer.message}`);
    return answer;
  }

  async #transfer(trader: Trader, record: AccountRecord) {
    const amount = record.askingTransfer();
    const there = { fromType: 'EXCHANGE', toType: 'CONTRACT', toSymbol: 'cmt_btcusdt' };
    const back = { fromType: 'CONTRACT', fromSymbol: 'cmt_btcusdt', toType: 'EXCHANGE' };
    const way = this.#random() < 0.5 ? there : back;
    const answer = await trader.post('/wallet/transfer', { coin: 'USDT', amount, ...way });
    if (OUTAGES.includes(answer.code)) return answer;
    dataOf(answer);
    record.transfers.set(amount, 'made');
    return answer;
  }

  /** Whoever has seen an order or a fill may count on it. */
  async #watch(trader: Trader, record: AccountRecord) {
    const symbol = pick(SYMBOLS, this.#random);
    if (this.#random() < 0.5) {
      const answer = await trader.post('/trade/open-orders', { symbol });
      if (OUTAGES.includes(answer.code)) return answer;
      for (const order of rowsOf(answer)) record.shownOrders.add(field(order, 'orderId'));
      return answer;
    }
    const answer = await trader.post('/trade/fills', { symbol, limit: 50 });
    if (OUTAGES.includes(answer.code)) return answer;
    for (const fill of rowsOf(answer)) record.shownFills.add(field(fill, 'fillId'));
    return answer;
  }
}

function listIn(data: unknown, name: string) {
  assert(typeof data === 'object' && data !== null);
  const list: unknown = Reflect.get(data, name);
  assert(Array.isArray(list));
  return list.map((item: unknown) => asRow(item));
}

/** A refusal of the order itself, which says that there is no such order. */
function expectRefusal({ status, code, message }: Answer): void {
  assert.equal(status, 400, `${status} ${code} ${message}`);
}

/** Nobody knows what became of the request: its record stays 'unknown'. */
function connectionBroke(error: unknown): undefined {
  if (error instanceof TypeError && error.message === 'fetch failed') return undefined;
  if (error instanceof TypeError && error.message === 'terminated') return undefined;
  throw error;
}
