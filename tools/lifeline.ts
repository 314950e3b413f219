/**
 * Processes that end with this one, whatever ends it: a signal that runs no handler, too. A shell
 * of its own session hears the end of this process as the end of its input, and kills what is left.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** Each line names all that are alive; the last one counts. */
const SHELL = 'while read -r pids; do last=$pids; done; [ -z "$last" ] || kill -9 $last';

const alive = new Set<number>();
let shell: ChildProcess | undefined;

/** Ended and stopped processes are killed alike. */
export function endWithUs(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  alive.add(pid);
  child.once('exit', () => {
    alive.delete(pid);
    say();
  });
  say();
}

function say(): void {
  shell ??= started();
  shell.stdin?.write(`${[...alive].join(' ')}\n`);
}

function started(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', SHELL], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Neither it nor its input keeps this process alive.
  child.unref();
  child.stdin.on('error', () => undefined);
  if (child.stdin instanceof Socket) child.stdin.unref();
  return child;
}
