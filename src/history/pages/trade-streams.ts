/**
 * Trades as one party sees them. A stream is one index range, in the order of trade ids; a page is
 * the merge of a few streams, which the database walks side by side and leaves at the limit.
 */
import { type Kysely, sql } from 'kysely';
import type { Range } from '../range.ts';
import type { Database } from '../tables/schema.ts';
import type { TRADES } from '../tables/spot-tables.ts';
import type { RowOf } from '../tables/table.ts';

export type Party = 'buyer' | 'seller';
export const PARTIES: readonly Party[] = ['buyer', 'seller'];

/** Each kind has its own index, ending in the trade id. */
export type TradeStream = { readonly party: Party } & (
  | { readonly by: 'order'; readonly orderId: number }
  | { readonly by: 'instrument'; readonly accountId: number; readonly instrumentId: number }
  | { readonly by: 'quote'; readonly accountId: number; readonly quoteAssetId: number }
);

export type PartyTrade = RowOf<typeof TRADES> & { readonly party: Party };

/** Streams in one statement, below the 500 that SQLite joins into one. */
const STREAMS_PER_QUERY = 64;

/** The first rows of the merged streams; an account's trade with itself comes once per party. */
export async function mergedTrades(
  db: Kysely<Database>,
  streams: readonly TradeStream[],
  range: Range,
  limit: number,
): Promise<PartyTrade[]> {
  const rows: PartyTrade[] = [];
  for (let from = 0; from < streams.length; from += STREAMS_PER_QUERY) {
    const some = streams.slice(from, from + STREAMS_PER_QUERY);
    rows.push(...(await partOfTrades(db, some, range, limit)));
  }
  if (streams.length > STREAMS_PER_QUERY) rows.sort(byTradeId(range));
  return rows.slice(0, limit);
}

function partOfTrades(
  db: Kysely<Database>,
  streams: readonly TradeStream[],
  range: Range,
  limit: number,
): Promise<PartyTrade[]> {
  return streams
    .map((stream) => streamQuery(db, stream, range))
    .reduce((merged, next) => merged.unionAll(next))
    .orderBy('trade_id', range.direction)
    .limit(limit)
    .execute();
}

function streamQuery(db: Kysely<Database>, stream: TradeStream, range: Range) {
  return db
    .selectFrom('trades')
    .selectAll()
    .select(sql<Party>`${sql.lit(stream.party)}`.as('party'))
    .where((row) => row.and(filters(stream)))
    .where('trade_id', '>', range.above)
    .where('trade_id', '<', range.below);
}

function filters(stream: TradeStream) {
  const buys = stream.party === 'buyer';
  if (stream.by === 'order') {
    return buys ? { buyer_order_id: stream.orderId } : { seller_order_id: stream.orderId };
  }
  const account = buys
    ? { buyer_account_id: stream.accountId }
    : { seller_account_id: stream.accountId };
  if (stream.by === 'quote') return { ...account, quote_asset_id: stream.quoteAssetId };
  return { ...account, instrument_id: stream.instrumentId };
}

function byTradeId(range: Range): (one: PartyTrade, other: PartyTrade) => number {
  const sign = range.direction === 'asc' ? 1 : -1;
  return (one, other) => sign * (one.trade_id - other.trade_id);
}
