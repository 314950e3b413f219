/**
 * A third dialect, as small as one can be: a prefix, a host and a listener of its own, symbols,
 * signatures in the query, form bodies, and orders over a socket, made with the same kit as the
 * others. It is of the tests, and no line of src knows of it.
 */

import {
  type Dialect,
  type Frame,
  type OwnListener,
  type Quota,
  refuseSaying,
  type Services,
} from '#api';
import { detailText, formatId, parseId } from '#dialects';
import {
  decimal,
  id,
  jsonList,
  listedName,
  listOf,
  type Named,
  oneOf,
  publicEndpoint,
  requiredChoice,
  requiredText,
  routesOf,
  row,
  shown,
  signedEndpoint,
} from '#dialects/testing';
import {
  isRefused,
  lots,
  type OrderId,
  type OrderView,
  orderId,
  type RejectKind,
  refuse,
  type Side,
  type SpotInstrument,
  ticks,
} from '#domain';
import { assert, formatTrimmed, parseScaled, present } from '#kernel';
import { QUERY_SIGNER, queryAndForm } from './toy-door.ts';
import { toyStream } from './toy-stream.ts';

/** Refusals go by their names; these have a status of their own. */
const STATUSES: Partial<Record<RejectKind, number>> = {
  rate_exceeded: 429,
  path_unknown: 404,
  internal_fault: 500,
  venue_busy: 503,
  venue_halted: 503,
  outcome_unknown: 503,
  history_unavailable: 503,
};

const FRAME: Frame = {
  around: () => ['{"ok":true,"result":', '}'],
  refusal: ({ reject, detail }) => ({
    status: STATUSES[reject] ?? 422,
    body: JSON.stringify({
      ok: false,
      why: reject.replaceAll('_', ' '),
      about: detailText(detail),
    }),
  }),
};

const SIDES: ReadonlyMap<string, Side> = new Map([
  ['bid', 'buy'],
  ['ask', 'sell'],
]);
const SIDE_WORDS = { buy: 'bid', sell: 'ask' } as const;

/** BTC in USDT is btc/usdt. */
function symbolOf({ baseCode, quoteCode }: SpotInstrument): string {
  return `${baseCode}/${quoteCode}`.toLowerCase();
}

const MARKET: Named<string, SpotInstrument> = {
  ...requiredText('Market, as in btc/usdt'),
  find: (symbol, { spot }) =>
    spot.find((pair) => symbolOf(pair) === symbol) ?? refuseSaying('symbol_unknown', shown(symbol)),
};

const MARKET_ROW = row<SpotInstrument>()({
  market: listedName('Market', 'btc/usdt', symbolOf),
  decimals: decimal('Decimals of a price', '2', ({ priceScale }) => priceScale),
});

const ORDER_ROW = row<{ readonly order: OrderView; readonly pair: SpotInstrument }>()({
  id: id('Order', '1000000000000028', ({ order }) => formatId(order.orderId)),
  market: listedName('Market', 'btc/usdt', ({ pair }) => symbolOf(pair)),
  side: oneOf(['bid', 'ask'], 'Side', 'bid', ({ order }) => SIDE_WORDS[order.side]),
  filled: decimal('Filled so far', '0.1', ({ order, pair }) =>
    formatTrimmed(order.filledLots, pair.quantityScale),
  ),
});

/** Whole units of the last decimal place; zero for what is no number above zero. */
function units(text: string, scale: number): number {
  const value = parseScaled(text, scale);
  return typeof value === 'number' && value > 0 ? value : 0;
}

const ORDER_ID = row<OrderId>()({ id: id('Order', '1000000000000028', formatId) });

const TOY_ENDPOINTS = {
  markets: publicEndpoint({
    method: 'GET',
    path: '/markets',
    rate: null,
    cost: { weight: 1 },
    permission: 'none',
    summary: 'What is traded',
    request: {},
    response: listOf(MARKET_ROW),
    answer: ({ live }: Services) => jsonList(live.listings.spot, MARKET_ROW.write),
  }),
  place: signedEndpoint({
    method: 'POST',
    path: '/orders',
    rate: { limit: 5, windowMs: 1_000 },
    permission: 'trade',
    summary: 'Place a limit order',
    request: {
      market: MARKET,
      side: requiredChoice('Side', SIDES, 'buy'),
      price: requiredText('Price'),
      size: requiredText('Size'),
    },
    response: ORDER_ID,
    answer: async ({ venue }: Services, { market, side, price, size }, { accountId }) => {
      const priceTicks = ticks(units(price, market.priceScale));
      const sizeLots = lots(units(size, market.quantityScale));
      if (priceTicks === 0) return refuseSaying('price_invalid', shown(price));
      if (sizeLots === 0) return refuseSaying('quantity_invalid', shown(size));
      const { instrumentId } = market;
      const terms = { type: 'limit', side, force: 'gtc', priceTicks, sizeLots } as const;
      const order = { accountId, instrumentId, ...terms };
      const [first] = await venue.submit({ kind: 'place_spot_order', ...order });
      if (first?.kind === 'refused') return first;
      assert(first?.kind === 'order_accepted', 'an order is accepted or refused');
      return ORDER_ID.write(first.orderId);
    },
  }),
  openOrders: signedEndpoint({
    method: 'GET',
    path: '/orders',
    rate: null,
    permission: 'read',
    summary: 'Open orders',
    request: {},
    response: listOf(ORDER_ROW),
    answer: ({ venue, live }: Services, _values, { accountId }) =>
      venue.read((state) =>
        jsonList([...state.openOrders(accountId)], (order) => {
          const pair = present(live.listings.spotById(order.instrumentId), 'pair');
          return ORDER_ROW.write({ order, pair });
        }),
      ),
  }),
  cancel: signedEndpoint({
    method: 'DELETE',
    path: '/orders',
    rate: null,
    cost: { weight: 1 },
    outcomeCost: { refused: { weight: 10 }, done: { cancels: 1 } },
    permission: 'trade',
    summary: 'Cancel an order',
    request: { id: requiredText('Order') },
    response: ORDER_ID,
    answer: async ({ venue }: Services, { id: given }, { accountId, caller }) => {
      const number = parseId(given);
      const found = await venue.read((state) => {
        const order = number === undefined ? undefined : state.openOrder(orderId(number));
        return order?.accountId === accountId ? order : refuse('order_unknown');
      });
      if (!caller.isLive) return refuse('credentials_wrong');
      if (isRefused(found)) return found;
      const { orderId: id, instrumentId } = found;
      const cancel = { kind: 'cancel_spot_order', accountId, instrumentId, orderId: id } as const;
      const [first] = await venue.submit(cancel);
      return first?.kind === 'refused' ? first : ORDER_ID.write(id);
    },
  }),
};

/** Weight of a network, whoever calls; and cancels of an account. */
const QUOTAS: readonly Quota[] = [
  { counts: 'weight', per: 'network', windowMs: 60_000, limit: 200, usedHeader: 'toy-weight' },
  { counts: 'cancels', windowMs: 60_000, limit: 20, usedHeader: 'toy-cancels' },
];

/** `listener` serves it alone. */
export function toyDialect(listener?: OwnListener): Dialect {
  return {
    name: 'toy',
    mount: {
      prefix: '/toy',
      hosts: ['toy.example'],
      ...(listener === undefined ? {} : { listener }),
    },
    prefixes: ['/'],
    frame: FRAME,
    quotas: QUOTAS,
    signer: QUERY_SIGNER,
    input: queryAndForm,
    routes: (services) => routesOf(TOY_ENDPOINTS, services),
    streams: (services) => [toyStream(services)],
    takesCalls: true,
  };
}
