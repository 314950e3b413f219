/**
 * Signed requests of one account over a few kept-open connections, counted. A client of a cluster
 * sends again what was answered 503 or not at all: its placings carry ids of their own, so that
 * none is carried out twice.
 */
import { createHmac } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Route } from './route.ts';

export interface Credential {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
}

export interface Answer {
  /** 0 when there was none. */
  readonly status: number;
  readonly text: string;
}

const CONNECTIONS = 4;
const ANSWER_WITHIN_MS = 20_000;
const RETRY_EVERY_MS = 200;

/** base64 of HMAC-SHA256. */
export function signatureOf({ secret }: Credential, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64');
}

export class Rest {
  readonly #route: Route;
  readonly #credential: Credential;
  readonly #patienceMs: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  requestsCount = 0;
  /** What was not answered as it should have been; the first few are kept. */
  readonly errors: string[] = [];
  errorsCount = 0;
  /** Answers 503 and broken connections after which a request was sent again. */
  outagesCount = 0;
  /** The longest that an answer took, all that was sent again included, in milliseconds. */
  longestMs = 0;

  /** Requests are sent again for so long; without it once. */
  constructor(route: Route, credential: Credential, patienceMs = 0) {
    this.#route = route;
    this.#credential = credential;
    this.#patienceMs = patienceMs;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** The body of an answer 200; undefined, and counted as an error, for any other. */
  async get(target: string): Promise<unknown> {
    return this.#body(`GET ${target}`, await this.#ask('GET', target, ''));
  }

  /** As get; a refusal that has one of these codes is no error, and answered with undefined. */
  async post(
    target: string,
    fields: object,
    codesAllowed: readonly string[] = [],
  ): Promise<unknown> {
    const answer = await this.#ask('POST', target, JSON.stringify(fields));
    if (codesAllowed.some((code) => answer.text.includes(`"code":"${code}"`))) return undefined;
    return this.#body(`POST ${target}`, answer);
  }

  #body(what: string, { status, text }: Answer): unknown {
    if (status === 200) return JSON.parse(text);
    this.fail(`${what}: ${status} ${text}`);
    return undefined;
  }

  fail(text: string): void {
    this.errorsCount += 1;
    if (this.errors.length < 5) this.errors.push(text);
  }

  async #ask(method: string, target: string, body: string): Promise<Answer> {
    const startMs = performance.now();
    for (;;) {
      const answer = await this.#attempt(method, target, body);
      const spentMs = performance.now() - startMs;
      const isOutage = answer.status === 0 || answer.status === 503;
      if (!isOutage || spentMs >= this.#patienceMs) {
        this.longestMs = Math.max(this.longestMs, spentMs);
        return answer;
      }
      this.outagesCount += 1;
      await wait(RETRY_EVERY_MS);
    }
  }

  async #attempt(method: string, target: string, body: string): Promise<Answer> {
    this.requestsCount += 1;
    try {
      return await this.#exchange(method, target, body);
    } catch (error) {
      return { status: 0, text: String(error) };
    }
  }

  #exchange(method: string, target: string, body: string): Promise<Answer> {
    const headers = { ...this.#headers(method, target, body), 'content-type': 'application/json' };
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const options = { method, headers, agent: this.#agent, signal };
    const call = request(this.#route.url + target, options);
    call.once('error', reject);
    call.once('response', (response) => void textOf(response).then(resolve, reject));
    call.end(body);
    return promise;
  }

  #headers(method: string, target: string, body: string): Record<string, string> {
    const timestamp = String(Date.now());
    return {
      'ACCESS-KEY': this.#credential.key,
      'ACCESS-SIGN': signatureOf(this.#credential, timestamp + method + target + body),
      'ACCESS-TIMESTAMP': timestamp,
      'ACCESS-PASSPHRASE': this.#credential.passphrase,
    };
  }
}

async function textOf(response: IncomingMessage): Promise<Answer> {
  response.setEncoding('utf8');
  let text = '';
  for await (const part of response) text += part;
  return { status: response.statusCode ?? 0, text };
}
