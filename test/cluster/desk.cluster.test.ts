/** The operator's desk of a real cluster in a real browser: who leads, is behind, or is gone. */
import { strict as assert } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ClusterHere } from '../../tools/cluster/processes.ts';
import { openBrowser, openSight } from '../support/browser.ts';
import { ifEtcd } from '../support/etcd.ts';
import { gauge } from '../support/http-trader.ts';
import { enter, row } from '../support/operator-hand.ts';
import { until } from '../support/until.ts';
import { demoFile } from './demo-file.ts';
import { Traders } from './traders.ts';

const TABLE = 'Cluster processes';
/** For a machine under load. */
const PATIENCE_MS = 60_000;

async function openCluster(context: TestContext) {
  const flags = ['--config', demoFile(context, 1_000), '--no-participants', '--rate-limits', 'off'];
  const cluster = await ClusterHere.start({ members: 2, gateways: 1, stores: 1, flags });
  context.after(() => cluster.close());
  const [gateway = assert.fail('no gateway')] = cluster.gateways;
  const browser = await openBrowser();
  context.after(() => browser.close());
  const { page } = await openSight(browser, `${gateway.url}/ops#cluster`);
  page.setDefaultTimeout(PATIENCE_MS);
  await enter(page, cluster.adminToken);
  return { cluster, gateway, page };
}

await ifEtcd(() => {
  test('the desk shows who leads, whose states agree, and who is gone', async (context) => {
    const { cluster, gateway, page } = await openCluster(context);
    const leader = (await cluster.leader()) ?? assert.fail('no leader');
    const other = cluster.members.find((one) => one !== leader) ?? assert.fail('no other');
    await row(page, TABLE, gateway.name, 'Gateway', 'following');
    await row(page, TABLE, other.name, 'Member', 'following');
    await row(page, TABLE, leader.name, 'Member', 'leading');

    const traders = await Traders.start([gateway.url]);
    context.after(() => traders.stop());
    await row(page, TABLE, leader.name, 'agree');
    await row(page, TABLE, other.name, 'agree');
    await traders.stop();

    await leader.stop('SIGKILL');
    await row(page, TABLE, other.name, 'leading');
    await row(page, TABLE, leader.name, 'gone');
    await page.getByText('Leader').first().waitFor();
    await leader.start();
    await row(page, TABLE, leader.name, 'following');

    assert.equal(await gauge(other.url, 'outcry_cluster_takeovers'), 1);
    const tookMs = await gauge(other.url, 'outcry_cluster_takeover_ms');
    assert.ok(tookMs > 0 && tookMs < PATIENCE_MS, `a takeover of ${tookMs} ms`);
    for (const call of ['append', 'heartbeat', 'read']) {
      const name = `outcry_cluster_log_call_seconds_count{call="${call}"}`;
      assert.ok((await gauge(other.url, name)) > 0, name);
    }
    for (const lag of ['lag_commands', 'lag_ms', 'mirror_lag_commands']) {
      const name = `outcry_cluster_${lag}`;
      await until(name, async () => (await gauge(leader.url, name)) === 0);
    }
  });
});
