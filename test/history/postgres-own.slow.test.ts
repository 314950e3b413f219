/** What a history in PostgreSQL meets and a file does not: operators, other programs, no server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type History, historyAt } from '#history';
import { Connection, POSTGRES_SCHEMA, prepare } from '#history/testing';
import type { PostgresServer } from '../../tools/postgres.ts';
import { acceptedId } from '../support/floor.ts';
import { VENUE_ID } from '../support/history-files.ts';
import { execute, newDatabase, postgresOrSkip } from '../support/postgres.ts';
import { project } from './contract.ts';
import { ANN, BOB, ContractTape } from './contracts.ts';
import { BTC, CONTRACT, ETH, HistoryFloor, USDT } from './floor.ts';

const server = await postgresOrSkip();

function postgresTest(name: string, body: (url: string, on: PostgresServer) => Promise<void>) {
  if (server !== undefined) test(name, () => body(newDatabase(server), server));
}

function historyIn(url: string): History {
  return historyAt({ kind: 'postgres', url });
}

function tape(): ContractTape {
  const told = new ContractTape();
  for (let trade = 0; trade < 5; trade += 1) {
    told.close(told.order(ANN));
    told.trade({ taker: { accountId: ANN }, maker: { accountId: BOB } });
  }
  return told;
}

postgresTest('a row that somebody changed by SQL is found by scrub and proof', async (url) => {
  const history = historyIn(url);
  const { steps } = tape();
  await project(history, steps);
  await execute(url, 'update outcry.contract_trades set taker_fee = taker_fee + 1 where true');
  const scrub = await history.openScrub();
  const findings = await scrub.step();
  await scrub.close();
  assert.equal(findings.length, 5);
  assert.match(findings[0] ?? '', /contract_trades trade_id=\d+ is not what was written$/);
  const proof = await history.openProof();
  await proof.writer.project(steps);
  const differences = await proof.differences();
  await proof.close();
  assert.equal(differences.length, 5);
  assert.deepEqual(differences[0]?.columns, ['taker_fee']);
  assert.equal(differences[0]?.what, 'differs');
});

const NOTES = 'create table notes (note_id bigint primary key, text text not null)';

postgresTest('a schema of version 1 is upgraded in one transaction', async (url) => {
  const { steps } = tape();
  await project(historyIn(url), steps);
  const reaching = async (step: (connection: Connection) => Promise<void>): Promise<void> => {
    const connection = await Connection.open(url);
    try {
      await prepare(connection, VENUE_ID, { ...POSTGRES_SCHEMA, upgrades: [step] });
    } finally {
      await connection.close();
    }
  };
  const versions = () => execute(url, 'select version from outcry.schema_versions order by 1');
  const failing = async (connection: Connection): Promise<void> => {
    await connection.query(NOTES);
    await connection.query('insert into notes values (1, null)');
  };
  await assert.rejects(reaching(failing), /violates not-null constraint/);
  assert.deepEqual(await versions(), [{ version: '1' }]);
  await reaching(async (connection) => void (await connection.query(NOTES)));
  await reaching(() => assert.fail('it is not taken again'));
  assert.deepEqual(await versions(), [{ version: '1' }, { version: '2' }]);
  assert.deepEqual(await execute(url, 'select * from outcry.notes'), []);
  const newer = /schema 2, this program reads 1: use the program that wrote it, or drop the schema/;
  await assert.rejects(historyIn(url).openWriter(VENUE_ID), newer);
  await assert.rejects(historyIn(url).openReader(), newer);
});

postgresTest('a schema of something else, or of an earlier checkout, is refused', async (url) => {
  await execute(url, 'create schema outcry; create table outcry.theirs (id bigint)');
  const something = { name: 'HistoryUnusable', message: /holds something else, not a history$/ };
  await assert.rejects(historyIn(url).openWriter(VENUE_ID), something);
  await execute(url, 'drop schema outcry cascade');
  await project(historyIn(url), tape().steps);
  await execute(url, 'insert into outcry.schema_versions values (2), (3)');
  const earlier = { name: 'HistoryUnusable', message: /has schema 3, this program reads 1: use/ };
  await assert.rejects(historyIn(url).openWriter(VENUE_ID), earlier);
  await assert.rejects(historyIn(url).openReader(), earlier);
});

postgresTest('writers that open an empty database at once all find its tables', async (url) => {
  const history = historyIn(url);
  const writers = await Promise.all(Array.from({ length: 6 }, () => history.openWriter(VENUE_ID)));
  assert.deepEqual(
    writers.map(({ projectedSeq }) => projectedSeq),
    [0, 0, 0, 0, 0, 0],
  );
  for (const writer of writers) await writer.close();
});

const SCALE = 10n ** 8n;

/** As the views show an amount of eight decimals. */
function decimalText(amount: bigint): string {
  const text = `${amount / SCALE}.${String(amount % SCALE).padStart(8, '0')}`;
  return text.replace(/\.?0+$/, '');
}

postgresTest('the views show fills, orders and every balance in decimals', async (url) => {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  venue.limit(bob, 'sell', 30_000, 25);
  venue.limit(ann, 'buy', 30_100, 10);
  venue.cancel(bob, acceptedId(venue.limit(bob, 'buy', 20_000, 7)));
  venue.transfer(ann, 'spot', CONTRACT);
  await project(historyIn(url), venue.steps);

  const fills = await execute(
    url,
    `select account, symbol, side, role, price::text, size::text, value::text, value_coin,
      fee::text, fee_coin from outcry.fills order by account`,
  );
  const trade = { symbol: 'BTC-USDT', price: '300', size: '0.001', value: '0.3' };
  const shared = { ...trade, value_coin: 'USDT' };
  assert.deepEqual(fills, [
    { ...shared, account: 'ann', side: 'buy', role: 'taker', fee: '0.000001', fee_coin: 'BTC' },
    { ...shared, account: 'bob', side: 'sell', role: 'maker', fee: '0.00015', fee_coin: 'USDT' },
  ]);

  const orders = await execute(
    url,
    `select account, side, price::text, size::text, filled::text, reason
      from outcry.closed_orders order by created_at, order_id`,
  );
  assert.deepEqual(orders, [
    { account: 'ann', side: 'buy', price: '301', size: '0.001', filled: '0.001', reason: 'filled' },
    {
      account: 'bob',
      side: 'buy',
      price: '200',
      size: '0.0007',
      filled: '0',
      reason: 'cancelled_by_owner',
    },
  ]);

  const balances = await execute(
    url,
    'select account, wallet, coin, balance::text from outcry.balances where until is null',
  );
  const expected = [ann, bob].flatMap((account, index) =>
    [
      ['USDT', USDT],
      ['BTC', BTC],
      ['ETH', ETH],
    ].map(([coin, asset]) => ({
      account: ['ann', 'bob'][index],
      wallet: 'spot',
      coin,
      balance: decimalText(venue.inWallet(account, 'spot', asset as typeof BTC)),
    })),
  );
  const wallet = venue.inWallet(ann, CONTRACT, USDT);
  expected.push({ account: 'ann', wallet: CONTRACT, coin: 'USDT', balance: decimalText(wallet) });
  const inOrder = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
  assert.deepEqual(inOrder(balances), inOrder(expected));
  const [sum] = await execute(url, 'select count(*) as rows from outcry.liquidated_positions');
  assert.equal(sum?.rows, '0');
});

postgresTest(
  'processes that share a history write each step once, whoever is first',
  async (url) => {
    const shared = historyAt({ kind: 'postgres', url, isShared: true });
    const venue = new HistoryFloor();
    const [ann, bob] = [venue.open('ann'), venue.open('bob')];
    const writers = [
      await shared.openWriter(VENUE_ID),
      await shared.openWriter(VENUE_ID),
      await shared.openWriter(VENUE_ID),
    ];
    for (let round = 0; round < 12; round += 1) {
      for (let trade = 0; trade <= round; trade += 1) venue.spotTrade(ann, bob, 'buy');
      venue.timeMs += 40_000;
      // Some fall behind, and all of them try at once.
      const trying = writers.filter((_, index) => round % (index + 2) > 0 || round === 11);
      await Promise.all(trying.map((writer) => writer.project(venue.steps)));
    }
    for (const { projectedSeq } of writers) assert.equal(projectedSeq, venue.steps.length);
    for (const writer of writers) await writer.close();
    const proof = await shared.openProof();
    await proof.writer.project(venue.steps);
    assert.deepEqual(await proof.differences(), []);
    await proof.close();
  },
);

postgresTest('no message names the password', async (url, on) => {
  const { password } = new URL(on.url);
  const refused = [
    url.replace(password, `${password}-wrong`),
    url.replace(/:\d+\//, ':1/'),
    url.replace(/[^/]*$/, 'no_such_database'),
  ];
  for (const wrong of refused) {
    const history = historyIn(wrong);
    assert.equal(history.place.includes(password), false);
    await assert.rejects(history.openWriter(VENUE_ID), (error: Error) => {
      assert.match(error.name, /^History(Away|Unusable)$/);
      assert.equal(error.message.includes(password), false, error.message);
      return true;
    });
  }
});
