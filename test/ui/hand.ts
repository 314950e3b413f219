/** An account at the API, beside the browser: what it trades, the page has to show. */
import { strict as assert } from 'node:assert/strict';
import { type Answer, ask, asRow, dataOf, field, rowsOf, Trader } from '../support/http-trader.ts';
import { demoCredentials } from '../support/signer.ts';

/** Accounts of the demo venue; each has the key, secret and passphrase of its name. */
export type HandName = 'demo' | 'maker';

export interface SpotTerms {
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
}

export class Hand {
  readonly #url: string;
  readonly #trader: Trader;
  /** Calls are signed at the venue's time, which a sandbox may have set. */
  #timeMs = 0;

  constructor(url: string, name: HandName) {
    this.#url = url;
    this.#trader = new Trader(url, demoCredentials(name), () => this.#timeMs);
  }

  /** A limit order in a pair; resolves with its id. */
  async spot(symbol: string, side: 'buy' | 'sell', price: string, size: string): Promise<string> {
    const terms = { orderType: 'limit', force: 'normal', price, quantity: size };
    const answer = await this.#post('/trade/orders', { symbol, side, ...terms });
    return field(asRow(dataOf(answer)), 'orderId');
  }

  /** A limit order that opens a position. */
  async open(symbol: string, side: 'long' | 'short', price: string, size: string): Promise<string> {
    const terms = { size, type: side === 'long' ? '1' : '2', order_type: '0', match_price: '0' };
    this.#timeMs = await venueTimeMs(this.#url);
    const order = { symbol, client_oid: '', price, ...terms };
    const answer = await this.#trader.swapPost('/order/placeOrder', order);
    return field(asRow(dataOf(answer)), 'order_id');
  }

  /** Gives each side of a contract a margin of its own from now on. */
  async isolate(symbol: string): Promise<void> {
    this.#timeMs = await venueTimeMs(this.#url);
    dataOf(await this.#trader.swapPost('/position/changeHoldModel', { symbol, holdModel: 1 }));
  }

  /** Limit orders of one pair in one call; resolves with their ids. */
  async spotBatch(symbol: string, orders: readonly SpotTerms[]): Promise<readonly string[]> {
    const orderList = orders.map((order) => ({ orderType: 'limit', force: 'normal', ...order }));
    const answer = await this.#post('/trade/batch-orders', { symbol, orderList });
    const { resultList } = Object(dataOf(answer));
    const rows = rowsOf({ ...answer, data: resultList });
    assert.equal(rows.length, orders.length, 'some orders of a batch were refused');
    return rows.map((row) => field(row, 'orderId'));
  }

  /** Resolves with the ids of those that were still open. */
  async cancelSpot(symbol: string, orderIds: readonly string[]): Promise<readonly string[]> {
    const answer = await this.#post('/trade/cancel-batch-orders', { symbol, orderIds });
    const ids = dataOf(answer);
    assert.ok(Array.isArray(ids));
    return ids.map(String);
  }

  async #post(path: string, fields: object): Promise<Answer> {
    this.#timeMs = await venueTimeMs(this.#url);
    return this.#trader.post(path, fields);
  }
}

/** The venue's clock, which a sandbox may have set. */
export async function venueTimeMs(url: string): Promise<number> {
  return Number(dataOf(await ask(url, '/api/spot/v1/public/time')));
}
