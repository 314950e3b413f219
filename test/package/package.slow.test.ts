/** The package as others get it: packed, installed in an empty project, and used there. */
import { strict as assert } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, type TestContext, test } from 'node:test';
import { DEMO_CREDENTIAL } from '#child';
import { scratchDirectory } from '../support/scratch.ts';
import { type InstalledProject, installPackage, outsideEnvironment } from './project.ts';
import { restBid } from './signed.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const READY_MAX_MS = 30_000;

const installed = await installPackage();
after(() => {
  if (typeof installed !== 'string') installed.remove();
});

type Proof = (project: InstalledProject, context: TestContext) => Promise<void>;

function proof(name: string, prove: Proof): void {
  test(name, async (context) => {
    if (typeof installed === 'string') return context.skip(installed);
    await prove(installed, context);
  });
}

proof('it carries JavaScript, declarations, the demo and the pages', async ({ directory }) => {
  const home = join(directory, 'node_modules/outcry');
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((name) => /(?<!\.d)\.ts$/.test(name));
  assert.deepEqual(sources, []);
  for (const name of ['main', 'writer-worker', 'projector-worker', 'thread-worker', 'testing']) {
    assert.ok(files.includes(`dist/${name}.js`), name);
  }
  for (const name of [
    'dist/NOTICES.txt',
    'dist/types/app/testing/mod.d.ts',
    'dist/types/app/client/mod.d.ts',
  ]) {
    assert.ok(files.includes(name), name);
  }
  for (const name of ['dist-ui/index.html', 'dist-ui/index.html.br', 'dist-ui/ops.html.gz']) {
    assert.ok(files.includes(name), name);
  }
  for (const name of ['config/demo.yaml', 'docs/CI.md', 'README.md', 'LICENSE']) {
    assert.ok(files.includes(name), name);
  }
});

proof('it brings no Node along', async ({ directory }) => {
  const found = readdirSync(join(directory, 'node_modules'));
  assert.deepEqual(
    found.filter((name) => /^node(-bin.*|-linux.*)?$/.test(name)),
    [],
  );
});

proof('npx outcry serves a venue that takes an order', async ({ directory }) => {
  const words = ['outcry', 'serve', '--port', '0', '--json', '--ephemeral'];
  const child = spawn('npx', words, {
    cwd: directory,
    env: { ...outsideEnvironment(), OUTCRY_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: READY_MAX_MS,
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    const { url, pid } = JSON.parse(line);
    try {
      assert.match(await restBid(url, DEMO_CREDENTIAL), /^1[0-9]{15}$/);
    } finally {
      process.kill(pid, 'SIGTERM');
    }
  }
  assert.deepEqual([await exited, lines.length], [[0, null], 1]);
});

proof('the test of docs/CI.md passes, word for word', async ({ directory, run }) => {
  const page = readFileSync(join(CHECKOUT, 'docs/CI.md'), 'utf8');
  const example = /^```js\n(.*?)^```$/ms.exec(page)?.[1] ?? '';
  assert.match(example, /from 'outcry\/testing'/);
  writeFileSync(join(directory, 'bot.test.js'), example);
  const { stdout } = await run(process.execPath, '--test', 'bot.test.js');
  assert.match(stdout, /✔ a sell order takes the bid of somebody else/);
  assert.match(stdout, /pass 1\n.*fail 0\n/s);
});

proof('the shell step of docs/CI.md leaves a venue for the steps after it', async (project) => {
  const page = readFileSync(join(CHECKOUT, 'docs/CI.md'), 'utf8');
  const script = /^ +run: \|\n((?: {10}.*\n)+)/m.exec(page)?.[1] ?? '';
  assert.match(script, /npx outcry serve/);
  const { directory, run } = project;
  await run('bash', '-ec', `export GITHUB_ENV=env.txt; ${script}`);
  const ready = JSON.parse(readFileSync(join(directory, 'venue.json'), 'utf8'));
  try {
    const told = readFileSync(join(directory, 'env.txt'), 'utf8');
    assert.equal(told, `VENUE_URL=${ready.url}\n`);
    assert.match(await restBid(ready.url, DEMO_CREDENTIAL), /^1[0-9]{15}$/);
  } finally {
    process.kill(ready.pid, 'SIGTERM');
  }
});

proof('npx outcry plays a scenario that comes with it', async ({ run }) => {
  const { stdout } = await run('npx', 'outcry', 'scenario', 'run', 'flash-crash', '--assert');
  assert.match(stdout, /^Flash crash: as expected$/m);
});

proof('its declarations satisfy a strict compiler', async ({ directory, run }) => {
  const program = `import { hmac, type native, outcryClient } from 'outcry/client';
    import { startVenue, type TestVenue } from 'outcry/testing';
    const venue: TestVenue = await startVenue({ participants: false });
    const secret: string = venue.keys.demo.secret;
    await venue.admin.deposit({ account: 'demo', coin: 'BTC', amount: secret });
    const client = outcryClient({ url: venue.url, sign: hmac(venue.keys.demo) });
    const open: readonly native.OpenOrdersRow[] = await client.native.openOrders();
    export const pid: number = venue.pid + open.length;`;
  const wrong = "import { startVenue } from 'outcry/testing';\nawait startVenue({ port: 1 });\n";
  writeFileSync(join(directory, 'right.ts'), program);
  writeFileSync(join(directory, 'wrong.ts'), wrong);
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024'];
  const typeRoots = ['--typeRoots', join(CHECKOUT, 'node_modules/@types'), '--types', 'node'];
  const words = [join(CHECKOUT, 'node_modules/.bin/tsc'), ...options, ...typeRoots];
  await run(process.execPath, ...words, 'right.ts');
  await assert.rejects(run(process.execPath, ...words, 'wrong.ts'), (error: unknown) => {
    assert.match(String(Object(error).stdout), /^wrong\.ts\(2,.*'port' does not exist/);
    return true;
  });
});

proof('without the benchmarks it says where they are', async ({ directory }) => {
  const program = join(directory, 'node_modules/outcry/bin/outcry.js');
  const child = spawn(process.execPath, [program, 'bench'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const [exitCode] = await once(child, 'close');
  assert.equal(exitCode, 2);
  assert.match(said.join(''), /the benchmarks come with the sources/);
});

proof('startVenue works from a program', async (project) => {
  const program = `import { startVenue } from 'outcry/testing';
    const venue = await startVenue({ participants: false });
    const answer = await fetch(venue.url + '/api/spot/v1/public/time');
    await venue.stop();
    process.stdout.write(process.version + ' ' + (await answer.json()).code);`;
  writeFileSync(join(project.directory, 'venue.mjs'), program);
  const { stdout } = await project.run(process.execPath, 'venue.mjs');
  assert.match(stdout, /^v[0-9.]+ 00000$/);
});

/** Words that have a Node take itself for an older one. */
const OLDER = [
  '--import',
  `data:text/javascript,${encodeURIComponent(
    `Object.defineProperty(process, 'versions', { value: { node: '22.11.0' } });`,
  )}`,
];

function onOlderNode(program: string, words: readonly string[], channel: 'ipc' | 'ignore') {
  const stdio = ['ignore', 'pipe', 'pipe', channel] as const;
  const child = spawn(process.execPath, [...OLDER, program, ...words], { stdio: [...stdio] });
  assert.ok(child.stdout !== null && child.stderr !== null);
  return { child, output: text(child.stdout), log: text(child.stderr), ended: once(child, 'exit') };
}

const PROGRAM = join(CHECKOUT, 'bin/outcry.js');
const SERVE = ['serve', '--port', '0', '--json', '--ephemeral', '--no-participants'];

test('an older Node runs the program on the Node beside it', async () => {
  const { output, log, ended } = onOlderNode(PROGRAM, ['--version'], 'ignore');
  const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'));
  assert.deepEqual([await output, await log, await ended], [`${version}\n`, '', [0, null]]);
});

test('an older Node without one is told what is needed', async () => {
  const home = scratchDirectory();
  cpSync(join(CHECKOUT, 'bin'), join(home, 'bin'), { recursive: true });
  cpSync(join(CHECKOUT, 'package.json'), join(home, 'package.json'));
  const { output, log, ended } = onOlderNode(join(home, 'bin/outcry.js'), ['--help'], 'ignore');
  assert.deepEqual([await output, await ended], ['', [2, null]]);
  assert.match(await log, /^Outcry needs Node 24 or newer; this is Node 22\.11\.0 at \/.*\n/);
  const advice = 'Install a newer Node, or put one beside Outcry: `npm install node@24`';
  assert.equal((await log).split('\n')[1], advice);
});

test('an older Node beside a package without its program is told how to get it', async () => {
  const home = scratchDirectory();
  cpSync(join(CHECKOUT, 'bin'), join(home, 'bin'), { recursive: true });
  mkdirSync(join(home, 'node_modules/node'), { recursive: true });
  writeFileSync(join(home, 'node_modules/node/package.json'), '{ "name": "node" }\n');
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }\n');
  const { log, ended } = onOlderNode(join(home, 'bin/outcry.js'), ['--help'], 'ignore');
  assert.deepEqual(await ended, [2, null]);
  assert.match(await log, /`npm rebuild node --ignore-scripts=false`, or use a newer Node\n$/);
});

const ENDS: readonly (readonly [how: string, end: (child: ChildProcess) => void])[] = [
  ['SIGTERM', (child) => child.kill('SIGTERM')],
  ['SIGINT', (child) => child.kill('SIGINT')],
  ['the end of its channel', (child) => child.disconnect()],
  ['SIGKILL', (child) => child.kill('SIGKILL')],
];

for (const [how, end] of ENDS) {
  test(`a venue started by an older Node ends with it: ${how}`, async () => {
    const { child, ended } = onOlderNode(PROGRAM, SERVE, 'ipc');
    assert.ok(child.stdout !== null);
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const { pid } = JSON.parse(line);
    assert.notEqual(pid, child.pid);
    end(child);
    const [exitCode] = await ended;
    assert.equal(exitCode, how === 'SIGKILL' ? null : 0);
    while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A Node of this version in a project of its own, as the directory of its program. */
async function nodeOf(version: string, { directory, run }: InstalledProject): Promise<string> {
  const node = `node-${process.platform}-${process.arch}`;
  const place = join(directory, '..', `node-${version}`);
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n');
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--prefix', place];
  await run('npm', 'install', ...quietly, `${node}@${version}`);
  return join(place, 'node_modules', node, 'bin');
}

function startOn(bin: string, { directory }: InstalledProject) {
  const env = {
    ...outsideEnvironment(),
    PATH: [bin, process.env.PATH].join(delimiter),
    OUTCRY_LOG_LEVEL: 'warn',
  };
  const home = join(directory, 'node_modules/outcry/bin/outcry.js');
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const options = { cwd: directory, env, stdio: [...stdio] };
  const child = spawn(join(bin, 'node'), [home, ...SERVE], options);
  assert.ok(child.stdout !== null && child.stderr !== null);
  return { output: child.stdout, log: text(child.stderr), ended: once(child, 'exit') };
}

async function serves(bin: string, project: InstalledProject): Promise<void> {
  const { output, ended } = startOn(bin, project);
  const [line] = await once(createInterface({ input: output }), 'line');
  const { url, pid } = JSON.parse(line);
  try {
    assert.match(await restBid(url, DEMO_CREDENTIAL), /^1[0-9]{15}$/);
  } finally {
    process.kill(pid, 'SIGTERM');
  }
  assert.deepEqual(await ended, [0, null]);
}

proof('outcry serves on Node 24.9.0', async (project) => {
  await serves(await nodeOf('24.9.0', project), project);
});

proof(
  'outcry on Node 20.9.0 says what it needs, and serves with that beside it',
  async (project) => {
    const bin = await nodeOf('20.9.0', project);
    const { log, ended } = startOn(bin, project);
    assert.match(await log, /^Outcry needs Node 24 or newer; this is Node 20\.9\.0 at /);
    assert.deepEqual(await ended, [2, null]);
    const { devDependencies } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'));
    const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts=false'];
    await project.run('npm', 'install', ...quietly, `node@${devDependencies.node}`);
    await serves(bin, project);
  },
);
