/** Fills: a trade as its taker or its maker sees it. */

import type { Kysely } from 'kysely';
import { accountId, instrumentId, lots, orderId, ticks, tradeId } from '#domain';
import { instrumentOf, type PairsById } from './instruments.ts';
import type { Fill, FillsQuery } from './port.ts';
import { assertLimit, rangeOf } from './range.ts';
import type { Database } from './schema.ts';
import { mergedTrades, PARTIES, type PartyTrade, type TradeStream } from './trade-streams.ts';

export async function fillsPage(
  db: Kysely<Database>,
  pairs: PairsById,
  query: FillsQuery,
): Promise<Fill[]> {
  assertLimit(query.limit);
  const range = rangeOf(query.afterId, query.beforeId);
  const streams = PARTIES.map((party) => streamOf(query, party));
  // One row more tells whether the page would end between the two fills of a trade.
  const rows = await mergedTrades(db, streams, range, query.limit + 1);
  const kept = endsInsideTrade(rows, query.limit) ? rows : rows.slice(0, query.limit);
  const fills = kept.filter((row) => isAskedFor(row, query)).map((row) => fillOf(row, pairs));
  return fills.sort((one, other) => {
    const byId = one.fillId - other.fillId;
    if (byId === 0) return one.role === 'taker' ? -1 : 1;
    return range.direction === 'asc' ? byId : -byId;
  });
}

function streamOf(query: FillsQuery, party: 'buyer' | 'seller'): TradeStream {
  if (query.orderId !== undefined) return { by: 'order', party, orderId: query.orderId };
  const { accountId, instrumentId } = query;
  return { by: 'instrument', party, accountId, instrumentId };
}

/** An order belongs to one account and one pair: of another's order nothing is shown. */
function isAskedFor(row: PartyTrade, query: FillsQuery): boolean {
  const account = row.party === 'buyer' ? row.buyer_account_id : row.seller_account_id;
  return account === query.accountId && row.instrument_id === query.instrumentId;
}

function endsInsideTrade(rows: readonly PartyTrade[], limit: number): boolean {
  const next = rows[limit];
  return next !== undefined && next.trade_id === rows[limit - 1]?.trade_id;
}

function fillOf(row: PartyTrade, pairs: PairsById): Fill {
  const buys = row.party === 'buyer';
  const takes = buys === (row.taker_side === 'buy');
  const instrument = instrumentOf(pairs, row.instrument_id);
  return {
    fillId: tradeId(row.trade_id),
    orderId: orderId(buys ? row.buyer_order_id : row.seller_order_id),
    accountId: accountId(buys ? row.buyer_account_id : row.seller_account_id),
    instrumentId: instrumentId(row.instrument_id),
    role: takes ? 'taker' : 'maker',
    side: buys ? 'buy' : 'sell',
    orderType: takes && row.taker_is_market === 1 ? 'market' : 'limit',
    priceTicks: ticks(row.price_ticks),
    sizeLots: lots(row.size_lots),
    quoteAmount: BigInt(row.quote_amount),
    feeAmount: BigInt(buys ? row.buyer_fee : row.seller_fee),
    feeAssetId: buys ? instrument.baseAssetId : instrument.quoteAssetId,
    timeMs: row.time_ms,
  };
}
