/** An empty project that has installed the package, made by `npm pack` from this checkout. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const NO_REGISTRY = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/;
const STEP_MAX_MS = 100_000;

const execute = promisify(execFile);

export interface InstalledProject {
  readonly directory: string;
  /** Runs one program there and resolves with what it printed. */
  run(program: string, ...words: string[]): Promise<{ stdout: string; stderr: string }>;
  remove(): void;
}

/** Where `npm test` runs from is not where the other project is; its Node is the one of this. */
export function outsideEnvironment(): NodeJS.ProcessEnv {
  const inherited = /^(npm_(package|lifecycle|config_local_prefix)|INIT_CWD|NODE_TEST_CONTEXT)/;
  const own = Object.entries(process.env).filter(([name]) => !inherited.test(name));
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  return { ...Object.fromEntries(own), PATH: path };
}

/** Packs and installs. Resolves with the reason when npm cannot reach its registry. */
export async function installPackage(): Promise<InstalledProject | string> {
  const scratch = mkdtempSync(join(tmpdir(), 'outcry-package-'));
  const directory = join(scratch, 'project');
  mkdirSync(directory);
  writeFileSync(join(directory, 'package.json'), '{ "private": true, "type": "module" }\n');
  const remove = () => rmSync(scratch, { recursive: true, force: true });
  try {
    await runIn(CHECKOUT, 'npm', 'pack', '--pack-destination', scratch);
    const [file = ''] = readdirSync(scratch).filter((name) => name.endsWith('.tgz'));
    const quietly = ['--prefer-offline', '--no-audit', '--no-fund'];
    await runIn(directory, 'npm', 'install', ...quietly, join(scratch, file));
  } catch (error) {
    remove();
    const isUnreachable = error instanceof Error && NO_REGISTRY.test(error.message);
    if (isUnreachable) return 'npm cannot reach its registry to install the dependencies';
    throw error;
  }
  return { directory, run: (program, ...words) => runIn(directory, program, ...words), remove };
}

function runIn(cwd: string, program: string, ...words: string[]) {
  return execute(program, words, { cwd, env: outsideEnvironment(), timeout: STEP_MAX_MS });
}
