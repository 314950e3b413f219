/** Speaks to the operator's interface of a running venue, as any other client would. */
import { resolve } from 'node:path';
import { type Environment, savedAdminToken } from '../config.ts';

const TIMEOUT_MS = 30_000;

export interface AdminTarget {
  readonly url: string;
  readonly adminToken?: string;
  /** Data directory of a server on this machine, which keeps its token there. */
  readonly data: string;
}

/** The venue could not be reached or refused the call. */
class AdminCallFailed extends Error {
  override readonly name = 'AdminCallFailed';
}

export class AdminClient {
  readonly #url: string;
  readonly #token: string;

  /** Token from the flag, else from the environment, else from the data directory. */
  constructor(target: AdminTarget, env: Environment) {
    this.#url = target.url.replace(/\/+$/, '');
    this.#token =
      target.adminToken ?? env.OUTCRY_ADMIN_TOKEN ?? savedAdminToken(resolve(target.data));
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
