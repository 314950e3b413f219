/** Fills of contracts: a trade as its taker or its maker sees it. */
import { type Kysely, sql } from 'kysely';
import type { ContractFillRecord, ContractFillsQuery } from '../contract-port.ts';
import type { HistoryReader } from '../port.ts';
import { assertLimit } from '../range.ts';
import { CONTRACT_TRADES } from './contract-tables.ts';
import type { Database } from './schema.ts';
import type { RowOf } from './table.ts';

type Role = ContractFillRecord['role'];

type RoleTrade = RowOf<typeof CONTRACT_TRADES> & { readonly role: Role };

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
  const trade = CONTRACT_TRADES.read(row);
  const { tradeId, instrumentId, priceTicks, sizeLots, quoteAmount } = trade;
  const { takerSide, inBook, timeMs } = trade;
  const shared = { tradeId, instrumentId, priceTicks, sizeLots, quoteAmount, takerSide, inBook };
  if (row.role === 'taker') {
    return {
      ...shared,
      role: 'taker',
      orderId: trade.takerOrderId,
      accountId: trade.takerAccountId,
      action: trade.takerAction,
      cause: trade.takerCause,
      orderLots: trade.takerOrderLots,
      fee: trade.takerFee,
      realizedPnl: trade.takerRealizedPnl,
      timeMs,
    };
  }
  return {
    ...shared,
    role: 'maker',
    orderId: trade.makerOrderId,
    accountId: trade.makerAccountId,
    action: trade.makerAction,
    cause: trade.makerCause,
    orderLots: trade.makerOrderLots,
    fee: trade.makerFee,
    realizedPnl: trade.makerRealizedPnl,
    timeMs,
  };
}
