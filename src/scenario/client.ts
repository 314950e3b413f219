/**
 * Speaks to a venue as its traders and its operator do: by the typed client of the package. It has
 * no way into the venue that others lack.
 */
import {
  bearer,
  type Caller,
  callerOf,
  hmac,
  NO_ANSWER,
  type OutcryClient,
  outcryClient,
  type Signer,
  VenueError,
} from '#client';

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

/** The venue as one trader calls it. */
export interface TraderVenue {
  readonly native: OutcryClient['native'];
  /** Any call, for those that a file names by their path. */
  readonly call: Caller;
}

/** What comes of a trader's call. none: nothing came back in time; cut: the connection ended. */
export type Answer<Data> =
  | { readonly kind: 'ok'; readonly data: Data }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'cut' };

/** The venue cannot be reached or is no sandbox of ours: the scenario cannot run. */
export class VenueUnusable extends Error {
  override readonly name = 'VenueUnusable';
}

export class VenueClient {
  readonly #url: string;
  readonly admin: OutcryClient['admin'];
  readonly sandbox: OutcryClient['sandbox'];

  constructor({ url, adminToken }: Operator) {
    this.#url = url;
    const sign = bearer(adminToken);
    const { admin, sandbox } = outcryClient({ url, sign, timeoutMs: OPERATOR_TIMEOUT_MS });
    this.admin = admin;
    this.sandbox = sandbox;
  }

  /** The time of the venue. */
  async timeMs(): Promise<number> {
    return (await this.sandbox.state()).time;
  }

  /** A trader, who signs with the time of the venue: no call is made twice because of a clock. */
  trader(credential: Credential): TraderVenue {
    const signer = hmac(credential);
    const sign: Signer = {
      headers: async (call) => signer.headers({ ...call, timeMs: await this.timeMs() }),
    };
    const options = { url: this.#url, sign };
    return { native: outcryClient(options).native, call: callerOf(options) };
  }

  /** Whoever has no key. */
  anybody(): OutcryClient['native'] {
    return outcryClient({ url: this.#url, timeoutMs: OPERATOR_TIMEOUT_MS }).native;
  }
}

export async function answered<Data>(call: Promise<Data>): Promise<Answer<Data>> {
  try {
    return { kind: 'ok', data: await call };
  } catch (error) {
    if (!(error instanceof VenueError)) throw error;
    const { code, message, cause } = error;
    if (code !== NO_ANSWER) return { kind: 'refused', code, message };
    const isLate = cause instanceof Error && cause.name === 'TimeoutError';
    return { kind: isLate ? 'none' : 'cut' };
  }
}

/** An answer in the words of a scenario file, with the venue's own behind a refusal. */
export function answerText(answer: Answer<unknown>): string {
  if (answer.kind !== 'refused') return answer.kind;
  return `${answer.code} ${answer.message}`.trimEnd();
}
