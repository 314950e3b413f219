/** Runs `outcry scenario ...` as a user does: as a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { scratchDirectory } from '../support/scratch.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/outcry.js');
const directory = scratchDirectory();

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function scenario(...words: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [PROGRAM, 'scenario', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  return { code: typeof code === 'number' ? code : null, stdout, stderr };
}

/** A file that is gone after the tests. */
export function scratchFile(name: string, text: string): string {
  const file = join(directory, name);
  writeFileSync(file, text);
  return file;
}
