/** Fills of contracts: a trade as its taker or its maker sees it. */
import { type Kysely, sql } from 'kysely';
import type { AccountId, OrderId } from '#domain';
import type { ContractFillRecord, ContractFillsQuery } from '../contract-port.ts';
import type { HistoryReader } from '../port.ts';
import { assertLimit, type Range, rangeOf } from '../range.ts';
import { CONTRACT_TRADES } from '../tables/contract-tables.ts';
import type { Database } from '../tables/schema.ts';
import type { RowOf } from '../tables/table.ts';
import { withinTime } from './id-bounds.ts';
import { wholePage } from './whole-page.ts';

type Role = ContractFillRecord['role'];
const ROLES: readonly Role[] = ['taker', 'maker'];

type RoleTrade = RowOf<typeof CONTRACT_TRADES> & { readonly role: Role };

export function contractFillPages(db: Kysely<Database>): Pick<HistoryReader, 'contractFills'> {
  return {
    contractFills: async (query) => {
      assertLimit(query.limit);
      const asked = { ...rangeOf(query.before, undefined), direction: 'desc' } as const;
      const range = await withinTime(db, 'contract_trades', asked, query);
      const read =
        query.orderId === undefined
          ? await fillsOfAccount(db, query, range)
          : fillsOfOrder(db, query.orderId, range);
      const rows = await wholePage(query, read, ({ trade_id: id, time_ms: timeMs }) => {
        return { id, timeMs };
      });
      return rows
        .filter((row) => isAskedFor(row, query))
        .map(fillOf)
        .sort((one, other) => other.tradeId - one.tradeId || (one.role === 'taker' ? -1 : 1));
    },
  };
}

/** Contracts of one statement: two ranges each, below the 500 that SQLite joins into one. */
const CONTRACTS_PER_QUERY = 100;

/** The newest of a list, so many of them. */
type ReadNewest = (limit: number) => Promise<RoleTrade[]>;

/** One index range for each role and contract, in the order of trade ids. */
async function fillsOfAccount(
  db: Kysely<Database>,
  query: ContractFillsQuery,
  range: Range,
): Promise<ReadNewest> {
  const { accountId, instrumentId } = query;
  const traded = instrumentId === undefined ? await contractsOf(db, accountId) : [instrumentId];
  const contracts = traded.filter((id) => !isLeftOut(id, query));
  return async (limit) => {
    const rows: RoleTrade[] = [];
    for (let from = 0; from < contracts.length; from += CONTRACTS_PER_QUERY) {
      const filters = contracts.slice(from, from + CONTRACTS_PER_QUERY).flatMap((id) =>
        ROLES.map((role) => ({
          role,
          where: { [`${role}_account_id` as const]: accountId, instrument_id: id },
        })),
      );
      rows.push(...(await mergedRoles(db, filters, range, limit)));
    }
    return rows.sort((one, other) => other.trade_id - one.trade_id).slice(0, limit);
  };
}

/** The contracts an account has traded, each found by one step along an index. */
async function contractsOf(db: Kysely<Database>, account: AccountId): Promise<number[]> {
  const found = new Set<number>();
  for (const role of ROLES) {
    let last = -1;
    for (;;) {
      const row = await db
        .selectFrom('contract_trades')
        .select('instrument_id')
        .where(`${role}_account_id`, '=', account)
        .where('instrument_id', '>', last)
        .orderBy('instrument_id')
        .limit(1)
        .executeTakeFirst();
      if (row === undefined) break;
      last = row.instrument_id;
      found.add(last);
    }
  }
  return [...found];
}

function fillsOfOrder(db: Kysely<Database>, order: OrderId, range: Range): ReadNewest {
  const filters = ROLES.map((role) => ({ role, where: { [`${role}_order_id` as const]: order } }));
  return (limit) => mergedRoles(db, filters, range, limit);
}

interface RoleFilter {
  readonly role: Role;
  readonly where: Readonly<Record<string, number>>;
}

function mergedRoles(
  db: Kysely<Database>,
  filters: readonly RoleFilter[],
  { above, below }: Range,
  limit: number,
): Promise<RoleTrade[]> {
  return filters
    .map(({ role, where }) =>
      db
        .selectFrom('contract_trades')
        .selectAll()
        .select(sql<Role>`${sql.lit(role)}`.as('role'))
        .where((row) => row.and(where))
        .where('trade_id', '>', above)
        .where('trade_id', '<', below),
    )
    .reduce((merged, next) => merged.unionAll(next))
    .orderBy('trade_id', 'desc')
    .limit(limit)
    .execute();
}

/** An order belongs to one account and one contract: of another's order nothing is shown. */
function isAskedFor(row: RoleTrade, query: ContractFillsQuery): boolean {
  const account = row.role === 'taker' ? row.taker_account_id : row.maker_account_id;
  return (
    account === query.accountId &&
    (query.instrumentId ?? row.instrument_id) === row.instrument_id &&
    !isLeftOut(row.instrument_id, query)
  );
}

function isLeftOut(id: number, { except = [] }: ContractFillsQuery): boolean {
  return except.some((one) => one === id);
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
