/** Trades along their keys, a page at a time. */
import type { Kysely } from 'kysely';
import { accountId, tradeId } from '#domain';
import type { ActivityPage, ActivityReader } from '../activity-port.ts';
import { assertLimit } from '../range.ts';
import type { Database } from '../tables/schema.ts';

export function activityPages(db: Kysely<Database>): ActivityReader {
  return {
    tradeParties: async (product, page) => {
      assertLimit(page.limit);
      const rows = await (product === 'spot' ? spotParties(db, page) : contractParties(db, page));
      return rows.map(({ id, one, other }) => {
        return { tradeId: tradeId(id), parties: [accountId(one), accountId(other)] };
      });
    },
  };
}

function spotParties(db: Kysely<Database>, { afterId, throughId, limit }: ActivityPage) {
  return db
    .selectFrom('trades')
    .select(['trade_id as id', 'buyer_account_id as one', 'seller_account_id as other'])
    .where('trade_id', '>', afterId)
    .where('trade_id', '<=', throughId)
    .orderBy('trade_id')
    .limit(limit)
    .execute();
}

function contractParties(db: Kysely<Database>, { afterId, throughId, limit }: ActivityPage) {
  return db
    .selectFrom('contract_trades')
    .select(['trade_id as id', 'taker_account_id as one', 'maker_account_id as other'])
    .where('trade_id', '>', afterId)
    .where('trade_id', '<=', throughId)
    .orderBy('trade_id')
    .limit(limit)
    .execute();
}
