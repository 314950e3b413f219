/** An opinion from outside: schemathesis, from PyPI, on a venue of its own. Optional. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FuzzVenue } from './venue.ts';

const HOOKS = resolve(import.meta.dirname, 'sign.py');
const VERSION = '4.32.5';
/**
 * What the document cannot say: that a value of the right shape is refused (a symbol that is not
 * listed), and that one of another shape may do (text in place of a number).
 */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
];
/** They move the clock, reset the venue, spoil answers, or take the key away. */
const LEFT_OUT = '^/(sandbox|admin/v1/keys)';

/** Whether it had no complaint of the venue, and the venue none of itself. */
export async function schemathesis(examplesCount: number, seed: number): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'outcry-schemathesis-'));
  const venue = await FuzzVenue.start();
  try {
    await run('python3', ['-m', 'venv', directory]);
    const program = join(directory, 'bin', 'schemathesis');
    await run(join(directory, 'bin', 'pip'), ['install', '-q', `schemathesis==${VERSION}`]);
    // Making the document takes longer at its first reading than it would wait.
    await fetch(`${venue.url}/openapi.json`);
    const words = ['run', `${venue.url}/openapi.json`, '--checks', CHECKS.join(',')];
    const drawn = ['--max-examples', String(examplesCount), '--seed', String(seed)];
    const choices = ['--exclude-path-regex', LEFT_OUT, '--phases', 'examples,coverage,fuzzing'];
    const env = { SCHEMATHESIS_HOOKS: HOOKS, FUZZ_TOKEN: venue.adminToken };
    const code = await run(program, [...words, ...drawn, ...choices], env);
    return code === 0;
  } finally {
    for (const wrong of await venue.close()) console.log(`✖ the venue: ${wrong}`);
    rmSync(directory, { recursive: true, force: true });
  }
}

async function run(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  // What it keeps for its next run goes beside everything else of this one.
  const options = { cwd: tmpdir(), env: { ...process.env, ...env } };
  const child = spawn(program, words, { ...options, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code;
}
