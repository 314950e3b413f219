/** What a cluster leaves to its leader, and what it refuses to do: real servers over one log. */
import { strict as assert } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigFault, loadConfig } from '#config';
import { decodeEntry } from '#domain';
import { present } from '#kernel';
import { Operator } from '../support/operator.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { readAll } from '../support/shared-hands.ts';
import { until } from '../support/until.ts';
import { ServerCluster } from './server-cluster.ts';

const kinds = ['member', 'member', 'gateway'] as const;
const cluster = await ServerCluster.start({ after }, kinds, { participants: true });
const urls = cluster.processes.map(({ url }) => url);

async function lastSeq(url: string): Promise<number> {
  const { seq } = JSON.parse(await (await fetch(`${url}/health/ready`)).text());
  return Number(seq);
}

test('a file of a cluster and a sandbox do not go together', () => {
  const file = join(scratchDirectory(), 'cluster.yaml');
  writeFileSync(file, 'venue: main\n');
  const read = () => loadConfig({ cluster: file, sandbox: true }, {});
  assert.throws(read, ConfigFault);
  assert.throws(read, /a cluster has no sandbox: leave out --sandbox/);
});

for (const [method, path] of [
  ['POST', '/sandbox/v1/reset'],
  ['PUT', '/sandbox/v1/clock'],
  ['POST', '/sandbox/v1/faults'],
  ['POST', '/sandbox/v1/scenarios'],
] as const) {
  test(`no process of a cluster knows ${method} ${path}`, async () => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
    const before = await lastSeq(urls[0] ?? '');
    for (const url of urls) {
      const reply = await fetch(url + path, { method, headers, body: '{}' });
      assert.equal(reply.status, 404, await reply.text());
    }
    assert.ok((await lastSeq(urls[0] ?? '')) >= before);
  });
}

test('the leader alone has simulated traders, and the next leader after it', async () => {
  const [first, second] = cluster.processes.map(({ here }) => here);
  await until('they trade', async () => (await lastSeq(urls[0] ?? '')) > 50);
  const log = cluster.openLog();
  const entries = await readAll(log);
  await log.close();
  const commands = entries.flatMap(({ payload }) => decodeEntry(payload));
  assert.ok(commands.length > 50);
  // What another process asks of the leader says so in the log.
  assert.deepEqual(
    commands.filter(({ origin }) => origin !== undefined),
    [],
  );
  const audit = await new Operator(urls[2] ?? '', ADMIN_TOKEN).call('GET', '/audit');
  assert.equal(audit.data.balanced, true);
  await present(first, 'leader').stop();
  const at = await lastSeq(urls[1] ?? '');
  await until('they trade on', async () => (await lastSeq(urls[1] ?? '')) > at + 50);
  assert.deepEqual(present(second, 'next leader').errors, []);
});
