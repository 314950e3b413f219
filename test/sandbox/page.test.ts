/** docs/SANDBOX.md, word for word, against a real venue; and it names every call. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { SANDBOX_ENDPOINTS } from '#dialects';
import { startVenue } from '#testing';
import { scratchDirectory } from '../support/scratch.ts';

const PROJECT = `${import.meta.dirname}/../..`;
const PAGE = readFileSync(`${PROJECT}/docs/SANDBOX.md`, 'utf8');
const PAGE_URL = 'http://127.0.0.1:8787';
const TESTING = pathToFileURL(join(PROJECT, 'src/app/testing/mod.ts')).href;
const run = promisify(execFile);

/** The blocks of code in a language, in the order of the page. */
function examples(language: string): string[] {
  const blocks = PAGE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'));
  return [...blocks].map(([, code = '']) => code);
}

async function hasTools(): Promise<boolean> {
  const found = await Promise.allSettled([run('bash', ['--version']), run('curl', ['--version'])]);
  return found.every(({ status }) => status === 'fulfilled');
}

test('its session with curl succeeds, call by call', async (t) => {
  if (!(await hasTools())) return t.skip('this machine has no bash or no curl');
  await using venue = await startVenue();
  const script = examples('sh').join('\n').replaceAll(PAGE_URL, venue.url);
  const env = { ...process.env, OUTCRY_ADMIN_TOKEN: venue.adminToken };
  const { stdout } = await run('bash', ['-euc', script], { env });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const calls = script.match(/^sandbox [A-Z]+ /gm) ?? [];
  assert.equal(answers.length, calls.length);
  assert.ok(answers.length > 15);
  for (const answer of answers) assert.equal(answer.code, '00000', JSON.stringify(answer));
  const { checkpoints, faults } = await venue.sandbox.state();
  assert.deepEqual([checkpoints, faults], [[], []]);
});

test('its test passes', async (t) => {
  const [program = ''] = examples('js');
  const file = join(scratchDirectory(t), 'example.mjs');
  assert.ok(program.includes("'outcry/testing'"));
  writeFileSync(file, program.replace('outcry/testing', TESTING));
  await run(process.execPath, [file], { timeout: 60_000 });
});

test('it shows or names every call', () => {
  for (const { path } of Object.values(SANDBOX_ENDPOINTS)) {
    const last = path.split('/').findLast((part) => !part.startsWith(':')) ?? '';
    assert.ok(PAGE.includes(`/${last}`), path);
  }
});
