/** The link that opens the console of a demo: once, for a while, and on loopback alone. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { present } from '#kernel';
import { ConsoleLink } from '#server';
import { ADMIN_TOKEN } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';

const MINUTE_MS = 60_000;

function codeOf(link: string | undefined): string {
  return present(/^\/ops#enter=([\w-]{43})$/.exec(present(link, 'a link'))?.[1], 'a code');
}

test('a link works once, until there is a newer one, for ten minutes', () => {
  let nowMs = 0;
  const link = new ConsoleLink('token', () => nowMs);
  assert.equal(link.take(''), undefined);
  const first = codeOf(link.make());
  assert.equal(link.take(`${first}x`), undefined);
  assert.equal(link.take(first), 'token');
  assert.equal(link.take(first), undefined);
  const older = codeOf(link.make());
  const newer = codeOf(link.make());
  assert.equal(link.take(older), undefined);
  nowMs = 10 * MINUTE_MS;
  assert.equal(link.take(newer), undefined);
  const guessed = codeOf(link.make());
  for (let tries = 0; tries < 20; tries += 1) link.take('a guess');
  assert.equal(link.take(guessed), undefined);
});

async function asked(url: string, code: unknown): Promise<readonly [number, unknown]> {
  const body = JSON.stringify({ code });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/ui/console`, { method: 'POST', headers, body });
  return [answer.status, await answer.json()];
}

test('the demo gives the admin token for its code, once', async (context) => {
  const here = await ServerHere.still(context, scratchDirectory()).start();
  const over = [403, { code: 403, msg: 'The link was used or is too old' }];
  const code = codeOf(here.consoleLink());
  for (const wrong of ['', 'a guess', 1, null, [code]]) {
    assert.deepEqual(await asked(here.url, wrong), over);
  }
  assert.deepEqual(await asked(here.url, code), [200, { token: ADMIN_TOKEN }]);
  assert.deepEqual(await asked(here.url, code), over);
});

test('a venue of its own has no such link, and no such path', async (context) => {
  const directory = scratchDirectory();
  const config = join(directory, 'venue.yaml');
  writeFileSync(config, readFileSync('config/demo.yaml'), { mode: 0o600 });
  const here = await ServerHere.still(context, directory).start({ config });
  assert.equal(here.consoleLink(), undefined);
  assert.equal((await asked(here.url, 'a guess'))[0], 404);
});

test('a page of another origin cannot ask', async (context) => {
  const here = await ServerHere.still(context, scratchDirectory()).start();
  const code = codeOf(here.consoleLink());
  const headers = { 'content-type': 'application/json', origin: 'https://elsewhere.example' };
  const body = JSON.stringify({ code });
  const answer = await fetch(`${here.url}/ui/console`, { method: 'POST', headers, body });
  assert.equal(answer.status, 421);
  assert.deepEqual((await asked(here.url, code))[0], 200);
});
