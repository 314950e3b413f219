/**
 * The database of reports of a cluster: all members write it and each step is there once, whatever
 * ends meanwhile, the leader and the database included. Money by request is moved over it, and a
 * round of a competition played.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClusterHere } from '../../tools/cluster/processes.ts';
import { DEMO, dataOf, gauge, MAKER, Trader } from '../support/http-trader.ts';
import { newDatabase, postgresOrSkip } from '../support/postgres.ts';
import { run } from '../support/program.ts';
import { until } from '../support/until.ts';
import { demoFile } from './demo-file.ts';
import { moneyByRequest, PAYMENT_SECTIONS } from './money-by-request.ts';
import { RoundOverTakeover } from './round-over-takeover.ts';

const FLAGS = ['--no-participants', '--rate-limits', 'off'];
const ORDER = { symbol: 'BTCUSDT', orderType: 'limit', force: 'normal', price: '29000' };

const server = await postgresOrSkip();

/** So many trades, each of which must be acknowledged. */
async function trade(url: string, count: number): Promise<void> {
  const [seller, buyer] = [new Trader(url, MAKER), new Trader(url, DEMO)];
  for (let done = 0; done < count; done += 1) {
    dataOf(await seller.post('/trade/orders', { ...ORDER, side: 'sell', quantity: '0.01' }));
    dataOf(await buyer.post('/trade/orders', { ...ORDER, side: 'buy', quantity: '0.01' }));
  }
}

if (server !== undefined) {
  test('reports hold each command once, over a dead database and a dead leader', async (t) => {
    const historyUrl = newDatabase(server);
    process.env.OUTCRY_PEOPLE = newDatabase(server);
    t.after(() => delete process.env.OUTCRY_PEOPLE);
    const flags = [...FLAGS, '--config', demoFile(t, 1_000, PAYMENT_SECTIONS)];
    const cluster = await ClusterHere.start({ gateways: 1, flags, historyUrl });
    t.after(() => cluster.close());
    const url = cluster.gateways[0]?.url ?? assert.fail('no gateway');
    await trade(url, 10);
    await server.kill();
    await trade(url, 10);
    const leader = (await cluster.leader()) ?? assert.fail('no leader');
    const killed = [leader];
    await leader.stop('SIGKILL');
    await until('another leader', async () => (await cluster.leader()) !== undefined);
    await until('a trade', () =>
      trade(url, 1).then(
        () => true,
        () => false,
      ),
    );
    await server.startAgain();
    await trade(url, 10);
    const round = await RoundOverTakeover.begin(cluster, url);
    await round.trade(3);
    await t.test('money by request moves once, over another dead leader', async () => {
      killed.push(await moneyByRequest(cluster, url));
    });
    await t.test('a round ends under the leader after the one that began it', async () => {
      await round.trade(2);
      await round.end();
    });
    await Promise.all(killed.map((one) => one.start()));
    for (const member of cluster.members) {
      const lag = () => gauge(member.url, 'outcry_reports_lag_commands');
      await until(`reports of ${member.name}`, async () => (await lag()) === 0);
    }
    await Promise.all(cluster.processes.map((one) => one.stop('SIGTERM')));
    process.env.OUTCRY_HISTORY = historyUrl;
    t.after(() => delete process.env.OUTCRY_HISTORY);
    const { code, output, log } = await run('verify-history', '--data', leader.directory);
    assert.equal(code, 0, output + log);
    assert.match(output, /^sound: every row up to command \d+ /);
  });
}
