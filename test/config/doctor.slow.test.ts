/** `outcry doctor` on sound and unsound machines, directories and configurations. */
import { strict as assert } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCommandLine } from '#cli';
import { ManualClock } from '#kernel';
import { openSharedLog, type SharedLog, type SharedLogPlace } from '#log';
import { KeySpace, MemoryKeys, MemoryStore, StoredSharedLog } from '#log/testing';
import { Operator } from '../support/operator.ts';
import { REAL_TIME } from '../support/real-time.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';

const SECRET = 's'.repeat(32);
const PROGRAM = resolve(import.meta.dirname, '../../src/app/main.ts');

interface Said {
  readonly code: number;
  readonly lines: readonly string[];
}

function doctor(...words: string[]): Promise<Said> {
  return doctorWith(openSharedLog, ...words);
}

async function doctorWith(
  open: (place: SharedLogPlace) => SharedLog | Promise<SharedLog>,
  ...words: string[]
): Promise<Said> {
  const lines: string[] = [];
  const code = await runCommandLine(['doctor', ...words], {
    env: {},
    output: { result: (line) => lines.push(line), notice: (line) => lines.push(line) },
    serve: () => assert.fail('a doctor serves nothing'),
    bench: () => assert.fail('a doctor measures nothing else'),
    startVenue: () => assert.fail('a doctor starts nothing'),
    openSharedLog: async (place) => open(place),
  });
  return { code, lines };
}

/** The line that says this and, where there is one, the advice behind it. */
function finding({ lines }: Said, what: RegExp): string {
  const at = lines.findIndex((line) => what.test(line));
  assert.notEqual(at, -1, `${what} in\n${lines.join('\n')}`);
  const advice = lines[at + 1]?.includes(' -> ') ? lines[at + 1] : '';
  return `${lines[at]}${advice}`;
}

/** A directory in which a venue has run, with a snapshot and a history. */
async function used(context: TestContext): Promise<string> {
  const directory = scratchDirectory(context);
  const server = ServerHere.still(context, directory);
  await server.start({ ownToken: true });
  await server.stop();
  return directory;
}

test('old names in a configuration are warned of', async (context) => {
  const directory = scratchDirectory(context);
  const config = join(directory, 'old.yaml');
  const demo = readFileSync(resolve(import.meta.dirname, '../../config/demo.yaml'), 'utf8');
  writeFileSync(config, demo.replace('symbol: BTC-USDT\n', 'symbol: BTCUSDT_SPBL\n'));
  const said = await doctor('--data', join(directory, 'data'), '--port', '0', '--config', config);
  assert.equal(said.code, 0, said.lines.join('\n'));
  finding(said, /^warning +\S+old\.yaml: market `BTCUSDT_SPBL` .* write BTC-USDT$/);
});

test('a machine on which a start would succeed', async (context) => {
  const directory = scratchDirectory(context);
  const said = await doctor('--data', join(directory, 'data'), '--port', '0');
  assert.equal(said.code, 0, said.lines.join('\n'));
  finding(said, /^ok +Node\.js v24/);
  finding(said, /^ok +\S+demo\.yaml is sound: 3 coins, 3 pairs, 3 contracts, 6 accounts$/);
  finding(said, /^ok +a write is on the disk after [0-9.]+ ms$|^warning +a write is on the disk/);
  finding(said, /^ok +a master key will be made at the first start$/);
  finding(said, /^ok +no journal: the first start begins one$/);
  assert.match(said.lines.at(-1) ?? '', /^0 problems, [0-9]+ warnings?, [0-9]+ checks passed$/);
  assert.deepEqual(readdirSync(directory), [], 'nothing is left behind');
});

test('beside a venue that runs, and after it has stopped', async (context) => {
  const directory = scratchDirectory(context);
  const server = ServerHere.still(context, directory);
  await server.start({ ownToken: true });
  const place = ['--data', directory, '--port', String(server.port)];
  const beside = await doctor(...place);
  assert.equal(beside.code, 0, beside.lines.join('\n'));
  finding(beside, /^ok +port [0-9]+ of 127.0.0.1 is in use, and so is the data.*the venue runs$/);
  finding(beside, /^ok +the master key is in the data directory/);
  finding(beside, /^ok +the journal ends with command [1-9][0-9]*$/);
  finding(beside, /^ok +a start replays [0-9]+ commands, after the snapshot of [0-9]+$/);
  finding(
    beside,
    /^ok +the history in \S+history\.sqlite reaches command [0-9]+ and takes .+ MB; all rows stay$/,
  );
  await server.stop();
  const after = await doctor(...place);
  assert.equal(after.code, 0);
  finding(after, /^ok +port [0-9]+ of 127.0.0.1 is free$/);
});

test('a port that another program has', async (context) => {
  const other = createServer();
  context.after(() => other.close());
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const said = await doctor('--data', scratchDirectory(context), '--port', String(port));
  assert.equal(said.code, 1);
  assert.match(
    finding(said, /^problem +port .* is in use by another program$/),
    /--host and --port/,
  );
  assert.match(said.lines.at(-1) ?? '', /^1 problem, /);
});

test('secrets that others read, or that are gone', async (context) => {
  const directory = await used(context);
  const file = join(directory, 'master.key');
  chmodSync(file, 0o644);
  const open = await doctor('--data', directory, '--port', '0');
  assert.equal(open.code, 1);
  finding(open, /^problem +\S+master\.key can be read by others: run chmod 600 on it$/);
  rmSync(file);
  const gone = await doctor('--data', directory, '--port', '0');
  assert.equal(gone.code, 1);
  assert.match(
    finding(gone, /^problem +there is a journal, and the master key/),
    /put master\.key/,
  );
});

test('a snapshot and a journal that are not what was written', async (context) => {
  const directory = await used(context);
  const [snapshot] = globSync(join(directory, 'snapshots', '*.ndjson'));
  assert.ok(snapshot !== undefined, 'a stop writes one');
  writeFileSync(snapshot, readFileSync(snapshot, 'utf8').replace('demo', 'dem0'));
  const spoilt = await doctor('--data', directory, '--port', '0');
  assert.equal(spoilt.code, 0, spoilt.lines.join('\n'));
  const warned = finding(spoilt, /^warning +snapshot \S+ is not used: its rows are not what/);
  assert.match(warned, /remove that file/);
  for (const journal of globSync(join(directory, 'journal.sqlite*'))) {
    writeFileSync(journal, 'no journal');
  }
  const broken = await doctor('--data', directory, '--port', '0');
  assert.equal(broken.code, 1);
  assert.match(finding(broken, /^problem +the journal cannot be read/), /outcry restore/);
});

test('a configuration with a mistake in it', async (context) => {
  const file = join(scratchDirectory(context), 'venue.yaml');
  writeFileSync(file, 'server:\n  port: 99999\n');
  const said = await doctor('--config', file);
  assert.equal(said.code, 1);
  finding(said, /^problem +\S+venue\.yaml:2.*65535/);
  const open = await doctor('--host', '0.0.0.0');
  assert.equal(open.code, 1);
  finding(open, /^problem +demo-key is a key everybody knows/);
});

for (const [days, grade] of [
  [90, 'ok'],
  [10, 'warning'],
] as const) {
  test(`a certificate that ends in ${days} days`, async (context) => {
    const directory = scratchDirectory(context);
    const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
    const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days ${days}`;
    const files = ['-subj', '/CN=venue.example', '-keyout', key, '-out', cert];
    execFileSync('openssl', [...words.split(' '), ...files], { stdio: 'ignore' });
    const file = join(directory, 'venue.yaml');
    writeFileSync(file, `server:\n  tls: { cert: ${cert}, key: ${key} }\n`);
    const said = await doctor('--config', file, '--port', '0', '--data', join(directory, 'data'));
    assert.equal(said.code, 0, said.lines.join('\n'));
    finding(said, new RegExp(`^${grade} +the certificate of CN=venue\\.example (is good|ends)`));
  });
}

test('too few open files', { skip: process.platform === 'win32' }, (context) => {
  const place = ['--data', scratchDirectory(context), '--port', '0'];
  const words = ['-c', 'ulimit -n 1000; exec "$@"', 'sh', process.execPath, PROGRAM, 'doctor'];
  const { status, stdout } = spawnSync('sh', [...words, ...place], { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^warning +open files: 1000 allowed.*\n +-> run ulimit -n [0-9]+ before/m);
});

test('a cluster whose log is filling up', async (context) => {
  const directory = scratchDirectory(context);
  const file = join(directory, 'cluster.yaml');
  const etcd = 'etcd: { endpoints: ["127.0.0.1:1"] }';
  writeFileSync(
    file,
    `venue: main\nname: one\naddress: 127.0.0.1:7001\nsecret: ${SECRET}\n${etcd}\n`,
  );
  const keys = new MemoryKeys();
  const open = () =>
    new StoredSharedLog(new MemoryStore(keys, REAL_TIME), new KeySpace('main', 'main'));
  const words = ['--cluster', file, '--port', '0', '--data', join(directory, 'data')];
  const looked = (usedBytes: number): Promise<Said> => {
    keys.room = { usedBytes, fileBytes: usedBytes, quotaBytes: 100 * 1024 ** 2, isFull: false };
    return doctorWith(open, ...words);
  };
  finding(
    await looked(50 * 1024 ** 2),
    /^ok +etcd at 127\.0\.0\.1:1 answers; main: nobody is there/,
  );
  const said = finding(await looked(70 * 1024 ** 2), /^warning +etcd at 127\.0\.0\.1:1 answers/);
  assert.match(said, /; it uses 70 % of its quota of 100 MiB: .* -> see "The servers of etcd"/);
});

test('a cluster whose log does not answer', async (context) => {
  const directory = scratchDirectory(context);
  const file = join(directory, 'member.yaml');
  const secret = 'a secret of 32 letters and more!'.replaceAll(' ', '-');
  const lines = ['venue: v', 'name: m', 'address: 127.0.0.1:9001', `secret: ${secret}`];
  writeFileSync(file, `${lines.join('\n')}\netcd: { endpoints: ["127.0.0.1:1"] }\n`);
  const said = await doctor('--cluster', file, '--port', '0', '--data', join(directory, 'data'));
  assert.equal(said.code, 1);
  assert.match(finding(said, /^problem +etcd at 127\.0\.0\.1:1 does not answer/), /start etcd/);
});

test('how fast the journal grows, and for how long the disk lasts', async (context) => {
  const home = scratchDirectory(context);
  const [directory, file] = [join(home, 'data'), join(home, 'venue.yaml')];
  writeFileSync(file, '{}');
  const clock = new ManualClock(Date.UTC(2026, 10, 20));
  const here = new ServerHere(directory, clock);
  context.after(() => here.stop());
  await here.start({ config: file, ownToken: true });
  const operator = new Operator(
    here.url,
    readFileSync(join(directory, 'admin.token'), 'utf8').trim(),
  );
  await operator.done('createAccount', '/accounts', { name: 'early' });
  const words = ['--config', file, '--data', directory, '--port', '0'];
  const young = await doctor(...words);
  assert.ok(!young.lines.some((line) => line.includes('the journal grows')), 'nothing to go by');
  clock.advance(4 * 86_400_000);
  await operator.done('createAccount', '/accounts', { name: 'late' });
  await here.close();
  finding(await doctor(...words), /^(ok|warning) +the journal grows by [0-9.]+ MB a day: the disk/);
  writeFileSync(file, 'journal: { keepDays: 10 }');
  finding(
    await doctor(...words),
    /^ok +the journal grows by .*; what is kept of it takes 0\.0 GB$/,
  );
});
