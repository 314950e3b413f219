/**
 * Fills: a trade as its taker or its maker sees it. A page goes by order ids, the newest order
 * first, and by trade ids within an order: a resting order's fills are far younger than its id.
 */

import { type Kysely, sql } from 'kysely';
import { LIMITS } from '#domain';
import type { Fill, FillsQuery, HistoryReader, NewestFillsQuery } from '../port.ts';
import { assertLimit, type Range, rangeOf } from '../range.ts';
import type { Database } from '../tables/schema.ts';
import { TRADES } from '../tables/spot-tables.ts';
import { withinTime } from './id-bounds.ts';
import {
  type HistoryInstruments,
  instrumentOf,
  type PairsById,
  quoteCoins,
} from './instruments.ts';
import {
  mergedTrades,
  PARTIES,
  type Party,
  type PartyTrade,
  type TradeStream,
} from './trade-streams.ts';
import { wholePage } from './whole-page.ts';

/** A place in that order; a page lies strictly between two of them. */
interface Place {
  readonly orderId: number;
  readonly tradeId: number;
}

interface PlaceRange {
  readonly above: Place;
  readonly below: Place;
  readonly direction: 'asc' | 'desc';
}

const TRADE_ID_MAX = Number.MAX_SAFE_INTEGER;

export function fillPages(
  db: Kysely<Database>,
  instruments: HistoryInstruments,
): Pick<HistoryReader, 'fills' | 'newestFills'> {
  return {
    fills: async (query) => {
      assertLimit(query.limit);
      const pairs = await instruments.all();
      const range = await placesOf(db, query);
      const most = query.limit + LIMITS.pageOverrunMax;
      const rows =
        query.orderId === undefined
          ? await wholeOrders(db, query, range)
          : await fillsOfOrder(db, query.orderId, range, most);
      return rows.filter((row) => isAskedFor(row, query)).map((row) => fillOf(row, pairs));
    },
    newestFills: async (query) => {
      assertLimit(query.limit);
      const pairs = await instruments.all();
      const all = { ...rangeOf(query.before, undefined), direction: 'desc' } as const;
      const range = await withinTime(db, 'trades', all, query);
      const streams = fillStreams(query, pairs);
      const rows = await wholePage(
        query,
        (limit) => mergedTrades(db, streams, range, limit),
        ({ trade_id: id, time_ms: timeMs }) => ({ id, timeMs }),
      );
      return rows
        .filter((row) => isAskedFor(row, query))
        .map((row) => fillOf(row, pairs))
        .sort((one, other) => other.fillId - one.fillId || (one.role === 'taker' ? -1 : 1));
    },
  };
}

/** Of all pairs, one stream for each coin that serves as quote. */
function fillStreams(query: NewestFillsQuery, pairs: PairsById): TradeStream[] {
  const { accountId, instrumentId, orderId } = query;
  return PARTIES.flatMap((party): TradeStream[] => {
    if (orderId !== undefined) return [{ by: 'order', party, orderId }];
    if (instrumentId !== undefined) return [{ by: 'instrument', party, accountId, instrumentId }];
    return quoteCoins(pairs).map((quoteAssetId) => ({
      by: 'quote',
      party,
      accountId,
      quoteAssetId,
    }));
  });
}

/**
 * A bound is an order id, or the id of a fill where a page ended inside an order. An account that
 * traded with itself has two orders with one fill id: the one that is asked for is meant, or of all
 * orders the one that leads on.
 */
async function placesOf(db: Kysely<Database>, query: FillsQuery): Promise<PlaceRange> {
  const { above, below, direction } = rangeOf(query.afterId, query.beforeId);
  const [after, before] = [
    await ordersOfTrade(db, below, query),
    await ordersOfTrade(db, above, query),
  ];
  return {
    below:
      after.length === 0
        ? { orderId: below, tradeId: -1 }
        : { orderId: Math.min(...after), tradeId: below },
    above:
      before.length === 0
        ? { orderId: above, tradeId: TRADE_ID_MAX }
        : { orderId: Math.max(...before), tradeId: above },
    direction,
  };
}

/** The account's orders in the pair that this trade filled; none when it is no such trade. */
async function ordersOfTrade(
  db: Kysely<Database>,
  trade: number,
  { accountId: account, instrumentId: instrument, orderId: asked }: FillsQuery,
): Promise<number[]> {
  if (trade < 0 || trade === TRADE_ID_MAX) return [];
  const row = await db
    .selectFrom('trades')
    .selectAll()
    .where('trade_id', '=', trade)
    .executeTakeFirst();
  if (row?.instrument_id !== instrument) return [];
  const bought = row.buyer_account_id === account ? [row.buyer_order_id] : [];
  const orders = row.seller_account_id === account ? [...bought, row.seller_order_id] : bought;
  return orders.some((order) => order === asked)
    ? orders.filter((order) => order === asked)
    : orders;
}

/**
 * The fills of an account in a pair. A page ends between two orders, so that the last order id
 * leads on; only when an order goes on for more than a whole page does it end inside it.
 */
async function wholeOrders(
  db: Kysely<Database>,
  query: FillsQuery,
  range: PlaceRange,
): Promise<PartyTrade[]> {
  const { limit } = query;
  const rows = await ordersBetween(db, query, range, limit + 1);
  const [last, next] = [rows[limit - 1], rows[limit]];
  const kept = rows.slice(0, limit);
  if (last === undefined || next === undefined) return kept;
  const order = ownOrder(last);
  if (ownOrder(next) !== order) return kept;
  const place = { orderId: order, tradeId: last.trade_id };
  const rest = range.direction === 'desc' ? { ...range, below: place } : { ...range, above: place };
  return [...kept, ...(await fillsOfOrder(db, order, rest, LIMITS.pageOverrunMax))];
}

function ordersBetween(
  db: Kysely<Database>,
  query: FillsQuery,
  { above, below, direction }: PlaceRange,
  limit: number,
): Promise<PartyTrade[]> {
  const [buys, sells] = PARTIES.map((party) => {
    const order = sql.ref(`${party}_order_id`);
    return db
      .selectFrom('trades')
      .selectAll()
      .select(sql<Party>`${sql.lit(party)}`.as('party'))
      .select(sql<number>`${order}`.as('own_order_id'))
      .where(sql.ref(`${party}_account_id`), '=', query.accountId)
      .where('instrument_id', '=', query.instrumentId)
      .where(sql<boolean>`(${order}, trade_id) > (${above.orderId}, ${above.tradeId})`)
      .where(sql<boolean>`(${order}, trade_id) < (${below.orderId}, ${below.tradeId})`);
  });
  if (buys === undefined || sells === undefined) throw new RangeError('a trade has two parties');
  return buys
    .unionAll(sells)
    .orderBy('own_order_id', direction)
    .orderBy('trade_id', direction)
    .limit(limit)
    .execute();
}

/** What lies in the range of the fills of one order, of any owner. */
function fillsOfOrder(
  db: Kysely<Database>,
  order: number,
  { above, below, direction }: PlaceRange,
  limit: number,
): Promise<PartyTrade[]> {
  const range: Range = {
    above: above.orderId < order ? -1 : above.orderId > order ? TRADE_ID_MAX : above.tradeId,
    below: below.orderId > order ? TRADE_ID_MAX : below.orderId < order ? -1 : below.tradeId,
    direction,
  };
  const streams = PARTIES.map((party) => ({ by: 'order', party, orderId: order }) as const);
  return mergedTrades(db, streams, range, limit);
}

/** An order belongs to one account and one pair: of another's order nothing is shown. */
function isAskedFor(
  row: PartyTrade,
  { accountId: owner, instrumentId: pair }: Pick<NewestFillsQuery, 'accountId' | 'instrumentId'>,
): boolean {
  const account = row.party === 'buyer' ? row.buyer_account_id : row.seller_account_id;
  return account === owner && (pair === undefined || row.instrument_id === pair);
}

function ownOrder(row: PartyTrade): number {
  return row.party === 'buyer' ? row.buyer_order_id : row.seller_order_id;
}

function fillOf(row: PartyTrade, pairs: PairsById): Fill {
  const trade = TRADES.read(row);
  const buys = row.party === 'buyer';
  const takes = buys === (trade.takerSide === 'buy');
  const { baseAssetId, quoteAssetId } = instrumentOf(pairs, row.instrument_id);
  const { instrumentId, priceTicks, sizeLots, quoteAmount, timeMs } = trade;
  return {
    fillId: trade.tradeId,
    orderId: buys ? trade.buyerOrderId : trade.sellerOrderId,
    accountId: buys ? trade.buyerAccountId : trade.sellerAccountId,
    instrumentId,
    role: takes ? 'taker' : 'maker',
    side: buys ? 'buy' : 'sell',
    orderType: takes && trade.takerIsMarket ? 'market' : 'limit',
    priceTicks,
    sizeLots,
    quoteAmount,
    feeAmount: buys ? trade.buyerFee : trade.sellerFee,
    feeAssetId: buys ? baseAssetId : quoteAssetId,
    timeMs,
  };
}
