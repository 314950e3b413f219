/**
 * A venue for one test: `outcry/testing` starts the program as a process of its own, on a port and
 * data of its own, and hands out what a test needs to use and to stop it. Not the venue itself.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Credential, childEnvironment, DEMO_CREDENTIAL, MAKER_CREDENTIAL } from '#child';
import { bearer, type OutcryClient, outcryClient } from '#client';

const PROGRAM = fileURLToPath(new URL('../../../bin/outcry.js', import.meta.url));
const START_MAX_MS = 30_000;
const STOP_MAX_MS = 30_000;
/** A step of the clock may bring a day of the market. */
const CALL_MAX_MS = 30_000;
const LOG_CHARACTERS_KEPT = 64 * 1024;
const TOKEN_BYTES = 24;

export interface VenueOptions {
  /** Configuration file; the demo venue without it. */
  readonly config?: string;
  /** False for empty books that only the test fills; true without it. */
  readonly participants?: boolean;
  /** True to be limited as on the public API; false without it. */
  readonly rateLimits?: boolean;
  /** Further words for `outcry serve`. */
  readonly flags?: readonly string[];
  /** How long the start may take; 30 s without it. */
  readonly startMaxMs?: number;
}

export interface TestVenue extends AsyncDisposable {
  /** As in http://127.0.0.1:40123. */
  readonly url: string;
  readonly pid: number;
  /** The bearer token of /admin/v1 and /sandbox/v1, for a client of your own. */
  readonly adminToken: string;
  /** The two funded accounts of the demo venue. */
  readonly keys: { readonly demo: Credential; readonly maker: Credential };
  /** Calls of its operator, as in admin.deposit({ account: 'demo', coin: 'BTC', amount: '1' }). */
  readonly admin: OutcryClient['admin'];
  /** Its clock and prices, states to go back to, and answers that go wrong. */
  readonly sandbox: OutcryClient['sandbox'];
  /** Stops it in order. Rejects with its log if it ended otherwise, also if that was earlier. */
  stop(): Promise<void>;
}

/**
 * Starts a venue and resolves once it is ready. Any number may run side by side. One that is never
 * stopped ends with the process that started it. Rejects with its log when it cannot start.
 */
export async function startVenue(options: VenueOptions = {}): Promise<TestVenue> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const running = new VenueProcess(argumentsOf(options), childEnvironment(token));
  const { url, pid } = await running.ready(options.startMaxMs ?? START_MAX_MS);
  const { admin, sandbox } = outcryClient({ url, sign: bearer(token), timeoutMs: CALL_MAX_MS });
  const stop = (): Promise<void> => running.stop();
  return {
    url,
    pid,
    adminToken: token,
    keys: { demo: DEMO_CREDENTIAL, maker: MAKER_CREDENTIAL },
    admin,
    sandbox,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function argumentsOf({ config, participants, rateLimits, flags = [] }: VenueOptions): string[] {
  const args = ['serve', '--port', '0', '--json', '--ephemeral', '--sandbox'];
  args.push('--rate-limits', rateLimits === true ? 'on' : 'off');
  if (config !== undefined) args.push('--config', config);
  if (participants === false) args.push('--no-participants');
  return [...args, ...flags];
}

interface Ready {
  readonly url: string;
  readonly pid: number;
}

class VenueProcess {
  readonly #child: ChildProcess;
  readonly #output: Socket;
  readonly #complaints: Socket;
  readonly #ended: Promise<number | null>;
  #log = '';
  #stopping: Promise<void> | undefined;

  /** The channel is how the venue learns that its parent is gone or wants it to stop. */
  constructor(args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, [PROGRAM, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#output = pipeOf(this.#child.stdout);
    this.#complaints = pipeOf(this.#child.stderr);
    this.#complaints.setEncoding('utf8').on('data', (text: string) => {
      this.#log = (this.#log + text).slice(-LOG_CHARACTERS_KEPT);
    });
    // Not the event close: it does not come after a channel that was closed from this side.
    const ended = Promise.all([once(this.#child, 'exit'), once(this.#complaints, 'close')]);
    this.#ended = ended.then(([[exitCode]]) => exitCode);
  }

  async ready(startMaxMs: number): Promise<Ready> {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), startMaxMs);
    try {
      const ready = await this.#readyLine();
      this.#letParentEnd();
      return ready;
    } finally {
      clearTimeout(timer);
    }
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #readyLine(): Promise<Ready> {
    for await (const line of createInterface({ input: this.#output })) {
      return readReady(line);
    }
    const exitCode = await this.#ended;
    throw new Error(`the venue did not start, exit code ${exitCode}: ${this.#log}`);
  }

  /** A venue that a test forgot must not keep the test's process waiting. */
  #letParentEnd(): void {
    this.#output.destroy();
    this.#complaints.unref();
    this.#child.channel?.unref();
    this.#child.unref();
  }

  async #stop(): Promise<void> {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MAX_MS);
    this.#child.ref();
    this.#complaints.ref();
    if (this.#child.connected) this.#child.disconnect();
    const exitCode = await this.#ended;
    clearTimeout(timer);
    if (exitCode !== 0) {
      throw new Error(`the venue ended with exit code ${exitCode}: ${this.#log}`);
    }
  }
}

function pipeOf(stream: unknown): Socket {
  if (stream instanceof Socket) return stream;
  throw new Error('Node has not opened a pipe to the venue');
}

function readReady(line: string): Ready {
  const { url, pid }: Partial<Ready> = JSON.parse(line);
  if (url !== undefined && pid !== undefined) return { url, pid };
  throw new Error(`the venue said ${line} in place of where it serves`);
}
