/** An account at the API, beside the browser: what it trades, the page has to show. */
import { strict as assert } from 'node:assert/strict';
import { demoCredentials, signedHeaders } from '../support/signer.ts';

/** Accounts of the demo venue; each has the key, secret and passphrase of its name. */
export type HandName = 'demo' | 'maker';

export interface SpotTerms {
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
}

interface BatchAnswer {
  readonly resultList: readonly { readonly orderId: string }[];
}

export class Hand {
  readonly #url: string;
  readonly #name: HandName;

  constructor(url: string, name: HandName) {
    this.#url = url;
    this.#name = name;
  }

  /** A limit order in a pair; resolves with its id. */
  async spot(symbol: string, side: 'buy' | 'sell', price: string, size: string): Promise<string> {
    const terms = { orderType: 'limit', force: 'normal', price, quantity: size };
    const order = { symbol, side, ...terms };
    const { orderId } = await this.#done('/api/spot/v1/trade/orders', order, isOrderAnswer);
    return orderId;
  }

  /** A limit order that opens a position. */
  async open(symbol: string, side: 'long' | 'short', price: string, size: string): Promise<string> {
    const terms = { size, type: side === 'long' ? '1' : '2', order_type: '0', match_price: '0' };
    const order = { symbol, client_oid: '', price, ...terms };
    const { order_id } = await this.#done('/api/swap/v3/order/placeOrder', order, isSwapAnswer);
    return order_id;
  }

  /** Limit orders of one pair in one call; resolves with their ids. */
  async spotBatch(symbol: string, orders: readonly SpotTerms[]): Promise<readonly string[]> {
    const terms = { orderType: 'limit', force: 'normal' };
    const orderList = orders.map((order) => ({ ...terms, ...order }));
    const path = '/api/spot/v1/trade/batch-orders';
    const { resultList } = await this.#done(path, { symbol, orderList }, isBatchAnswer);
    assert.equal(resultList.length, orders.length, 'some orders of a batch were refused');
    return resultList.map(({ orderId }) => orderId);
  }

  /** Resolves with the ids of those that were still open. */
  async cancelSpot(symbol: string, orderIds: readonly string[]): Promise<readonly string[]> {
    const path = '/api/spot/v1/trade/cancel-batch-orders';
    return this.#done(path, { symbol, orderIds }, isIds);
  }

  async #done<Answer>(
    path: string,
    body: object,
    isAnswer: (data: unknown) => data is Answer,
  ): Promise<Answer> {
    const answer = await this.#post(path, JSON.stringify(body));
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    const whole: unknown = JSON.parse(text);
    const data = isEnvelope(whole) ? whole.data : whole;
    assert.ok(isAnswer(data), text);
    return data;
  }

  async #post(path: string, body: string): Promise<Response> {
    const timeMs = await venueTimeMs(this.#url);
    const call = { method: 'POST', target: path, body, timeMs };
    const signed = signedHeaders(demoCredentials(this.#name), call);
    const headers = { 'content-type': 'application/json', ...signed };
    return fetch(this.#url + path, { method: 'POST', headers, body });
  }
}

/** The venue's clock, which a sandbox may have set. */
export async function venueTimeMs(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/spot/v1/public/time`);
  return Number(JSON.parse(await answer.text()).data);
}

function isEnvelope(value: unknown): value is { readonly data: unknown } {
  return typeof value === 'object' && value !== null && 'data' in value && 'requestTime' in value;
}

function isOrderAnswer(data: unknown): data is { readonly orderId: string } {
  return typeof data === 'object' && data !== null && 'orderId' in data;
}

function isSwapAnswer(data: unknown): data is { readonly order_id: string } {
  return typeof data === 'object' && data !== null && 'order_id' in data;
}

function isBatchAnswer(data: unknown): data is BatchAnswer {
  return typeof data === 'object' && data !== null && 'resultList' in data;
}

function isIds(data: unknown): data is readonly string[] {
  return Array.isArray(data);
}
