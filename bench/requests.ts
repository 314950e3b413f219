/** Requests as bytes on the wire, signed as the demo's clients sign them. */
import { createHmac } from 'node:crypto';
import { randomOf } from '../tools/random.ts';

export interface Client {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
}

export const DEMO: Client = { key: 'demo-key', secret: 'demo-secret', passphrase: 'demo-pass' };
export const MAKER: Client = {
  key: 'maker-key',
  secret: 'maker-secret',
  passphrase: 'maker-pass',
};
const CLIENTS = [DEMO, MAKER] as const;

const LOWEST_CENTS = 3_000_000;
const LOWEST_HALVES = 60_000;
let ordersCount = 0;

interface SpotOrder {
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
  readonly clientId: string;
}

/**
 * New limit orders of two accounts around one price, about half of which trade. Every one has a
 * client order id that was not used before.
 */
export function orderRequests(count: number): Buffer[] {
  return spotOrders(count, '/api/spot/v1/trade/orders', (order) => ({
    symbol: 'BTCUSDT_SPBL',
    side: order.side,
    orderType: 'limit',
    force: 'normal',
    price: order.price,
    quantity: order.quantity,
    clientOrderId: order.clientId,
  }));
}

/** The same orders through the current interface, as its clients send them. */
export function currentOrderRequests(count: number): Buffer[] {
  return spotOrders(count, '/api/v3/order', (order) => ({
    symbol: 'BTCUSDT',
    side: order.side.toUpperCase(),
    type: 'LIMIT',
    price: order.price,
    quantity: order.quantity,
    newClientOrderId: order.clientId,
  }));
}

function spotOrders(count: number, path: string, bodyOf: (order: SpotOrder) => object): Buffer[] {
  const random = randomOf(ordersCount + 1);
  return Array.from({ length: count }, () => {
    ordersCount += 1;
    const client = random() < 0.5 ? CLIENTS[0] : CLIENTS[1];
    const body = bodyOf({
      side: random() < 0.5 ? 'buy' : 'sell',
      price: ((LOWEST_CENTS + Math.floor(random() * 10)) / 100).toFixed(2),
      quantity: `0.000${1 + Math.floor(random() * 9)}`,
      clientId: `bench-${ordersCount}`,
    });
    return signed(client, 'POST', path, JSON.stringify(body));
  });
}

/**
 * New contract orders of two accounts around one price, about half of which trade: longs and
 * shorts are opened by both. Every one has a client order id that was not used before.
 */
export function contractOrderRequests(count: number): Buffer[] {
  const random = randomOf(ordersCount + 1);
  return Array.from({ length: count }, () => {
    ordersCount += 1;
    const client = random() < 0.5 ? CLIENTS[0] : CLIENTS[1];
    const body = JSON.stringify({
      symbol: 'cmt_btcusdt',
      client_oid: `bench-${ordersCount}`,
      size: '1',
      type: random() < 0.5 ? '1' : '2',
      order_type: '0',
      match_price: '0',
      price: (LOWEST_HALVES / 2 + Math.floor(random() * 10) / 2).toFixed(1),
    });
    return signed(client, 'POST', '/api/swap/v3/order/placeOrder', body);
  });
}

/** The same signed read many times: with a signature each, as a client sends them. */
export function signedReads(target: string, count: number): Buffer[] {
  return Array.from({ length: count }, () => signed(CLIENTS[0], 'GET', target, ''));
}

/** The same signed read by each of these clients. */
export function signedReadsOf(clients: readonly Client[], target: string): Buffer[] {
  return clients.map((client) => signed(client, 'GET', target, ''));
}

/** The login of a stream for spot. */
export function signedLogin({ key: apiKey, secret, passphrase }: Client): string {
  const timestamp = String(Date.now() / 1_000);
  const text = `${timestamp}GET/user/verify`;
  const sign = createHmac('sha256', secret).update(text).digest('base64');
  return JSON.stringify({ op: 'login', args: [{ apiKey, passphrase, timestamp, sign }] });
}

/** The same public read many times. */
export function publicReads(target: string, count: number): Buffer[] {
  const request = publicRead(target);
  return Array.from({ length: count }, () => request);
}

export function publicRead(target: string): Buffer {
  return Buffer.from(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
}

/** A new order far from the market that leaves nothing behind. */
export function signedOrder(client: Client): Buffer {
  const terms = { side: 'buy', orderType: 'limit', force: 'ioc', price: '10000', quantity: '0.01' };
  const body = JSON.stringify({ symbol: 'BTCUSDT_SPBL', ...terms });
  return signed(client, 'POST', '/api/spot/v1/trade/orders', body);
}

function signed({ key, secret, passphrase }: Client, method: string, target: string, body: string) {
  const timestamp = String(Date.now());
  const text = timestamp + method + target + body;
  const signature = createHmac('sha256', secret).update(text).digest('base64');
  const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
      `ACCESS-KEY: ${key}\r\nACCESS-SIGN: ${signature}\r\nACCESS-TIMESTAMP: ${timestamp}\r\n` +
      `ACCESS-PASSPHRASE: ${passphrase}\r\nlocale: en-US\r\n${length}\r\n${body}`,
  );
}
