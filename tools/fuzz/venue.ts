/** The venue under attack: the program as a process of its own, on a directory that is kept. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { bearer, type OutcryClient, outcryClient } from '#client';
import { endWithUs } from '../lifeline.ts';
import type { FuzzPerson } from './request.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const MAIN = 'src/app/main.ts';
const CALL_MAX_MS = 30_000;
const LOG_CHARACTERS_MAX = 20_000;
/** What each says of a directory that is sound; none may end otherwise. */
const OFFLINE = ['verify-journal', 'replay', 'audit'] as const;
const run = promisify(execFile);

export class FuzzVenue {
  readonly port: number;
  readonly adminToken: string;
  readonly admin: OutcryClient['admin'];
  readonly sandbox: OutcryClient['sandbox'];
  readonly #directory: string;
  readonly #child: ChildProcess;
  #log = '';

  private constructor(child: ChildProcess, directory: string, port: number, adminToken: string) {
    this.#child = child;
    this.#directory = directory;
    this.port = port;
    this.adminToken = adminToken;
    const client = outcryClient({
      url: this.url,
      sign: bearer(adminToken),
      timeoutMs: CALL_MAX_MS,
    });
    this.admin = client.admin;
    this.sandbox = client.sandbox;
    child.stderr?.on('data', (bytes: Buffer) => {
      this.#log = (this.#log + bytes.toString()).slice(-LOG_CHARACTERS_MAX);
    });
  }

  static async start(): Promise<FuzzVenue> {
    const directory = mkdtempSync(join(tmpdir(), 'outcry-fuzz-'));
    const token = 'token-of-the-fuzzer-with-32-letters';
    const words = ['serve', '--port', '0', '--json', '--data', directory, '--sandbox'];
    const flags = ['--rate-limits', 'off', '--admin-token', token];
    const child = spawn(process.execPath, [MAIN, ...words, ...flags], {
      cwd: PROJECT,
      env: { ...process.env, OUTCRY_LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    endWithUs(child);
    for await (const line of createInterface({ input: child.stdout })) {
      const { url } = JSON.parse(line);
      child.stdout.resume();
      return new FuzzVenue(child, directory, Number(new URL(url).port), token);
    }
    throw new Error('the venue ended before it was ready');
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Somebody who is let in by the operator, chooses a password and signs in. */
  async person(): Promise<FuzzPerson> {
    const email = 'prey@example.com';
    const password = 'four green ideas sleep';
    const other = await this.admin.makePerson({ email: 'bait@example.com' });
    const made = await this.admin.makePerson({ email });
    const link = { person: made.person.personId, link: made.link.linkId };
    const handed = await this.admin.handOutLink({ ...link, reason: 'prey' });
    const token = handed.path.split('=')[1];
    await this.#post('/people/v1/password-resets/complete', { token, password });
    const answer = await this.#post('/people/v1/sessions', { email, password });
    const cookie = String(answer.headers.get('set-cookie')).split(';')[0] ?? '';
    const { data } = Object(await answer.json());
    const { accountId } = data.accounts[0];
    const otherId = other.person.personId;
    return { cookie, csrfToken: data.csrfToken, accountId, otherId };
  }

  async #post(path: string, fields: object): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(this.url + path, {
      ...{ method: 'POST', headers },
      body: JSON.stringify(fields),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** What it has complained of. */
  get log(): string {
    return this.#log;
  }

  /** Most memory that it has had, in megabytes; zero where the system does not say. */
  get peakMb(): number {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
      return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? '0') / 1_024);
    } catch {
      return 0;
    }
  }

  /** Ends it; resolves with what is wrong with how it ended and with what it has kept. */
  async close(): Promise<string[]> {
    const wrong: string[] = [];
    if (!this.hasEnded) {
      const exited = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      await exited;
    }
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== 0) wrong.push(`it ended with ${exitCode ?? signalCode}`);
    if (/"level":[56]0/.test(this.#log)) wrong.push(`it logged an error: ${this.#log}`);
    for (const command of OFFLINE) {
      const words = [MAIN, command, '--data', this.#directory];
      await run(process.execPath, words, { cwd: PROJECT }).catch((error: unknown) => {
        wrong.push(`${command} afterwards: ${String(error)}`);
      });
    }
    rmSync(this.#directory, { recursive: true, force: true });
    return wrong;
  }
}
