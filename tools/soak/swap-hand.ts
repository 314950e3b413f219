/** The load of one account in a contract, and what its private stream says of it. */
import { FollowedOrders } from './followed-orders.ts';
import { type Hand, listOf, textOf } from './hand.ts';
import type { Row, StreamPlan } from './private-stream.ts';
import { type Credential, type Rest, signatureOf } from './rest.ts';
import type { Route } from './route.ts';
import type { OrderNow } from './stories.ts';

const BASE = '/api/swap/v3';
const SYMBOL = 'cmt_btcusdt';
/** Prices are multiples of a half. */
const STEPS_PER_UNIT = 2;
const REACH = 0.003;
const SIZE_MAX = 10;
const CANCELLED = '-1';
const FILLED = '2';
const ENDS: readonly string[] = [FILLED, CANCELLED];
const CLIENT_ID_IN_USE = '40500';

export async function openSwapHand(route: Route, who: Credential, rest: Rest): Promise<Hand> {
  let position = '';
  const ask = (path: string) => rest.get(`${BASE}/${path}symbol=${SYMBOL}`);
  const orders = await FollowedOrders.open({
    route,
    statusAtFirst: '0',
    statusesAtEnd: ENDS,
    planAt: (url, stories) =>
      following(url, who, (topic, rows, isSnapshot) => {
        for (const row of rows) {
          if (topic === 'swap/position') position = positionOf(row);
          else if (topic === 'swap/order' && !isSnapshot) stories.tell(toldIn(row));
        }
      }),
    orderNow: (orderId) => orderNow(ask, orderId),
  });
  const order = (fields: object) =>
    orders.place(async (clientId) => {
      const common = { symbol: SYMBOL, order_type: '0', match_price: '0', client_oid: clientId };
      const all = { ...common, ...fields };
      const body = await rest.post(`${BASE}/order/placeOrder`, all, [CLIENT_ID_IN_USE]);
      return body === undefined ? placedAs(ask, clientId) : textOf(body, 'order_id');
    });
  let middle = 0;
  return {
    orders,
    rest,
    refresh: async () => {
      middle = Number(textOf(await ask('market/ticker?'), 'last')) || middle;
      return middle > 0;
    },
    place: async (random) => {
      const price = middle * (1 + (2 * random() - 1) * REACH);
      await order({
        type: random() < 0.5 ? '1' : '2',
        price: (Math.round(price * STEPS_PER_UNIT) / STEPS_PER_UNIT).toFixed(1),
        size: String(1 + Math.floor(random() * SIZE_MAX)),
      });
    },
    cancel: async (orderId) => {
      await rest.post(`${BASE}/order/cancel_order`, { symbol: SYMBOL, orderId });
    },
    flatten: async () => {
      for (const held of holdingsIn(await ask('position/singlePosition?'))) {
        const size = textOf(held, 'avail_position');
        const type = textOf(held, 'side') === 'long' ? '3' : '4';
        if (Number(size) > 0) await order({ type, size, match_price: '1' });
      }
    },
    isSettled: async () => {
      const open = await ask('order/current?');
      const held = await ask('position/singlePosition?');
      return Array.isArray(open) && open.length === 0 && positionOf(held) === position;
    },
  };
}

type Ask = (path: string) => Promise<unknown>;

/** One that was sent again may have been carried out the first time: it is open, or has ended. */
async function placedAs(ask: Ask, clientId: string): Promise<string | undefined> {
  const open = listOf(await ask('order/current?'));
  const closed = listOf(await ask('order/history?pageIndex=1&pageSize=100&createDate=1&'));
  const found = [...open, ...closed].find((row) => textOf(row, 'client_oid') === clientId);
  return found === undefined ? undefined : textOf(found, 'order_id');
}

/** The order and its fills at one moment: asked again when it went on in between. */
async function orderNow(ask: Ask, orderId: string): Promise<OrderNow | undefined> {
  for (;;) {
    const order = await ask(`order/detail?orderId=${orderId}&`);
    if (order === undefined) return undefined;
    const fills = listOf(await ask(`order/fills?orderId=${orderId}&`));
    const status = textOf(order, 'status');
    const filled = textOf(order, 'filled_qty');
    const after = ENDS.includes(status) ? order : await ask(`order/detail?orderId=${orderId}&`);
    if (textOf(after, 'status') === status && textOf(after, 'filled_qty') === filled) {
      return { status, filled, fillsCount: fills.length };
    }
  }
}

function following(url: string, who: Credential, onRows: StreamPlan['onRows']): StreamPlan {
  const channels = ['order', 'position', 'account'];
  const topics = channels.map((channel) => `swap/${channel}:${SYMBOL}`);
  return { url, path: '/ws/v1', login: loginOf(who), topics, onRows };
}

function loginOf(who: Credential): object {
  const seconds = String(Math.floor(Date.now() / 1_000));
  const sign = signatureOf(who, `${seconds}GET/user/verify`);
  return { op: 'login', args: [who.key, who.passphrase, seconds, sign] };
}

function toldIn(row: Row) {
  const [orderId, status, filled] = ['order_id', 'status', 'filled_qty'].map((name) =>
    textOf(row, name),
  );
  return { orderId: orderId ?? '', status: status ?? '', filled: filled ?? '', added: undefined };
}

function holdingsIn(row: unknown): readonly unknown[] {
  return typeof row === 'object' && row !== null ? listOf(Reflect.get(row, 'holding')) : [];
}

/** What only trades change; profit that is not realised moves with every price. */
function positionOf(row: unknown): string {
  const names = ['side', 'position', 'avail_position', 'avg_cost', 'realized_pnl'];
  return holdingsIn(row)
    .map((held) => names.map((name) => textOf(held, name)).join(' '))
    .join('; ');
}
