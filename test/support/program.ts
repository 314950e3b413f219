/** The real program as a process of its own: started, watched, stopped in order, or killed. */
import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { after } from 'node:test';
import { ROUNDS } from './rounds.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const MAIN = resolve(PROJECT, 'src/app/main.ts');
const READY = /^Outcry is ready at (\S+)$/m;

/** Far more than a start needs: reached only when the program hangs. Long runs yield to others. */
export const READY_MAX_MS = ROUNDS === 1 ? 30_000 : 300_000;
const COMMAND_MAX_MS = READY_MAX_MS;
export const ADMIN_TOKEN = 'crash-test-token-with-32-letters!';

export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly log: string;
}

/** A failed test leaves its programs running: they end with the file. */
const running = new Set<Program>();
after(() => Promise.all([...running].map((program) => program.kill())));

export class Program {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #startedMs = performance.now();
  readonly #waiters = new Set<() => void>();
  #output = '';
  #log = '';
  #isOver = false;

  constructor(words: readonly string[], main = MAIN, user: User = {}) {
    this.#child = spawn(process.execPath, [main, ...words], {
      ...user,
      cwd: PROJECT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(this);
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
      this.#changed();
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log += text;
      this.#changed();
    });
    this.ended = new Promise((done) => {
      this.#child.once('close', (code, signal) => {
        running.delete(this);
        this.#isOver = true;
        this.#changed();
        done({ code, signal, output: this.#output, log: this.#log });
      });
    });
  }

  get log(): string {
    return this.#log;
  }

  get output(): string {
    return this.#output;
  }

  get ageMs(): number {
    return performance.now() - this.#startedMs;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves once the condition holds; it is looked at whenever the program says something. */
  async until(what: string, holds: () => boolean, maxMs: number): Promise<void> {
    const deadline = Promise.withResolvers<void>();
    const fail = () => deadline.reject(new Error(`no ${what}: ${this.#output}${this.#log}`));
    const timer = setTimeout(fail, maxMs);
    const look = () => {
      if (holds()) deadline.resolve();
      else if (this.#isOver) fail();
    };
    this.#waiters.add(look);
    look();
    await deadline.promise.finally(() => {
      clearTimeout(timer);
      this.#waiters.delete(look);
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** As a crash or the out-of-memory killer ends it. */
  async kill(): Promise<Ended> {
    this.signal('SIGKILL');
    return this.ended;
  }

  #changed(): void {
    for (const look of this.#waiters) look();
  }
}

/** Whom a program runs as: whoever runs the test, unless it says. */
interface User {
  readonly uid?: number;
  readonly gid?: number;
}

export interface ServeOptions {
  readonly directory: string;
  readonly user?: User;
  readonly configFile?: string;
  /** Another program than the one that is shipped. */
  readonly main?: string;
}

/** `outcry serve`, alone on its data directory or not. It need not become ready. */
export function serve({ directory, configFile, main, user }: ServeOptions): Program {
  const config = configFile === undefined ? [] : ['--config', configFile];
  const place = ['--port', '0', '--data', directory, '--admin-token', ADMIN_TOKEN];
  const flags = ['--no-participants', '--rate-limits', 'off'];
  return new Program(['serve', ...place, ...config, ...flags], main, user);
}

/** Where it serves, once it does. Rejects with all it said when it ends before. */
export async function readyUrl(program: Program): Promise<string> {
  await program.until('ready server', () => READY.test(program.output), READY_MAX_MS);
  const url = READY.exec(program.output)?.[1];
  assert(url !== undefined);
  return url;
}

/** Runs one command of the program to its end. */
export async function run(...words: string[]): Promise<Ended> {
  const program = new Program(words);
  const timer = setTimeout(() => program.signal('SIGKILL'), COMMAND_MAX_MS);
  const ended = await program.ended;
  clearTimeout(timer);
  return ended;
}
