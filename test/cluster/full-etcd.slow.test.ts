/**
 * Whole servers over an etcd that somebody else fills: commands are refused before anything is done
 * of them, the operator reads why, and the venue goes on by itself once there is room.
 */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fullnessOf } from '#log';
import { sharedLogAt } from '#log/testing';
import { EtcdCluster } from '../../tools/etcd-servers.ts';
import { ifEtcd } from '../support/etcd.ts';
import { Operator } from '../support/operator.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { until } from '../support/until.ts';
import { ServerCluster } from './server-cluster.ts';

const MEGABYTE = 1024 * 1024;
const QUOTA_BYTES = 32 * MEGABYTE;
const PIECE = 'x'.repeat(MEGABYTE / 16);
const STEP_MS = 100;

await ifEtcd(async () => {
  const flags = [`--quota-backend-bytes=${QUOTA_BYTES}`];
  const etcd = await EtcdCluster.start({ isSynced: false, flags });
  after(() => etcd.close());
  const [venue, shard, { endpoints }] = ['test', 'main', etcd];
  const place = { kind: 'etcd', venue, shard, endpoints, quotaBytes: QUOTA_BYTES } as const;
  const openLog = () => sharedLogAt(place);
  const { processes } = await ServerCluster.start({ after }, ['member', 'gateway'], { openLog });
  const urls = processes.map(({ url }) => url);

  const ask = async (path: string, body: object): Promise<Answer> => {
    const url = `http://${endpoints[0]}/v3/${path}`;
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    assert.equal(answer.status, 200, path);
    return (await answer.json()) as Answer;
  };
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  /** Fast at first, then no more in a second than etcd takes beyond the bound. */
  const fillUntil = async (isFull: () => Promise<boolean>): Promise<void> => {
    const log = openLog();
    for (let at = 0; !(await isFull()); at += 1) {
      await ask('kv/put', { key: base64(`/elsewhere/${at}`), value: base64(PIECE) });
      if (fullnessOf(await log.room()) !== 'roomy') await setTimeout(STEP_MS);
    }
    await log.close();
  };
  const deposits = () =>
    Promise.all(
      urls.map((url) => {
        const money = { coin: 'USDT', amount: '1' };
        return new Operator(url, ADMIN_TOKEN).call('POST', '/accounts/1/deposits', money);
      }),
    );
  const health = async (url: string): Promise<string> =>
    await (await fetch(`${url}/health/ready`, { headers: OPERATOR })).text();
  const balance = async (): Promise<unknown> => {
    const { data } = await new Operator(urls[0] ?? '', ADMIN_TOKEN).call('GET', '/audit');
    return JSON.stringify(data.coins);
  };

  test('a venue whose etcd is full refuses in order, and goes on once there is room', async () => {
    const account = { name: 'ada' };
    await new Operator(urls[0] ?? '', ADMIN_TOKEN).call('POST', '/accounts', account);
    for (const { status, msg } of await deposits()) assert.equal(status, 200, msg);
    const before = await balance();
    await fillUntil(async () => {
      const texts = await Promise.all(urls.map(health));
      return texts.every((text) => /"log_filling".*is full: commands are refused/.test(text));
    });
    for (const { status, code, msg } of await deposits()) {
      assert.deepEqual([status, code], [503, '40604']);
      assert.match(msg, /the log of the cluster has no room: nothing was carried out/);
    }
    assert.equal(await balance(), before);
    const metrics = await (await fetch(`${urls[0]}/metrics`, { headers: OPERATOR })).text();
    assert.match(metrics, /^outcry_cluster_log_full 1$/m);
    assert.match(metrics, new RegExp(`^outcry_cluster_log_quota_bytes ${QUOTA_BYTES}$`, 'm'));

    const [key, end] = ['/elsewhere/', '/elsewhere0'].map(base64);
    await ask('kv/deleterange', { key, range_end: end });
    const { header } = await ask('maintenance/status', {});
    await ask('kv/compaction', { revision: header.revision, physical: true });
    await until('both take commands again', async () => {
      const answers = await deposits();
      return answers.every(({ status }) => status === 200);
    });
    for (const { here } of processes) assert.deepEqual(here.errors, []);
    for (const url of urls) assert.doesNotMatch(await health(url), /log_filling/);
  });
});

const OPERATOR = { authorization: `Bearer ${ADMIN_TOKEN}` };

interface Answer {
  readonly header: { readonly revision: string };
}
