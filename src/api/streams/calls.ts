/**
 * Calls in frames of a socket. Each takes the road of its endpoint as if it had come over HTTP: the
 * same turns, limits, faults, figures and traces, and its answer is as durable. The answers of one
 * connection leave in the order of its calls, and a client that asks far ahead is read no further.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isRefused, type Refused, refuse } from '#domain';
import { present } from '#kernel';
import type { Dialect } from '../dialect.ts';
import type { Answer, DataJson, Endpoint, Route } from '../endpoint.ts';
import type { Exit } from '../faults/calls.ts';
import type { Client } from '../faults/held-calls.ts';
import { type Admission, workOf } from '../plugins/admission.ts';
import type { CallWatcher } from '../plugins/calls.ts';
import { retryAfter } from '../plugins/reply.ts';
import type { AnswerHead, ApiRequest, FrameCall } from '../request.ts';
import { Road } from '../road.ts';
import { faultOf, type ServeOptions } from '../serve.ts';
import type { SocketCall } from './call-frames.ts';
import type { Replies, Reply } from './replies.ts';

/** A connection that calls. */
export interface CallingSocket {
  readonly address: string;
  /** Of its handshake. */
  readonly headers: IncomingHttpHeaders;
  /** Undefined where nobody is logged in. */
  readonly login: { readonly key: string; readonly may: FrameCall['signer'] } | undefined;
  readonly client: Client;
  readonly replies: Replies;
  cut(): void;
}

export interface SocketCallsOptions extends ServeOptions {
  /** Undefined where nothing is limited. */
  readonly admission: Admission | undefined;
  readonly newId: () => string;
  /** Is shown every call that has ended; undefined where nobody watches. */
  readonly onEnded: CallWatcher | undefined;
}

interface Place {
  readonly endpoint: Endpoint;
  readonly road: Road;
  readonly count: (status: number, seconds: number) => void;
}

/** Of the endpoints of one dialect. */
export class SocketCalls {
  readonly #dialect: Dialect;
  readonly #options: SocketCallsOptions;
  readonly #places = new Map<string, Place>();

  constructor(dialect: Dialect, routes: readonly Route[], options: SocketCallsOptions) {
    this.#dialect = dialect;
    this.#options = options;
    const { metrics } = options;
    for (const route of routes) {
      const { endpoint } = route;
      const { method, path } = endpoint;
      const road = new Road(route, dialect, options);
      const count = metrics.timed(`WS ${method}`, path);
      this.#places.set(`${method} ${path}`, { endpoint, road, count });
    }
  }

  serve(call: SocketCall, socket: CallingSocket): void {
    const path = (this.#dialect.mount?.prefix ?? '') + call.path;
    const place = present(this.#places.get(`${call.method} ${path}`), 'endpoint of a frame');
    const made = new MadeCall(this.#dialect, this.#options, place, call, socket);
    made.begin();
  }
}

/** One call on its way. */
class MadeCall implements AnswerHead {
  readonly #dialect: Dialect;
  readonly #options: SocketCallsOptions;
  readonly #place: Place;
  readonly #call: SocketCall;
  readonly #socket: CallingSocket;
  readonly #reply: Reply;
  readonly #nowMs: number;
  readonly #startMs = performance.now();
  readonly #id: string;
  readonly #head = new Map<string, string>();
  #admittedMs: number | undefined;

  constructor(
    dialect: Dialect,
    options: SocketCallsOptions,
    place: Place,
    call: SocketCall,
    socket: CallingSocket,
  ) {
    this.#dialect = dialect;
    this.#options = options;
    this.#place = place;
    this.#call = call;
    this.#socket = socket;
    this.#reply = socket.replies.begin();
    this.#nowMs = options.clock.nowMs();
    this.#id = options.newId();
  }

  header(name: string, value: string): void {
    this.#head.set(name, value);
  }

  begin(): void {
    const { admission, outbox } = this.#options;
    const { address } = this.#socket;
    const refused =
      admission?.refuse(workOf(this.#place.endpoint)) ??
      admission?.enter(address, this.#key, () => this.#go());
    if (refused !== undefined) this.#finish(refused, outbox);
    else if (admission === undefined) this.#go();
  }

  get #key(): string {
    return this.#call.key === '' ? (this.#socket.login?.key ?? '') : this.#call.key;
  }

  #go(): void {
    const { faults, outbox } = this.#options;
    const { endpoint } = this.#place;
    if (faults === undefined || endpoint.permission === 'operator') {
      this.#execute(outbox);
      return;
    }
    const { client } = this.#socket;
    const faulted = {
      endpoint,
      key: this.#key,
      client,
      cut: () => this.#socket.cut(),
      retryAfter: (waitMs: number) => retryAfter(this, waitMs),
      refuse: (refused: Refused, exit: Exit, status?: number) =>
        this.#finish(refused, exit, status),
      unanswered: () => this.#reply.drop(),
    };
    faults.serve(faulted, (exit) => this.#execute(exit));
  }

  #execute(exit: Exit): void {
    const { log } = this.#options;
    const finish = (answer: Answer) => this.#finish(textOf(answer), exit);
    const fail = (error: unknown) => finish(faultOf(error, this.#id, this.#place.endpoint, log));
    try {
      const answer = this.#place.road.answer({
        asked: this.#asked,
        head: this,
        nowMs: this.#nowMs,
        path: this.#call.params ?? {},
        onAdmitted: () => {
          this.#admittedMs = performance.now();
        },
      });
      if (answer instanceof Promise) answer.then(finish, fail);
      else finish(answer);
    } catch (error) {
      fail(error);
    }
  }

  get #asked(): ApiRequest {
    const { method, path, input, signer } = this.#call;
    const { headers, address, login } = this.#socket;
    const signedBy = signer ?? login?.may ?? (() => refuse('key_missing'));
    const frame = { input, signer: signedBy };
    return {
      method,
      target: path,
      headers,
      body: undefined,
      query: {},
      address,
      id: this.#id,
      frame,
    };
  }

  #finish(answer: DataJson | Refused, exit: Exit, status?: number): void {
    const { metrics } = this.#options;
    const nowMs = this.#nowMs;
    if (isRefused(answer)) metrics.refused(answer.reject);
    const text = this.#call.write({ answer, nowMs, status, head: this.#head });
    exit.add(() => {
      this.#reply.send(text);
      this.#ended(status ?? this.#statusOf(answer));
    });
  }

  #statusOf(answer: DataJson | Refused): number {
    if (!isRefused(answer)) return 200;
    return this.#dialect.frame.refusal(answer, this.#nowMs, this.#call.path).status;
  }

  #ended(status: number): void {
    const { onEnded } = this.#options;
    const endMs = performance.now();
    this.#place.count(status, (endMs - this.#startMs) / 1_000);
    if (onEnded === undefined) return;
    const { method, path: route } = this.#place.endpoint;
    const at = (ms: number) => performance.timeOrigin + ms;
    onEnded({
      requestId: this.#id,
      method: `WS ${method}`,
      route,
      status,
      startMs: at(this.#startMs),
      admittedMs: this.#admittedMs === undefined ? undefined : at(this.#admittedMs),
      endMs: at(endMs),
      traceparent: undefined,
    });
  }
}

/** A file has no place in a frame. */
function textOf(answer: Answer): DataJson | Refused {
  if (typeof answer === 'string' || isRefused(answer)) return answer;
  if ('parts' in answer) return refuse('path_unknown');
  return Buffer.from(answer.kept).toString('utf8') + answer.rest;
}
