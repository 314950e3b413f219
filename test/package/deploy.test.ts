/**
 * The files of deploy say what is so: processes that their files describe, flags that the program
 * has, numbers that it shows. That an image is built from them was shown by hand: docs/PROOF.md.
 */
import { strict as assert } from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { runCommandLine } from '#cli';
import { loadConfig } from '#config';
import { ADMIN_TOKEN } from '../support/program.ts';
import { startHere } from '../support/server-here.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const DEPLOY = resolve(PROJECT, 'deploy');
const PROCESSES = ['member-1', 'member-2', 'member-3', 'gateway-1', 'gateway-2'];
const SECRET = 's'.repeat(32);

const text = (path: string): string => readFileSync(resolve(DEPLOY, path), 'utf8');

interface Service {
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks?: readonly string[];
  readonly depends_on?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: object;
  readonly volumes: object;
  readonly configs: object;
}

const FILES = ['compose.yaml', 'compose.cluster.yaml'] as const;
const [single, cluster]: readonly Compose[] = FILES.map((name) =>
  parse(text(name), { merge: true }),
);
assert.ok(single !== undefined && cluster !== undefined);
const { services } = cluster;

for (const [at, { services, networks, volumes, configs }] of [single, cluster].entries()) {
  test(`what ${FILES[at]} names is there`, () => {
    for (const [name, service] of Object.entries(services)) {
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        const isThere = source.startsWith('.')
          ? existsSync(resolve(DEPLOY, source))
          : Object.hasOwn(volumes, source);
        assert.ok(isThere, `${name}: ${source}`);
      }
      for (const network of service.networks ?? []) assert.ok(Object.hasOwn(networks, network));
      for (const other of service.depends_on ?? []) assert.ok(Object.hasOwn(services, other));
      for (const { source } of service.configs ?? []) assert.ok(Object.hasOwn(configs, source));
    }
  });
}

test('the venue of one machine starts with its file, and a database of the compose file', () => {
  const { command = [], volumes = [] } = single.services.venue ?? {};
  assert.ok(volumes.some((volume) => volume.startsWith('./venue/venue.yaml:')));
  assert.deepEqual(command.slice(0, 3), ['serve', '--config', '/etc/outcry/venue.yaml']);
  const file = resolve(DEPLOY, 'venue/venue.yaml');
  const history = 'postgres://outcry:secret@postgres/outcry';
  const config = loadConfig({ config: file, host: '0.0.0.0' }, { OUTCRY_HISTORY: history });
  assert.deepEqual(config.adminListener, { host: '0.0.0.0', port: 8_788 });
  assert.ok(text('prometheus/single.yaml').includes(`venue:${config.adminListener?.port}`));
  assert.ok(text('caddy/Caddyfile').includes(`venue:${config.port}`));
  assert.ok(text('compose.yaml').includes(`subnet: ${config.trustedProxies.join()}`));
  assert.ok(single.services[new URL(history).hostname]);
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
    const units = command === 'serve' ? ['outcry', 'outcry-member'] : ['outcry-gateway'];
    const started = units.flatMap(
      (unit) => /^ExecStart=(.*)$/m.exec(text(`systemd/${unit}.service`))?.[1]?.split(' ') ?? [],
    );
    const all = { ...single.services, ...services };
    const composed = Object.values(all).filter((one) => one.command?.[0] === command);
    const words = [...started, ...composed.flatMap((one) => one.command ?? [])];
    const flags = words.filter((word) => word.startsWith('--'));
    assert.ok(flags.length > 4);
    for (const flag of flags)
      assert.ok(help.includes(`${flag} `) || help.includes(`${flag}\n`), flag);
  });
}

const ALERTS = text('prometheus/alerts.yaml');
const DASHBOARDS = readdirSync(resolve(DEPLOY, 'grafana/dashboards')).map((name) => ({
  name,
  text: text(`grafana/dashboards/${name}`),
}));

test('there is a dashboard of trading, one of the machine and one of the cluster', () => {
  assert.deepEqual(DASHBOARDS.map(({ name }) => name).toSorted(), [
    'cluster.json',
    'machine.json',
    'trading.json',
  ]);
});

test('alerts and dashboards ask for numbers that a venue shows', async (context) => {
  const here = await startHere();
  context.after(() => here.close());
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  await fetch(`${here.url}/api/nowhere`);
  const served = await (await fetch(`${here.url}/metrics`, { headers })).text();
  const shown = new Set([...served.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  // Of a cluster, HTTP threads and rate limits, which this venue does without.
  const sources = globSync('src/**/*.ts', { cwd: PROJECT });
  const code = sources.map((path) => readFileSync(resolve(PROJECT, path), 'utf8')).join('\n');
  const elsewhere = /^outcry_(cluster|http_thread|admission|shed|loop|stream)/;
  for (const [, name = ''] of code.matchAll(/name: '(outcry_\w+)'/g)) {
    if (elsewhere.test(name)) shown.add(name);
  }
  const asked = [ALERTS, ...DASHBOARDS.map((board) => board.text)]
    .join('\n')
    .matchAll(/\b(outcry_[a-z_]+|process_[a-z_]+|nodejs_[a-z_]+)\b/g);
  const names = [...asked].map(([, name = '']) => name.replace(/_(count|bucket)$/, ''));
  assert.ok(names.length > 50);
  assert.deepEqual(
    names.filter((name) => !shown.has(name)),
    [],
  );
});

test('every number of the program is in a panel or an alert', () => {
  const watched = [ALERTS, ...DASHBOARDS.map((board) => board.text)].join('\n');
  const sources = globSync('src/**/*.ts', { cwd: PROJECT });
  const code = sources.map((path) => readFileSync(resolve(PROJECT, path), 'utf8')).join('\n');
  const numbers = [...code.matchAll(/name: '(outcry_\w+)'/g)].map(([, name]) => name);
  assert.ok(numbers.length >= 30);
  const isWatched = (name = '') => new RegExp(`\\b${name}(_bucket|_count)?\\b`).test(watched);
  assert.deepEqual(
    numbers.filter((name) => !isWatched(name)),
    [],
  );
});

test('every alert and every panel says what to do', () => {
  const { groups } = parse(ALERTS);
  for (const { alert, annotations } of groups[0].rules) {
    assert.ok(annotations.summary.length > 10 && annotations.action.length > 10, alert);
  }
  for (const board of DASHBOARDS) {
    const { panels } = JSON.parse(board.text);
    assert.ok(panels.length > 10, board.name);
    assert.equal(new Set(panels.map(({ id }: { id: number }) => id)).size, panels.length);
    for (const { title, description, targets } of panels) {
      assert.ok(description.length > 40, `${board.name}: ${title}`);
      assert.ok(targets.length > 0 && targets.every(({ expr }: { expr: string }) => expr !== ''));
    }
  }
});
