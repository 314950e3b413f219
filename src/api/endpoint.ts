/**
 * One endpoint of a dialect: the row from which its route, its rate limit, the OpenAPI document,
 * the reference and tests are derived, and a route, which is an endpoint with what answers it. The
 * schemas of a row document it and are not run: the fields of the dialect check requests.
 */
import type { TObject, TSchema } from 'typebox';
import type { AccountId, Permission, Refused } from '#domain';
import type { RateLimit } from './bounds/windows.ts';
import type { JsonObject } from './json.ts';
import type { Principal } from './keys/port.ts';
import type { AnswerHead, ApiRequest } from './request.ts';

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
  /** What it costs besides where it is refused, and where it is done: held until that is known. */
  readonly outcomeCost?: { readonly refused?: Cost; readonly done?: Cost };
  /** What each entry of a list in its body costs besides; a call costs as much as one of them. */
  readonly entryCost?: { readonly list: string; readonly cost: Cost };
  readonly permission: A;
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
export type Caller = Pick<Principal, 'isLive' | 'permissions'>;

/** A call with the signature of a key that may make it. */
export interface SignedCall extends Call {
  readonly accountId: AccountId;
  readonly caller: Caller;
}

/** A caller who may go on: whom to count the call for, and the handler bound to them. */
export interface Admission {
  /** Undefined for one who is not counted. */
  readonly caller: string | undefined;
  answer(call: Call): Answer | Promise<Answer>;
}

/** Who calls, or why they may not; at once if it can be: promises cost an order parts of a µs. */
export type Admit = (
  request: ApiRequest,
  head: AnswerHead,
  nowMs: number,
) => Admission | Refused | Promise<Admission | Refused>;

/** An endpoint with what answers it. */
export type Route =
  | {
      readonly access: 'public';
      readonly endpoint: Endpoint<'none'>;
      readonly answer: (call: Call) => Answer | Promise<Answer>;
    }
  | {
      readonly access: 'signed';
      readonly endpoint: Endpoint<Permission>;
      readonly answer: (call: SignedCall) => Answer | Promise<Answer>;
    }
  | {
      /** Its dialect decides by itself who calls. */
      readonly access: 'admitted';
      readonly endpoint: Endpoint;
      readonly admit: Admit;
    };
