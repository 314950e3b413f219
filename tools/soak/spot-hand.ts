/** The load of one account in a pair, and what its private stream says of it. */
import { dataOf, type Hand, listOf, rowsOf, textOf } from './hand.ts';
import { PrivateStream, type Row, type StreamPlan } from './private-stream.ts';
import { type Credential, type Rest, signatureOf } from './rest.ts';
import { Stories, type Story } from './stories.ts';

const BASE = '/api/spot/v1';
const SYMBOL = 'BTCUSDT_SPBL';
const PRICE_DIGITS = 2;
/** Of the price; the market maker's levels are 0.0002 apart, so some orders trade. */
const REACH = 0.003;
const SIZE_MAX = 0.01;
const ALREADY_CLOSED = '43004';

export async function openSpotHand(url: string, who: Credential, rest: Rest): Promise<Hand> {
  const stories = new Stories('new', ['full_fill', 'cancelled']);
  const money = new Map<string, string>();
  const onRows: StreamPlan['onRows'] = (topic, rows) => {
    for (const row of rows) {
      if (topic === 'account') money.set(textOf(row, 'coinName'), moneyOf(row));
      else stories.tell(toldIn(row));
    }
  };
  const stream = await PrivateStream.open(following(['orders', 'account'], url, who, onRows));
  let middle = 0;
  return {
    stories,
    stream,
    refresh: async () => {
      const ticker = dataOf(await rest.get(`${BASE}/market/ticker?symbol=${SYMBOL}`));
      middle = Number(textOf(ticker, 'close'));
      return middle > 0;
    },
    place: async (random) => {
      const price = middle * (1 + (2 * random() - 1) * REACH);
      const body = await rest.post(`${BASE}/trade/orders`, {
        symbol: SYMBOL,
        side: random() < 0.5 ? 'buy' : 'sell',
        orderType: 'limit',
        force: 'normal',
        price: price.toFixed(PRICE_DIGITS),
        quantity: (SIZE_MAX * (0.1 + 0.9 * random())).toFixed(4),
      });
      if (body !== undefined) stories.answered(textOf(dataOf(body), 'orderId'));
    },
    cancel: async (orderId) => {
      const fields = { symbol: SYMBOL, orderId };
      await rest.post(`${BASE}/trade/cancel-order`, fields, [ALREADY_CLOSED]);
    },
    // As much is bought as sold: the inventory stays small by itself.
    flatten: async () => undefined,
    isAsTold: async (orderId, story) => {
      const fields = { symbol: SYMBOL, orderId };
      const [order] = listOf(dataOf(await rest.post(`${BASE}/trade/orderInfo`, fields)));
      const fills = listOf(dataOf(await rest.post(`${BASE}/trade/fills`, fields)));
      return isSame(order, fills, story);
    },
    isSettled: async () => {
      const open = dataOf(await rest.post(`${BASE}/trade/open-orders`, { symbol: SYMBOL }));
      const assets = listOf(dataOf(await rest.get(`${BASE}/account/assets`)));
      const isTold = (row: unknown) => money.get(textOf(row, 'coinName')) === moneyOf(row);
      return listOf(open).length === 0 && assets.length > 0 && assets.every(isTold);
    },
  };
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

function isSame(order: unknown, fills: readonly unknown[], story: Story): boolean {
  return (
    textOf(order, 'status') === story.status &&
    Number(textOf(order, 'fillQuantity')) === Number(story.filled) &&
    fills.length === story.fillsCount &&
    story.rowsCount === rowsOf(fills.length, story.status === 'cancelled')
  );
}

/** Everything an account has of a coin, in one text. */
function moneyOf(row: unknown): string {
  return ['available', 'frozen', 'lock'].map((name) => Number(textOf(row, name))).join(' ');
}
