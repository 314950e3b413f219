/** Signed calls of the spot API, as any client makes them. */
import type { Credential, TestVenue } from '#testing';
import { asRow, dataOf, field, rowsOf, Trader } from '../support/http-trader.ts';

/** Rests a bid far below the market and resolves with its id. */
export async function restBid(url: string, credential: Credential): Promise<string> {
  const terms = { orderType: 'limit', force: 'normal', price: '20000', quantity: '0.5' };
  const order = { symbol: 'BTCUSDT_SPBL', side: 'buy', ...terms };
  const answer = await new Trader(url, credential).post('/trade/orders', order);
  return field(asRow(dataOf(answer)), 'orderId');
}

/** Available USDT of the demo account. */
export async function availableUsdt({ url, keys }: TestVenue): Promise<string> {
  const answer = await new Trader(url, keys.demo).get('/account/assets?coin=USDT');
  return String(rowsOf(answer)[0]?.available);
}
