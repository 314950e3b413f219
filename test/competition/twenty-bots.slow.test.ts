/**
 * A competition of twenty bots from start to leaderboard: HTTP clients that trade by API keys on
 * the simulated market, two rounds, the second driven by a scenario. The clock stands still while
 * they trade, so what they do does not depend on how fast this machine is.
 */
import { strict as assert } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { present } from '#kernel';
import { dataOf, type Trader } from '../support/http-trader.ts';
import { eventually } from '../support/until.ts';
import { type BoardRow, type CompetitionSeen, Cup, type Leaderboard, moneyOf } from './cup.ts';

const BOTS = 20;
const ROUND_MS = 60_000;
const MONEY = [
  { coin: 'USDT', amount: '10000', wallet: 'margin' },
  { coin: 'USDT', amount: '5000', wallet: 'spot' },
];
const INDEX = '/api/swap/v3/market/index?symbol=cmt_btcusdt';
const START = ['margin USDT 10000', 'spot USDT 5000'];

const SCENARIO = `
name: A rally
description: The index rises by a tenth, then it falls back by half of that.
clock: live
steps:
  - index: { BTC-USDT-PERP: 30100 }
  - idle: 15s
  - index: { BTC-USDT-PERP: 31500 }
  - idle: 15s
  - index: { BTC-USDT-PERP: 33000 }
  - idle: 15s
  - index: { BTC-USDT-PERP: 31500 }
`;

interface Bot {
  readonly name: string;
  readonly trader: Trader;
  /** Contracts bought, or sold below zero. */
  readonly contracts: number;
}

async function order(bot: Bot, contracts: number): Promise<void> {
  const type = contracts > 0 ? '1' : '2';
  const terms = { symbol: 'cmt_btcusdt', client_oid: '', order_type: '0', match_price: '1' };
  const size = String(Math.abs(contracts));
  dataOf(await bot.trader.swapPost('/order/placeOrder', { ...terms, size, type }));
}

/** Every other one buys, every other one sells, each its own size; the last one does nothing. */
async function bots(cup: Cup): Promise<readonly Bot[]> {
  return Promise.all(
    Array.from({ length: BOTS }, async (_, at) => {
      const name = `bot-${at + 1}`;
      const contracts = at === BOTS - 1 ? 0 : (at % 2 === 0 ? 1 : -1) * (10 + 5 * at);
      return { name, trader: await cup.bot(name), contracts };
    }),
  );
}

function rowOf(board: Leaderboard, name: string): BoardRow {
  return present(
    board.traders.find((row) => row.name === name),
    `the row of ${name}`,
  );
}

function assertRanked(rows: readonly BoardRow[]): void {
  for (const { rank, return: gained } of rows) {
    const better = rows.filter((other) => Number(other.return) > Number(gained));
    assert.equal(rank, better.length + 1);
  }
}

/** Every field of the JSON, and nothing that names an account. */
async function assertCsv(cup: Cup, path: string, board: Leaderboard): Promise<void> {
  const answer = await fetch(
    `${cup.house.url}/competition/v1/competitions/${path}/leaderboard.csv`,
  );
  assert.match(String(answer.headers.get('content-type')), /^text\/csv/);
  const text = await answer.text();
  const [head, ...lines] = text.trimEnd().split('\r\n');
  assert.equal(head, 'kind,rank,number,name,team,equity,return,drawdown,sharpe,trades');
  const line = (kind: string) => (row: BoardRow) => {
    const figures = [row.equity, row.return, row.drawdown, row.sharpe ?? '', row.trades];
    return [kind, row.rank, row.number, row.name, row.team, ...figures].join();
  };
  assert.deepEqual(lines, [...board.traders.map(line('trader')), ...board.teams.map(line('team'))]);
  assert.doesNotMatch(text, /bot-/);
  assert.doesNotMatch(JSON.stringify(board), /bot-|accountId/);
}

/** What the parts of the play have in common. */
interface Play {
  readonly cup: Cup;
  readonly all: readonly Bot[];
  readonly competitionId: string;
  readonly path: string;
  /** Of a bot, as spectators see it. */
  readonly shown: (bot: Bot) => string;
}

async function freed({ cup, all }: Play): Promise<void> {
  await eventually(
    async () => Promise.all(all.map(({ name }) => cup.account(name))),
    (accounts) => assert.ok(accounts.every(({ frozen }) => !frozen)),
  );
}

async function beginsEqual(play: Play): Promise<void> {
  const { cup, all, competitionId, path } = play;
  await cup.operate('POST', `${path}/rounds`, { name: 'First', durationMs: ROUND_MS });
  await cup.reaches(competitionId, 1, 'running');
  for (const { name } of all) assert.deepEqual(moneyOf(await cup.account(name)), START, name);
  await freed(play);
}

async function tradesAndEnds(play: Play): Promise<void> {
  const { cup, all, competitionId, shown } = play;
  for (const bot of all) if (bot.contracts !== 0) await order(bot, bot.contracts);
  const money = { coin: 'USDT', amount: '777' };
  await cup.refused('60128', 'POST', '/accounts/bot-20/deposits', money);
  await cup.operate('POST', '/contracts/BTC-USDT-PERP/index', { price: '29000' });
  await cup.pass(ROUND_MS / 2);
  const live = await eventually(
    () => cup.board(competitionId, 1),
    (board) => assert.equal(board.traders.filter(({ trades }) => trades > 0).length, BOTS - 1),
  );
  assertRanked(live.traders);
  await cup.pass(ROUND_MS / 2);
  await cup.reaches(competitionId, 1, 'ended');
  const board = await eventually(
    () => cup.board(competitionId, 1),
    ({ round }) => assert.equal(round.state, 'ended'),
  );
  assertRanked(board.traders);
  for (const bot of all) {
    const { return: gained, drawdown } = rowOf(board, shown(bot));
    if (bot.contracts > 0) assert.ok(Number(gained) < 0, `${bot.name} was long: ${gained}`);
    if (bot.contracts < 0) assert.ok(Number(gained) > 0, `${bot.name} was short: ${gained}`);
    if (bot.contracts > 0) assert.ok(Number(drawdown) > 0);
  }
  const idle = rowOf(board, shown(present(all.at(-1), 'last bot')));
  const { rank: _, number: __, name: ___, ...rest } = idle;
  assert.deepEqual(rest, {
    ...{ team: 'Blues', equity: '15000.00000000', return: '0.00000000' },
    ...{ drawdown: '0.00000000', sharpe: null, trades: 0 },
  });
  const [best] = board.teams;
  assert.equal(best?.name, 'Blues');
  const members = board.traders.filter(({ team }) => team === 'Blues');
  const sum = members.reduce((all, { equity }) => all + Number(equity), 0);
  assert.ok(Math.abs(Number(best.equity) - sum / members.length) < 1e-6);
  await assertCsv(cup, `${competitionId}/rounds/1`, board);
}

async function standsStill(play: Play): Promise<void> {
  const { cup, all, competitionId } = play;
  const frozen = await eventually(
    async () => Promise.all(all.map(({ name }) => cup.account(name))),
    (accounts) => assert.ok(accounts.every((account) => account.frozen)),
  );
  assert.ok(frozen.every(({ openOrders }) => openOrders === 0));
  await assert.rejects(order(present(all[0], 'first bot'), 1), /40[0-9]{3}/);
  const before = await cup.board(competitionId, 1);
  await cup.operate('POST', '/contracts/BTC-USDT-PERP/index', { price: '28000' });
  await cup.pass(10_000);
  assert.deepEqual((await cup.board(competitionId, 1)).traders, before.traders);
}

async function playsScenario(play: Play): Promise<void> {
  const { cup, all, competitionId, path, shown } = play;
  const scenarios = join(cup.house.directory, 'scenarios');
  mkdirSync(scenarios);
  writeFileSync(join(scenarios, 'rally.yaml'), SCENARIO);
  await cup.operate('POST', '/contracts/BTC-USDT-PERP/index', { price: '30000' });
  const round = { name: 'Final', durationMs: ROUND_MS, scenario: 'rally' };
  await cup.refused('60617', 'POST', `${path}/rounds`, { ...round, scenario: 'flash-crash' });
  await cup.operate('POST', `${path}/rounds`, round);
  await cup.reaches(competitionId, 2, 'running');
  for (const { name } of all) assert.deepEqual(moneyOf(await cup.account(name)), START, name);
  assert.equal((await cup.see(competitionId)).rounds[0]?.state, 'closed');
  await freed(play);
  await cup.house.lookAtClock();
  for (const bot of all) if (bot.contracts !== 0) await order(bot, bot.contracts);
  await cup.sees(INDEX, '30100');
  for (const price of ['31500', '33000', '31500']) {
    await cup.pass(15_000);
    await cup.sees(INDEX, price);
  }
  await cup.pass(15_000);
  await cup.reaches(competitionId, 2, 'ended');
  const board = await eventually(
    () => cup.board(competitionId, 2),
    ({ round: seen }) => assert.equal(seen.state, 'ended'),
  );
  assertRanked(board.traders);
  for (const bot of all) {
    const { return: gained, drawdown } = rowOf(board, shown(bot));
    if (bot.contracts > 0) assert.ok(Number(gained) > 0, `${bot.name} was long: ${gained}`);
    if (bot.contracts < 0) assert.ok(Number(gained) < 0, `${bot.name} was short: ${gained}`);
    if (bot.contracts !== 0) assert.ok(Number(drawdown) > 0, `${bot.name} has seen both`);
  }
  await eventually(
    async () => (await cup.see(competitionId)).rounds[1]?.note,
    (note) => assert.equal(note, 'scenario rally: played, 7 steps'),
  );
  await assertCsv(cup, `${competitionId}/rounds/2`, board);
  const curves = await cup.look<{ name: string; points: { time: string; equity: string }[] }[]>(
    'curves',
    `/${competitionId}/rounds/2/curves`,
  );
  assert.equal(curves.length, 10);
  for (const { points } of curves) {
    assert.equal(points.length, 1 + ROUND_MS / 5_000);
    assert.equal(points[0]?.equity, '15000.00000000');
  }
}

async function letsTrade(play: Play): Promise<void> {
  const { cup, path } = play;
  await cup.operate('POST', `${path}/rounds/2/close`);
  await freed(play);
  await cup.house.audit();
  await cup.house.close();
}

/** Twenty bots with accounts that are anything but equal, in two teams of a competition. */
async function opened(t: TestContext): Promise<Play> {
  const cup = await Cup.open(t);
  const all = await bots(cup);
  // Before the first round accounts are anything but equal.
  await cup.operate('POST', '/accounts/bot-1/deposits', { coin: 'USDT', amount: '123456' });
  await cup.operate('POST', '/accounts/bot-2/deposits', { coin: 'BTC', amount: '3' });
  const margin = { coin: 'USDT', amount: '50000', wallet: 'margin' };
  await cup.operate('POST', '/accounts/bot-3/deposits', margin);
  const [, second, third] = all;
  await order(present(third, 'third bot'), 40);
  const sell = { symbol: 'BTCUSDT', side: 'sell', orderType: 'limit', force: 'normal' };
  const asked = { ...sell, price: '32000', quantity: '0.5' };
  dataOf(await present(second, 'second bot').trader.post('/trade/orders', asked));

  const made = await cup.operate<CompetitionSeen>('POST', '/competitions', {
    ...{ name: 'Cup of bots', money: MONEY, sampleMs: 5_000 },
  });
  const { competitionId } = made;
  const path = `/competitions/${competitionId}`;
  const teams = ['Reds', 'Blues'];
  for (const [at, team] of teams.entries()) {
    const accounts = all.filter((_, one) => one % 2 === at).map(({ name }) => name);
    await cup.operate('POST', `${path}/entries`, { accounts, team });
  }
  const entries = (await cup.see(competitionId)).entries;
  assert.equal(entries.length, BOTS);
  const names = new Map<string, string>();
  for (const { name } of all) {
    const { accountId } = await cup.operate<{ accountId: string }>('GET', `/accounts/${name}`);
    const entry = present(
      entries.find((one) => one.accountId === accountId),
      `the entry of ${name}`,
    );
    names.set(name, entry.name);
  }
  const shown = ({ name }: Bot): string => present(names.get(name), name);
  return { cup, all, competitionId, path, shown };
}

test('twenty bots play two rounds, one of them by a scenario', async (t) => {
  const play = await opened(t);
  await t.test('a round begins with flat and equal accounts', () => beginsEqual(play));
  await t.test('bots trade, and the leaderboard follows the market', () => tradesAndEnds(play));
  await t.test('nobody trades after the end, and results stand', () => standsStill(play));
  await t.test('the next round begins anew, and a scenario drives it', () => playsScenario(play));
  await t.test('a round that is closed lets everybody trade again', () => letsTrade(play));
});
