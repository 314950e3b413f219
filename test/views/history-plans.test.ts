/** How the database answers each page: along an index, without a sort, never through a table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { orderId } from '#domain';
import { SqliteHistoryReader } from '../../src/views/history/reader.ts';
import type { Database } from '../../src/views/history/schema.ts';
import { openHistoryWriter } from '../../src/views/history/writer.ts';
import { BTC, BTCUSDT, HistoryVenue, historyFile, USDT, VENUE_ID } from './history-venue.ts';

/** What a plan may say. meta has one row; instruments are few and read when their number changes. */
const ALLOWED = [
  /^SEARCH \S+ USING (COVERING )?INDEX \S+ \(.+\)$/,
  /^SEARCH \S+ USING (PRIMARY KEY|INTEGER PRIMARY KEY) \(.+\)$/,
  /^SCAN (meta|instruments)$/,
  /^(MERGE \(UNION ALL\)|LEFT|RIGHT)$/,
];
const SORT = /TEMP B-TREE/;

interface Asked {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

function planOf(db: Sqlite.Database, { sql, parameters }: Asked): string[] {
  const rows = db.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`);
  return rows.all(...parameters).map((row) => row.detail);
}

/** Every statement that a question to the reader sends. */
async function statementsOf(
  file: string,
  ask: (reader: SqliteHistoryReader) => Promise<unknown>,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  const connection = new Sqlite(file, { readonly: true });
  const db = new Kysely<Database>({
    dialect: new SqliteDialect({ database: connection }),
    log: ({ query }) => asked.push(query),
  });
  const reader = new SqliteHistoryReader(db, () => connection.close());
  await ask(reader);
  await reader.close();
  return asked;
}

const limit = 5;
const bounds = [{}, { afterId: 50 }, { beforeId: 1 }, { afterId: 50, beforeId: 1 }];
const times = [
  {},
  { afterTimeMs: 9e12 },
  { beforeTimeMs: 1 },
  { afterTimeMs: 9e12, beforeTimeMs: 1 },
];

test('every page is read along an index and never sorted', async (t) => {
  const file = historyFile(t);
  const venue = new HistoryVenue();
  const [accountId, other] = [venue.open('ann'), venue.open('bob')];
  venue.trade(accountId, other, 'buy', { clientOrderId: 'mine' });
  venue.transfer(accountId, 'spot', 'cmt_btcusdt', 'mine');
  const writer = openHistoryWriter(file, VENUE_ID);
  writer.project(venue.steps);
  const spot = { accountId, wallet: 'spot' } as const;
  const pair = { accountId, instrumentId: BTCUSDT };
  const candles = { instrumentId: BTCUSDT, period: '1h', fromMs: 0, toMs: 9e12, limit } as const;
  const asked = await statementsOf(file, async (reader) => {
    await reader.projectedSeq();
    for (const page of bounds) {
      await reader.orders({ accountId, ...page, limit });
      await reader.orders({ ...pair, ...page, limit });
      await reader.fills({ ...pair, ...page, limit });
      await reader.fills({ ...pair, orderId: orderId(8), ...page, limit });
      for (const assetId of [undefined, USDT, BTC]) {
        await reader.bills({ ...spot, assetId, ...page, limit });
        for (const biz of ['buy', 'sell', 'deposit', 'transfer_in'] as const) {
          await reader.bills({ ...spot, assetId, biz, ...page, limit });
        }
        for (const group of ['transaction', 'transfer', 'withdraw'] as const) {
          await reader.bills({ ...spot, assetId, group, ...page, limit });
        }
      }
    }
    for (const page of times) {
      for (const assetId of [undefined, USDT]) {
        for (const fromType of [undefined, 'EXCHANGE'] as const) {
          for (const clientOid of [undefined, 'mine']) {
            const found = { accountId, assetId, fromType, clientOid, ...page };
            await reader.transfers({ ...found, limit: 1 });
          }
        }
      }
    }
    await reader.order(accountId, orderId(8));
    await reader.orderByClientId(accountId, BTCUSDT, 'mine');
    await reader.recentTrades(BTCUSDT, 100);
    await reader.candles({ ...candles, keep: 'oldest' });
    await reader.candles({ ...candles, keep: 'newest' });
    await reader.lastCandleBefore(BTCUSDT, '1h', 9e12);
  });
  writer.close();
  const db = new Sqlite(file, { readonly: true });
  t.after(() => db.close());
  assert.ok(asked.length > 150, `${asked.length} statements seen`);
  for (const one of asked) {
    const plan = planOf(db, one);
    for (const line of plan) {
      assert.ok(!SORT.test(line), `${line}\n${one.sql}`);
      assert.ok(
        ALLOWED.some((allowed) => allowed.test(line)),
        `${line}\n${one.sql}`,
      );
    }
    if (one.sql.includes('"client_oid" = ?')) {
      assert.match(plan.join('\n'), /transfers_by_client_oid/);
    }
  }
});

test('the range of a page is part of its index search', async (t) => {
  const file = historyFile(t);
  openHistoryWriter(file, VENUE_ID).close();
  const db = new Sqlite(file);
  t.after(() => db.close());
  const [accountId, wallet] = [new HistoryVenue().open('ann'), 'spot'] as const;
  const asked = await statementsOf(file, async (reader) => {
    await reader.orders({ accountId, instrumentId: BTCUSDT, afterId: 9, limit });
    await reader.fills({ accountId, instrumentId: BTCUSDT, afterId: 9, limit });
    await reader.bills({ accountId, wallet, assetId: USDT, biz: 'deposit', afterId: 9, limit });
    await reader.transfers({ accountId, fromType: 'EXCHANGE', afterTimeMs: 9, limit });
  });
  const searches = asked.flatMap((one) => planOf(db, one)).filter((line) => /^SEARCH/.test(line));
  assert.deepEqual(
    searches.map((line) => /INDEX (.*)$/.exec(line)?.[1]),
    [
      'orders_by_instrument (account_id=? AND instrument_id=? AND order_id>? AND order_id<?)',
      undefined,
      'trades_by_buyer_instrument ' +
        '(buyer_account_id=? AND instrument_id=? AND trade_id>? AND trade_id<?)',
      'trades_by_seller_instrument ' +
        '(seller_account_id=? AND instrument_id=? AND trade_id>? AND trade_id<?)',
      'balance_changes_by_asset_and_biz ' +
        '(account_id=? AND wallet=? AND asset_id=? AND biz=? AND bill_id>? AND bill_id<?)',
      'transfers_by_from_kind (account_id=? AND from_kind=? AND time_ms>? AND time_ms<?)',
    ],
  );
});
