/** A client of the exchange over HTTP, signing as real clients do. */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { ADMIN_TOKEN } from './program.ts';
import { type Credentials, demoCredentials, signedHeaders } from './signer.ts';

/** A server that takes longer hangs. */
const ANSWER_MAX_MS = 20_000;

export const DEMO = demoCredentials('demo');
export const MAKER = demoCredentials('maker');

export interface Answer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly data: unknown;
  readonly body: unknown;
  /** Seconds to wait before trying again, as its header says. */
  readonly retryAfter: string | null;
}

export type Row = Readonly<Record<string, string>>;

export class Trader {
  readonly #url: string;
  readonly #credential: Credentials;
  readonly #nowMs: () => number;

  constructor(url: string, credential: Credentials, nowMs: () => number = Date.now) {
    this.#url = url;
    this.#credential = credential;
    this.#nowMs = nowMs;
  }

  get key(): string {
    return this.#credential.key;
  }

  /** Rejects when the connection breaks: then nobody knows what became of the request. */
  post(path: string, body: object): Promise<Answer> {
    return this.#send('POST', `/api/spot/v1${path}`, JSON.stringify(body));
  }

  get(path: string): Promise<Answer> {
    return this.#send('GET', `/api/spot/v1${path}`, '');
  }

  /** An endpoint of contracts: its answer is the data itself. */
  async swapPost(path: string, body: object): Promise<Answer> {
    return bare(await this.#send('POST', `/api/swap/v3${path}`, JSON.stringify(body)));
  }

  async swapGet(path: string): Promise<Answer> {
    return bare(await this.#send('GET', `/api/swap/v3${path}`, ''));
  }

  /** Signs a request that is sent in some other way. */
  headers(method: string, target: string, body: string): Record<string, string> {
    const signed = signedHeaders(this.#credential, { method, target, body, timeMs: this.#nowMs() });
    return { 'content-type': 'application/json', ...signed };
  }

  #send(method: string, target: string, body: string): Promise<Answer> {
    const headers = this.headers(method, target, body);
    return send(`${this.#url}${target}`, { method, headers, ...(body !== '' && { body }) });
  }
}

/** A bare answer as if it had an envelope. */
function bare(answer: Answer): Answer {
  if (answer.status !== 200) return answer;
  return { ...answer, code: '00000', data: answer.body };
}

/** What anybody may ask, or with the operator's token. */
export function ask(url: string, path: string): Promise<Answer> {
  return send(`${url}${path}`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
}

async function send(address: string, request: RequestInit): Promise<Answer> {
  const reply = await fetch(address, { ...request, signal: AbortSignal.timeout(ANSWER_MAX_MS) });
  const text = await reply.text();
  const body: unknown = JSON.parse(text);
  assert(typeof body === 'object' && body !== null, text);
  const field = (name: string): unknown => Reflect.get(body, name);
  return {
    status: reply.status,
    code: String(field('code') ?? ''),
    message: String(field('msg') ?? field('reason') ?? ''),
    data: field('data'),
    body,
    retryAfter: reply.headers.get('retry-after'),
  };
}

/** The data of an answer that must be a success. */
export function dataOf(answer: Answer): unknown {
  assert.equal(answer.code, '00000', `${answer.status} ${answer.code} ${answer.message}`);
  assert.equal(answer.status, 200);
  return answer.data;
}

/** The rows of an answer that must be a success with a list. */
export function rowsOf(answer: Answer): Row[] {
  const data = dataOf(answer);
  assert(Array.isArray(data));
  return data.map((row: unknown) => asRow(row));
}

export function asRow(value: unknown): Row {
  assert(typeof value === 'object' && value !== null);
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
}

/** A field that must be there. */
export function field(row: Row, name: string): string {
  const text = row[name];
  assert(text !== undefined, `no ${name} in ${JSON.stringify(row)}`);
  return text;
}

/**
 * The server makes the text of its metrics once a second, however often it is asked. Ticks come
 * once a second, too: whoever reads in step with them sees each one before it is projected.
 */
const METRICS_EVERY_MS = 1_137;
const metricsReadMs = new Map<string, number>();

/** The gauge of a running server as it is now: nothing else reads its metrics. */
export async function gauge(url: string, name: string, token = ADMIN_TOKEN): Promise<number> {
  const sinceMs = performance.now() - (metricsReadMs.get(url) ?? -METRICS_EVERY_MS);
  if (sinceMs < METRICS_EVERY_MS) await setTimeout(METRICS_EVERY_MS - sinceMs);
  metricsReadMs.set(url, performance.now());
  // The processes of a cluster may be on other machines than the test.
  const headers = { authorization: `Bearer ${token}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const found = new RegExp(`^${name} (-?[0-9.]+)$`, 'm').exec(text)?.[1];
  assert(found !== undefined, `no gauge ${name}`);
  return Number(found);
}
