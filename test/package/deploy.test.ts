/**
 * The files of deploy say what is so: processes that their files describe, flags that the program
 * has, numbers that it shows. Whether an image can be built from them needs a container engine.
 */
import { strict as assert } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { runCommandLine } from '#cli';
import { loadConfig } from '#config';

const PROJECT = resolve(import.meta.dirname, '../..');
const DEPLOY = resolve(PROJECT, 'deploy');
const PROCESSES = ['member-1', 'member-2', 'member-3', 'gateway-1', 'gateway-2'];
const SECRET = 's'.repeat(32);

const text = (path: string): string => readFileSync(resolve(DEPLOY, path), 'utf8');

interface Service {
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const { services }: { services: Record<string, Service> } = parse(text('compose.yaml'), {
  merge: true,
});

for (const name of PROCESSES) {
  test(`${name} of the compose file starts with a file that the program takes`, () => {
    const { command = [], volumes = [], environment = {} } = services[name] ?? {};
    const kind = name.startsWith('member') ? 'member' : 'gateway';
    assert.equal(command[0], kind === 'member' ? 'serve' : 'gateway');
    assert.ok(volumes.some((volume) => volume.startsWith(`./cluster/${name}.yaml:`)));
    const flags = { cluster: resolve(DEPLOY, `cluster/${name}.yaml`), clusterKind: kind } as const;
    const history = environment.OUTCRY_HISTORY?.replace(/\$\{.*\}/, SECRET) ?? '';
    const given = { OUTCRY_CLUSTER_SECRET: SECRET, OUTCRY_HISTORY: history };
    const { cluster, historyUrl = '' } = loadConfig(flags, given);
    assert.ok(services[new URL(historyUrl).hostname], 'the database is a service');
    assert.equal(cluster?.name, name);
    assert.equal(cluster?.host, name);
    for (const endpoint of cluster?.etcd.endpoints ?? []) {
      assert.ok(services[endpoint.split(':')[0] ?? ''], `${endpoint} is a service`);
    }
  });
}

for (const command of ['serve', 'gateway']) {
  test(`every flag of deploy's ${command} is one of the program's`, async () => {
    const lines: string[] = [];
    const output = { result: (line: string) => lines.push(line), notice: assert.fail };
    const unused = () => assert.fail('only help is asked for');
    const parts = {
      env: {},
      output,
      serve: unused,
      bench: unused,
      startVenue: unused,
      openSharedLog: unused,
    };
    await runCommandLine([command, '--help'], parts);
    const help = lines.join('\n');
    const unit = text(`systemd/outcry-${command === 'serve' ? 'member' : 'gateway'}.service`);
    const started = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.split(' ') ?? [];
    const composed = Object.values(services).filter((one) => one.command?.[0] === command);
    const words = [...started, ...composed.flatMap((one) => one.command ?? [])];
    const flags = words.filter((word) => word.startsWith('--'));
    assert.ok(flags.length > 4);
    for (const flag of flags)
      assert.ok(help.includes(`${flag} `) || help.includes(`${flag}\n`), flag);
  });
}

test('alerts and dashboard ask for numbers that the program shows', () => {
  const sources = globSync('src/**/*.ts', { cwd: PROJECT });
  const code = sources.map((path) => readFileSync(resolve(PROJECT, path), 'utf8')).join('\n');
  const shown = new Set([...code.matchAll(/name: '(outcry_\w+)'/g)].map(([, name]) => name));
  const asked = [text('prometheus/alerts.yaml'), text('grafana/outcry.json')]
    .join('\n')
    .matchAll(/\boutcry_\w+/g);
  const names = [...asked].map(([name]) => name.replace(/_(count|bucket)$/, ''));
  assert.ok(names.length > 15);
  for (const name of names) assert.ok(shown.has(name), name);
});

test('every number of a cluster is in a panel or an alert', () => {
  const sources = readFileSync(resolve(PROJECT, 'src/app/server/cluster.ts'), 'utf8');
  const watched = text('grafana/outcry.json') + text('prometheus/alerts.yaml');
  const numbers = [...sources.matchAll(/name: '(outcry_cluster_\w+)'/g)].map(([, name]) => name);
  assert.ok(numbers.length >= 11);
  for (const name of numbers) assert.match(watched, new RegExp(`\\b${name}(_bucket)?\\b`));
});

test('every alert says what to do, and every panel what it shows', () => {
  const { groups } = parse(text('prometheus/alerts.yaml'));
  const { panels } = JSON.parse(text('grafana/outcry.json'));
  for (const { alert, annotations } of groups[0].rules) {
    assert.ok(annotations.summary.length > 10 && annotations.action.length > 10, alert);
  }
  for (const { title, description } of panels) assert.ok(description.length > 20, title);
});
