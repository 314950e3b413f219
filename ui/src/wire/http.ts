/** One call over HTTP: sends it, reads the answer of either area, throws VenueError otherwise. */
import { NO_ANSWER, VenueError } from './failure.ts';
import { withSymbols } from './market-names.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Query = Readonly<Record<string, string | number | undefined>>;

export interface HttpCall {
  readonly method: Method;
  /** Path with query. */
  readonly target: string;
  /** Text of a JSON body. */
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long to wait for what takes longer than a usual call. */
  readonly answerMaxMs?: number | undefined;
  /** Whether the browser sends the cookie of a session, which a signed call has no use for. */
  readonly hasCookie?: boolean;
}

const ANSWER_MAX_MS = 10_000;
const SUCCESS = '00000';

/** Sends a call and resolves with its data, out of the envelope where there is one. */
export async function send(call: HttpCall): Promise<unknown> {
  const { method, target, body, headers = {}, answerMaxMs = ANSWER_MAX_MS } = call;
  const credentials = call.hasCookie === true ? 'same-origin' : 'omit';
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(target, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: body ?? null,
      cache: 'no-store',
      credentials,
      signal: AbortSignal.timeout(answerMaxMs),
    });
    text = await answer.text();
  } catch (error) {
    throw new VenueError(NO_ANSWER, error instanceof Error ? error.message : 'no answer', 0);
  }
  return dataOf(text, answer);
}

/** A path with its query; values that are undefined are left out. */
export function targetOf(path: string, query: Query = {}): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) words.set(name, String(value));
  }
  return words.size === 0 ? path : `${path}?${words}`;
}

function dataOf(text: string, { ok, status }: Response): unknown {
  const answer = parsed(withSymbols(text));
  if (!isEnvelope(answer)) {
    // What is no JSON is a file.
    if (ok) return answer ?? text;
    if (isRefusal(answer)) throw new VenueError(String(answer.code), meaningOf(answer.msg), status);
    throw new VenueError(String(status), text.slice(0, 200), status);
  }
  if (answer.code === SUCCESS) return answer.data;
  throw new VenueError(answer.code, answer.msg, status);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How the current interface refuses. */
function isRefusal(value: unknown): value is { readonly code: number; readonly msg: string } {
  return typeof value === 'object' && value !== null && 'code' in value && 'msg' in value;
}

/** Without the class of the refusal, which says nothing to a trader. */
function meaningOf(message: string): string {
  return message.replace(/^(FAILED_PRECONDITION|Parameter validation failed): /, '');
}

interface Envelope {
  readonly code: string;
  readonly msg: string;
  readonly data: unknown;
}

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && 'code' in value && 'requestTime' in value;
}
