/** What was: closed orders and fills of pairs and contracts, in pages by id, newest first. */
import type { Services } from '#api';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { formatId, parseOrderId } from '../kit/ids.ts';
import { beforeOrder, beforeTrade, type Field, optionalText } from '../kit/request.ts';
import { FILL, fillIdOf, type ShownFill } from './fill-rows.ts';
import { ORDER, type ShownOrder } from './order-rows.ts';
import { pageOf, ROWS, writePage } from './pages.ts';
import { BASE, isPair, type Market, marketById, ONE_OR_ALL } from './terms.ts';

const RATE = { limit: 20, windowMs: 1_000 };

/** null for what can be no order of this venue: it has no fills. */
const OF_ORDER: Field<ReturnType<typeof parseOrderId> | null> = {
  ...optionalText('Only the fills of this order'),
  read: (fields, name) => {
    const given = fields.text(name);
    return given === '' ? undefined : (parseOrderId(given) ?? null);
  },
};

export const PAST = {
  closedOrders: signedEndpoint({
    method: 'GET',
    path: `${BASE}/closed-orders`,
    rate: RATE,
    permission: 'read',
    summary: 'Orders that are not open any more, newest first',
    request: {
      symbol: ONE_OR_ALL,
      before: beforeOrder('Only orders before this one'),
      limit: ROWS,
    },
    response: pageOf(ORDER),
    answer: async (services: Services, { symbol: only, before, limit }, { accountId }) => {
      const { history, historyReady, live } = services;
      await historyReady();
      const query = { accountId, instrumentId: only?.instrumentId, limit };
      const { hasPairs, hasContracts } = kindsOf(only);
      const [pairs, contracts] = await Promise.all([
        hasPairs ? history.orders({ ...query, afterId: before }) : [],
        hasContracts ? history.contractOrders({ ...query, offset: 0, before }) : [],
      ]);
      const rows = newest([...pairs, ...contracts], ({ orderId }) => orderId, limit);
      const shown = rows.map(
        (order): ShownOrder => ({
          market: marketById(live.listings, order.instrumentId),
          order,
        }),
      );
      return writePage(shown, ORDER, ({ order }) => formatId(order.orderId), limit);
    },
  }),
  fills: signedEndpoint({
    method: 'GET',
    path: `${BASE}/fills`,
    rate: RATE,
    permission: 'read',
    summary: 'Own trades, newest first; a trade with oneself has both sides on one page',
    request: {
      symbol: ONE_OR_ALL,
      order: OF_ORDER,
      before: beforeTrade('Only trades before this one'),
      limit: ROWS,
    },
    response: pageOf(FILL),
    answer: async (services: Services, { symbol, order, before, limit }, { accountId }) => {
      if (order === null) return writePage([], FILL, () => '', limit);
      const { history, historyReady, live } = services;
      await historyReady();
      const query = {
        accountId,
        instrumentId: symbol?.instrumentId,
        orderId: order,
        before,
        limit,
      };
      const { hasPairs, hasContracts } = kindsOf(symbol);
      const [pairs, contracts] = await Promise.all([
        hasPairs ? history.newestFills(query) : [],
        hasContracts ? history.contractFills(query) : [],
      ]);
      const rows = newest<ShownFill['fill']>([...pairs, ...contracts], fillIdOf, limit);
      const shown = rows.map(
        (fill): ShownFill => ({
          market: marketById(live.listings, fill.instrumentId),
          fill,
        }),
      );
      return writePage(shown, FILL, ({ fill }) => formatId(fillIdOf(fill)), limit);
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

function kindsOf(only: Market | undefined) {
  return {
    hasPairs: only === undefined || isPair(only),
    hasContracts: only === undefined || !isPair(only),
  };
}

/** The newest of both kinds, and both sides of the last one where it is a trade with oneself. */
function newest<T>(rows: readonly T[], numberOf: (row: T) => number, limit: number): readonly T[] {
  const sorted = rows.toSorted((left, right) => numberOf(right) - numberOf(left));
  let count = Math.min(limit, sorted.length);
  const at = (index: number) => {
    const found = sorted[index];
    return found === undefined ? undefined : numberOf(found);
  };
  while (count > 0 && at(count) !== undefined && at(count) === at(count - 1)) count += 1;
  return sorted.slice(0, count);
}
