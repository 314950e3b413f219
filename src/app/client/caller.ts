/**
 * Makes calls of the venue over HTTP: puts the input where the endpoint wants it, signs, and gives
 * the data of the answer out of its frame, or a VenueError. Needs fetch and WebCrypto alone.
 */
import { type Endpoint, sentBy, targetOf } from './endpoint.ts';
import { time } from './generated/native.ts';
import type { Signer } from './signing.ts';
import { NO_ANSWER, VenueError } from './venue-error.ts';

const TIMEOUT_MS = 10_000;
const SECOND_MS = 1_000;
const SUCCESS = '00000';

export interface CallOptions {
  /** How long to wait for the answer; 10 s without it. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Further ones. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface ClientOptions extends CallOptions {
  /** As in http://127.0.0.1:8787; empty on a page of the venue itself. */
  readonly url: string;
  /** Without it, calls that anybody may make. */
  readonly sign?: Signer | undefined;
}

export type Caller = <Input, Answer>(
  endpoint: Endpoint<Input, Answer>,
  input: NoInfer<Input>,
  options?: CallOptions,
) => Promise<Answer>;

/** One function for all calls: whoever bundles it takes along only the endpoints it names. */
export function callerOf(client: ClientOptions): Caller {
  const url = client.url.replace(/\/+$/, '');
  let aheadMs = 0;
  const send = async <Input, Answer>(
    endpoint: Endpoint<Input, Answer>,
    input: NoInfer<Input>,
    options: CallOptions,
  ): Promise<Answer> => {
    const { method } = endpoint;
    const { target, body } = sentBy(endpoint, input);
    const timeMs = Date.now() + aheadMs;
    const signed = await client.sign?.headers({ method, target, body, timeMs });
    const headers = { ...client.headers, ...signed, ...options.headers };
    const answer = await exchange(url + target, options, {
      method,
      headers: body === '' ? headers : { ...headers, 'content-type': 'application/json' },
      body: body === '' ? null : body,
      cache: 'no-store',
      credentials: client.sign?.hasCookie === true ? 'same-origin' : 'omit',
    });
    const data = dataOf<Answer>(endpoint, answer);
    client.sign?.heard?.(answer.headers, data);
    return data;
  };
  return async (endpoint, input, given = {}) => {
    const options = { ...given, timeoutMs: given.timeoutMs ?? client.timeoutMs };
    try {
      return await send(endpoint, input, options);
    } catch (error) {
      if (!isClockOff(error)) throw error;
      // Nothing was executed: by the clock of the venue it is safe to try again.
      const answer = await exchange(url + targetOf(time, {}), options, { method: 'GET' });
      aheadMs = dataOf(time, answer).time - Date.now();
      return send(endpoint, input, options);
    }
  };
}

interface Answered {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Response['headers'];
  readonly text: string;
}

async function exchange(
  address: string,
  { signal, timeoutMs = TIMEOUT_MS }: CallOptions,
  request: Omit<RequestInit, 'signal'>,
): Promise<Answered> {
  const ends = AbortSignal.timeout(timeoutMs);
  try {
    const both = signal === undefined ? ends : AbortSignal.any([ends, signal]);
    const response = await fetch(address, { ...request, signal: both });
    const { status, ok, headers } = response;
    return { status, ok, headers, text: await response.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    const why = ends.aborted ? `no answer within ${timeoutMs} ms of` : 'cannot reach a venue at';
    throw new VenueError(NO_ANSWER, `${why} ${address}`, 0, { cause });
  }
}

/** The answer is taken for what its endpoint says: the venue's tests hold it to that. */
function dataOf<Answer>({ isFile }: Endpoint<never, Answer>, answer: Answered): Answer {
  const { status, ok, text } = answer;
  if (ok && isFile === true) return text as Answer;
  const parsed = parsedJson(text);
  const { code, requestTime, data } = Object(parsed);
  const isFramed = code !== undefined && requestTime !== undefined;
  if (!ok || (isFramed && code !== SUCCESS)) throw refusalOf(answer, Object(parsed));
  if (parsed === undefined) throw new VenueError(NO_ANSWER, 'the answer is no JSON', status);
  return isFramed ? data : (parsed as Answer);
}

function refusalOf(answer: Answered, { code, msg, error }: Refusal): VenueError {
  const { status, headers, text } = answer;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const retryAfterMs = Number.isNaN(seconds) ? undefined : seconds * SECOND_MS;
  if (error !== undefined) {
    const { kind, message, figures, hint } = error;
    return new VenueError(kind, message, status, { figures, hint, retryAfterMs });
  }
  const why = msg ?? text.slice(0, 200);
  return new VenueError(String(code ?? status), why, status, { retryAfterMs });
}

interface Refusal {
  readonly code?: string | number;
  readonly msg?: string;
  readonly error?: {
    readonly kind: string;
    readonly message: string;
    readonly figures: Readonly<Record<string, string>>;
    readonly hint: string;
  };
}

function isClockOff(error: unknown): boolean {
  return error instanceof VenueError && error.code === 'timestamp_expired';
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
