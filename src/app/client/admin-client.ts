/** Speaks to the operator's interface of a running venue, as any other client would. */

const TIMEOUT_MS = 30_000;
const SERVER_FAULTS_FROM = 500;

/** The venue could not be reached or refused the call. */
export class AdminCallFailed extends Error {
  override readonly name = 'AdminCallFailed';
  /** Nobody knows what became of the call. */
  readonly isUnanswered: boolean;

  constructor(message: string, isUnanswered: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isUnanswered = isUnanswered;
  }
}

export class AdminClient {
  readonly #url: string;
  readonly #base: string;
  readonly #token: string;

  constructor(url: string, token: string, base: '/admin/v1' | '/sandbox/v1' = '/admin/v1') {
    this.#url = url.replace(/\/+$/, '');
    this.#base = base;
    this.#token = token;
  }

  /** The `data` of the answer, taken for what the venue's contract says it is. */
  async call<Data = unknown>(method: string, path: string, body?: object): Promise<Data> {
    const answer = await this.#fetch(method, path, body);
    const parsed = parse<Data>(answer.text);
    if (parsed === undefined) {
      throw new AdminCallFailed(`${this.#url} answered ${answer.status} and no JSON`, true);
    }
    if (answer.ok && parsed.data !== undefined) return parsed.data;
    const isUnanswered = answer.status >= SERVER_FAULTS_FROM;
    throw new AdminCallFailed(parsed.msg ?? `status ${answer.status}`, isUnanswered);
  }

  async #fetch(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    try {
      const url = `${this.#url}${this.#base}${path}`;
      const answer = await fetch(url, { method, headers, signal, ...content });
      return { status: answer.status, ok: answer.ok, text: await answer.text() };
    } catch (cause) {
      throw new AdminCallFailed(`cannot reach a venue at ${this.#url}`, true, { cause });
    }
  }
}

interface Answer {
  readonly status: number;
  readonly ok: boolean;
  readonly text: string;
}

interface Envelope<Data> {
  readonly data?: Data;
  readonly msg?: string;
}

function parse<Data>(text: string): Envelope<Data> | undefined {
  try {
    const parsed: Envelope<Data> | null = JSON.parse(text);
    return parsed ?? undefined;
  } catch {
    return undefined;
  }
}
