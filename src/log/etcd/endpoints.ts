/**
 * Connections to the members of an etcd cluster. All calls go to one of them; a call that gets no
 * answer there makes the next one the one, for the calls after it.
 */
import {
  type CallOptions,
  ChannelCredentials,
  Client,
  type ClientDuplexStream,
  type ClientOptions,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import { assert, present } from '#kernel';
import { StoreFault } from '../shared/store.ts';
import type { SharedLogPlace } from '../shared-log.ts';
import { isTokenEnded, storeFault } from './errors.ts';
import { type Answer, type CallName, type Method, methodOf } from './protocol.ts';

const OPTIONS: ClientOptions = {
  // A page of the largest entries is larger than the default of 4 MiB.
  'grpc.max_receive_message_length': -1,
  // Whether a call may be sent again is decided here, and nowhere below.
  'grpc.enable_retries': 0,
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.use_local_subchannel_pool': 1,
  // Above the 5 s that etcd allows at least; what a silent watch may have missed is asked for.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 2_000,
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.min_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 500,
};
const AUTHENTICATION_MS = 1_000;

type Access = Pick<SharedLogPlace, 'endpoints' | 'tls' | 'user'>;

export interface Endpoint {
  readonly address: string;
  readonly client: Client;
}

export interface Exchange<Name extends CallName> {
  readonly endpoint: Endpoint;
  readonly stream: ClientDuplexStream<object, Answer<Name>>;
}

export class Endpoints {
  readonly #all: readonly Endpoint[];
  readonly #user: SharedLogPlace['user'];
  #at = 0;
  #token: Promise<string> | undefined;
  #isClosed = false;

  constructor({ endpoints, tls, user }: Access) {
    assert(endpoints.length > 0, 'an etcd cluster has an endpoint');
    const credentials = tls === undefined ? ChannelCredentials.createInsecure() : secured(tls);
    this.#user = user;
    this.#all = endpoints.map((address) => ({
      address,
      client: new Client(address, credentials, OPTIONS),
    }));
  }

  /** One call, one attempt; with a new token where the one it had has ended. */
  async call<Name extends CallName>(
    name: Name,
    request: object,
    timeoutMs: number,
  ): Promise<Answer<Name>> {
    return this.#attempt(
      (endpoint, metadata, options) => unary(endpoint, methodOf(name), request, metadata, options),
      timeoutMs,
    );
  }

  /** One call to each of them; the answers that came. Rejects with a fault where none did. */
  async callAll<Name extends CallName>(
    name: Name,
    request: object,
    timeoutMs: number,
  ): Promise<readonly Answer<Name>[]> {
    this.#requireOpen();
    const deadline = Date.now() + timeoutMs;
    const asked = this.#current();
    const metadata = await this.#metadata(asked).catch((error: unknown) => {
      throw this.#faultOf(error, asked);
    });
    const outcomes = await Promise.allSettled(
      this.#all.map(({ client, address }) =>
        unary({ client, address }, methodOf(name), request, metadata, { deadline }).catch(
          (error: unknown) => {
            throw isServiceError(error) ? storeFault(error, address) : error;
          },
        ),
      ),
    );
    this.#requireOpen();
    const answers = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const [failed] = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    if (answers.length === 0) throw failed;
    return answers;
  }

  /** One request and its first answer on a call that could have more of both. */
  async exchange<Name extends CallName>(
    name: Name,
    request: object,
    timeoutMs: number,
  ): Promise<Answer<Name>> {
    return this.#attempt(
      (endpoint, metadata, options) => first(endpoint, methodOf(name), request, metadata, options),
      timeoutMs,
    );
  }

  /** A call without end, which etcd ends when it has lost its quorum. */
  async open<Name extends CallName>(name: Name): Promise<Exchange<Name>> {
    this.#requireOpen();
    const endpoint = this.#current();
    const metadata = await this.#metadata(endpoint);
    metadata.set('hasleader', 'true');
    this.#requireOpen();
    return { endpoint, stream: duplex(endpoint, methodOf(name), metadata, {}) };
  }

  /** It does not answer: the next calls go to another one. */
  leave(endpoint: Endpoint): void {
    if (this.#current() === endpoint) this.#at = (this.#at + 1) % this.#all.length;
  }

  forgetToken(): void {
    this.#token = undefined;
  }

  close(): void {
    this.#isClosed = true;
    for (const { client } of this.#all) client.close();
  }

  #current(): Endpoint {
    return present(this.#all[this.#at], 'endpoint');
  }

  async #attempt<T>(
    call: (endpoint: Endpoint, metadata: Metadata, options: CallOptions) => Promise<T>,
    timeoutMs: number,
  ): Promise<T> {
    const deadline = Date.now() + timeoutMs;
    for (let isAgain = false; ; isAgain = true) {
      this.#requireOpen();
      const endpoint = this.#current();
      try {
        return await call(endpoint, await this.#metadata(endpoint), { deadline });
      } catch (error) {
        this.#requireOpen();
        if (!isServiceError(error)) throw error;
        if (isTokenEnded(error) && this.#user !== undefined && !isAgain) {
          this.forgetToken();
          continue;
        }
        throw this.#faultOf(error, endpoint);
      }
    }
  }

  /** As a fault of the store; one that may have happened makes the next one the one. */
  #faultOf(error: unknown, endpoint: Endpoint): unknown {
    if (!isServiceError(error)) return error;
    const fault = storeFault(error, endpoint.address);
    if (fault.kind === 'unknown') this.leave(endpoint);
    return fault;
  }

  async #metadata(endpoint: Endpoint): Promise<Metadata> {
    const metadata = new Metadata();
    if (this.#user === undefined) return metadata;
    this.#token ??= this.#authenticate(endpoint).catch((error: unknown) => {
      this.forgetToken();
      throw error;
    });
    metadata.set('token', await this.#token);
    return metadata;
  }

  async #authenticate(endpoint: Endpoint): Promise<string> {
    const deadline = Date.now() + AUTHENTICATION_MS;
    const method = methodOf('Auth/Authenticate');
    const user = present(this.#user, 'user');
    return (await unary(endpoint, method, user, new Metadata(), { deadline })).token;
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new StoreFault('closed', 'the log was closed');
  }
}

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error;
}

function secured({ ca, cert, key }: NonNullable<SharedLogPlace['tls']>): ChannelCredentials {
  const bytes = (text: string | undefined) => (text === undefined ? null : Buffer.from(text));
  return ChannelCredentials.createSsl(bytes(ca), bytes(key), bytes(cert));
}

function unary<Name extends CallName>(
  { client }: Endpoint,
  { path, serialize, deserialize }: Method<Name>,
  request: object,
  metadata: Metadata,
  options: CallOptions,
): Promise<Answer<Name>> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      path,
      serialize,
      deserialize,
      request,
      metadata,
      options,
      (error, answer) => {
        if (error !== null) reject(error);
        else resolve(present(answer, 'answer'));
      },
    );
  });
}

function duplex<Name extends CallName>(
  { client }: Endpoint,
  { path, serialize, deserialize }: Method<Name>,
  metadata: Metadata,
  options: CallOptions,
): ClientDuplexStream<object, Answer<Name>> {
  return client.makeBidiStreamRequest(path, serialize, deserialize, metadata, options);
}

function first<Name extends CallName>(
  endpoint: Endpoint,
  method: Method<Name>,
  request: object,
  metadata: Metadata,
  options: CallOptions,
): Promise<Answer<Name>> {
  return new Promise((resolve, reject) => {
    const stream = duplex(endpoint, method, metadata, options);
    stream.once('data', (answer: Answer<Name>) => {
      resolve(answer);
      stream.cancel();
    });
    stream.on('error', reject);
    stream.once('end', () => reject(new StoreFault('unknown', 'ended without an answer')));
    stream.end(request);
  });
}
