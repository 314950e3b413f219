/**
 * A page costs the same in a long history as in a short one. OUTCRY_TEST_ROWS sets the number of
 * fills of the long one (10000000 takes a minute or more).
 */
import { test } from 'node:test';
import { accountId, type InstrumentId, instrumentId } from '#domain';
import { BTCUSDT } from '../support/floor.ts';
import { historyFile, historyOf, VENUE_ID } from '../support/history-files.ts';
import { BTC, HistoryFloor, USDT } from './floor.ts';
import { costsTheSame, grow, type Question } from './timing.ts';

const FILLS_LONG = Number(process.env.OUTCRY_TEST_ROWS ?? 1_000_000);
const FILLS_SHORT = FILLS_LONG / 10;
const FILLS_PER_TRADE = 2;
const IDS_PER_TRADE = 10;
/** The pairs 0, 1 and 3 take turns. */
const PAIR = 'i % 3 + (i % 3 = 2)';

/** Trades numbered from..to among 40 accounts; account 99 bought once, in the very first. */
const TRADES = `
  with recursive n(i) as (select :from union all select i + 1 from n where i < :to)
  insert into trades
  select i * ${IDS_PER_TRADE} + 2, ${PAIR}, (i % 3 = 2), 10000 + i % 100, 5, '5000000', 'buy', 0,
    case i when 0 then 99 else 1 + i % 40 end, i * ${IDS_PER_TRADE} + 1, '5', '1000000', '1000000',
    1 + (i + 7) % 40, max(0, i - 20) * ${IDS_PER_TRADE} + 1, '5', '1000000', '1000000',
    1772366400000 + i * 10, 0
  from n`;

/** One order in two closes with its trade; every tenth carries the same client id. */
const ORDERS = `
  with recursive n(i) as (select :from union all select i + 1 from n where i < :to)
  insert into orders
  select i * ${IDS_PER_TRADE} + 1, 1 + i % 40, ${PAIR},
    case i % 10 when 0 then 'same' else '' end, 'buy', 'limit', 'gtc', 10000, 5, '0', 5,
    '5000000', 1772366400000 + i * 10, 'filled', i, 1772366400000 + i * 10, 0
  from n where i % 2 = 0`;

const limit = 100;
const ann = accountId(7);
const pair: { instrumentId: InstrumentId; limit: number } = { instrumentId: BTCUSDT, limit };
const old = { afterId: 300 * IDS_PER_TRADE };
const bills = { accountId: ann, wallet: 'spot', limit } as const;

const QUESTIONS: readonly Question[] = [
  ['the newest fills', 100, (reader) => reader.fills({ accountId: ann, ...pair })],
  ['the oldest fills', 100, (reader) => reader.fills({ accountId: ann, ...pair, beforeId: 0 })],
  [
    'one fill, the oldest of all',
    1,
    (reader) => reader.fills({ accountId: accountId(99), ...pair }),
  ],
  [
    'fills of a pair never traded',
    0,
    (reader) => reader.fills({ accountId: accountId(99), instrumentId: instrumentId(1), limit }),
  ],
  ['the newest orders', 100, (reader) => reader.orders({ accountId: ann, ...pair })],
  ['old orders', 8, (reader) => reader.orders({ accountId: ann, ...old, limit })],
  ['the newest bills', 100, (reader) => reader.bills(bills)],
  ['old bills', 33, (reader) => reader.bills({ ...bills, ...old })],
  ['sells of a coin', 100, (reader) => reader.bills({ ...bills, assetId: BTC, biz: 'sell' })],
  [
    'sells of an account that only bought',
    0,
    (reader) => reader.bills({ ...bills, accountId: accountId(99), assetId: USDT, biz: 'sell' }),
  ],
  ['deposits among trades', 3, (reader) => reader.bills({ ...bills, group: 'deposit' })],
  ['recent trades', 100, (reader) => reader.recentTrades(BTCUSDT, 100)],
];

test(`a page of ${FILLS_LONG} fills costs what a page of ${FILLS_SHORT} costs`, async (t) => {
  const file = historyFile(t);
  const writer = await historyOf(file).openWriter(VENUE_ID);
  const venue = new HistoryFloor();
  for (let account = 1; account <= 7; account += 1) venue.open(`trader-${account}`);
  await writer.project(venue.steps);
  await writer.close();
  const [short, long] = [FILLS_SHORT / FILLS_PER_TRADE, FILLS_LONG / FILLS_PER_TRADE];
  grow(file, [TRADES, ORDERS], 0, short - 1);
  await costsTheSame(t, file, QUESTIONS, () => grow(file, [TRADES, ORDERS], short, long - 1));
});
