/**
 * An endpoint in one place: its row for the documents, its fields, its answer. `C` is what the
 * handlers of the dialect work with.
 */
import {
  type Access,
  type Answer,
  type Call,
  type Cost,
  type Endpoint,
  type JsonObject,
  type RateLimit,
  type Route,
  refuseSaying,
  type SignedCall,
} from '#api';
import { type AccountId, isRefused, type Listings, type Permission, type Refused } from '#domain';
import type { Duty } from '#people';
import type { Admitters } from '../access/admitters.ts';
import type { OperatorCall, OperatorRow, PersonCall, VisitorCall } from '../access/calls.ts';
import { shown } from './fields.ts';
import {
  type FieldSet,
  type RequestReader,
  requestReader,
  requestSchema,
  type Values,
} from './request.ts';
import type { Shape } from './row.ts';

/** Fields that a refusal lists; more would hide what it says. */
const NAMED_FIELDS_MAX = 15;

type Answered = Answer | Promise<Answer>;

/** An endpoint with what answers its calls. */
export type PublicEndpoint<C> = Endpoint<'none'> & {
  readonly answer: (context: C, call: Call) => Answered;
};
export type SignedEndpoint<C> = Endpoint<Permission> & {
  readonly answer: (context: C, call: SignedCall) => Answered;
};
/** Of a page where people sign in: it is told where the call comes from. */
export type VisitorEndpoint<C> = Endpoint<'none'> & {
  readonly visitor: (context: C, call: VisitorCall) => Answered;
};
export type PersonEndpoint<C> = Endpoint<'person'> & {
  readonly person: (context: C, call: PersonCall) => Answered;
};
export type OperatorEndpoint<C> = OperatorRow & {
  readonly operate: (context: C, call: OperatorCall) => Answered;
};

interface Spec<F extends FieldSet, A extends Access> {
  readonly method: Endpoint['method'];
  readonly path: string;
  readonly rate: RateLimit | null;
  readonly cost?: Cost;
  readonly outcomeCost?: Endpoint['outcomeCost'];
  readonly entryCost?: Endpoint['entryCost'];
  readonly inQuery?: true;
  readonly permission: A;
  readonly summary: string;
  readonly request: F;
  readonly response: Shape;
  readonly bare?: true;
  readonly isFile?: true;
  /** A request, and the data it is answered with where that is not the example of `response`. */
  readonly example?: { readonly request?: Readonly<Record<string, unknown>>; data?: unknown };
}

export interface PublicSpec<F extends FieldSet, C> extends Spec<F, 'none'> {
  readonly answer: (context: C, values: Values<F>, call: Call) => Answered;
}

export interface SignedSpec<F extends FieldSet, C> extends Spec<F, Permission> {
  readonly answer: (context: C, values: Values<F>, call: SignedCall) => Answered;
}

/** Whatever changes something says what it is for, and so which roles may call it. */
type Dutiful =
  | { readonly method: 'GET'; readonly duty?: Duty }
  | { readonly method: Exclude<Endpoint['method'], 'GET'>; readonly duty: Exclude<Duty, 'read'> };

export type OperatorSpec<F extends FieldSet, C> = Dutiful &
  Omit<Spec<F, 'operator'>, 'method' | 'rate' | 'permission'> & {
    readonly isFrequent?: true;
    readonly answer: (context: C, values: Values<F>, call: OperatorCall) => Answered;
  };

/** Without one a page could be made to write, or to ask, as fast as the network is. */
interface Rated {
  readonly rate: RateLimit;
}

export interface VisitorSpec<F extends FieldSet, C>
  extends Omit<Spec<F, 'none'>, 'permission' | 'rate'>,
    Rated {
  readonly answer: (context: C, values: Values<F>, call: VisitorCall) => Answered;
}

export interface PersonSpec<F extends FieldSet, C>
  extends Omit<Spec<F, 'person'>, 'permission' | 'rate'>,
    Rated {
  readonly answer: (context: C, values: Values<F>, call: PersonCall) => Answered;
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

/**
 * As signedEndpoint, for what changes something: fields that it does not know are refused, because
 * they may have been meant to protect it.
 */
export function strictEndpoint<const F extends FieldSet, C extends Listed>(
  spec: SignedSpec<F, C>,
): SignedEndpoint<C> {
  const read = strictReader(spec.request);
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

/** An endpoint of the operator's. Fields that it does not know are refused. */
export function operatorEndpoint<const F extends FieldSet, C extends Listed>(
  spec: OperatorSpec<F, C>,
): OperatorEndpoint<C> {
  const { duty, isFrequent } = spec;
  const endpoint = described({ ...spec, rate: null, permission: 'operator' });
  const read = strictReader(spec.request);
  return {
    ...endpoint,
    ...(duty === undefined ? {} : { duty }),
    ...(isFrequent === undefined ? {} : { isFrequent }),
    operate: (context, call) => {
      // Every change may say why, in this field or in a header; few of them need to know.
      const { reason: _reason, ...others } = call.input;
      const input = 'reason' in spec.request ? call.input : others;
      const values = read(input, context.live.listings);
      return isRefused(values) ? values : spec.answer(context, values, call);
    },
  };
}

/** An endpoint for whoever has not signed in yet. Fields that it does not know are refused. */
export function visitorEndpoint<const F extends FieldSet, C extends Listed>(
  spec: VisitorSpec<F, C>,
): VisitorEndpoint<C> {
  const read = strictReader(spec.request);
  return {
    ...described({ ...spec, permission: 'none' }),
    visitor: (context, call) => {
      const values = read(call.input, context.live.listings);
      return isRefused(values) ? values : spec.answer(context, values, call);
    },
  };
}

/** An endpoint for whoever has signed in. Fields that it does not know are refused. */
export function personEndpoint<const F extends FieldSet, C extends Listed>(
  spec: PersonSpec<F, C>,
): PersonEndpoint<C> {
  const read = strictReader(spec.request);
  return {
    ...described({ ...spec, permission: 'person' }),
    person: (context, call) => {
      const values = read(call.input, context.live.listings);
      return isRefused(values) ? values : spec.answer(context, values, call);
    },
  };
}

/** A reader that refuses the fields that the endpoint does not know. */
export function strictReader<F extends FieldSet>(request: F): RequestReader<F> {
  const read = requestReader(request);
  return (input, listings) => unknownField(request, input) ?? read(input, listings);
}

/** A field the endpoint does not know, which may be a misspelt one that matters. */
function unknownField(request: FieldSet, input: JsonObject): Refused | undefined {
  const known = Object.keys(request);
  const stranger = Object.keys(input).find((name) => !known.includes(name));
  if (stranger === undefined) return undefined;
  const named = known.length > NAMED_FIELDS_MAX ? 'the fields shown at /docs' : known.join(', ');
  const takes = known.length === 0 ? 'no fields' : named;
  return refuseSaying(
    'parameter_invalid',
    `${shown(stranger)} is not known here, which takes ${takes}`,
  );
}

function described<A extends Access>(spec: Omit<Spec<FieldSet, A>, 'answer'>): Endpoint<A> {
  const { method, path, rate, permission, summary, request, response, example } = spec;
  const { cost, outcomeCost, entryCost, inQuery, bare, isFile } = spec;
  return {
    method,
    path,
    rate,
    permission,
    summary,
    request: requestSchema(request),
    response: response.schema,
    ...(cost === undefined ? {} : { cost }),
    ...(outcomeCost === undefined ? {} : { outcomeCost }),
    ...(entryCost === undefined ? {} : { entryCost }),
    ...(inQuery === undefined ? {} : { inQuery }),
    ...(bare === undefined ? {} : { bare }),
    ...(isFile === undefined ? {} : { isFile }),
    example: { request: example?.request ?? {}, data: example?.data ?? response.example },
  };
}

type OpenEndpoint<C> = PublicEndpoint<C> | SignedEndpoint<C>;
type PeopleEndpoint<C> = VisitorEndpoint<C> | PersonEndpoint<C> | OperatorEndpoint<C>;

/** The routes of a table of endpoints over a context, for anybody and for signers of keys. */
export function routesOf<C>(table: Readonly<Record<string, OpenEndpoint<C>>>, context: C): Route[] {
  return Object.values(table).map((endpoint) => openRoute(endpoint, context));
}

/** As routesOf, with those for people and operators, whom these let in. */
export function admittedRoutesOf<C>(
  table: Readonly<Record<string, OpenEndpoint<C> | PeopleEndpoint<C>>>,
  context: C,
  admitters: Admitters,
): Route[] {
  return Object.values(table).map((endpoint): Route => {
    const access = 'admitted';
    if ('visitor' in endpoint) {
      const admit = admitters.visitor((call) => endpoint.visitor(context, call));
      return { access, endpoint, admit };
    }
    if ('person' in endpoint) {
      const admit = admitters.person((call) => endpoint.person(context, call));
      return { access, endpoint, admit };
    }
    if ('operate' in endpoint) {
      const admit = admitters.operator(endpoint, (call) => endpoint.operate(context, call));
      return { access, endpoint, admit };
    }
    return openRoute(endpoint, context);
  });
}

function openRoute<C>(endpoint: OpenEndpoint<C>, context: C): Route {
  if (isSigned(endpoint)) {
    return { access: 'signed', endpoint, answer: (call) => endpoint.answer(context, call) };
  }
  return { access: 'public', endpoint, answer: (call) => endpoint.answer(context, call) };
}

function isSigned<C>(
  endpoint: PublicEndpoint<C> | SignedEndpoint<C>,
): endpoint is SignedEndpoint<C> {
  return endpoint.permission !== 'none';
}
