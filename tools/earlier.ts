/**
 * The program as an earlier commit of this repository has it, in a directory of its own, with the
 * packages of this checkout.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PROJECT = resolve(import.meta.dirname, '..');
const ARCHIVE_BYTES_MAX = 256 * 1024 * 1024;
const GIT = { cwd: PROJECT, maxBuffer: ARCHIVE_BYTES_MAX };
const PROGRAM = ['package.json', 'bin', 'config', 'src', 'tools'];
/** Writes what the program imports and no commit has. */
const WRITES = 'tools/client.ts';

/** Unpacks it; false where the history does not go back so far. */
export function unpackEarlier(
  commit: string,
  directory: string,
  parts: readonly string[] = PROGRAM,
): boolean {
  if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], GIT).status !== 0) return false;
  const input = execFileSync('git', ['archive', commit, ...parts], GIT);
  execFileSync('tar', ['-x', '-C', directory], { input });
  symlinkSync(join(PROJECT, 'node_modules'), join(directory, 'node_modules'));
  if (existsSync(join(directory, WRITES))) {
    execFileSync(process.execPath, [join(directory, WRITES)]);
  }
  return true;
}

/** What the checkout is compared with: the commit before it, or the last one before changes. */
export function commitBefore(): string {
  const { stdout } = spawnSync('git', ['status', '--porcelain', '--', 'src'], GIT);
  return stdout?.length > 0 ? 'HEAD' : 'HEAD^';
}
