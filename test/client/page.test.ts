/** The program of docs/API.md that uses `outcry/client`, word for word, against a real venue. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { startVenue } from '#testing';
import { scratchDirectory } from '../support/scratch.ts';

const PROJECT = join(import.meta.dirname, '../..');
const CLIENT = pathToFileURL(join(PROJECT, 'src/app/client/mod.ts')).href;
const run = promisify(execFile);

test('it places an order, reads it, and shows a refusal', async (t) => {
  await using venue = await startVenue({ participants: false });
  const page = readFileSync(join(PROJECT, 'docs/API.md'), 'utf8');
  const [, program = ''] = /^```js\n(.*?)^```/ms.exec(page) ?? [];
  assert.ok(program.includes("'outcry/client'"));
  const file = join(scratchDirectory(t), 'example.mjs');
  const here = program.replace('outcry/client', CLIENT).replace('http://127.0.0.1:8787', venue.url);
  writeFileSync(file, here);
  const { stdout } = await run(process.execPath, [file], { timeout: 60_000 });
  const [shown = '', refused = ''] = stdout.split('\n');
  assert.equal(shown, 'new 25000.00');
  assert.match(refused, /^balance_insufficient 422 \{/);
});
