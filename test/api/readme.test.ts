/** The first minute of the README, word for word, against the real demo server. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type RunningServer, startProcess } from './server-process.ts';

const PROJECT = `${import.meta.dirname}/../..`;
const README_URL = 'http://127.0.0.1:8787';
const run = promisify(execFile);

let server: RunningServer;

before(async () => {
  server = await startProcess();
});

after(() => server.stop());

/** The block of code under a heading, pointed at the server of this test. */
function example(heading: string, language: string): string {
  const page = readFileSync(`${PROJECT}/README.md`, 'utf8');
  const section = page.slice(page.indexOf(`\n## ${heading}\n`));
  const fence = `\`\`\`${language}\n`;
  const start = section.indexOf(fence) + fence.length;
  const code = section.slice(start, section.indexOf('```', start));
  assert.ok(code.includes(README_URL), `${heading} shows the server's address`);
  return code.replaceAll(README_URL, server.url);
}

function missingTools(): string[] {
  return ['bash', 'curl', 'openssl'].filter((tool) => {
    try {
      execFileSync(tool, [tool === 'openssl' ? 'version' : '--version'], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
}

test('a first trade with curl', async (t) => {
  const missing = missingTools();
  if (missing.length > 0) return t.skip(`this machine has no ${missing.join(', ')}`);
  const { stdout } = await run('bash', ['-c', example('A first trade with curl', 'sh')]);
  const bodies = stdout.split(/(?<=\})(?=\{"code")/).map((text) => JSON.parse(text));
  assert.deepEqual(
    bodies.map(({ code }) => code),
    ['00000', '00000'],
  );
  assert.match(bodies[0].data.orderId, /^7[0-9]{17}$/);
  assert.ok(Array.isArray(bodies[1].data.asks));
});

test('a first trade with ccxt', async () => {
  const program = `(async () => {${example('A first trade with ccxt', 'js')}})().catch((error) => {
    console.error(error);
    process.exit(1);
  });`;
  const words = ['--input-type=commonjs', '-e', program];
  const { stdout } = await run(process.execPath, words, { cwd: PROJECT });
  assert.match(stdout, /symbol: 'BTC\/USDT'/);
  assert.match(stdout, /status: 'open'/);
  assert.match(stdout, /USDT: \{ free: /);
});
