/** A checkout runs the bundle only where it is made of its sources as they are. */
import { strict as assert } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { scratchDirectory } from '../support/scratch.ts';

const BIN = resolve(import.meta.dirname, '../../bin');

/** A checkout whose program says which form of it runs. */
function checkout() {
  const home = scratchDirectory();
  const path = (name: string) => join(home, name);
  cpSync(BIN, path('bin'), { recursive: true });
  for (const folder of ['src/app', 'tools', 'dist']) mkdirSync(path(folder), { recursive: true });
  writeFileSync(path('package.json'), '{ "type": "module" }');
  writeFileSync(path('package-lock.json'), '{}');
  writeFileSync(path('tools/build.ts'), '');
  writeFileSync(path('src/app/main.ts'), "process.stdout.write('sources');");
  writeFileSync(path('src/app/other.ts'), 'one');
  writeFileSync(path('dist/main.js'), "process.stdout.write('bundle');");
  const runs = () => execFileSync(process.execPath, [path('bin/outcry.js')], { encoding: 'utf8' });
  return { path, runs };
}

async function noteSources(home: ReturnType<typeof checkout>): Promise<void> {
  const { sourcesNow } = await import(String(pathToFileURL(home.path('bin/program.js'))));
  writeFileSync(home.path('dist/made-of.txt'), sourcesNow());
}

test('the bundle runs where it is made of these sources', async () => {
  const home = checkout();
  assert.equal(home.runs(), 'sources');
  await noteSources(home);
  assert.equal(home.runs(), 'bundle');
  rmSync(home.path('src'), { recursive: true });
  assert.equal(home.runs(), 'bundle');
});

for (const what of ['below /proc', 'below a file'] as const) {
  test(`a home that cannot be made, ${what}, is said, and the program runs`, () => {
    const { path } = checkout();
    const HOME = what === 'below /proc' ? '/proc/nonexistent' : path('package.json');
    const env = { PATH: process.env.PATH, HOME };
    const options = { encoding: 'utf8', env, timeout: 20_000 } as const;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path('bin/outcry.js')],
      options,
    );
    assert.deepEqual([status, stdout], [0, 'sources'], stderr);
    assert.match(stderr, /^outcry: cannot create .*outcry for compiled code: .*XDG_CACHE_HOME/);
  });
}

const CHANGES: readonly (readonly [what: string, change: (file: string) => void])[] = [
  ['is longer', (file) => writeFileSync(file, 'three')],
  ['is gone', (file) => rmSync(file)],
  ['has a neighbour', (file) => writeFileSync(`${file}x`, '')],
  ['is changed to as many letters', (file) => writeFileSync(file, 'two')],
  ['is put back from before', (file) => utimesSync(file, 1, statSync(file).mtimeMs / 2_000)],
];

for (const [what, change] of CHANGES) {
  test(`the sources run once one of them ${what}`, async () => {
    const home = checkout();
    utimesSync(home.path('src/app/other.ts'), 1, 1);
    await noteSources(home);
    assert.equal(home.runs(), 'bundle');
    change(home.path('src/app/other.ts'));
    assert.equal(home.runs(), 'sources');
  });
}

test('other packages make another bundle', async () => {
  const home = checkout();
  await noteSources(home);
  writeFileSync(home.path('package-lock.json'), '{ }');
  assert.equal(home.runs(), 'sources');
});
