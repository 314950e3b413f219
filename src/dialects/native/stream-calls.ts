/** Which endpoint a frame calls: its method and path, with what stands for the parameters in it. */
import { type Endpoint, refuseSaying } from '#api';
import { type Refused, refuse } from '#domain';
import { shown } from '../kit/fields.ts';
import { NATIVE_ENDPOINTS } from './endpoints.ts';

interface Place {
  readonly endpoint: Endpoint;
  readonly segments: readonly string[];
}

export interface Called {
  readonly method: Endpoint['method'];
  /** As in the table of endpoints. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Paths without parameters first, as over HTTP. */
const PLACES: readonly Place[] = Object.values<Endpoint>(NATIVE_ENDPOINTS)
  .map((endpoint) => ({ endpoint, segments: endpoint.path.split('/') }))
  .sort((one, other) => paramsCount(one) - paramsCount(other));

function paramsCount({ segments }: Place): number {
  return segments.filter(isParam).length;
}

function isParam(segment: string): boolean {
  return segment.startsWith(':');
}

export function calledBy(method: string, path: string): Called | Refused {
  if (path.includes('?')) {
    return refuseSaying('parameter_invalid', 'path takes no query: its fields are in input');
  }
  const segments = path.split('/').map(decoded);
  if (segments.some((segment) => segment === undefined)) return unknown(path);
  const fits = PLACES.filter((place) => isOn(place, segments));
  const fit = fits.find(({ endpoint }) => endpoint.method === method);
  if (fit === undefined) return fits.length === 0 ? unknown(path) : refuse('method_not_allowed');
  const params = fit.segments.flatMap((name, at) =>
    isParam(name) ? [[name.slice(1), segments[at] ?? ''] as const] : [],
  );
  return {
    method: fit.endpoint.method,
    path: fit.endpoint.path,
    params: Object.fromEntries(params),
  };
}

function isOn({ segments }: Place, given: readonly (string | undefined)[]): boolean {
  return (
    segments.length === given.length &&
    segments.every((name, at) => (isParam(name) ? given[at] !== '' : name === given[at]))
  );
}

/** Undefined for what is no text of a path. */
function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function unknown(path: string): Refused {
  return refuseSaying('path_unknown', shown(path));
}
