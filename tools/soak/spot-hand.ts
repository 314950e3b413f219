/** The load of one account in a pair, and what its private stream says of it. */
import { FollowedOrders } from './followed-orders.ts';
import { dataOf, type Hand, listOf, textOf } from './hand.ts';
import type { Row, StreamPlan } from './private-stream.ts';
import { type Credential, type Rest, signatureOf } from './rest.ts';
import type { Route } from './route.ts';
import type { OrderNow } from './stories.ts';

const BASE = '/api/spot/v1';
const SYMBOL = 'BTCUSDT_SPBL';
const PRICE_DIGITS = 2;
/** Of the price; the market maker's levels are 0.0002 apart, so some orders trade. */
const REACH = 0.003;
const SIZE_MAX = 0.01;
const ALREADY_CLOSED = '43004';
const CLIENT_ID_IN_USE = '43118';
const ENDS: readonly string[] = ['full_fill', 'cancelled'];

export async function openSpotHand(route: Route, who: Credential, rest: Rest): Promise<Hand> {
  const money = new Map<string, string>();
  const orders = await FollowedOrders.open({
    route,
    statusAtFirst: 'new',
    statusesAtEnd: ENDS,
    planAt: (url, stories) =>
      following(['orders', 'account'], url, who, (topic, rows, isSnapshot) => {
        for (const row of rows) {
          if (topic === 'account') money.set(textOf(row, 'coinName'), moneyOf(row));
          else if (!isSnapshot) stories.tell(toldIn(row));
        }
      }),
    orderNow: (orderId) => orderNow(rest, orderId),
  });
  let middle = 0;
  return {
    orders,
    rest,
    refresh: async () => {
      const ticker = dataOf(await rest.get(`${BASE}/market/ticker?symbol=${SYMBOL}`));
      middle = Number(textOf(ticker, 'close')) || middle;
      return middle > 0;
    },
    place: (random) => {
      const price = middle * (1 + (2 * random() - 1) * REACH);
      const fields = {
        symbol: SYMBOL,
        side: random() < 0.5 ? 'buy' : 'sell',
        orderType: 'limit',
        force: 'normal',
        price: price.toFixed(PRICE_DIGITS),
        quantity: (SIZE_MAX * (0.1 + 0.9 * random())).toFixed(4),
      };
      return orders.place((clientOrderId) => placed(rest, { ...fields, clientOrderId }));
    },
    cancel: async (orderId) => {
      const fields = { symbol: SYMBOL, orderId };
      await rest.post(`${BASE}/trade/cancel-order`, fields, [ALREADY_CLOSED]);
    },
    // As much is bought as sold: the inventory stays small by itself.
    flatten: async () => undefined,
    isSettled: async () => {
      const open = dataOf(await rest.post(`${BASE}/trade/open-orders`, { symbol: SYMBOL }));
      const assets = listOf(dataOf(await rest.get(`${BASE}/account/assets`)));
      const isTold = (row: unknown) => money.get(textOf(row, 'coinName')) === moneyOf(row);
      return listOf(open).length === 0 && assets.length > 0 && assets.every(isTold);
    },
  };
}

/** One that was sent again may have been carried out the first time. */
async function placed(
  rest: Rest,
  fields: { readonly clientOrderId: string },
): Promise<string | undefined> {
  const body = await rest.post(`${BASE}/trade/orders`, fields, [CLIENT_ID_IN_USE]);
  if (body !== undefined) return textOf(dataOf(body), 'orderId');
  const { clientOrderId } = fields;
  const order = await infoOf(rest, { clientOrderId });
  return order === undefined ? undefined : textOf(order, 'orderId');
}

async function infoOf(rest: Rest, name: object): Promise<unknown> {
  const fields = { symbol: SYMBOL, ...name };
  return listOf(dataOf(await rest.post(`${BASE}/trade/orderInfo`, fields)))[0];
}

/** The order and its fills at one moment: asked again when it went on in between. */
async function orderNow(rest: Rest, orderId: string): Promise<OrderNow | undefined> {
  const fields = { symbol: SYMBOL, orderId };
  for (;;) {
    const order = await infoOf(rest, { orderId });
    if (order === undefined) return undefined;
    const fills = listOf(dataOf(await rest.post(`${BASE}/trade/fills`, fields)));
    const status = textOf(order, 'status');
    const filled = textOf(order, 'fillQuantity');
    const isOver = ENDS.includes(status);
    const after = isOver ? order : await infoOf(rest, { orderId });
    if (textOf(after, 'status') === status && textOf(after, 'fillQuantity') === filled) {
      return { status, filled, fillsCount: fills.length };
    }
  }
}

/** Private channels of the account in all pairs. */
export function following(
  channels: readonly string[],
  url: string,
  who: Credential,
  onRows: StreamPlan['onRows'],
): StreamPlan {
  const topics = channels.map((channel) => ({ instType: 'SPBL', channel, instId: 'default' }));
  return { url, path: '/spot/v1/stream', login: loginOf(who), topics, onRows };
}

function loginOf(who: Credential): object {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const sign = signatureOf(who, `${timestamp}GET/user/verify`);
  const { key: apiKey, passphrase } = who;
  return { op: 'login', args: [{ apiKey, passphrase, timestamp, sign }] };
}

function toldIn(row: Row) {
  return {
    orderId: textOf(row, 'ordId'),
    // The words of REST, without the hyphens of the stream.
    status: textOf(row, 'status').replace('-', '_'),
    filled: textOf(row, 'accFillSz'),
    added: textOf(row, 'tradeId') === '' ? '0' : textOf(row, 'fillSz'),
  };
}

/** Everything an account has of a coin, in one text. */
function moneyOf(row: unknown): string {
  return ['available', 'frozen', 'lock'].map((name) => Number(textOf(row, name))).join(' ');
}
