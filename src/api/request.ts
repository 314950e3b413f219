/**
 * A call as it came, over HTTP or in a frame of a socket, before anything of it is believed; and
 * what its answer says besides its body.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { present } from '#kernel';
import type { JsonObject } from './json.ts';
import type { Authenticated, KeyDoor, KeyUse } from './plugins/auth.ts';
import { rawBody } from './plugins/body.ts';

export interface ApiRequest {
  readonly method: string;
  /** Path and query exactly as they came. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Exactly as it came; undefined when there was none. */
  readonly body: Buffer | undefined;
  /** Of the query, by name; a list where a name comes twice. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Where it came from, behind trusted proxies. */
  readonly address: string;
  /** Names the call in logs and answers. */
  readonly id: string;
  /** Of a call that came in a frame of a socket. */
  readonly frame?: FrameCall;
}

/** What a frame of a socket says of its call, as its dialect has read it. */
export interface FrameCall {
  readonly input: JsonObject;
  /** Whose key or session it is, where that may do this. */
  signer(use: KeyUse, keys: KeyDoor): Authenticated | Promise<Authenticated>;
}

/** Fields of an answer, which may be set until it leaves. */
export interface AnswerHead {
  header(name: string, value: string): unknown;
}

const NO_QUERY: ApiRequest['query'] = {};

/** A request of the HTTP server. */
export class HttpRequest implements ApiRequest {
  readonly #request: FastifyRequest;

  constructor(request: FastifyRequest) {
    this.#request = request;
  }

  get method(): string {
    return present(this.#request.raw.method, 'method');
  }

  get target(): string {
    return this.#request.originalUrl;
  }

  get headers(): IncomingHttpHeaders {
    return this.#request.headers;
  }

  get body(): Buffer | undefined {
    return rawBody(this.#request);
  }

  get query(): ApiRequest['query'] {
    const { query } = this.#request;
    return typeof query === 'object' && query !== null ? { ...query } : NO_QUERY;
  }

  get address(): string {
    return this.#request.ip;
  }

  get id(): string {
    return String(this.#request.id);
  }
}
