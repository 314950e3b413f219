/** What clients of a contract do at random: orders, cancels, plan orders, settings, reads. */
import assert from 'node:assert/strict';
import { pick, type Random } from '../../tools/random.ts';
import { type Answer, asRow, dataOf, field, rowsOf, type Trader } from '../support/http-trader.ts';
import type { ContractRecord, ContractTerms } from './record.ts';

export const CONTRACTS = ['cmt_btcusdt', 'cmt_btcusd'] as const;
const MIDDLE = 30_000;
const BATCH_ORDERS = 10;
const BATCH_CANCELS = 5;
/** Answers that a client in a race with others may get to a cancel. */
const CANCEL_TOO_LATE = ['40109', '40400'];

/** One request of a client; a refusal is noted, an outage handed back. */
export function contractAct(
  trader: Trader,
  record: ContractRecord,
  random: Random,
  outages: readonly unknown[],
): Promise<Answer> {
  return new ContractClient(trader, record, random, outages).act();
}

class ContractClient {
  readonly #trader: Trader;
  readonly #record: ContractRecord;
  readonly #random: Random;
  readonly #outages: readonly unknown[];

  constructor(trader: Trader, record: ContractRecord, random: Random, outages: readonly unknown[]) {
    this.#trader = trader;
    this.#record = record;
    this.#random = random;
    this.#outages = outages;
  }

  act(): Promise<Answer> {
    const choice = this.#random();
    if (choice < 0.11) return this.#cancel();
    if (choice < 0.15) return this.#cancelBatch();
    if (choice < 0.21) return this.#batch();
    if (choice < 0.25) return this.#cancelPlan();
    if (choice < 0.32) return this.#plan();
    if (choice < 0.36) return this.#setting();
    if (choice < 0.45) return this.#watch();
    return this.#place();
  }

  /** Opens more often than it closes; closes may ask for more than there is. */
  #terms(symbol = pick(CONTRACTS, this.#random)): ContractTerms {
    const isMarket = this.#random() < 0.1;
    return {
      symbol,
      type: pick(['1', '2', '1', '2', '3', '4'], this.#random),
      order_type: isMarket ? '0' : pick(['0', '0', '0', '1', '3'], this.#random),
      match_price: isMarket ? '1' : '0',
      price: isMarket ? '' : this.#price(),
      size: String(1 + Math.floor(this.#random() * 9)),
    };
  }

  #price(): string {
    return (MIDDLE - 5 + Math.floor(this.#random() * 21) / 2).toFixed(1);
  }

  async #place(): Promise<Answer> {
    const terms = this.#terms();
    const client_oid = this.#record.asking(terms);
    const order = { ...terms, ...this.#presets(terms), client_oid };
    const answer = await this.#trader.swapPost('/order/placeOrder', order);
    if (this.#outages.includes(answer.code)) return answer;
    if (answer.code === '00000') {
      this.#record.placed(client_oid, field(asRow(answer.data), 'order_id'));
    } else {
      assert.equal(answer.status, 400, `${answer.status} ${answer.code} ${answer.message}`);
      this.#record.absent(client_oid);
    }
    return answer;
  }

  /** Some of what opens is to be closed by the venue, at prices that do not come. */
  #presets({ type }: ContractTerms): object {
    if ((type !== '1' && type !== '2') || this.#random() >= 0.1) return {};
    const [presetTakeProfitPrice, presetStopLossPrice] =
      type === '1' ? ['31000', '29000'] : ['29000', '31000'];
    return { presetTakeProfitPrice, presetStopLossPrice };
  }

  async #batch(): Promise<Answer> {
    const symbol = pick(CONTRACTS, this.#random);
    const orderDataList = Array.from({ length: BATCH_ORDERS }, () => {
      const terms = this.#terms(symbol);
      return { ...terms, client_oid: this.#record.asking(terms) };
    });
    const answer = await this.#trader.swapPost('/order/batchOrders', { symbol, orderDataList });
    if (this.#outages.includes(answer.code)) return answer;
    const data = dataOf(answer);
    assert(typeof data === 'object' && data !== null);
    const items: unknown = Reflect.get(data, 'order_info');
    assert(Array.isArray(items) && items.length === BATCH_ORDERS);
    for (const item of items.map(asRow)) {
      const client_oid = field(item, 'client_oid');
      if (item.result === 'true') this.#record.placed(client_oid, field(item, 'order_id'));
      else if (!this.#outages.includes(item.error_code)) this.#record.absent(client_oid);
    }
    return answer;
  }

  async #cancel(): Promise<Answer> {
    const at = Math.floor(this.#random() * this.#record.open.length);
    const [orderId] = this.#record.open.splice(at, 1);
    if (orderId === undefined) return this.#place();
    const symbol = this.#record.symbolOf(orderId);
    const answer = await this.#trader.swapPost('/order/cancel_order', { symbol, orderId });
    if (this.#outages.includes(answer.code)) return answer;
    const row = asRow(dataOf(answer));
    if (row.result === 'true') this.#record.cancelled.add(orderId);
    else if (!this.#outages.includes(row.err_code)) {
      assert(CANCEL_TOO_LATE.includes(field(row, 'err_code')), JSON.stringify(row));
    }
    return answer;
  }

  async #cancelBatch(): Promise<Answer> {
    const { open } = this.#record;
    const [first] = open;
    if (first === undefined) return this.#place();
    const symbol = this.#record.symbolOf(first);
    const ids = open.filter((id) => this.#record.symbolOf(id) === symbol).slice(0, BATCH_CANCELS);
    for (const id of ids) open.splice(open.indexOf(id), 1);
    const answer = await this.#trader.swapPost('/order/cancel_batch_orders', { symbol, ids });
    if (this.#outages.includes(answer.code)) return answer;
    const { order_ids, fail_infos } = Object(dataOf(answer));
    assert(Array.isArray(order_ids) && Array.isArray(fail_infos));
    assert.equal(order_ids.length + fail_infos.length, ids.length);
    for (const orderId of order_ids) this.#record.cancelled.add(String(orderId));
    for (const row of fail_infos.map(asRow)) {
      if (this.#outages.includes(row.err_code)) continue;
      assert(CANCEL_TOO_LATE.includes(field(row, 'err_code')), JSON.stringify(row));
    }
    return answer;
  }

  /** Fires when the last price passes; some wait for a price that does not come. */
  async #plan(): Promise<Answer> {
    const { plans } = this.#record;
    const terms = {
      symbol: pick(CONTRACTS, this.#random),
      holdSide: pick(['1', '2'], this.#random),
      size: '1',
      trigger_price:
        this.#random() < 0.8 ? this.#price() : pick(['29000.0', '31000.0'], this.#random),
    };
    const client_oid = plans.asking(terms);
    const how = { type: '1', match_type: '1', execute_price: '', client_oid };
    const answer = await this.#settled('/order/plan_order', { ...terms, ...how });
    if (this.#outages.includes(answer.code)) return answer;
    if (answer.code === '00000') plans.placed(client_oid, field(asRow(answer.data), 'order_id'));
    else plans.absent(client_oid);
    return answer;
  }

  async #cancelPlan(): Promise<Answer> {
    const { plans } = this.#record;
    const at = Math.floor(this.#random() * plans.open.length);
    const [orderId] = plans.open.splice(at, 1);
    if (orderId === undefined) return this.#plan();
    const symbol = plans.symbolOf(orderId);
    const answer = await this.#trader.swapPost('/order/cancel_plan', { symbol, orderId });
    if (this.#outages.includes(answer.code)) return answer;
    const row = asRow(dataOf(answer));
    if (row.result === 'true') plans.cancelled.add(orderId);
    else if (!this.#outages.includes(row.err_code)) {
      assert(CANCEL_TOO_LATE.includes(field(row, 'err_code')), JSON.stringify(row));
    }
    return answer;
  }

  #setting(): Promise<Answer> {
    const symbol = pick(CONTRACTS, this.#random);
    const choice = this.#random();
    if (choice < 0.2) {
      const holdSide = pick([1, 2], this.#random);
      const append_type = pick([0, 1], this.#random);
      return this.#settled('/account/modifyAutoAppendMargin', { symbol, holdSide, append_type });
    }
    if (choice < 0.6) {
      const holdSide = pick([1, 2], this.#random);
      return this.#settled('/account/leverage', {
        symbol,
        leverage: pick([10, 20], this.#random),
        holdSide,
      });
    }
    const amount = symbol === 'cmt_btcusdt' ? '0.5' : '0.00001';
    const positionType = pick([0, 1], this.#random);
    const type = pick([1, 1, 2], this.#random);
    return this.#settled('/account/adjustMargin', { symbol, amount, positionType, type });
  }

  /** A request that may well be refused, but never with anything but a 400. */
  async #settled(path: string, body: object): Promise<Answer> {
    const answer = await this.#trader.swapPost(path, body);
    if (this.#outages.includes(answer.code) || answer.code === '00000') return answer;
    assert.equal(answer.status, 400, `${path} ${answer.status} ${answer.code} ${answer.message}`);
    return answer;
  }

  /** Whoever has seen an order may count on it. */
  async #watch(): Promise<Answer> {
    const symbol = pick(CONTRACTS, this.#random);
    const answer = await this.#trader.swapGet(`/order/current?symbol=${symbol}`);
    if (this.#outages.includes(answer.code)) return answer;
    for (const order of rowsOf(answer)) this.#record.shownOrders.add(field(order, 'order_id'));
    return answer;
  }
}
