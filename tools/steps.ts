/** The checks that need no running venue, each a program that is silent about what is right. */
import { spawn } from 'node:child_process';

export interface Step {
  readonly name: string;
  /** A script for the Node that runs this one, and its arguments. */
  readonly script: readonly string[];
}

export interface Outcome {
  readonly ok: boolean;
  readonly output: string;
  readonly durationMs: number;
}

export const TYPES: Step = { name: 'types', script: typesOf('.', 'outcry') };
/** In a browser there is no Node, so the pages have a project of their own. */
export const PAGE_TYPES: Step = { name: 'types of the pages', script: typesOf('ui', 'pages') };
/** The tables of the client, which the types, the pages and the program need. */
export const CLIENT: Step = { name: 'tables of the client', script: ['tools/client.ts'] };
export const PAGES: Step = { name: 'pages', script: ['tools/build-ui.ts'] };
export const STYLE: Step = {
  name: 'lint and format',
  script: ['node_modules/.bin/biome', 'check', '--error-on-warnings', '.'],
};
export const HOUSE: Step = { name: 'house rules', script: ['tools/house.ts'] };
export const DEAD_CODE: Step = { name: 'dead code', script: ['node_modules/.bin/knip'] };

/** What has been checked before, by whichever command, is checked again where it has changed. */
function typesOf(project: string, name: string): string[] {
  const known = `node_modules/.cache/types/${name}.tsbuildinfo`;
  const words = ['-p', project, '--noEmit', '--incremental', '--tsBuildInfoFile', known];
  return ['node_modules/.bin/tsc', ...words];
}

/** Runs one step to its end and keeps what it printed. */
export function runStep(step: Step): Promise<Outcome> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, step.script, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: string): void => {
      output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ ok: code === 0, output, durationMs: performance.now() - startMs });
    });
  });
}

/** One line on how a step went, and everything it printed if it failed. */
export function report(step: Step, { ok, output, durationMs }: Outcome): string {
  const seconds = (durationMs / 1000).toFixed(1);
  return `${ok ? '✔' : '✖'} ${step.name} (${seconds} s)\n${ok ? '' : output}`;
}
