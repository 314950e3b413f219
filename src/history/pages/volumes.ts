/** Trades along the index of their time, a page at a time. */
import { type Kysely, type Selectable, sql } from 'kysely';
import { assertLimit } from '../range.ts';
import { CONTRACT_TRADES } from '../tables/contract-tables.ts';
import type { Database } from '../tables/schema.ts';
import { TRADES } from '../tables/spot-tables.ts';
import type { CountedTrade, CountedTradesQuery, VolumeReader } from '../volume-port.ts';

export function volumePages(db: Kysely<Database>): VolumeReader {
  return {
    countedTrades: (query) => {
      assertLimit(query.limit);
      return query.product === 'spot' ? spotTrades(db, query) : contractTrades(db, query);
    },
  };
}

/** Where a page begins: behind the last row of the one before, within its millisecond. */
function place({ fromMs, after }: CountedTradesQuery) {
  const { timeMs, tradeId } = after ?? { timeMs: fromMs, tradeId: 0 };
  return sql<boolean>`(time_ms, trade_id) > (${timeMs}, ${tradeId})`;
}

/** The rows of a page, of either table. */
function page<Table extends 'trades' | 'contract_trades'>(
  db: Kysely<Database>,
  table: Table,
  query: CountedTradesQuery,
): Promise<Selectable<Database[Table]>[]> {
  const rows = db
    .selectFrom<'trades' | 'contract_trades'>(table)
    .selectAll()
    .where(place(query))
    .where('time_ms', '<', query.beforeMs)
    .orderBy('time_ms')
    .orderBy('trade_id')
    .limit(query.limit);
  return rows.execute() as Promise<Selectable<Database[Table]>[]>;
}

async function spotTrades(
  db: Kysely<Database>,
  query: CountedTradesQuery,
): Promise<CountedTrade[]> {
  return (await page(db, 'trades', query)).map((row) => {
    const { tradeId, timeMs, instrumentId, quoteAmount, ...trade } = TRADES.read(row);
    const parties = [trade.buyerAccountId, trade.sellerAccountId] as const;
    return { tradeId, timeMs, instrumentId, value: quoteAmount, parties, inBook: true };
  });
}

async function contractTrades(
  db: Kysely<Database>,
  query: CountedTradesQuery,
): Promise<CountedTrade[]> {
  return (await page(db, 'contract_trades', query)).map((row) => {
    const { tradeId, timeMs, instrumentId, quoteAmount, ...trade } = CONTRACT_TRADES.read(row);
    const parties = [trade.takerAccountId, trade.makerAccountId] as const;
    return { tradeId, timeMs, instrumentId, value: quoteAmount, parties, inBook: trade.inBook };
  });
}
