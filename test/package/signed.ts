/** Signed calls of the spot API, as any client makes them. */
import { strict as assert } from 'node:assert/strict';
import type { Credential, TestVenue } from '#testing';
import { signedHeaders } from '../support/signer.ts';

interface Answer {
  readonly code: string;
  readonly msg: string;
  readonly data: Readonly<Record<string, string>> & readonly Readonly<Record<string, string>>[];
}

async function signed(
  url: string,
  credential: Credential,
  path: string,
  order?: object,
): Promise<Answer> {
  const method = order === undefined ? 'GET' : 'POST';
  const body = order === undefined ? '' : JSON.stringify(order);
  const signed = signedHeaders(credential, { method, target: path, body });
  const headers = { 'content-type': 'application/json', ...signed };
  const content = order === undefined ? {} : { body };
  const answer = await fetch(url + path, { method, headers, ...content });
  return answer.json() as Promise<Answer>;
}

/** Rests a bid far below the market and resolves with its id. */
export async function restBid(url: string, credential: Credential): Promise<string> {
  const answer = await signed(url, credential, '/api/spot/v1/trade/orders', {
    symbol: 'BTCUSDT_SPBL',
    side: 'buy',
    orderType: 'limit',
    force: 'normal',
    price: '20000',
    quantity: '0.5',
  });
  assert.equal(answer.code, '00000', answer.msg);
  return String(answer.data.orderId);
}

/** Available USDT of the demo account. */
export async function availableUsdt({ url, keys }: TestVenue): Promise<string> {
  const path = '/api/spot/v1/account/assets?coin=USDT';
  const answer = await signed(url, keys.demo, path);
  assert.equal(answer.code, '00000', answer.msg);
  return String(answer.data[0]?.available);
}
