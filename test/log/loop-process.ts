/** Runs the append loop as a process of its own and listens to it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after } from 'node:test';

const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

const PROGRAM = new URL('./append-loop.ts', import.meta.url).pathname;

export interface Loop {
  readonly child: ChildProcess;
  readonly lines: string[];
  /** Resolves when the process has said this many lines that start so. */
  said(start: string, times: number): Promise<void>;
  /** Resolves with the signal or exit code when the process is gone and everything is heard. */
  readonly gone: Promise<NodeJS.Signals | number | null>;
}

/** Starts the loop; `limitBlocks` caps the size of every file that it writes, as ulimit -f does. */
export function startLoop(directory: string, limitBlocks?: number): Loop {
  const limit = limitBlocks === undefined ? '' : `ulimit -f ${limitBlocks}; `;
  const command = `${limit}exec "$0" "$@"`;
  const child = spawn('sh', ['-c', command, process.execPath, PROGRAM, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const gone = new Promise<NodeJS.Signals | number | null>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  const said = async (start: string, times: number): Promise<void> => {
    const heard = (): boolean => lines.filter((line) => line.startsWith(start)).length >= times;
    while (!heard()) {
      const next = new Promise<'line'>((resolve) => reader.once('line', () => resolve('line')));
      const ended = gone.then((how) => `ended with ${String(how)}`);
      const first = await Promise.race([next, ended]);
      if (first !== 'line' && !heard()) throw new Error(`${first}: ${lines.join(', ')}`);
    }
  };
  return { child, lines, said, gone };
}

/** The highest number that the process has said to be durable. */
export function acknowledgedSeq(lines: readonly string[]): number {
  return Math.max(0, ...lines.map((line) => Number(/^durable ([0-9]+)$/.exec(line)?.[1] ?? 0)));
}
