/** Signed requests of one account over a few kept-open connections, counted. */
import { createHmac } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';

export interface Credential {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

const CONNECTIONS = 4;

/** base64 of HMAC-SHA256. */
export function signatureOf({ secret }: Credential, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64');
}

export class Rest {
  readonly #url: string;
  readonly #credential: Credential;
  readonly #hasOutages: boolean;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  requestsCount = 0;
  /** What was not answered as it should have been; the first few are kept. */
  readonly errors: string[] = [];
  errorsCount = 0;
  /** Answers 503 and broken connections; errors, unless they are to be expected. */
  outagesCount = 0;
  /** The longest that an answer took, in milliseconds. */
  longestMs = 0;

  constructor(url: string, credential: Credential, hasOutages = false) {
    this.#url = url;
    this.#credential = credential;
    this.#hasOutages = hasOutages;
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
    if (this.#hasOutages && (status === 0 || status === 503)) this.outagesCount += 1;
    else this.fail(`${what}: ${status} ${text}`);
    return undefined;
  }

  fail(text: string): void {
    this.errorsCount += 1;
    if (this.errors.length < 5) this.errors.push(text);
  }

  async #ask(method: string, target: string, body: string): Promise<Answer> {
    this.requestsCount += 1;
    const startMs = performance.now();
    try {
      return await this.#exchange(method, target, body);
    } catch (error) {
      return { status: 0, text: String(error) };
    } finally {
      this.longestMs = Math.max(this.longestMs, performance.now() - startMs);
    }
  }

  #exchange(method: string, target: string, body: string): Promise<Answer> {
    const headers = { ...this.#headers(method, target, body), 'content-type': 'application/json' };
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const call = request(this.#url + target, { method, headers, agent: this.#agent });
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
