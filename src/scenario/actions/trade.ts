/** Steps of a trader: orders, trigger orders, cancels, and any other call of the API. */
import Type, { type Static } from 'typebox';
import { type Action, action } from '../action.ts';
import { answer, contract, decimal, line, name, strict, symbol, whole } from '../fields.ts';
import { textAt } from '../reading.ts';
import { isContract, type SavedOrder, type Stage } from '../stage.ts';

const ACTIONS = ['open_long', 'open_short', 'close_long', 'close_short'];
const FORCES = ['normal', 'post_only', 'fok', 'ioc'];
const REPEATS_MAX = 1_000;
const SWAP = '/api/swap/v3/order';
const SPOT = '/api/spot/v1/trade';

const orderSchema = Type.Object(
  {
    as: name,
    market: symbol,
    side: Type.Optional(Type.Enum(['buy', 'sell'])),
    do: Type.Optional(Type.Enum(ACTIONS)),
    size: decimal,
    price: Type.Optional(decimal),
    force: Type.Optional(Type.Enum(FORCES)),
    take_profit: Type.Optional(decimal),
    stop_loss: Type.Optional(decimal),
    client_id: Type.Optional(name),
    save: Type.Optional(name),
    answer: Type.Optional(answer),
  },
  strict,
);
type OrderContent = Static<typeof orderSchema>;

function spotOrder(order: OrderContent, stage: Stage): object {
  const isMarket = order.price === undefined;
  return {
    symbol: stage.nameOf(order.market),
    side: order.side ?? '',
    orderType: isMarket ? 'market' : 'limit',
    quantity: order.size,
    force: order.force ?? 'normal',
    price: order.price,
    clientOrderId: order.client_id,
  };
}

function contractOrder(order: OrderContent, stage: Stage): object {
  return {
    symbol: stage.nameOf(order.market),
    type: typeNumber(order.do),
    size: order.size,
    order_type: String(FORCES.indexOf(order.force ?? 'normal')),
    match_price: order.price === undefined ? '1' : '0',
    price: order.price,
    presetTakeProfitPrice: order.take_profit,
    presetStopLossPrice: order.stop_loss,
    client_oid: order.client_id,
  };
}

function typeNumber(wanted: string | undefined): string {
  return String(ACTIONS.indexOf(wanted ?? '') + 1);
}

async function place(order: OrderContent, stage: Stage) {
  const { as, market, save } = order;
  const isSwap = isContract(market);
  const { answer: got, misses } = await stage.call({
    as,
    method: 'POST',
    path: isSwap ? `${SWAP}/placeOrder` : `${SPOT}/orders`,
    body: isSwap ? contractOrder(order, stage) : spotOrder(order, stage),
    answer: order.answer,
  });
  if (save !== undefined && got.kind === 'ok') {
    const orderId = textAt(got.data, isSwap ? 'order_id' : 'orderId');
    stage.saveOrder(save, { kind: isSwap ? 'contract' : 'spot', by: as, market, orderId });
  }
  const wanted = (order.do ?? order.side ?? '').replace('_', ' ');
  const price = order.price === undefined ? 'at the market' : `at ${order.price}`;
  return { said: `${as}: ${wanted} ${order.size} ${market} ${price}`, misses };
}

const triggerSchema = Type.Object(
  {
    as: name,
    market: contract,
    do: Type.Enum(ACTIONS),
    size: decimal,
    trigger: decimal,
    price: Type.Optional(decimal),
    save: Type.Optional(name),
    answer: Type.Optional(answer),
  },
  strict,
);

async function placeTrigger(wanted: Static<typeof triggerSchema>, stage: Stage) {
  const { as, market, size, trigger, price, save } = wanted;
  const [direction, held] = wanted.do.split('_');
  const body = {
    symbol: stage.nameOf(market),
    type: direction === 'open' ? '1' : '2',
    holdSide: held === 'long' ? '1' : '2',
    size,
    trigger_price: trigger,
    match_type: price === undefined ? '1' : '0',
    execute_price: price,
  };
  const path = `${SWAP}/plan_order`;
  const { answer: got, misses } = await stage.call({
    as,
    method: 'POST',
    path,
    body,
    answer: wanted.answer,
  });
  if (save !== undefined && got.kind === 'ok') {
    const orderId = textAt(got.data, 'order_id');
    stage.saveOrder(save, { kind: 'trigger', by: as, market, orderId });
  }
  return { said: `${as}: ${direction} ${held} ${size} ${market} once at ${trigger}`, misses };
}

function cancelPath({ kind }: SavedOrder): string {
  if (kind === 'spot') return `${SPOT}/cancel-order`;
  return `${SWAP}/${kind === 'trigger' ? 'cancel_plan' : 'cancel_order'}`;
}

const cancelSchema = Type.Object({ order: name, answer: Type.Optional(answer) }, strict);

async function cancel({ order, answer: expected }: Static<typeof cancelSchema>, stage: Stage) {
  const saved = stage.order(order);
  const said = `cancel ${order}`;
  if (saved === undefined) {
    return { said, misses: [{ place: ['order'], expected: 'an order', actual: 'never placed' }] };
  }
  const { by: as, market, orderId } = saved;
  const path = cancelPath(saved);
  const body = { symbol: stage.nameOf(market), orderId };
  const { misses } = await stage.call({ as, method: 'POST', path, body, answer: expected });
  return { said: `${as}: ${said}`, misses };
}

const callSchema = Type.Object(
  {
    as: name,
    get: Type.Optional(line),
    post: Type.Optional(line),
    body: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    times: Type.Optional(whole),
    answer: Type.Optional(answer),
  },
  strict,
);

async function call(wanted: Static<typeof callSchema>, stage: Stage) {
  const { as, get, post, body = {}, times = '1' } = wanted;
  const path = get ?? post ?? '/';
  const sent = get === undefined ? { method: 'POST', path, body } : { method: 'GET', path };
  const said = `${as}: ${sent.method} ${path}${times === '1' ? '' : `, ${times} times`}`;
  for (let count = 0; count < Math.min(Number(times), REPEATS_MAX); count += 1) {
    const { misses } = await stage.call({ as, ...sent, answer: wanted.answer });
    if (misses.length > 0) return { said, misses };
  }
  return { said, misses: [] };
}

export const TRADE_ACTIONS: readonly Action[] = [
  action('order', {
    summary: 'places an order: `side` on a pair, `do` in a contract; at the market without `price`',
    example:
      'order: { as: bob, market: BTC-USDT, side: buy, size: 0.1, price: 29000, save: first }',
    schema: orderSchema,
    run: place,
  }),
  action('trigger', {
    summary: 'places a trigger order; once triggered it is a market order without `price`',
    example:
      'trigger: { as: bob, market: BTC-USDT-PERP, do: close_long, size: 100, trigger: 29000 }',
    schema: triggerSchema,
    run: placeTrigger,
  }),
  action('cancel', {
    summary: 'cancels an order or trigger order that was saved under a name',
    example: 'cancel: { order: first }',
    schema: cancelSchema,
    run: cancel,
  }),
  action('cancel_all', {
    summary: 'the operator cancels every order and trigger order of a trader',
    example: 'cancel_all: bob',
    schema: name,
    run: async (trader, stage) => {
      const { account } = stage.trader(trader);
      await stage.venue.operate('POST', `/admin/v1/accounts/${account}/cancel-orders`, {});
      return `every order of ${trader} is cancelled`;
    },
  }),
  action('call', {
    summary: 'any signed call, `times` times in a row until one is answered otherwise',
    example: 'call: { as: bob, get: /api/spot/v1/account/assets, times: 3, answer: 429 }',
    schema: callSchema,
    run: call,
  }),
];
