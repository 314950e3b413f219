/** The package as others get it: packed, installed in an empty project, and used there. */
import { strict as assert } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, type TestContext, test } from 'node:test';
import { DEMO_CREDENTIAL } from '../../src/config/demo.ts';
import { type InstalledProject, installPackage, outsideEnvironment } from './project.ts';
import { restBid } from './signed.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const READY_MAX_MS = 30_000;

let installed: InstalledProject | string;
before(async () => {
  installed = await installPackage();
});
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
  for (const name of ['main', 'journal/journal-worker', 'venue/projector-worker', 'testing']) {
    assert.ok(files.includes(`dist/${name}.js`), name);
    assert.ok(files.includes(`dist/${name}.d.ts`), name);
  }
  for (const name of ['dist-ui/index.html', 'dist-ui/index.html.br', 'dist-ui/ops.html.gz']) {
    assert.ok(files.includes(name), name);
  }
  for (const name of ['config/demo.yaml', 'docs/CI.md', 'README.md', 'LICENSE']) {
    assert.ok(files.includes(name), name);
  }
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
      assert.match(await restBid(url, DEMO_CREDENTIAL), /^7[0-9]{17}$/);
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
    assert.match(await restBid(ready.url, DEMO_CREDENTIAL), /^7[0-9]{17}$/);
  } finally {
    process.kill(ready.pid, 'SIGTERM');
  }
});

proof('npx outcry plays a scenario that comes with it', async ({ run }) => {
  const { stdout } = await run('npx', 'outcry', 'scenario', 'run', 'flash-crash', '--assert');
  assert.match(stdout, /^Flash crash: as expected$/m);
});

proof('its declarations satisfy a strict compiler', async ({ directory, run }) => {
  const program = `import { startVenue, type TestVenue } from 'outcry/testing';
    const venue: TestVenue = await startVenue({ participants: false });
    const secret: string = venue.keys.demo.secret;
    await venue.admin.deposit({ account: 'demo', coin: 'BTC', amount: secret });
    export const pid: number = venue.pid;`;
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

test('an older Node is told what is needed', async () => {
  const older = `Object.defineProperty(process, 'versions', { value: { node: '22.11.0' } });`;
  const program = join(CHECKOUT, 'bin/outcry.js');
  assert.ok(existsSync(program));
  const words = [
    '--import',
    `data:text/javascript,${encodeURIComponent(older)}`,
    program,
    '--help',
  ];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const [exitCode] = await once(child, 'close');
  assert.equal(exitCode, 2);
  assert.match(said.join(''), /^Outcry needs Node 24 or newer; this is Node 22\.11\.0 at \/.*\n$/);
});
