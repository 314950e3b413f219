/**
 * The program where a machine of etcd takes no connection and refuses none. gRPC cannot take back
 * its attempt to connect to it, and Linux goes on with that for two minutes: no end waits for it.
 */
import { strict as assert } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { EtcdCluster, freePorts } from '../../tools/etcd-servers.ts';
import { ifEtcd } from '../support/etcd.ts';
import { ADMIN_TOKEN, Program, readyUrl, run } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { silentEndpoint } from '../support/silent-endpoint.ts';
import { demoFile } from './demo-file.ts';

/** Far less than two minutes, and than what a process of a cluster has before it ends by force. */
const END_MAX_MS = 20_000;

const silent = await silentEndpoint();
after(() => silent.close());

/** What a member starts from, with the silent machine in front of the others. */
async function clusterFile(
  context: TestContext,
  others: readonly string[] = [],
): Promise<{ readonly directory: string; readonly file: string }> {
  const directory = scratchDirectory(context);
  const file = join(directory, 'cluster.yaml');
  const [port] = await freePorts(1);
  const content = {
    venue: 'local',
    name: 'member-1',
    address: `127.0.0.1:${port}`,
    secret: 's'.repeat(32),
    etcd: { endpoints: [silent.address, ...others] },
  };
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
  return { directory, file };
}

await ifEtcd(() => {
  test('a member that is told to stop ends in order', async (context) => {
    const etcd = await EtcdCluster.start();
    context.after(() => etcd.close());
    const { directory, file } = await clusterFile(context, etcd.endpoints);
    const config = demoFile(context, 1_000);
    const places = ['--config', config, '--cluster', file, '--data', join(directory, 'data')];
    const flags = ['--port', '0', '--admin-token', ADMIN_TOKEN, '--no-participants'];
    const member = new Program(['serve', ...places, ...flags]);
    await readyUrl(member);
    const startMs = performance.now();
    member.signal('SIGTERM');
    const { code, log } = await member.ended;
    assert.equal(code, 0, log.slice(-2_000));
    assert.ok(performance.now() - startMs < END_MAX_MS);
  });
});

test('a command that gets no answer says so and ends', async (context) => {
  const { file } = await clusterFile(context);
  const startMs = performance.now();
  const { code, log } = await run('cluster', 'members', '--cluster', file);
  assert.equal(code, 2);
  assert.ok(log.includes(`unavailable: ${silent.address}`), log);
  assert.ok(performance.now() - startMs < END_MAX_MS);
});
