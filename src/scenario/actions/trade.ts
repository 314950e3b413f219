/** Steps of a trader: orders, trigger orders, cancels, and any other call of /v1. */
import Type, { type Static } from 'typebox';
import type { Endpoint } from '#client';
import { type Action, action } from '../action.ts';
import {
  answer,
  contract,
  decimal,
  flag,
  line,
  name,
  orderSide,
  strict,
  symbol,
  whole,
} from '../fields.ts';
import type { Called, SavedOrder, Stage } from '../stage.ts';

const FORCES = ['gtc', 'ioc', 'fok', 'post_only'] as const;
const REPEATS_MAX = 1_000;

const orderSchema = Type.Object(
  {
    as: name,
    market: symbol,
    side: orderSide,
    size: decimal,
    price: Type.Optional(decimal),
    time_in_force: Type.Optional(Type.Enum([...FORCES])),
    reduce_only: Type.Optional(flag),
    take_profit: Type.Optional(decimal),
    stop_loss: Type.Optional(decimal),
    client_id: Type.Optional(name),
    save: Type.Optional(name),
    answer: Type.Optional(answer),
  },
  strict,
);

function typeOf(price: string | undefined): 'limit' | 'market' {
  return price === undefined ? 'market' : 'limit';
}

/** Gives what was placed the name it is known by from here on. */
function save(
  stage: Stage,
  { kind, by }: Omit<SavedOrder, 'id'>,
  as: string | undefined,
  called: Called<{ readonly id: string }>,
): void {
  if (as === undefined || called.answer.kind !== 'ok') return;
  stage.saveOrder(as, { kind, by, id: called.answer.data.id });
}

async function place(order: Static<typeof orderSchema>, stage: Stage) {
  const { as, market, side, size, price } = order;
  const called = await stage.call(as, order.answer, ({ native }, within) =>
    native.placeOrder(
      {
        symbol: market,
        side,
        type: typeOf(price),
        size,
        price,
        timeInForce: order.time_in_force,
        reduceOnly: order.reduce_only,
        takeProfit: order.take_profit,
        stopLoss: order.stop_loss,
        clientId: order.client_id,
      },
      within,
    ),
  );
  save(stage, { kind: 'order', by: as }, order.save, called);
  const at = price === undefined ? 'at the market' : `at ${price}`;
  return { said: `${as}: ${side} ${size} ${market} ${at}`, misses: called.misses };
}

const triggerSchema = Type.Object(
  {
    as: name,
    market: contract,
    side: orderSide,
    size: Type.Optional(decimal),
    trigger: decimal,
    direction: Type.Enum(['rise', 'fall']),
    price: Type.Optional(decimal),
    reduce_only: Type.Optional(flag),
    save: Type.Optional(name),
    answer: Type.Optional(answer),
  },
  strict,
);

async function placeTrigger(wanted: Static<typeof triggerSchema>, stage: Stage) {
  const { as, market, side, size, trigger, direction, price } = wanted;
  const called = await stage.call(as, wanted.answer, ({ native }, within) =>
    native.placeTrigger(
      {
        symbol: market,
        side,
        size,
        trigger,
        direction,
        type: typeOf(price),
        price,
        reduceOnly: wanted.reduce_only,
      },
      within,
    ),
  );
  save(stage, { kind: 'trigger', by: as }, wanted.save, called);
  const what = `${side} ${size ?? 'all'} ${market} once at ${trigger}`;
  return { said: `${as}: ${what}`, misses: called.misses };
}

const cancelSchema = Type.Object({ order: name, answer: Type.Optional(answer) }, strict);

async function cancel({ order, answer: expected }: Static<typeof cancelSchema>, stage: Stage) {
  const saved = stage.order(order);
  const said = `cancel ${order}`;
  if (saved === undefined) {
    return { said, misses: [{ place: ['order'], expected: 'an order', actual: 'never placed' }] };
  }
  const { kind, by, id } = saved;
  const { misses } = await stage.call<unknown>(by, expected, ({ native }, within) =>
    kind === 'order' ? native.cancelOrder({ id }, within) : native.cancelTrigger({ id }, within),
  );
  return { said: `${by}: ${said}`, misses };
}

const METHODS = ['get', 'post', 'patch', 'delete'] as const;

const callSchema = Type.Object(
  {
    as: name,
    get: Type.Optional(line),
    post: Type.Optional(line),
    patch: Type.Optional(line),
    delete: Type.Optional(line),
    body: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    times: Type.Optional(whole),
    answer: Type.Optional(answer),
  },
  strict,
);

/** What a file names by method and path, as the client knows its own calls. */
function endpointOf(wanted: Static<typeof callSchema>): Endpoint<object, unknown> {
  const method = METHODS.find((one) => wanted[one] !== undefined) ?? 'get';
  const words = { get: 'GET', post: 'POST', patch: 'PATCH', delete: 'DELETE' } as const;
  return { method: words[method], path: wanted[method] ?? '/' };
}

async function call(wanted: Static<typeof callSchema>, stage: Stage) {
  const { as, body = {}, times = '1' } = wanted;
  const endpoint = endpointOf(wanted);
  const repeated = times === '1' ? '' : `, ${times} times`;
  const said = `${as}: ${endpoint.method} ${endpoint.path}${repeated}`;
  for (let count = 0; count < Math.min(Number(times), REPEATS_MAX); count += 1) {
    const { misses } = await stage.call(as, wanted.answer, ({ call: make }, within) =>
      make(endpoint, body, within),
    );
    if (misses.length > 0) return { said, misses };
  }
  return { said, misses: [] };
}

export const TRADE_ACTIONS: readonly Action[] = [
  action('order', {
    summary: 'places an order of a pair or a contract; at the market without `price`',
    example:
      'order: { as: bob, market: BTC-USDT, side: buy, size: 0.1, price: 29000, save: first }',
    schema: orderSchema,
    run: place,
  }),
  action('trigger', {
    summary:
      'places an order of a contract that waits for the last price; a market order without ' +
      '`price`, a take-profit or stop-loss of the position with `reduce_only`',
    example:
      'trigger: { as: bob, market: BTC-USDT-PERP, side: sell, reduce_only: true, ' +
      'trigger: 29000, direction: fall }',
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
      await stage.venue.admin.cancelOrders({ account: stage.trader(trader).account });
      return `every order of ${trader} is cancelled`;
    },
  }),
  action('call', {
    summary:
      'any call of /v1, signed, `times` times in a row until one is answered otherwise; a path ' +
      'comes with its query',
    example: 'call: { as: bob, get: /v1/balances, times: 3, answer: rate_exceeded }',
    schema: callSchema,
    run: call,
  }),
];
