/** `outcry cluster`: what an operator sees of the processes, and how one is taken out. */
import { strict as assert } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommandLine } from '#cli';
import { EARLIEST_RULES, FORMAT_VERSION, RULES_VERSION } from '#domain';
import { scratchDirectory } from '../support/scratch.ts';
import { LocalCluster } from './local-cluster.ts';

const FILE = join(scratchDirectory(), 'member-1.yaml');
writeFileSync(
  FILE,
  JSON.stringify({
    venue: 'main',
    name: 'member-1',
    address: '10.0.0.11:7001',
    secret: 's'.repeat(32),
    etcd: { endpoints: ['10.0.0.11:2379'] },
  }),
);

/** Runs the command on the cluster's log; gives its exit code and all that it has printed. */
async function run(cluster: LocalCluster, ...words: string[]) {
  const lines: string[] = [];
  const print = (line: string): number => lines.push(line);
  const unused = () => assert.fail('nothing is served');
  const code = await runCommandLine(['cluster', ...words, '--cluster', FILE], {
    env: {},
    output: { result: print, notice: print },
    serve: unused,
    bench: unused,
    startVenue: unused,
    openSharedLog: ({ venue, endpoints }) => {
      assert.deepEqual([venue, endpoints], ['main', ['10.0.0.11:2379']]);
      return cluster.openLog();
    },
  });
  return { code, text: lines.join('\n') };
}

test('processes are listed, and one that will not come back is withdrawn', async (context) => {
  const cluster = new LocalCluster({ nowMs: () => Date.parse('2026-11-23T03:00:00Z') });
  context.after(() => cluster.close());
  assert.match((await run(cluster, 'members')).text, /nothing was written yet/);
  for (const name of ['member-1', 'member-2']) await cluster.start(name);
  await cluster.start('gateway-1', { kind: 'gateway' });
  await cluster.stop('member-2', 'in order');
  const { code, text } = await run(cluster, 'members');
  assert.equal(code, 0);
  assert.match(text, /^name +role +seq +held +release +formats +rules +last heard$/m);
  const versions = `1-${FORMAT_VERSION} +${EARLIEST_RULES}-${RULES_VERSION}`;
  const gateway = `^gateway-1 +gateway +0 +1 +${versions} +2026-11-23T03:00:00.000Z$`;
  assert.match(text, new RegExp(gateway, 'm'));
  assert.match(text, /^member-1 +leader +0 /m);
  assert.match(text, /^member-2 +gone +0 /m);
  const written = `^written: format ${FORMAT_VERSION}, rules ${RULES_VERSION}$`;
  assert.match(text, new RegExp(written, 'm'));

  const there = await run(cluster, 'withdraw', 'member-1');
  assert.deepEqual([there.code, /is there: stop it first/.test(there.text)], [1, true]);
  const unknown = await run(cluster, 'withdraw', 'member-9');
  assert.equal(unknown.code, 1);
  assert.match(unknown.text, /nothing is known of member-9; there are gateway-1, member-1, mem/);
  assert.equal((await run(cluster, 'withdraw', 'member-2')).code, 0);
  assert.doesNotMatch((await run(cluster, 'members')).text, /member-2/);
  await cluster.stop('gateway-1', 'in order');
  assert.doesNotMatch((await run(cluster, 'members')).text, /gateway-1/);
});
