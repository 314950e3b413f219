/**
 * One endpoint of the HTTP interface: the row from which its route, its rate limit, the OpenAPI
 * document, docs/API.md and tests are derived. Its schemas document and are not run: readers
 * check requests, handlers answer them.
 */
import type { TObject, TSchema } from 'typebox';
import type { Permission } from '#domain';

export interface RateLimit {
  /** Calls taken in one window; the next one is refused. */
  readonly limit: number;
  readonly windowMs: number;
}

/** Who may call: any client, a signed key with this permission, or the operator with the token. */
export type Access = 'none' | Permission | 'operator';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Absolute, with `:name` for a parameter in the path. */
  readonly path: string;
  /** null for an endpoint that is not limited. */
  readonly rate: RateLimit | null;
  readonly permission: Access;
  readonly summary: string;
  /** Query parameters of a GET, body fields of the others. Scalars may come as text or number. */
  readonly request: TObject;
  /** What a success answers: inside `data` of the envelope, or as the whole body when bare. */
  readonly response: TSchema;
  /** True for the endpoints of contracts, which answer without the envelope. */
  readonly bare?: true;
  readonly example: {
    readonly request: { readonly [name: string]: unknown };
    readonly data: unknown;
  };
}
