/** Speaks to the operator's interface of a running venue, as any other client would. */

const TIMEOUT_MS = 30_000;

/** The venue could not be reached or refused the call. */
class AdminCallFailed extends Error {
  override readonly name = 'AdminCallFailed';
}

export class AdminClient {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url.replace(/\/+$/, '');
    this.#token = token;
  }

  /** The `data` of the answer. Throws AdminCallFailed. */
  async call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await this.#fetch(method, path, body);
    const parsed: unknown = await answer.json().catch(() => undefined);
    if (typeof parsed !== 'object' || parsed === null) {
      throw new AdminCallFailed(`${this.#url} answered ${answer.status} and no JSON`);
    }
    if (answer.ok && 'data' in parsed) return parsed.data;
    const message = 'msg' in parsed ? String(parsed.msg) : `status ${answer.status}`;
    throw new AdminCallFailed(message);
  }

  async #fetch(method: string, path: string, body?: object): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    try {
      return await fetch(`${this.#url}/admin/v1${path}`, { method, headers, signal, ...content });
    } catch (cause) {
      throw new AdminCallFailed(`cannot reach a venue at ${this.#url}`, { cause });
    }
  }
}
