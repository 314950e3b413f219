/** Calls of clients to the API of a process: over the network, where they and answers are lost. */
import type { AccountId } from '#domain';
import type { Draw } from '../world/draw.ts';
import { networkHere } from './here.ts';
import { signedHeaders } from './keys.ts';
import { API_PORT, type ApiCall, type ApiReply } from './served.ts';

/** A client gives a process up that says nothing for so long. */
export const PATIENCE_MS = 8_000;

export interface SignedCall {
  readonly accountId: AccountId;
  /** By the clock of the client. */
  readonly timeMs: number;
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly body?: string;
}

/** Without an answer nobody knows what became of it. */
export function callApi(from: string, to: string, call: SignedCall): Promise<ApiReply | undefined> {
  const network = networkHere();
  const { world } = network;
  return new Promise((resolve) => {
    world.at(PATIENCE_MS, () => resolve(undefined));
    const back = (reply: ApiReply | undefined): void =>
      network.post(to, from, () => resolve(reply));
    network.post(from, to, () => {
      const listener = world.listeners.get(`${to}:${API_PORT}`);
      if (listener === undefined) back(undefined);
      else world.at(0, () => listener.server.emit('call', signed(call), back), listener.life);
    });
  });
}

function signed({ accountId, timeMs, method, target, body = '' }: SignedCall): ApiCall {
  const headers = signedHeaders(accountId, timeMs, `${method}${target}`, body);
  if (method === 'GET') return { method, url: target, headers };
  const type = { 'content-type': 'application/json' };
  return { method, url: target, headers: { ...headers, ...type }, payload: body };
}

export interface WantedOrder {
  readonly side: 'buy' | 'sell';
  readonly force: 'gtc' | 'ioc' | 'post_only';
  readonly price: string;
  readonly quantity: string;
  readonly clientOrderId: string;
}

/** A limit order in the words of either dialect. */
export function orderCall(draw: Draw, order: WantedOrder): Pick<SignedCall, 'target' | 'body'> {
  const { side, force, price, quantity, clientOrderId } = order;
  if (draw.percent(50)) {
    const terms = { symbol: 'BTCUSDT_SPBL', side, orderType: 'limit', force, price, quantity };
    return {
      target: '/api/spot/v1/trade/orders',
      body: JSON.stringify({ ...terms, clientOrderId }),
    };
  }
  return {
    target: '/api/v3/order',
    body: JSON.stringify({
      symbol: 'BTCUSDT',
      side: side.toUpperCase(),
      type: 'LIMIT',
      timeInForce: force.toUpperCase(),
      price,
      quantity,
      newClientOrderId: clientOrderId,
    }),
  };
}
