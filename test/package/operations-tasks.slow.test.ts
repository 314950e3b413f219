/**
 * The tasks of docs/OPERATIONS.md, word for word and one after the other, in a fresh folder: from
 * nothing to a venue with coins of its own, a contract and somebody who was invited, and on to what
 * its operator does later.
 */
import { strict as assert } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { scratchDirectory } from '../support/scratch.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(join(PROJECT, 'docs/OPERATIONS.md'), 'utf8');
const PORT = '8787';

interface Task {
  readonly heading: string;
  readonly script: string;
}

/** Each block of shell with the heading that it is under. */
function tasks(): Task[] {
  let heading = '';
  const found: Task[] = [];
  for (const [, title, script] of PAGE.matchAll(/^## ([^\n]*)$|^```sh\n(.*?)^```$/gms)) {
    if (title !== undefined) heading = title;
    else found.push({ heading, script: script ?? '' });
  }
  return found;
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return String(typeof address === 'object' ? address?.port : '');
}

test('the tasks lead where they say', async (t) => {
  const [home, port] = [scratchDirectory(t), await freePort()];
  const [bin, folder] = [join(home, 'bin'), join(home, 'venue')];
  for (const directory of [bin, folder]) mkdirSync(directory);
  const program = `exec "${process.execPath}" "${join(PROJECT, 'src/app/main.ts')}" "$@"`;
  writeFileSync(join(bin, 'outcry'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  const all = tasks();
  assert.ok(all.length >= 9, 'the page has tasks');
  const steps = all.map(({ heading, script }) => `echo '== ${heading}'\n${script}`).join('\n');
  // The page has the usual port, which may be taken here.
  const moved = steps
    .replaceAll(PORT, port)
    .replaceAll('outcry serve ', `outcry serve --port ${port} `)
    .replaceAll(/outcry doctor /g, `outcry doctor --port ${port} `)
    .replaceAll(
      /^outcry (deposit|key \w+|insurance|index|invite) /gm,
      `$& --url http://127.0.0.1:${port} `,
    );
  const end = `trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT\n`;
  const child = spawn('bash', ['-euo', 'pipefail', '-c', end + moved], {
    cwd: folder,
    env: { PATH: [bin, process.env.PATH].join(delimiter), HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  t.after(() => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  });
  const [said, complaints] = [text(child.stdout), text(child.stderr)];
  const [code] = await once(child, 'close');
  const log = join(folder, 'venue.log');
  const told = `${await said}\n${await complaints}\n${existsSync(log) ? readFileSync(log) : ''}`;
  assert.equal(code, 0, told);
  for (const { heading } of all) assert.ok(told.includes(`== ${heading}`), heading);
  assert.match(told, /balanced: every coin and every contract adds up/);
  assert.match(told, /^snapshot {2}(matches|none)$/m);
  assert.match(told, /"orderId":"[0-9]+"/, 'the person who was invited trades');
  assert.match(readFileSync(join(folder, 'anchor.txt'), 'utf8'), /^anchor: [0-9]+:[0-9a-f]{64}$/m);
  assert.match(readFileSync(join(folder, 'fills.csv'), 'utf8'), /^trade_id,order_id,/);
  for (const file of ['monday.tar.gz', 'before-upgrade.tar.gz', 'ledger.parquet', 'alice.key']) {
    assert.ok(statSync(join(folder, file)).size > 0, file);
  }
});
