/**
 * The life of a call, the same for every endpoint: who asks (1), how often (2), in what words (3),
 * the handler (4), the answer (5), which leaves with the others of its turn. A call that fails in
 * 1 to 3 never reaches the venue.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isRefused, LIMITS, type Refused, type RejectKind, refuse } from '#domain';
import type { Clock } from '#kernel';
import type { FairTurns } from './bounds/fair-turns.ts';
import type { CallCounts, Taken, WindowUse } from './bounds/windows.ts';
import type { Dialect } from './dialect.ts';
import type { Access, Admission, Admit, Answer, Call, Endpoint, Route } from './endpoint.ts';
import type { CallFaults, Exit } from './faults/calls.ts';
import type { JsonObject } from './json.ts';
import type { Principal } from './keys/port.ts';
import type { Contact } from './options.ts';
import type { Authenticated, Authenticator } from './plugins/auth.ts';
import type { CallMarks } from './plugins/calls.ts';
import { refusalOf } from './plugins/errors.ts';
import type { Metrics } from './plugins/metrics.ts';
import { networkOf } from './plugins/network.ts';
import type { Outbox } from './plugins/outbox.ts';
import { showQuotas, timesCost, usesOf } from './plugins/quota.ts';
import { rateUse } from './plugins/rate-limit.ts';
import { retryAfter, sendBare, sendData, sendFile, sendRefusal } from './plugins/reply.ts';
import { refuseSaying } from './refusal.ts';
import { type ApiRequest, HttpRequest } from './request.ts';
import type { Sessions } from './sessions.ts';

export interface ServeOptions {
  readonly auth: Authenticator;
  /** Undefined where nobody signs in. */
  readonly sessions?: Sessions | undefined;
  readonly clock: Clock;
  /** Where calls are counted; undefined where nothing is. */
  readonly counts: Counts | undefined;
  /** Undefined where what is shown is always new. */
  readonly contact?: Contact | undefined;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly outbox: Outbox;
  /** Undefined unless the venue is a sandbox. */
  readonly faults: CallFaults | undefined;
  /** Of accounts; undefined where nothing is limited. */
  readonly turns: FairTurns | undefined;
  /** Undefined where nobody watches. */
  readonly marks: CallMarks | undefined;
}

/** Signed calls are counted by account, the others by person, address or IPv6 network. */
export interface Counts {
  readonly ofAccounts: CallCounts;
  readonly ofAddresses: CallCounts;
}

/** What these endpoints answer is what this process knows; the operator's ask for themselves. */
const SHOWING: ReadonlySet<Access> = new Set(['none', 'read']);

type SignedRoute = Extract<Route, { access: 'signed' }>;

/** Adds a route of a dialect. */
export function serve(
  app: FastifyInstance,
  options: ServeOptions,
  dialect: Dialect,
  route: Route,
): void {
  const { endpoint, access } = route;
  const admit = admissionTo(route, options, dialect);
  const counts = options.counts?.[access === 'signed' ? 'ofAccounts' : 'ofAddresses'];
  const count = counts && counterOf(dialect, endpoint, counts);
  const countEntries = counts && entriesCounterOf(dialect, endpoint, counts);
  const contact = SHOWING.has(endpoint.permission) ? options.contact : undefined;
  const turns = access === 'signed' ? options.turns : undefined;
  const { clock, outbox, marks } = options;
  const way = { dialect, admit, turns, count, countEntries, contact, endpoint, marks };
  // What goes wrong on purpose must not keep the operator from ending it.
  const faults = endpoint.permission === 'operator' ? undefined : options.faults;
  const execute = (request: FastifyRequest, reply: FastifyReply, nowMs: number, exit: Exit) => {
    const finish = (answer: Answer) => send(options, dialect, endpoint, reply, answer, nowMs, exit);
    const fail = (error: unknown) => finish(faultOf(error, request, endpoint, options.log));
    try {
      const answer = answerCall({ request, asked: new HttpRequest(request), reply, nowMs, way });
      if (answer instanceof Promise) answer.then(finish, fail);
      else finish(answer);
    } catch (error) {
      fail(error);
    }
  };
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    // Not async: the framework would watch each reply until it is sent, which the outbox does.
    handler: (request, reply) => {
      const nowMs = clock.nowMs();
      if (faults === undefined) return execute(request, reply, nowMs, outbox);
      const call = { dialect, endpoint, request, reply, nowMs };
      faults.serve(call, (exit) => execute(request, reply, nowMs, exit));
    },
  });
}

function admissionTo(route: Route, options: ServeOptions, dialect: Dialect): Admit {
  if (route.access === 'signed') return admitSigner(route, options, dialect);
  if (route.access === 'admitted') return route.admit;
  const { answer } = route;
  return ({ address }) => ({ caller: networkOf(address), answer });
}

function admitSigner(
  route: SignedRoute,
  { auth, sessions }: ServeOptions,
  dialect: Dialect,
): Admit {
  const { endpoint } = route;
  const { signer } = dialect;
  const admit = (key: Authenticated): Admission | Refused =>
    isRefused(key)
      ? key
      : { caller: `account ${key.accountId}`, answer: (call) => answerOwner(route, call, key) };
  return (request, _head, nowMs) => {
    const shown = sessions?.isShown(request.headers) === true ? sessions : undefined;
    const key =
      shown !== undefined && signer.keyOf(request) === ''
        ? shown.trader(request, endpoint.permission, nowMs)
        : signer.admit(request, endpoint, nowMs, auth);
    return key instanceof Promise ? key.then(admit) : admit(key);
  };
}

/** Counting the call has waited, too. */
function answerOwner(
  { answer }: SignedRoute,
  { input, path, nowMs }: Call,
  key: Principal,
): Answer | Promise<Answer> {
  if (!key.isLive) return refuse('credentials_wrong');
  return answer({ input, path, nowMs, accountId: key.accountId, caller: key });
}

/** Of ours, or of what we keep: the operator has to hear of it. */
const OWN_FAULTS: ReadonlySet<RejectKind> = new Set([
  'internal_fault',
  'history_unavailable',
  'people_unavailable',
]);

function faultOf(
  error: unknown,
  { id: requestId }: FastifyRequest,
  { method, path }: Endpoint,
  log: Logger,
): Refused {
  const refused = refusalOf(error);
  const isOurs = OWN_FAULTS.has(refused.reject);
  if (isOurs) log.error({ err: error, requestId, method, route: path }, 'call failed');
  return refused;
}

function send(
  { metrics }: ServeOptions,
  { frame }: Dialect,
  { bare }: Endpoint,
  reply: FastifyReply,
  answer: Answer,
  nowMs: number,
  exit: Exit,
): void {
  if (isRefused(answer)) {
    metrics.refused(answer.reject);
    exit.add(() => sendRefusal(reply, frame, answer, nowMs));
  } else if (typeof answer !== 'string' && 'parts' in answer) {
    exit.add(() => sendFile(reply, answer));
  } else if (bare) {
    exit.add(() => sendBare(reply, answer));
  } else {
    exit.add(() => sendData(reply, frame, answer, nowMs));
  }
}

/** Counts a call of this caller: the milliseconds to wait, or zero. */
type CallCounter = (caller: string, reply: FastifyReply) => number | Promise<number>;

function counterOf(
  { name, quotas }: Dialect,
  { method, path, rate, cost }: Endpoint,
  counts: CallCounts,
): CallCounter | undefined {
  if (rate !== null) {
    const uses = [rateUse(`${method} ${path}`, rate)];
    return (caller) => waitOf(counts.take(caller, uses));
  }
  if (cost === undefined || quotas === undefined) return undefined;
  const uses = usesOf(name, quotas, cost);
  return (caller, reply) =>
    waitOf(counts.take(caller, uses), (taken) => showQuotas(quotas, taken, reply));
}

/** As CallCounter, for what is known once the body is read. */
type EntriesCounter = (
  caller: string,
  input: JsonObject,
  reply: FastifyReply,
) => number | Promise<number>;

function entriesCounterOf(
  { name, quotas }: Dialect,
  { entryCost }: Endpoint,
  counts: CallCounts,
): EntriesCounter | undefined {
  if (entryCost === undefined || quotas === undefined) return undefined;
  const { list, cost } = entryCost;
  return (caller, input, reply) => {
    const entries = input[list];
    const count = Array.isArray(entries) ? Math.max(entries.length, 1) : 1;
    const uses: WindowUse[] = usesOf(name, quotas, timesCost(cost, count));
    return waitOf(counts.take(caller, uses), (taken) => showQuotas(quotas, taken, reply));
  };
}

/** At once if it can be. */
function waitOf(
  counted: Taken | Promise<Taken>,
  show?: (taken: Taken) => void,
): number | Promise<number> {
  if (counted instanceof Promise) return counted.then((taken) => waitOf(taken, show));
  show?.(counted);
  return counted.waitMs;
}

interface Way {
  readonly dialect: Dialect;
  readonly admit: Admit;
  readonly turns: FairTurns | undefined;
  readonly count: CallCounter | undefined;
  readonly countEntries: EntriesCounter | undefined;
  readonly contact: Contact | undefined;
  readonly endpoint: Endpoint;
  readonly marks: CallMarks | undefined;
}

/** A call on its way. */
interface Passing {
  readonly request: FastifyRequest;
  readonly asked: ApiRequest;
  readonly reply: FastifyReply;
  readonly nowMs: number;
  readonly way: Way;
}

type Answering = Answer | Promise<Answer>;

function answerCall(passing: Passing): Answering {
  const { request, asked, reply, nowMs, way } = passing;
  if (request.url.length > LIMITS.targetLengthMax) {
    return refuseSaying(
      'parameter_invalid',
      `path and query over ${LIMITS.targetLengthMax} characters`,
    );
  }
  return goOn(way.admit(asked, reply, nowMs), (admitted) =>
    isRefused(admitted) ? admitted : takeTurn(passing, admitted),
  );
}

function takeTurn(passing: Passing, admission: Admission): Answering {
  const { turns } = passing.way;
  const { caller } = admission;
  if (turns === undefined || caller === undefined) return countCall(passing, admission);
  return goOn(turns.turnOf(caller), (hasTurn) =>
    hasTurn ? countCall(passing, admission) : refuse('rate_exceeded'),
  );
}

function countCall(passing: Passing, admission: Admission): Answering {
  const { reply, way } = passing;
  const { caller } = admission;
  if (way.count === undefined || caller === undefined) return readCall(passing, admission);
  return goOn(way.count(caller, reply), (waitMs) =>
    waitMs > 0 ? refuseFor(reply, waitMs) : readCall(passing, admission),
  );
}

function readCall(passing: Passing, admission: Admission): Answering {
  const { asked, reply, way } = passing;
  const { caller } = admission;
  const input = way.dialect.input(asked, way.endpoint);
  if (isRefused(input)) return input;
  if (way.countEntries === undefined || caller === undefined) {
    return handle(passing, admission, input);
  }
  return goOn(way.countEntries(caller, input, reply), (waitMs) =>
    waitMs > 0 ? refuseFor(reply, waitMs) : handle(passing, admission, input),
  );
}

function handle(
  { request, nowMs, way: { contact, marks } }: Passing,
  admission: Admission,
  input: JsonObject,
): Answering {
  marks?.admitted(request);
  const call = { input, path: pathOf(request), nowMs };
  if (contact?.isFresh !== false) return admission.answer(call);
  return contact.ensure().then(() => admission.answer(call));
}

/** At once if it can be: an async function would make four promises of each call. */
function goOn<T>(value: T | Promise<T>, next: (value: T) => Answering): Answering {
  return value instanceof Promise ? value.then(next) : next(value);
}

function refuseFor(reply: FastifyReply, waitMs: number): Refused {
  retryAfter(reply, waitMs);
  return refuse('rate_exceeded');
}

const NO_PARAMETERS: Call['path'] = {};

function pathOf({ params }: FastifyRequest): Call['path'] {
  return typeof params === 'object' && params !== null ? { ...params } : NO_PARAMETERS;
}
