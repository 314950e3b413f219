/** `outcry serve` as the programs of others start it: one line of JSON, and data nobody keeps. */
import { strict as assert } from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyJournal } from '#log';
import { logOf } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { eventually } from '../support/until.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/outcry.js');
const READY_MAX_MS = 30_000;
const PLACES = ['/dev/shm', tmpdir()];

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** A failed test leaves its programs running: they end with the file. */
const running = new Set<Child>();
after(() => {
  for (const child of running) child.kill('SIGKILL');
});

function start(...words: string[]): Child {
  return startIn({}, ...words);
}

function startIn(environment: Readonly<Record<string, string>>, ...words: string[]): Child {
  const child = spawn(process.execPath, [PROGRAM, 'serve', ...words], {
    env: { ...process.env, OUTCRY_LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Of Node: says of each module whether what was kept of it is used. */
const COMPILING = 'COMPILE_CACHE';
const EPHEMERAL = ['--port', '0', '--ephemeral', '--no-participants'];

/** Everything a child says, and its exit code, once it has ended. */
async function outcome(child: Child) {
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code, signal] = await once(child, 'exit');
  const [output, log] = await said;
  return { code, signal, output, log };
}

/** Resolves once the pattern has been printed; `outcome` is what reads the stream. */
async function until(child: Child, pattern: RegExp): Promise<RegExpExecArray> {
  const timeout = AbortSignal.timeout(READY_MAX_MS);
  let heard = '';
  for (;;) {
    const [piece] = await once(child.stdout, 'data', { signal: timeout });
    heard += String(piece);
    const found = pattern.exec(heard);
    if (found !== null) return found;
  }
}

function directoriesHere(): string[] {
  return PLACES.flatMap((place) => (existsSync(place) ? readdirSync(place) : []));
}

/** What processes killed long ago have left: one of today can get the number of one of them. */
const OLDER = new Set(directoriesHere());

/** Directories of a process of this file, wherever they would be. */
function leftBy(pid: number | undefined): string[] {
  const mine = `outcry-${pid}-`;
  return directoriesHere().filter((name) => name.startsWith(mine) && !OLDER.has(name));
}

test('with --json standard output is one line, complete when the venue answers', async () => {
  const child = start(...EPHEMERAL, '--json');
  const ending = outcome(child);
  const [line] = await until(child, /^.*\n/);
  const ready = JSON.parse(line);
  assert.deepEqual(ready, { url: ready.url, pid: child.pid, ready: true });
  assert.equal((await fetch(`${ready.url}/health/ready`)).status, 200);
  assert.equal((await fetch(`${ready.url}/api/spot/v1/public/time`)).status, 200);
  child.kill('SIGTERM');
  assert.deepEqual(await ending, { code: 0, signal: null, output: line, log: '' });
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`--ephemeral keeps its data private, and ${signal} removes them`, async () => {
    const child = start(...EPHEMERAL);
    const ending = outcome(child);
    const [, directory = ''] = await until(child, /data in (\S+)\n/);
    assert.ok(PLACES.includes(dirname(directory)), directory);
    assert.deepEqual(leftBy(child.pid), [basename(directory)]);
    assert.equal(statSync(directory).mode & 0o777, 0o700);
    assert.ok(existsSync(`${directory}/journal.sqlite`));
    child.kill(signal);
    const { code, log } = await ending;
    assert.deepEqual([code, log, leftBy(child.pid)], [0, '', []]);
  });
}

test('--ephemeral removes what killed venues left a while ago, and nothing else', async (t) => {
  const venues = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const child = start(...EPHEMERAL);
      const [, directory = ''] = await until(child, /data in (\S+)\n/);
      return { child, directory };
    }),
  );
  const [killed, killedJustNow, alive] = venues.map(({ directory }) => directory);
  for (const { child } of venues.slice(0, 2)) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  assert.ok(killed !== undefined && killedJustNow !== undefined && alive !== undefined);
  const parent = dirname(killed);
  const kept = scratchDirectory();
  const others = [
    join(parent, `outcry-test-${process.pid}`),
    join(parent, `outcry-${process.pid}-linked`),
  ] as const;
  t.after(() => {
    for (const left of [...others, killedJustNow]) rmSync(left, { recursive: true });
  });
  mkdirSync(others[0]);
  symlinkSync(kept, others[1]);
  for (const old of [killed, alive, kept, others[0]]) utimesSync(old, 0, 0);
  const child = start(...EPHEMERAL);
  const ending = outcome(child);
  await until(child, /data in (\S+)\n/);
  const left = [killed, killedJustNow, alive, kept, ...others].map((one) => existsSync(one));
  assert.deepEqual(left, [false, true, true, true, true, true]);
  for (const one of [child, venues[2]?.child]) one?.kill('SIGTERM');
  // A venue of another test may have come first, so its log need not name the one that went.
  assert.equal((await ending).code, 0);
});

test('told to stop while it starts, --ephemeral leaves nothing', async () => {
  const child = start(...EPHEMERAL);
  const ending = outcome(child);
  const giveUpMs = performance.now() + READY_MAX_MS;
  while (leftBy(child.pid).length === 0) {
    assert.ok(performance.now() < giveUpMs, 'it never made a directory');
    await delay(1);
  }
  child.kill('SIGTERM');
  const { code, log } = await ending;
  assert.deepEqual([code, log, leftBy(child.pid)], [0, '', []]);
});

test('a start that fails leaves nothing', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  assert.ok(typeof address === 'object' && address !== null);
  const child = start('--port', String(address.port), '--ephemeral', '--json');
  const { code, output, log } = await outcome(child);
  holder.close();
  assert.deepEqual([code, output, leftBy(child.pid)], [2, '', []]);
  assert.match(log, /^port [0-9]+ of 127\.0\.0\.1 is in use: .*--port\n$/);
});

test('a taken port is told before a data directory is made', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  assert.ok(typeof address === 'object' && address !== null);
  const data = join(scratchDirectory(), 'data');
  const { code, log } = await outcome(start('--port', String(address.port), '--data', data));
  holder.close();
  assert.deepEqual([code, existsSync(data)], [2, false]);
  assert.match(log, /^port [0-9]+ of 127\.0\.0\.1 is in use/);
});

test('a taken data directory is told before anything is added to it', async () => {
  const data = scratchDirectory();
  const place = ['--port', '0', '--data', data, '--no-participants'];
  const secrets = { OUTCRY_ADMIN_TOKEN: 't'.repeat(32), OUTCRY_MASTER_KEY: 'ab'.repeat(32) };
  const first = startIn(secrets, ...place, '--json');
  await until(first, /"ready":true/);
  const { code, log } = await outcome(start(...place));
  assert.equal(code, 2);
  assert.match(log, /another outcry process is running on this data directory/);
  const secretFiles = readdirSync(data).filter((name) => /^(admin|master)\./.test(name));
  assert.deepEqual(secretFiles, []);
  const ending = once(first, 'exit');
  first.kill('SIGTERM');
  await ending;
});

test('outcry --version shows the version of the package', async () => {
  const child = spawn(process.execPath, [PROGRAM, '--version'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const { code, output, log } = await outcome(child);
  const file = readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8');
  assert.deepEqual([code, output, log], [0, `${JSON.parse(file).version}\n`, '']);
});

test('SIGKILL leaves the data, and they are sound', async () => {
  const child = start(...EPHEMERAL);
  const ending = outcome(child);
  const [, directory = ''] = await until(child, /data in (\S+)\n/);
  child.kill('SIGKILL');
  await ending;
  try {
    const masterKey = Buffer.from(readFileSync(join(directory, 'master.key'), 'utf8'), 'base64');
    const verified = await verifyJournal(logOf(directory, { masterKey }), () => undefined);
    assert.equal(verified.kind, 'sound');
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('--ephemeral and --data exclude each other', async () => {
  const { code, output, log } = await outcome(start('--ephemeral', '--data', '/tmp/venue'));
  assert.deepEqual([code, output], [2, '']);
  assert.match(log, /--ephemeral keeps nothing, --data says where to keep it/);
});

test('compiled code is kept for the next start', async (t) => {
  const scratch = scratchDirectory(t);
  const startWith = (cache: string, ...words: string[]) =>
    startIn({ XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: '' }, ...words, '--json');
  const kept = (cache: string): number =>
    existsSync(cache) ? readdirSync(cache, { recursive: true }).length : 0;

  // Whoever is killed has kept it before.
  const cache = join(scratch, 'served');
  const data = join(scratch, 'data');
  const served = startWith(cache, '--port', '0', '--no-participants', '--data', data);
  await eventually(
    () => kept(cache),
    (count) => assert.ok(count > 100, `${count} files`),
  );
  served.kill('SIGKILL');

  // V8 refuses what was compiled under other flags than those of the start.
  const natives = { XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: '', NODE_DEBUG_NATIVE: COMPILING };
  const again = startIn(natives, ...EPHEMERAL, '--json');
  const ended = outcome(again);
  again.stdout.once('data', () => again.kill('SIGTERM'));
  const { log } = await ended;
  assert.ok(log.split(' was accepted').length > 100, 'what was kept is used');
  assert.doesNotMatch(log, / was rejected/);

  // Nowhere to keep it is no reason not to start.
  writeFileSync(join(scratch, 'file'), '');
  const child = startWith(join(scratch, 'file/below'), ...EPHEMERAL);
  const ending = outcome(child);
  await until(child, /^.*\n/);
  child.kill('SIGTERM');
  assert.equal((await ending).code, 0);
});
