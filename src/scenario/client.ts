/**
 * Speaks to a venue as its traders and its operator do: over HTTP, by the documented calls. It has
 * no way into the venue that others lack.
 */
import { createHmac } from 'node:crypto';
import { textAt, valueAt } from './reading.ts';

const OPERATOR_TIMEOUT_MS = 60_000;

export interface Operator {
  /** As in http://127.0.0.1:8787. */
  readonly url: string;
  /** The bearer token of /admin/v1 and /sandbox/v1. */
  readonly adminToken: string;
}

export interface Credential {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
}

/** What comes of a trader's call. none: nothing came back in time; cut: the connection ended. */
export type Answer =
  | { readonly kind: 'ok'; readonly data: unknown }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'cut' };

/** The venue cannot be reached or is no sandbox of ours: the scenario cannot run. */
export class VenueUnusable extends Error {
  override readonly name = 'VenueUnusable';
}

/** The operator's own call was refused. */
export class OperatorRefused extends Error {
  override readonly name = 'OperatorRefused';
}

export interface TraderCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body?: object;
}

export class VenueClient {
  readonly #url: string;
  readonly #token: string;

  constructor({ url, adminToken }: Operator) {
    this.#url = url.replace(/\/+$/, '');
    this.#token = adminToken;
  }

  /** The data of an operator's call. Throws OperatorRefused and VenueUnusable. */
  async operate(method: string, path: string, body?: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const answer = await this.#send({ method, path, ...(body && { body }) }, headers, {
      timeoutMs: OPERATOR_TIMEOUT_MS,
    });
    if (answer.kind === 'ok') return answer.data;
    if (answer.kind === 'refused') {
      throw new OperatorRefused(`${answer.code} ${answer.message} (${method} ${path})`);
    }
    throw new VenueUnusable(`no venue answers at ${this.#url}`);
  }

  /** The time of the venue, which signatures go by. */
  async timeMs(): Promise<number> {
    return Number(textAt(await this.operate('GET', '/sandbox/v1/state'), 'time'));
  }

  /** A call of a trader, signed with the venue's time. */
  async trade(credential: Credential, call: TraderCall, timeoutMs: number): Promise<Answer> {
    const { key, secret, passphrase } = credential;
    const timestamp = String(await this.timeMs());
    const body = call.body === undefined ? '' : JSON.stringify(call.body);
    const signed = timestamp + call.method + call.path + body;
    const headers = {
      'access-key': key,
      'access-passphrase': passphrase,
      'access-timestamp': timestamp,
      'access-sign': createHmac('sha256', secret).update(signed).digest('base64'),
    };
    return this.#send(call, headers, { timeoutMs });
  }

  /** A public call of the market data. */
  read(path: string): Promise<Answer> {
    return this.#send({ method: 'GET', path }, {}, { timeoutMs: OPERATOR_TIMEOUT_MS });
  }

  async #send(
    { method, path, body }: TraderCall,
    headers: Readonly<Record<string, string>>,
    { timeoutMs }: { readonly timeoutMs: number },
  ): Promise<Answer> {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const all = { ...headers, ...(body && { 'content-type': 'application/json' }) };
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(this.#url + path, { method, headers: all, signal, ...content });
      return answerOf(response.status, await response.text());
    } catch {
      return { kind: signal.aborted ? 'none' : 'cut' };
    }
  }
}

/** Contract answers are the data alone; whatever has a code that is not of success is a refusal. */
function answerOf(status: number, text: string): Answer {
  const parsed = parsedJson(text);
  const code = textAt(parsed, 'code');
  if (status === 200) {
    if (code === '') return { kind: 'ok', data: parsed };
    if (code === '00000') return { kind: 'ok', data: valueAt(parsed, 'data') };
  }
  const message = textAt(parsed, 'msg');
  return { kind: 'refused', code: code === '' ? String(status) : code, message };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An answer in the words of a scenario file, with the venue's own behind a refusal. */
export function answerText(answer: Answer): string {
  if (answer.kind !== 'refused') return answer.kind;
  return `${answer.code} ${answer.message}`.trimEnd();
}
