/**
 * One endpoint of a dialect: the row from which its route, its rate limit, the OpenAPI document,
 * the reference and tests are derived, and a route, which is an endpoint with what answers it. The
 * schemas of a row document it and are not run: the fields of the dialect check requests.
 */
import type { TObject, TSchema } from 'typebox';
import type { AccountId, Permission, Refused } from '#domain';
import type { ActingOperator, Duty, LiveSession } from '#people';
import type { JsonObject } from './json.ts';
import type { Principal } from './keys/port.ts';

export interface RateLimit {
  /** Calls taken in one window; the next one is refused. */
  readonly limit: number;
  readonly windowMs: number;
}

/** What a call uses up of the quotas of its dialect, by what these count. */
export type Cost = Readonly<Record<string, number>>;

/**
 * Who may call: any client, a signed key or a session with this permission, a person who has signed
 * in, or an operator.
 */
export type Access = 'none' | Permission | 'person' | 'operator';

export interface Endpoint<A extends Access = Access> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute, with `:name` for a parameter in the path. */
  readonly path: string;
  /** null for an endpoint that is not limited by itself. */
  readonly rate: RateLimit | null;
  /** What a call costs in a dialect with quotas; nothing without it. */
  readonly cost?: Cost;
  /** What each entry of a list in its body costs besides; a call costs as much as one of them. */
  readonly entryCost?: { readonly list: string; readonly cost: Cost };
  readonly permission: A;
  /** Of an operator's call: what it is for, and so who may make it; see dutyOf. */
  readonly duty?: Duty;
  /** True for what an operator's machine calls all the time: it is logged once in a minute. */
  readonly isFrequent?: true;
  readonly summary: string;
  /** True for a DELETE whose parameters are in the query: its body is not read. */
  readonly inQuery?: true;
  /** Query parameters or body fields: see readsQuery. Scalars may come as text or number. */
  readonly request: TObject;
  /** What a success answers: inside `data` of the frame, or as the whole body when bare. */
  readonly response: TSchema;
  /** True for endpoints whose answers have no frame. */
  readonly bare?: true;
  /** True for what answers a file of CSV. */
  readonly isFile?: true;
  readonly example: {
    readonly request: { readonly [name: string]: unknown };
    readonly data: unknown;
  };
}

/** Whether the parameters of a call are in its query, and not in a body. */
export function readsQuery({ method, inQuery }: Pick<Endpoint, 'method' | 'inQuery'>): boolean {
  return method === 'GET' || inQuery === true;
}

/** Whoever is an operator may read; what else there is says what it is for. */
export function dutyOf({ method, duty }: Pick<Endpoint, 'method' | 'duty'>): Duty {
  return duty ?? (method === 'GET' ? 'read' : 'run');
}

/** JSON text of an answer's data, already encoded. */
export type DataJson = string;

/**
 * JSON text that is kept as bytes for many calls, and what follows it in this one. As text it would
 * be counted and copied twice for each: a tenth of an answer of 5 kB. Nobody may change the bytes.
 */
export interface KeptJson {
  readonly kept: Uint8Array;
  readonly rest: DataJson;
}

/** A file that is written while it is sent; what fails meanwhile cuts the connection. */
export interface SentFile {
  readonly name: string;
  readonly contentType: string;
  readonly parts: AsyncIterable<string>;
}

/** The encoded data of a success, a file, or the reason for a refusal. */
export type Answer = DataJson | KeptJson | SentFile | Refused;

/** What a call asks, once it was let in. */
export interface Call {
  /** Its query or its body, still unchecked. */
  readonly input: JsonObject;
  /** The parameters in the path, by name. */
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly nowMs: number;
}

/** The signer of a call: checked again after every wait before something is changed. */
export type Caller = Pick<Principal, 'isLive'>;

/** A call with the signature of a key that may make it. */
export interface SignedCall extends Call {
  readonly accountId: AccountId;
  readonly caller: Caller;
}

/** A call of somebody who runs the venue. */
export interface OperatorCall extends Call {
  readonly operator: ActingOperator;
  /** Why; empty where nothing was said. */
  readonly reason: string;
}

/** Where a call comes from, and what its answer does to the cookie of its session. */
export interface Visit {
  readonly address: string;
  /** What the address counts for when calls are limited. */
  readonly network: string;
  /** What the browser says that it is. */
  readonly agent: string;
  /** The languages that it asks for, as it says them. */
  readonly languages: string;
  /** Gives the caller the cookie of a session; undefined takes it away. */
  setToken(token: string | undefined): void;
  /** Says when the caller may try again. */
  retryAfter(waitMs: number): void;
}

/** A call of somebody who may have signed in. */
export interface VisitorCall extends Call {
  readonly visit: Visit;
  readonly session: LiveSession | undefined;
}

/** A call of somebody who has. */
export interface PersonCall extends VisitorCall {
  readonly session: LiveSession;
}

/** An endpoint with what answers it. */
export type Route =
  | {
      readonly access: 'visitor';
      readonly endpoint: Endpoint<'none'>;
      readonly answer: (call: VisitorCall) => Answer | Promise<Answer>;
    }
  | {
      readonly access: 'person';
      readonly endpoint: Endpoint<'person'>;
      readonly answer: (call: PersonCall) => Answer | Promise<Answer>;
    }
  | {
      readonly access: 'public';
      readonly endpoint: Endpoint<'none'>;
      readonly answer: (call: Call) => Answer | Promise<Answer>;
    }
  | {
      readonly access: 'operator';
      readonly endpoint: Endpoint<'operator'>;
      readonly answer: (call: OperatorCall) => Answer | Promise<Answer>;
    }
  | {
      readonly access: 'signed';
      readonly endpoint: Endpoint<Permission>;
      readonly answer: (call: SignedCall) => Answer | Promise<Answer>;
    };
