/** The load of one account in a contract, and what its private stream says of it. */
import { type Hand, listOf, rowsOf, textOf } from './hand.ts';
import { PrivateStream, type Row } from './private-stream.ts';
import { type Credential, type Rest, signatureOf } from './rest.ts';
import { Stories, type Story } from './stories.ts';

const BASE = '/api/swap/v3';
const SYMBOL = 'cmt_btcusdt';
/** Prices are multiples of a half. */
const STEPS_PER_UNIT = 2;
const REACH = 0.003;
const SIZE_MAX = 10;
const CANCELLED = '-1';
const FILLED = '2';

export async function openSwapHand(url: string, who: Credential, rest: Rest): Promise<Hand> {
  const stories = new Stories('0', [FILLED, CANCELLED]);
  let position = '';
  const stream = await PrivateStream.open({
    url,
    path: '/ws/v1',
    login: loginOf(who),
    topics: ['order', 'position', 'account'].map((channel) => `swap/${channel}:${SYMBOL}`),
    onRows: (topic, rows) => {
      for (const row of rows) {
        if (topic === 'swap/order') stories.tell(toldIn(row));
        else if (topic === 'swap/position') position = positionOf(row);
      }
    },
  });
  const ask = (path: string) => rest.get(`${BASE}/${path}symbol=${SYMBOL}`);
  const order = async (fields: object) => {
    const common = { symbol: SYMBOL, order_type: '0', match_price: '0' };
    const body = await rest.post(`${BASE}/order/placeOrder`, { ...common, ...fields });
    if (body !== undefined) stories.answered(textOf(body, 'order_id'));
  };
  let middle = 0;
  return {
    stories,
    stream,
    refresh: async () => {
      middle = Number(textOf(await ask('market/ticker?'), 'last'));
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
    isAsTold: async (orderId, story) => {
      const detail = await ask(`order/detail?orderId=${orderId}&`);
      const fills = listOf(await ask(`order/fills?orderId=${orderId}&`));
      return isSame(detail, fills, story);
    },
    isSettled: async () => {
      const open = await ask('order/current?');
      const held = await ask('position/singlePosition?');
      return Array.isArray(open) && open.length === 0 && positionOf(held) === position;
    },
  };
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

function isSame(detail: unknown, fills: readonly unknown[], story: Story): boolean {
  return (
    textOf(detail, 'status') === story.status &&
    textOf(detail, 'filled_qty') === story.filled &&
    fills.length === story.fillsCount &&
    story.rowsCount === rowsOf(fills.length, story.status === CANCELLED)
  );
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
