/** Fills of contracts: a trade as its taker or its maker sees it. */
import { type Kysely, sql } from 'kysely';
import { accountId, instrumentId, lots, orderId, ticks, tradeId } from '#domain';
import type { ContractFillRecord, ContractFillsQuery } from '../contract-port.ts';
import type { HistoryReader } from '../port.ts';
import { assertLimit } from '../range.ts';
import type { ContractTradesTable } from './contract-schema.ts';
import type { Database } from './schema.ts';

type Role = ContractFillRecord['role'];

interface RoleTrade extends ContractTradesTable {
  readonly role: Role;
}

export function contractFillPages(db: Kysely<Database>): Pick<HistoryReader, 'contractFills'> {
  return {
    // Of an account's trade with itself both fills, taker first; the limit may cut the second off.
    contractFills: async (query) => {
      assertLimit(query.limit);
      const rows: RoleTrade[] = await roleTrades(db, query, 'taker')
        .unionAll(roleTrades(db, query, 'maker'))
        .orderBy('trade_id', 'desc')
        .limit(query.limit)
        .execute();
      return rows
        .filter((row) => isAskedFor(row, query))
        .map(fillOf)
        .sort((one, other) => other.tradeId - one.tradeId || (one.role === 'taker' ? -1 : 1));
    },
  };
}

/** One index range, in the order of trade ids. */
function roleTrades(db: Kysely<Database>, query: ContractFillsQuery, role: Role) {
  const filters =
    query.orderId !== undefined
      ? { [`${role}_order_id` as const]: query.orderId }
      : { [`${role}_account_id` as const]: query.accountId, instrument_id: query.instrumentId };
  return db
    .selectFrom('contract_trades')
    .selectAll()
    .select(sql<Role>`${sql.lit(role)}`.as('role'))
    .where((row) => row.and(filters))
    .where('trade_id', '<', query.before ?? Number.MAX_SAFE_INTEGER);
}

/** An order belongs to one account and one contract: of another's order nothing is shown. */
function isAskedFor(row: RoleTrade, query: ContractFillsQuery): boolean {
  const account = row.role === 'taker' ? row.taker_account_id : row.maker_account_id;
  return account === query.accountId && row.instrument_id === query.instrumentId;
}

function fillOf(row: RoleTrade): ContractFillRecord {
  const takes = row.role === 'taker';
  return {
    tradeId: tradeId(row.trade_id),
    orderId: orderId(takes ? row.taker_order_id : row.maker_order_id),
    accountId: accountId(takes ? row.taker_account_id : row.maker_account_id),
    instrumentId: instrumentId(row.instrument_id),
    role: row.role,
    action: takes ? row.taker_action : row.maker_action,
    cause: takes ? row.taker_cause : row.maker_cause,
    orderLots: lots(takes ? row.taker_order_lots : row.maker_order_lots),
    fee: BigInt(takes ? row.taker_fee : row.maker_fee),
    realizedPnl: BigInt(takes ? row.taker_realized_pnl : row.maker_realized_pnl),
    priceTicks: ticks(row.price_ticks),
    sizeLots: lots(row.size_lots),
    quoteAmount: BigInt(row.quote_amount),
    takerSide: row.taker_side,
    inBook: row.in_book === 1,
    timeMs: row.time_ms,
  };
}
