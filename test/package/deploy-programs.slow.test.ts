/**
 * The files of deploy as the programs that they are for read them: Prometheus, Caddy, systemd. CI
 * has them all; elsewhere a test says what is missing.
 */
import { strict as assert } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { WebSocket } from 'ws';
import { loadConfig } from '#config';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';
import { until } from '../support/until.ts';

const DEPLOY = resolve(import.meta.dirname, '../../deploy');
/** Of systemd's own scale from 0 to 10 times ten: at most "OK". */
const EXPOSURE_MAX = 20;

function isMissing(program: string): boolean {
  return process.env.CI === undefined && spawnSync(program, ['--version']).error !== undefined;
}

function testWith(program: string, name: string, body: (t: TestContext) => void | Promise<void>) {
  test(name, (t) => {
    if (isMissing(program)) return t.skip(`this machine has no ${program}`);
    return body(t);
  });
}

function run(program: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, stderr } = spawnSync(program, words, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  assert.equal(status, 0, `${program} ${words.join(' ')}: ${stdout}${stderr}`);
  return stdout + stderr;
}

testWith('promtool', 'Prometheus reads its files', () => {
  for (const name of ['single', 'cluster']) {
    run('promtool', ['check', 'config', '--syntax-only', join(DEPLOY, `prometheus/${name}.yaml`)]);
  }
  run('promtool', ['check', 'rules', join(DEPLOY, 'prometheus/alerts.yaml')]);
});

testWith('promtool', 'alerts fire when they should, and at no other time', (t) => {
  const directory = scratchDirectory(t);
  cpSync(join(DEPLOY, 'prometheus/alerts.yaml'), join(directory, 'alerts.yaml'));
  const series = (name: string, values: string) => ({ series: name, values });
  const quiet = {
    interval: '1m',
    input_series: [
      series('outcry_halted{instance="a"}', '0x120'),
      series('outcry_disk_free_bytes{instance="a"}', '50e9x120'),
      series('up{job="outcry",instance="a"}', '1x120'),
    ],
    alert_rule_test: ['Halted', 'DiskLow', 'DiskFillsUp', 'ProcessDown'].map((alertname) => ({
      eval_time: '110m',
      alertname,
      exp_alerts: [],
    })),
  };
  const fires = (alertname: string, input: object[], severity: string) => {
    const firing = `ALERTS{alertname="${alertname}",alertstate="firing"}`;
    return {
      interval: '1m',
      input_series: input,
      promql_expr_test: [
        {
          expr: firing,
          eval_time: '110m',
          exp_samples: [
            {
              labels: `${firing.slice(0, -1)},instance="a",severity="${severity}"}`,
              value: 1,
            },
          ],
        },
      ],
    };
  };
  const tests = [
    quiet,
    fires('Halted', [series('outcry_halted{instance="a"}', '0x100 1x20')], 'page'),
    fires('DiskLow', [series('outcry_disk_free_bytes{instance="a"}', '50e9x90 1e9x30')], 'page'),
    fires(
      'DiskFillsUp',
      [series('outcry_disk_free_bytes{instance="a"}', '20e9-50e6x120')],
      'ticket',
    ),
  ];
  const file = join(directory, 'tests.json');
  writeFileSync(file, JSON.stringify({ rule_files: ['alerts.yaml'], tests }));
  run('promtool', ['test', 'rules', file]);
});

testWith('caddy', 'Caddy reads its file, for a name and without one', () => {
  const words = ['validate', '--adapter', 'caddyfile', '--config', join(DEPLOY, 'caddy/Caddyfile')];
  assert.match(run('caddy', words), /Valid configuration/);
  assert.match(run('caddy', words, { OUTCRY_SITE: 'venue.example' }), /Valid configuration/);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

testWith(
  'caddy',
  'behind Caddy calls and streams work, and the operator is not there',
  async (t) => {
    const here = ServerHere.still(t, scratchDirectory(t), Date.now());
    await here.start({ server: { trustedProxies: ['127.0.0.1'] } });
    const [port, home] = [await freePort(), scratchDirectory(t)];
    const site = `http://localhost:${port}`;
    const words = ['run', '--adapter', 'caddyfile', '--config', join(DEPLOY, 'caddy/Caddyfile')];
    const env = {
      ...process.env,
      OUTCRY_SITE: site,
      OUTCRY_UPSTREAM: `127.0.0.1:${here.port}`,
      CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
      HOME: home,
      XDG_CONFIG_HOME: home,
      XDG_DATA_HOME: home,
    };
    const child = spawn('caddy', words, { env, stdio: 'ignore' });
    t.after(() => child.kill('SIGKILL'));
    const statusOf = async (path: string) => (await fetch(site + path)).status;
    await until('Caddy answers', () =>
      statusOf('/api/spot/v1/public/time').then(isOk, () => false),
    );
    for (const path of ['/admin/v1/accounts', '/ops', '/metrics', '/sandbox/v1']) {
      assert.equal(await statusOf(path), 404, path);
    }
    assert.equal(await statusOf('/'), 200);
    const answer = await fetch(`${site}/api/spot/v1/public/time`);
    assert.match(answer.headers.get('strict-transport-security') ?? '', /max-age/);
    assert.match(answer.headers.get('x-request-id') ?? '', /-/);
    const socket = new WebSocket(`ws://localhost:${port}/spot/v1/stream`);
    t.after(() => socket.terminate());
    await new Promise((opened, failed) => socket.once('open', opened).once('error', failed));
    socket.send('ping');
    const said = await new Promise((heard) =>
      socket.once('message', (bytes) => heard(String(bytes))),
    );
    assert.equal(said, 'pong');
  },
);

function isOk(status: number): boolean {
  return status === 200;
}

testWith('systemd-analyze', 'systemd reads the units, and they are closed', (t) => {
  const directory = scratchDirectory(t);
  for (const file of globSync(join(DEPLOY, 'systemd/*.{service,timer}'))) {
    // The program is not installed here: any other stands for it.
    const unit = readFileSync(file, 'utf8').replaceAll(/^ExecStart=.*$/gm, 'ExecStart=/bin/true');
    writeFileSync(join(directory, file.slice(file.lastIndexOf('/') + 1)), unit);
  }
  const units = globSync(join(directory, '*'));
  assert.equal(units.length, 5);
  const verified = run('systemd-analyze', ['verify', ...units]);
  assert.equal(verified, '');
  for (const unit of units.filter((name) => name.endsWith('.service'))) {
    run('systemd-analyze', ['security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, unit]);
  }
});

test('the configuration to begin with is one that a venue serves', async (t) => {
  const config = join(DEPLOY, 'venue/venue.yaml');
  assert.deepEqual(
    loadConfig({ config }, {}).spot.map(({ symbol }) => symbol),
    ['BTC-USDT'],
  );
  const here = new ServerHere(scratchDirectory(t));
  t.after(() => here.stop());
  await here.start({
    config,
    rateLimits: true,
    server: { adminListener: { host: '127.0.0.1', port: 0 } },
  });
  assert.equal((await fetch(`${here.url}/health/ready`)).status, 200);
  assert.equal((await fetch(`${here.url}/metrics`)).status, 404);
  await here.close();
});
