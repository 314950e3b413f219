/**
 * An endpoint in one place: its row for the documents, its fields, its answer. `C` is what the
 * handlers of the dialect work with.
 */
import type {
  Access,
  Answer,
  Call,
  Endpoint,
  JsonObject,
  RateLimit,
  Route,
  SignedCall,
} from '#api';
import { type AccountId, isRefused, type Listings, type Permission, type Refused } from '#domain';
import { type FieldSet, requestReader, requestSchema, type Values } from './request.ts';
import type { Shape } from './row.ts';

type Answered = Answer | Promise<Answer>;

/** An endpoint with what answers its calls. */
export type PublicEndpoint<C> = Endpoint<'none'> & {
  readonly answer: (context: C, call: Call) => Answered;
};
export type SignedEndpoint<C> = Endpoint<Permission> & {
  readonly answer: (context: C, call: SignedCall) => Answered;
};

interface Spec<F extends FieldSet, A extends Access> {
  readonly method: Endpoint['method'];
  readonly path: string;
  readonly rate: RateLimit | null;
  readonly permission: A;
  readonly summary: string;
  readonly request: F;
  readonly response: Shape;
  readonly bare?: true;
  /** A request, and the data it is answered with where that is not the example of `response`. */
  readonly example?: { readonly request?: Readonly<Record<string, unknown>>; data?: unknown };
}

export interface PublicSpec<F extends FieldSet, C> extends Spec<F, 'none'> {
  readonly answer: (context: C, values: Values<F>, call: Call) => Answered;
}

export interface SignedSpec<F extends FieldSet, C> extends Spec<F, Permission> {
  readonly answer: (context: C, values: Values<F>, call: SignedCall) => Answered;
}

/** Anything with what is listed; what a context has at least. */
export interface Listed {
  readonly live: { readonly listings: Listings };
}

/** An endpoint that anybody may call. */
export function publicEndpoint<const F extends FieldSet, C extends Listed>(
  spec: PublicSpec<F, C>,
): PublicEndpoint<C> {
  const read = requestReader(spec.request);
  return {
    ...described(spec),
    answer: (context, call) => {
      const values = read(call.input, context.live.listings);
      return isRefused(values) ? values : spec.answer(context, values, call);
    },
  };
}

/** An endpoint that takes a signed request. */
export function signedEndpoint<const F extends FieldSet, C extends Listed>(
  spec: SignedSpec<F, C>,
): SignedEndpoint<C> {
  const read = requestReader(spec.request);
  return {
    ...described(spec),
    answer: (context, call) => {
      const values = read(call.input, context.live.listings);
      return isRefused(values) ? values : spec.answer(context, values, call);
    },
  };
}

/** As signedEndpoint, for a request whose fields depend on each other: `read` is its reader. */
export function signedEndpointReadBy<const F extends FieldSet, C extends Listed, T>(
  read: (input: JsonObject, listings: Listings, accountId: AccountId) => T | Refused,
  spec: Omit<SignedSpec<F, C>, 'answer'> & {
    readonly answer: (context: C, values: T, call: SignedCall) => Answered;
  },
): SignedEndpoint<C> {
  return {
    ...described(spec),
    answer: (context, call) => {
      const values = read(call.input, context.live.listings, call.accountId);
      return isRefused(values) ? values : spec.answer(context, values, call);
    },
  };
}

function described<A extends Access>(spec: Omit<Spec<FieldSet, A>, 'answer'>): Endpoint<A> {
  const { method, path, rate, permission, summary, request, response, bare, example } = spec;
  return {
    method,
    path,
    rate,
    permission,
    summary,
    request: requestSchema(request),
    response: response.schema,
    ...(bare === undefined ? {} : { bare }),
    example: { request: example?.request ?? {}, data: example?.data ?? response.example },
  };
}

/** The routes of a table of endpoints over a context. */
export function routesOf<C>(
  table: Readonly<Record<string, PublicEndpoint<C> | SignedEndpoint<C>>>,
  context: C,
): Route[] {
  return Object.values(table).map((endpoint) =>
    isPublic(endpoint)
      ? { access: 'public', endpoint, answer: (call) => endpoint.answer(context, call) }
      : { access: 'signed', endpoint, answer: (call) => endpoint.answer(context, call) },
  );
}

function isPublic<C>(
  endpoint: PublicEndpoint<C> | SignedEndpoint<C>,
): endpoint is PublicEndpoint<C> {
  return endpoint.permission === 'none';
}
