/** Transfers between the wallets of one account, paged by their time. */

import { type Kysely, sql } from 'kysely';
import type { AccountId } from '#domain';
import type { HistoryReader, TransferRecord, TransfersQuery } from '../port.ts';
import { assertLimit, type Range, rangeOf } from '../range.ts';
import type { Database } from '../tables/schema.ts';
import { TRANSFERS } from '../tables/spot-tables.ts';
import type { RowOf } from '../tables/table.ts';
import { placeBefore } from './places.ts';
import type { Planner } from './planner.ts';
import { wholePage } from './whole-page.ts';

export function transferPages(
  db: Kysely<Database>,
  planner: Planner,
): Pick<HistoryReader, 'transfers'> {
  const matching = (query: TransfersQuery) => filtered(db, planner, query);
  return {
    transfers: async (query) => {
      assertLimit(query.limit);
      const range = rangeOf(query.afterTimeMs, query.beforeTimeMs);
      const wanted = inOrder(matching(query), range)
        .where('time_ms', '>', range.above)
        .where('time_ms', '<', range.below)
        .where(await placeBefore(db, 'transfers', query.before));
      const rows = await wholePage(
        query,
        (limit) => wanted.limit(limit).execute(),
        ({ transfer_id: id, time_ms: timeMs }) => ({ id, timeMs }),
      );
      return rows.map(transferRecord);
    },
  };
}

function inOrder(rows: ReturnType<typeof filtered>, { direction }: Range) {
  return rows.orderBy('time_ms', direction).orderBy('transfer_id', direction);
}

function filtered(db: Kysely<Database>, planner: Planner, query: TransfersQuery) {
  const all = accountRows(db, query.accountId);
  if (query.clientOid !== undefined) return withClientOid(all, planner, query, query.clientOid);
  return all.where((row) =>
    row.and({
      ...(query.assetId !== undefined && { asset_id: query.assetId }),
      ...(query.fromType !== undefined && { from_kind: query.fromType }),
    }),
  );
}

function accountRows(db: Kysely<Database>, account: AccountId) {
  return db.selectFrom('transfers').selectAll().where('account_id', '=', account);
}

/**
 * The transfers that share one client id are walked by its own index; the other filters look at
 * each of them, and are written so that no other index serves them.
 */
function withClientOid(
  all: ReturnType<typeof accountRows>,
  planner: Planner,
  query: TransfersQuery,
  clientOid: string,
) {
  let rows = all.where('client_oid', '=', clientOid).where('client_oid', '<>', sql.lit(''));
  if (query.assetId !== undefined)
    rows = rows.where(planner.rowByRow<number>('asset_id'), '=', query.assetId);
  if (query.fromType !== undefined)
    rows = rows.where(planner.rowByRow<string>('from_kind'), '=', query.fromType);
  return rows;
}

function transferRecord(row: RowOf<typeof TRANSFERS>): TransferRecord {
  const { fromWallet, fromKind, toWallet, ...record } = TRANSFERS.read(row);
  return { ...record, from: fromWallet, to: toWallet };
}
