/** What the process says about itself outside the API: readiness, and its own table. */
import type { Endpoint } from '#client';
import { NO_ANSWER, VenueError } from './failure.ts';
import { publicGet } from './rest.ts';

const ANSWER_MAX_MS = 5_000;

async function ask(path: string): Promise<Response> {
  const signal = AbortSignal.timeout(ANSWER_MAX_MS);
  try {
    return await fetch(path, { cache: 'no-store', credentials: 'omit', signal });
  } catch (error) {
    throw new VenueError(NO_ANSWER, error instanceof Error ? error.message : 'no answer', 0);
  }
}

/** What is wrong with a venue that serves all the same. */
export interface Degradation {
  readonly kind: string;
  readonly subject: string;
  readonly text: string;
}

export interface Readiness {
  /** Why the venue does not serve, as it says; empty when it does. */
  readonly notReady: string;
  readonly degradations: readonly Degradation[];
}

interface ReadyAnswer {
  readonly reason?: string;
  readonly reasons?: readonly Degradation[];
}

/** Whether the venue serves, as it says. Rejects with VenueError. */
export async function readiness(): Promise<Readiness> {
  const answer = await ask('/health/ready');
  const { reason = '', reasons = [] } = (await answer.json()) as ReadyAnswer;
  return { notReady: answer.ok ? '' : reason || String(answer.status), degradations: reasons };
}

export interface EndpointFacts {
  readonly method: string;
  /** With `:name` for a parameter. */
  readonly path: string;
  readonly summary: string;
  /** none, read, trade, transfer or operator. */
  readonly permission: string;
  /** Null when it is not limited. */
  readonly rate: { readonly limit: number; readonly windowMs: number } | null;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiCall>>>>;
}

interface OpenApiCall {
  readonly summary: string;
  readonly 'x-rate-limit'?: EndpointFacts['rate'];
  readonly 'x-permission'?: string;
}

/** Every endpoint of the API and its limit, out of the OpenAPI document. */
export async function endpointFacts(): Promise<readonly EndpointFacts[]> {
  const { paths } = await publicGet<OpenApi>('/openapi.json');
  return Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, call]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{(\w+)\}/g, ':$1'),
      summary: call.summary,
      permission: call['x-permission'] ?? '',
      rate: call['x-rate-limit'] ?? null,
    })),
  );
}

/** What /metrics said at a look of the venue in the last ten minutes. */
interface PastPage {
  readonly ageMs: number;
  readonly text: string;
}

type Nothing = Readonly<Record<string, never>>;

/** No calls of an API, and so in none of its tables. */
export const METRICS: Endpoint<Nothing, string> = {
  method: 'GET',
  path: '/metrics',
  isFile: true,
};
export const METRICS_PAST: Endpoint<Nothing, readonly PastPage[]> = {
  method: 'GET',
  path: '/metrics/past',
};
