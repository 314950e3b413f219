/**
 * A page of contracts costs the same in a long history as in a short one, the deepest page too.
 * OUTCRY_TEST_ROWS sets the number of fills of the long one.
 */
import { test } from 'node:test';
import { accountId, LIMITS, orderId } from '#domain';
import { historyFile, historyOf, VENUE_ID } from '../support/history-files.ts';
import { ContractTape, INVERSE_ID, LINEAR_ID } from './contracts.ts';
import { costsTheSame, grow, type Question } from './timing.ts';

const FILLS_LONG = Number(process.env.OUTCRY_TEST_ROWS ?? 1_000_000);
const FILLS_SHORT = FILLS_LONG / 10;
const FILLS_PER_TRADE = 2;
const IDS_PER_TRADE = 10;
const START_MS = Date.parse('2026-03-01T12:00:00Z');
const STEP_MS = 10;

const ROWS = 'with recursive n(i) as (select :from union all select i + 1 from n where i < :to)';
/** A second passes with every hundred trades. */
const TIME = `${START_MS} + i * ${STEP_MS}`;
/** Both contracts take turns. */
const CONTRACT = `case i % 2 when 0 then ${LINEAR_ID} else ${INVERSE_ID} end`;

/** Trades among the accounts 2 to 40; account 1 meets every third, account 99 the first of all. */
const TRADES = `${ROWS}
  insert into contract_trades
  select i * ${IDS_PER_TRADE} + 2, ${CONTRACT}, i % 50 <> 0, 300000 + i % 100, 5, '5000000', 'buy',
    case when i = 0 then 99 when i % 3 = 0 then 1 else 2 + i % 39 end, i * ${IDS_PER_TRADE} + 1,
    'open_long', 'owner', 5, '180', '0',
    2 + (i + 7) % 39, max(0, i - 20) * ${IDS_PER_TRADE} + 1, 'open_short', 'owner', 5, '120', '0',
    ${TIME}, 0
  from n`;

/** One row of the ledger for each side of each of those trades. */
const LEDGER = (['taker', 'maker'] as const).map(
  (role, place) => `${ROWS}
  insert into contract_ledger
  select i * 2 + ${place + 1}, i, t.${role}_account_id, 'wallet', 1, t.instrument_id,
    t.${role}_action, 'long', t.${role}_order_id, t.trade_id, t.${role}_fee, '-5', '1000',
    t.time_ms, '1000', 0
  from n join contract_trades t on t.trade_id = i * ${IDS_PER_TRADE} + 2`,
);

/** Every second order is one of account 1 in the linear contract. */
const ORDERS = `${ROWS}
  insert into contract_orders
  select i * ${IDS_PER_TRADE} + 1, case i % 2 when 0 then 1 else 2 + i % 39 end, ${CONTRACT},
    case i % 10 when 0 then 'same' else 'id-' || i end, 'open_long', 'owner', 'limit', 'gtc',
    300000, 5, 5, '1500000', '180', '0', 0, 0, 20, ${TIME}, 'filled', i, ${TIME}, '0', 0
  from n`;

const PLANS = `${ROWS}
  insert into trigger_orders
  select i * ${IDS_PER_TRADE} + 3, case i % 2 when 0 then 1 else 2 + i % 39 end, ${CONTRACT},
    'id-' || i, case i % 4 when 0 then 'open_long' else 'close_long' end, 'plan', 'limit', 310000,
    'rise', 310000, 5, 300000, ${TIME}, 'triggered', '', i, 5, ${TIME}, i,
    'last', 0, 'last', 0, 'last', '', 0
  from n`;

const FUNDING = `${ROWS}
  insert into funding_rates
  select ${CONTRACT}, ${TIME}, 100000, 300000, '1000', '998', '0', i, 0, 0 from n`;

const LIQUIDATIONS = `${ROWS}
  insert into liquidations
  select i + 1, i, ${TIME}, 2 + i % 39, case i when 0 then ${INVERSE_ID} else ${LINEAR_ID} end,
    'isolated', 'long', 285000, 284000, 5, 0, '-5', '', 0
  from n`;

const TABLES = [TRADES, ...LEDGER, ORDERS, PLANS, FUNDING, LIQUIDATIONS];

const limit = LIMITS.contractPageRowsMax;
const deep = { offset: (LIMITS.contractPageIndexMax - 1) * limit, limit };
const first = { offset: 0, limit };
const own = { accountId: accountId(1), instrumentId: LINEAR_ID };
const other = { accountId: accountId(99), instrumentId: LINEAR_ID };

const QUESTIONS: readonly Question[] = [
  ['the newest orders', 100, (reader) => reader.contractOrders({ ...own, fromMs: 0, ...first })],
  ['the deepest orders', 100, (reader) => reader.contractOrders({ ...own, fromMs: 0, ...deep })],
  [
    'orders since beyond the newest',
    0,
    (reader) => reader.contractOrders({ ...own, fromMs: 9e12, ...first }),
  ],
  [
    'an order by a client id used again and again',
    1,
    async (reader) => {
      const found = await reader.contractOrderByClientId(own.accountId, LINEAR_ID, 'same');
      return found === undefined ? [] : [found];
    },
  ],
  ['the newest fills', 100, (reader) => reader.contractFills({ ...own, limit })],
  [
    'the newest fills of every contract',
    100,
    (reader) => reader.contractFills({ accountId: own.accountId, limit }),
  ],
  ['the newest rows of the ledger', 100, (reader) => reader.ledger({ ...own, limit })],
  [
    'funding in the ledger, of which there is none',
    0,
    (reader) => reader.ledger({ accountId: own.accountId, kinds: ['funding'], limit }),
  ],
  [
    'orders and trigger orders of every contract',
    100,
    (reader) => reader.contractPast({ accountId: own.accountId, ...first }),
  ],
  ['one fill, the oldest of all', 1, (reader) => reader.contractFills({ ...other, limit })],
  [
    "an old order's fill",
    1,
    (reader) => {
      const old = orderId(180 * IDS_PER_TRADE + 1);
      return reader.contractFills({ ...own, orderId: old, limit });
    },
  ],
  ['the newest plans', 100, (reader) => reader.triggers({ ...own, ...first })],
  [
    'the deepest plans of an action',
    100,
    (reader) => reader.triggers({ ...own, action: 'open_long', offset: 12_000, limit }),
  ],
  ['the oldest plans', 1, (reader) => reader.triggers({ ...own, toMs: START_MS, ...first })],
  ['the newest funding', 100, (reader) => reader.fundingRates({ ...own, ...first })],
  ['the deepest funding', 100, (reader) => reader.fundingRates({ ...own, ...deep })],
  ['the newest liquidations', 100, (reader) => reader.liquidations({ limit })],
  [
    'the only liquidation of a contract',
    1,
    (reader) => reader.liquidations({ instrumentId: INVERSE_ID, limit }),
  ],
  ['recent trades', 100, (reader) => reader.recentTrades(LINEAR_ID, 100)],
];

test(`a page of ${FILLS_LONG} contract fills costs what one of ${FILLS_SHORT} costs`, async (t) => {
  const file = historyFile(t);
  const writer = await historyOf(file).openWriter(VENUE_ID);
  await writer.project(new ContractTape().steps);
  await writer.close();
  const [short, long] = [FILLS_SHORT / FILLS_PER_TRADE, FILLS_LONG / FILLS_PER_TRADE];
  grow(file, TABLES, 0, short - 1);
  await costsTheSame(t, file, QUESTIONS, () => grow(file, TABLES, short, long - 1));
});
