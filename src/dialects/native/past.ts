/** What was: closed orders and fills of pairs and contracts, in pages by id, newest first. */
import type { Services } from '#api';
import { sideOf } from '#domain';
import type { ContractFillRecord, Fill } from '#history';
import { formatTrimmed } from '#kernel';
import { priceText } from '../kit/amounts.ts';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { formatId, parseOrderId } from '../kit/ids.ts';
import { beforeOrder, beforeTrade, type Field, optionalText } from '../kit/request.ts';
import { decimal, id, listedName, nullOr, oneOf, row, whole } from '../kit/row.ts';
import { ORDER, type ShownOrder } from './order-rows.ts';
import { pageOf, ROWS, writePage } from './pages.ts';
import {
  BASE,
  isPair,
  type Market,
  marketById,
  moneyOf,
  type OfMarket,
  ONE_OR_ALL,
  SYMBOL,
  sizeText,
} from './terms.ts';

const RATE = { limit: 20, windowMs: 1_000 };

interface ShownFill extends OfMarket {
  readonly fill: Fill | ContractFillRecord;
}

/** A buyer of a pair pays in what it receives; everybody else in the money of the market. */
function feeCoinOf({ market, fill }: ShownFill) {
  return isPair(market) && !isOfContract(fill) && fill.side === 'buy'
    ? market.base
    : moneyOf(market);
}

function isOfContract(fill: ShownFill['fill']): fill is ContractFillRecord {
  return 'action' in fill;
}

function idOf(fill: ShownFill['fill']): number {
  return isOfContract(fill) ? fill.tradeId : fill.fillId;
}

const FILL = row<ShownFill>()({
  id: id('Trade, the same for both sides', formatId(31), ({ fill }) => formatId(idOf(fill))),
  order: id('Order', formatId(28), ({ fill }) => formatId(fill.orderId)),
  symbol: SYMBOL,
  side: oneOf(['buy', 'sell'], 'Side', 'buy', ({ fill }) =>
    isOfContract(fill) ? sideOf(fill.action) : fill.side,
  ),
  role: oneOf(['taker', 'maker'], 'Whether it took or rested', 'taker', ({ fill }) => fill.role),
  price: decimal('Price', '30010.00', ({ market, fill }) => priceText(fill.priceTicks, market)),
  size: decimal('Size', '0.0005', ({ market, fill }) => sizeText(fill.sizeLots, market)),
  value: decimal('In the money of the market', '15.005', ({ market, fill }) =>
    formatTrimmed(fill.quoteAmount, moneyOf(market).scale),
  ),
  fee: decimal('Fee paid', '0.0000005', (shown) =>
    formatTrimmed(
      isOfContract(shown.fill) ? shown.fill.fee : shown.fill.feeAmount,
      feeCoinOf(shown).scale,
    ),
  ),
  feeCoin: listedName('Coin of the fee', 'BTC', (shown) => feeCoinOf(shown).code),
  realizedPnl: nullOr(
    'Profit or loss that it realised, fee not included; null of a pair',
    decimal<ShownFill>('Profit', '0', ({ market, fill }) =>
      isOfContract(fill) ? formatTrimmed(fill.realizedPnl, moneyOf(market).scale) : '0',
    ),
    ({ fill }) => !isOfContract(fill),
  ),
  time: whole('When, in Unix milliseconds', TIME_MS, ({ fill }) => fill.timeMs),
});

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
      const rows = newest<ShownFill['fill']>([...pairs, ...contracts], idOf, limit);
      const shown = rows.map(
        (fill): ShownFill => ({
          market: marketById(live.listings, fill.instrumentId),
          fill,
        }),
      );
      return writePage(shown, FILL, ({ fill }) => formatId(idOf(fill)), limit);
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
