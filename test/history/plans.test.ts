/** How the database answers each page: along an index, without a sort, never through a table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { type AccountId, orderId, tradeId } from '#domain';
import type { HistoryReader } from '#history';
import { LEDGER_KINDS, openSqliteReader } from '#history/testing';
import { BTCUSDT } from '../support/floor.ts';
import { historyFile, historyOf, VENUE_ID } from '../support/history-files.ts';
import { ANN, ContractTape, LINEAR_ID } from './contracts.ts';
import { BTC, HistoryFloor, USDT } from './floor.ts';

/** What a plan may say. meta has one row; instruments are few and seldom read. */
const ALLOWED = [
  /^SEARCH \S+ USING (COVERING )?INDEX \S+ \(.+\)$/,
  /^SEARCH \S+ USING (PRIMARY KEY|INTEGER PRIMARY KEY) \(.+\)( LEFT-JOIN)?$/,
  /^SCAN (meta|instruments)$/,
  /^(MERGE \(UNION ALL\)|LEFT|RIGHT)$/,
];
const SORT = /TEMP B-TREE/;

interface Asked {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

function triggerOf(db: Sqlite.Database, { sql, parameters }: Asked): string[] {
  const rows = db.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`);
  return rows.all(...parameters).map((row) => row.detail);
}

/** Every statement that a question to the reader sends. */
async function statementsOf(
  file: string,
  ask: (reader: HistoryReader) => Promise<unknown>,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  const reader = openSqliteReader(file, (sql, parameters) => asked.push({ sql, parameters }));
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

async function askFills(reader: HistoryReader, owner: AccountId): Promise<void> {
  const own = { accountId: owner, limit };
  for (const span of [{}, { fromMs: 1, toMs: 9e12 }]) {
    await reader.newestFills({ ...own, ...span });
    await reader.newestFills({ ...own, instrumentId: BTCUSDT, ...span, before: tradeId(60) });
    await reader.newestFills({ ...own, orderId: orderId(8), ...span });
  }
}

async function askTrades(reader: HistoryReader): Promise<void> {
  await reader.recentTrades(BTCUSDT, 100);
  for (const product of ['spot', 'contract'] as const) {
    const day = { product, fromMs: 1, beforeMs: 9e12, limit };
    await reader.countedTrades(day);
    await reader.countedTrades({ ...day, after: { timeMs: 5, tradeId: 7 } });
    await reader.tradeParties(product, { afterId: 5, throughId: 9e12, limit });
  }
}

test('every page is read along an index and never sorted', async (t) => {
  const file = historyFile(t);
  const venue = new HistoryFloor();
  const [accountId, other] = [venue.open('ann'), venue.open('bob')];
  venue.spotTrade(accountId, other, 'buy', { clientOrderId: 'mine' });
  venue.transfer(accountId, 'spot', 'BTC-USDT-PERP', 'mine');
  const writer = await historyOf(file).openWriter(VENUE_ID);
  await writer.project(venue.steps);
  const spot = { accountId, wallet: 'spot' } as const;
  const pair = { accountId, instrumentId: BTCUSDT };
  const candles = { instrumentId: BTCUSDT, period: '1h', fromMs: 0, toMs: 9e12, limit } as const;
  const asked = await statementsOf(file, async (reader) => {
    await reader.projectedSeq();
    for (const page of bounds) {
      await reader.orders({ accountId, ...page, limit });
      await reader.orders({ ...pair, ...page, limit });
      await reader.orders({ accountId, ...page, fromMs: 1, toMs: 9e12, offset: 3, limit });
      await reader.bills({ ...spot, assetId: BTC, tradeSide: 'given', fromMs: 1, ...page, limit });
      await reader.bills({ ...spot, toMs: 9e12, ...page, limit });
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
        for (const fromType of [undefined, 'spot'] as const) {
          for (const clientOid of [undefined, 'mine']) {
            const found = { accountId, assetId, fromType, clientOid, ...page };
            await reader.transfers({ ...found, limit: 1 });
            await reader.transfers({ ...found, before: 7, limit: 1 });
          }
        }
      }
    }
    await askFills(reader, accountId);
    await reader.order(accountId, orderId(8));
    await reader.orderByClientId(accountId, BTCUSDT, 'mine');
    await reader.orderByClientId(accountId, undefined, 'mine');
    await askTrades(reader);
    await reader.candles({ ...candles, keep: 'oldest' });
    await reader.candles({ ...candles, keep: 'newest' });
    await reader.lastCandleBefore({ instrumentId: BTCUSDT, period: '1h' }, 9e12);
    for (const { ask } of CONTRACT_PLANS) await ask(reader);
  });
  await writer.close();
  const db = new Sqlite(file, { readonly: true });
  t.after(() => db.close());
  assert.ok(asked.length > 150, `${asked.length} statements seen`);
  for (const one of asked) {
    const plan = triggerOf(db, one);
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

interface PlanCase {
  readonly name: string;
  readonly ask: (reader: HistoryReader, page: object, times: object) => Promise<unknown>;
  /** Index and filters of each search of the page; its range follows them. */
  readonly searches: readonly string[];
}

const accountId = ANN;
const spot = { accountId, wallet: 'spot', limit } as const;
const pair = { accountId, instrumentId: BTCUSDT, limit };
const BUYS_BTC = 'trades_by_buyer_instrument buyer_account_id instrument_id';
const SELLS_BTC = 'trades_by_seller_instrument seller_account_id instrument_id';
const BOUGHT_BTC = 'trades_by_buyer_fill buyer_account_id instrument_id';
const SOLD_BTC = 'trades_by_seller_fill seller_account_id instrument_id';
const BUYS_FOR_USDT = 'trades_by_buyer_quote buyer_account_id quote_asset_id';
const SELLS_FOR_USDT = 'trades_by_seller_quote seller_account_id quote_asset_id';

const PLANS: readonly PlanCase[] = [
  {
    name: 'orders of all pairs',
    ask: (reader, page) => reader.orders({ accountId, limit, ...page }),
    searches: ['orders_by_account account_id'],
  },
  {
    name: 'orders of a pair',
    ask: (reader, page) => reader.orders({ ...pair, ...page }),
    searches: ['orders_by_instrument account_id instrument_id'],
  },
  {
    name: 'fills of a pair',
    ask: (reader, page) => reader.fills({ ...pair, ...page }),
    searches: [BOUGHT_BTC, SOLD_BTC],
  },
  {
    name: 'fills of an order',
    ask: (reader, page) => reader.fills({ ...pair, orderId: orderId(8), ...page }),
    searches: ['trades_by_buyer_order buyer_order_id', 'trades_by_seller_order seller_order_id'],
  },
  {
    name: 'all bills',
    ask: (reader, page) => reader.bills({ ...spot, ...page }),
    searches: ['balance_changes_by_wallet account_id wallet', BUYS_FOR_USDT, SELLS_FOR_USDT],
  },
  {
    name: 'bills of the base coin',
    ask: (reader, page) => reader.bills({ ...spot, assetId: BTC, group: 'transaction', ...page }),
    searches: [BUYS_BTC, SELLS_BTC],
  },
  {
    name: 'sells for the quote coin',
    ask: (reader, page) => reader.bills({ ...spot, assetId: USDT, biz: 'sell', ...page }),
    searches: [SELLS_FOR_USDT],
  },
  {
    name: 'bills of a coin',
    ask: (reader, page) => reader.bills({ ...spot, assetId: USDT, ...page }),
    searches: [
      'balance_changes_by_asset account_id wallet asset_id',
      BUYS_FOR_USDT,
      SELLS_FOR_USDT,
    ],
  },
  {
    name: 'bills of a pair',
    ask: (reader, page) => reader.bills({ ...spot, instrumentId: BTCUSDT, ...page }),
    searches: [
      'trades_by_buyer_instrument buyer_account_id instrument_id',
      'trades_by_seller_instrument seller_account_id instrument_id',
    ],
  },
  {
    name: 'transfer bills',
    ask: (reader, page) => reader.bills({ ...spot, group: 'transfer', ...page }),
    searches: [
      'balance_changes_by_biz account_id wallet biz',
      'balance_changes_by_biz account_id wallet biz',
    ],
  },
  {
    name: 'deposits of a coin',
    ask: (reader, page) => reader.bills({ ...spot, assetId: USDT, biz: 'deposit', ...page }),
    searches: ['balance_changes_by_asset_and_biz account_id wallet asset_id biz'],
  },
  {
    name: 'transfers',
    ask: (reader, _, times) => reader.transfers({ accountId, limit, ...times }),
    searches: ['transfers_by_account account_id'],
  },
  {
    name: 'transfers of a coin',
    ask: (reader, _, times) => reader.transfers({ accountId, assetId: USDT, limit, ...times }),
    searches: ['transfers_by_asset account_id asset_id'],
  },
  {
    name: 'transfers out of spot',
    ask: (reader, _, times) => reader.transfers({ accountId, fromType: 'spot', limit, ...times }),
    searches: ['transfers_by_from_kind account_id from_kind'],
  },
  {
    name: 'transfers of a coin out of spot',
    ask: (reader, _, times) =>
      reader.transfers({ accountId, assetId: USDT, fromType: 'spot', limit, ...times }),
    searches: ['transfers_by_asset_and_from_kind account_id asset_id from_kind'],
  },
  {
    name: 'transfers by client id',
    ask: (reader, _, times) =>
      reader.transfers({ accountId, assetId: USDT, clientOid: 'mine', limit, ...times }),
    searches: ['transfers_by_client_oid account_id client_oid'],
  },
];

test('each question goes to the index of its filters, whatever its bounds', async (t) => {
  const file = historyFile(t);
  const writer = await historyOf(file).openWriter(VENUE_ID);
  // The one pair there is: every coin is base or quote, never both.
  await writer.project(new HistoryFloor().steps.slice(0, 4));
  await writer.close();
  const db = new Sqlite(file);
  t.after(() => db.close());
  for (const { name, ask, searches } of PLANS) {
    for (const [index, page] of bounds.entries()) {
      const asked = await statementsOf(file, (reader) => ask(reader, page, times[index] ?? {}));
      // A bound that is a fill's id is looked up by it.
      const pages = asked.filter((one) => !/from "instruments"|"trade_id" = \?/.test(one.sql));
      const plan = pages
        .flatMap((one) => triggerOf(db, one))
        .filter((line) => /^SEARCH/.test(line));
      assert.deepEqual(plan.map(searchText), searches, `${name} ${JSON.stringify(page)}`);
    }
  }
});

/** The index and the columns it is entered by; the range at its end must be there too. */
function searchText(line: string): string {
  const places = line.replaceAll(/\((\w+),(\w+)\)([<>])\(\?,\?\)/g, '$1$3?');
  const found = /INDEX (\S+) \((.+) AND (\w+)>\? AND \3<\?\)$/.exec(places);
  assert.ok(found, line);
  const columns = found[2]?.replaceAll('=?', '').replaceAll(' AND', '');
  return `${found[1]} ${columns}`;
}

/** Of contracts: what is asked, and every search it makes, to its last column. */
const own = { accountId, instrumentId: LINEAR_ID, limit };
const paged = { ...own, offset: 300 };
const OF_ACCOUNT = 'account_id=? AND instrument_id=?';
const WINDOW = 'created_time_ms>? AND created_time_ms<?';
const PRIMARY_KEY = 'INTEGER PRIMARY KEY (rowid=?)';
const [FILLS_TAKEN, FILLS_MADE] = (['taker', 'maker'] as const).map(
  (role) =>
    `INDEX contract_trades_by_${role} ` +
    `(${role}_account_id=? AND instrument_id=? AND trade_id>? AND trade_id<?)`,
) as [string, string];
/** The one contract of the account, and that there is no other. */
const CONTRACTS_TRADED = ['taker', 'taker', 'maker', 'maker'].map(
  (role) => `COVERING INDEX contract_trades_by_${role} (${role}_account_id=? AND instrument_id>?)`,
);
const TIMES = 'COVERING INDEX contract_trades_by_time (time_ms<?)';

function ledgerSearch(by: 'asset' | 'instrument'): string {
  const filters = `account_id=? AND ${by}_id=? AND kind=?`;
  return `INDEX contract_ledger_by_${by} (${filters} AND time_ms>? AND time_ms<?)`;
}

/** The order that a plan order placed. */
const PLACED_ORDER = `${PRIMARY_KEY} LEFT-JOIN`;

const CONTRACT_PLANS: readonly {
  readonly name: string;
  readonly ask: (reader: HistoryReader) => Promise<unknown>;
  readonly searches: readonly string[];
}[] = [
  {
    name: 'orders of a contract',
    ask: (reader) => reader.contractOrders({ ...paged, fromMs: 5 }),
    searches: [`INDEX contract_orders_by_created (${OF_ACCOUNT} AND ${WINDOW})`],
  },
  {
    name: 'orders of every contract',
    ask: (reader) => reader.contractOrders({ accountId, offset: 300, limit }),
    searches: [`INDEX contract_orders_by_account (account_id=? AND ${WINDOW})`],
  },
  {
    name: 'orders of every contract before one',
    ask: (reader) =>
      reader.contractOrders({ accountId, before: orderId(8), offset: 0, limit, fromMs: 1 }),
    searches: [
      'INTEGER PRIMARY KEY (rowid<?)',
      `INDEX contract_orders_by_account (account_id=? AND ${WINDOW})`,
    ],
  },
  {
    name: 'orders and trigger orders of every contract',
    ask: (reader) => reader.contractPast({ accountId, offset: 0, limit }),
    searches: [
      `COVERING INDEX contract_orders_by_account (account_id=? AND ${WINDOW})`,
      `COVERING INDEX trigger_orders_by_account (account_id=? AND ${WINDOW})`,
      PRIMARY_KEY,
      PRIMARY_KEY,
      PLACED_ORDER,
    ],
  },
  {
    name: 'one order',
    ask: (reader) => reader.contractOrder(accountId, orderId(8)),
    searches: [PRIMARY_KEY],
  },
  {
    name: 'an order by its client id',
    ask: (reader) => reader.contractOrderByClientId(accountId, LINEAR_ID, 'mine'),
    searches: ['INDEX contract_orders_by_client (account_id=? AND client_order_id=?)'],
  },
  {
    name: 'an order of any contract by its client id',
    ask: (reader) => reader.contractOrderByClientId(accountId, undefined, 'mine'),
    searches: ['INDEX contract_orders_by_client (account_id=? AND client_order_id=?)'],
  },
  {
    name: 'fills of a contract',
    ask: (reader) => reader.contractFills(own),
    searches: [FILLS_TAKEN, FILLS_MADE],
  },
  {
    name: 'fills of every contract in a span of time',
    ask: (reader) => reader.contractFills({ accountId, fromMs: 1, toMs: 9e12, limit }),
    searches: [TIMES, TIMES, ...CONTRACTS_TRADED, FILLS_TAKEN, FILLS_MADE],
  },
  {
    name: 'the ledger of a contract',
    ask: (reader) => reader.ledger(own),
    searches: LEDGER_KINDS.map(() => ledgerSearch('instrument')),
  },
  {
    name: 'funding in the ledger of a coin, before a row',
    ask: (reader) =>
      reader.ledger({ accountId, assetId: USDT, kinds: ['funding'], before: 3, limit }),
    searches: ['INTEGER PRIMARY KEY (rowid<?)', ledgerSearch('asset')],
  },
  {
    name: 'fills of an order',
    ask: (reader) => reader.contractFills({ ...own, orderId: orderId(8) }),
    searches: [
      'INDEX contract_trades_by_taker_order (taker_order_id=? AND trade_id>? AND trade_id<?)',
      'INDEX contract_trades_by_maker_order (maker_order_id=? AND trade_id>? AND trade_id<?)',
    ],
  },
  {
    name: 'plan orders',
    ask: (reader) => reader.triggers(paged),
    searches: [`INDEX trigger_orders_by_created (${OF_ACCOUNT} AND ${WINDOW})`, PLACED_ORDER],
  },
  {
    name: 'plan orders of every contract before one',
    ask: (reader) => reader.triggers({ accountId, before: orderId(8), offset: 0, limit }),
    searches: [
      'INTEGER PRIMARY KEY (rowid<?)',
      `INDEX trigger_orders_by_account (account_id=? AND ${WINDOW})`,
      PLACED_ORDER,
    ],
  },
  {
    name: 'plan orders of an action in a window',
    ask: (reader) => reader.triggers({ ...paged, action: 'open_long', fromMs: 1, toMs: 9e12 }),
    searches: [
      `INDEX trigger_orders_by_action (${OF_ACCOUNT} AND action=? AND ${WINDOW})`,
      PLACED_ORDER,
    ],
  },
  {
    name: 'a trigger order of any contract by its client id',
    ask: (reader) => reader.triggerByClientId(accountId, 'mine'),
    searches: ['INDEX trigger_orders_by_client (account_id=? AND client_order_id=?)', PLACED_ORDER],
  },
  {
    name: 'one plan order',
    ask: (reader) => reader.trigger(accountId, orderId(8)),
    searches: [PRIMARY_KEY, PLACED_ORDER],
  },
  {
    name: 'what an account owned when days began',
    ask: (reader) => reader.equities({ accountId }),
    searches: ['INDEX day_equities_by_account (account_id=? AND day_ms>? AND day_ms<?)'],
  },
  {
    name: 'the same of one coin',
    ask: (reader) => reader.equities({ accountId, assetId: USDT, fromMs: 1, toMs: 9e12 }),
    searches: ['INDEX day_equities_by_account (account_id=? AND day_ms>? AND day_ms<?)'],
  },
  {
    name: 'an insurance fund when days began',
    ask: (reader) => reader.funds({ assetId: USDT }),
    searches: ['INDEX day_funds_by_asset (asset_id=? AND day_ms>? AND day_ms<?)'],
  },
  {
    name: 'funding rates',
    ask: (reader) => reader.fundingRates({ instrumentId: LINEAR_ID, offset: 300, limit }),
    searches: ['PRIMARY KEY (instrument_id=? AND funding_time_ms>? AND funding_time_ms<?)'],
  },
  {
    name: 'liquidations',
    ask: (reader) => reader.liquidations({ before: 9e12, limit: 1 }),
    searches: ['INTEGER PRIMARY KEY (rowid<?)', 'INDEX liquidations_by_time (time_ms<?)'],
  },
  {
    name: 'liquidations of a contract',
    ask: (reader) => reader.liquidations({ instrumentId: LINEAR_ID, before: 9e12, limit: 1 }),
    searches: [
      'INTEGER PRIMARY KEY (rowid<?)',
      'INDEX liquidations_by_instrument (instrument_id=? AND time_ms<?)',
    ],
  },
  {
    name: 'public trades',
    ask: (reader) => reader.recentTrades(LINEAR_ID, limit),
    searches: [
      'INDEX trades_by_instrument (instrument_id=?)',
      'INDEX contract_trades_by_instrument (instrument_id=? AND in_book=?)',
    ],
  },
];

test('each question about contracts goes to the index of its filters', async (t) => {
  const file = historyFile(t);
  const writer = await historyOf(file).openWriter(VENUE_ID);
  const tape = new ContractTape();
  tape.liquidate(accountId);
  tape.trade({ taker: { accountId }, maker: { accountId } });
  tape.close(tape.order(accountId));
  await writer.project(tape.steps);
  await writer.close();
  const db = new Sqlite(file);
  t.after(() => db.close());
  for (const { name, ask, searches } of CONTRACT_PLANS) {
    const asked = await statementsOf(file, ask);
    const plan = asked.flatMap((one) => triggerOf(db, one));
    const found = plan.filter((line) => /^(SEARCH|SCAN|USE)/.test(line));
    assert.deepEqual(
      found.map((line) => line.replace(/^SEARCH \S+ USING /, '')),
      searches,
      name,
    );
  }
});
