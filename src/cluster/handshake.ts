/**
 * How two processes of a cluster prove to each other that they hold its secret, which neither of
 * them sends: whoever connects finds the address in the log, where a stranger's may stand. The
 * called process proves itself first, over the address that it is called at, so that nobody between
 * can pass the proofs on; then the caller does, over its request. A proof is good once.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';

export const HELLO_PATH = '/hello';
const NONCE_HEADER = 'outcry-nonce';
const PROOF_HEADER = 'outcry-proof';
const NONCE_BYTES = 16;
const NONCE = /^[\w-]{22}$/;
/** What the called process gives: chance, until when it holds, and by what it knows it again. */
const CHALLENGE = /^[\w-]{22}\.([0-9]{1,15})\.[\w-]{43}$/;
const CREDENTIAL = /^Outcry-Cluster (\S{1,100}) (\S{1,100}) (\S{1,100})$/;
const CHALLENGE_LIFE_MS = 10_000;

type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** The called process. What it has challenged with it need not remember, but what was used. */
export class Doorkeeper {
  readonly #secret: string;
  readonly #ownKey = randomBytes(32);
  readonly #nowMs: () => number;
  /** Challenges that were answered, and until when they would hold. */
  readonly #used = new Map<string, number>();
  #authority = '';

  constructor(secret: string, nowMs: () => number = () => performance.now()) {
    this.#secret = secret;
    this.#nowMs = nowMs;
  }

  /** Where it is called, as the others find it. */
  standAt(url: string): void {
    this.#authority = authorityOf(url);
  }

  /** Answers a hello: proves itself and challenges the caller. */
  hello({ headers }: IncomingMessage, response: ServerResponse): void {
    const nonce = headers[NONCE_HEADER];
    if (typeof nonce !== 'string' || !NONCE.test(nonce)) {
      response.statusCode = 400;
      response.end();
      return;
    }
    const untilMs = Math.ceil(this.#nowMs()) + CHALLENGE_LIFE_MS;
    const challenge = this.#challenge(nonce, newNonce(), untilMs);
    const proof = proofOf(this.#secret, ['called', this.#authority, nonce, challenge]);
    response.setHeader(NONCE_HEADER, challenge).setHeader(PROOF_HEADER, proof).end();
  }

  /** Whether the caller of this request has proved that it holds the secret. */
  isProved({ method = '', url = '', headers }: Asked): boolean {
    const [, nonce = '', challenge = '', given = ''] =
      CREDENTIAL.exec(headers.authorization ?? '') ?? [];
    const untilMs = this.#holdsUntil(nonce, challenge);
    if (untilMs === undefined || this.#used.has(challenge)) return false;
    const what = ['caller', this.#authority, nonce, challenge, `${method} ${url}`];
    if (!isSame(given, proofOf(this.#secret, what))) return false;
    this.#forget();
    this.#used.set(challenge, untilMs);
    return true;
  }

  #challenge(nonce: string, chance: string, untilMs: number): string {
    const mark = createHmac('sha256', this.#ownKey).update(`${nonce}.${chance}.${untilMs}`);
    return `${chance}.${untilMs}.${mark.digest('base64url')}`;
  }

  /** Until when the challenge holds for who gave this nonce; undefined when it does not. */
  #holdsUntil(nonce: string, challenge: string): number | undefined {
    const [, until = ''] = CHALLENGE.exec(challenge) ?? [];
    const untilMs = Number(until);
    if (until === '' || untilMs < this.#nowMs()) return undefined;
    const own = this.#challenge(nonce, challenge.split('.', 1)[0] ?? '', untilMs);
    return isSame(challenge, own) ? untilMs : undefined;
  }

  #forget(): void {
    const nowMs = this.#nowMs();
    for (const [challenge, untilMs] of this.#used) {
      if (untilMs >= nowMs) break;
      this.#used.delete(challenge);
    }
  }
}

/**
 * Says hello to the process at this address: the `authorization` of one request to it. Rejects when
 * it cannot be reached, or does not prove that it holds the secret.
 */
export async function introduce(
  url: string,
  secret: string,
  request: string,
  signal: AbortSignal,
): Promise<string> {
  const nonce = newNonce();
  const called = get(new URL(HELLO_PATH, httpOf(url)), {
    agent: false,
    headers: { [NONCE_HEADER]: nonce },
    signal,
  });
  const answered = once(called, 'response');
  called.on('error', () => undefined);
  const [response]: IncomingMessage[] = await answered.catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error;
  });
  response?.resume();
  const challenge = String(response?.headers[NONCE_HEADER]);
  const given = String(response?.headers[PROOF_HEADER]);
  const authority = authorityOf(url);
  const isProved =
    CHALLENGE.test(challenge) &&
    isSame(given, proofOf(secret, ['called', authority, nonce, challenge]));
  if (!isProved) throw new Error('it does not prove that it is of this cluster');
  const proof = proofOf(secret, ['caller', authority, nonce, challenge, request]);
  return `Outcry-Cluster ${nonce} ${challenge} ${proof}`;
}

/** The address of a process for what is asked over HTTP. */
export function httpOf(url: string): string {
  return url.replace(/^ws/, 'http');
}

function authorityOf(url: string): string {
  return new URL(httpOf(url)).host;
}

function newNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64url');
}

function proofOf(secret: string, parts: readonly string[]): string {
  return createHmac('sha256', secret).update(parts.join('\n')).digest('base64url');
}

function isSame(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}
