/**
 * The life of a call, the same for every endpoint and whatever it came over: who asks (1), whose
 * turn it is and how often they may (2), in what words (3), the handler (4). A call that fails in 1
 * to 3 never reaches the venue.
 */
import { isRefused, LIMITS, type Refused, refuse } from '#domain';
import type { FairTurns } from './bounds/fair-turns.ts';
import {
  type CallCounter,
  type Counts,
  counterOf,
  type EntriesCounter,
  entriesCounterOf,
  networkCounterOf,
} from './call-counters.ts';
import type { Dialect } from './dialect.ts';
import type { Access, Admission, Admit, Answer, Call, Endpoint, Route } from './endpoint.ts';
import type { JsonObject } from './json.ts';
import type { Principal } from './keys/port.ts';
import type { Contact } from './options.ts';
import type { Authenticated, KeyDoor } from './plugins/auth.ts';
import { networkOf } from './plugins/network.ts';
import { retryAfter } from './plugins/reply.ts';
import { refuseSaying } from './refusal.ts';
import type { AnswerHead, ApiRequest } from './request.ts';
import type { Sessions } from './sessions.ts';

export interface RoadOptions {
  readonly auth: KeyDoor;
  /** Undefined where nobody signs in. */
  readonly sessions?: Sessions | undefined;
  /** Where calls are counted; undefined where nothing is. */
  readonly counts: Counts | undefined;
  /** Undefined where what is shown is always new. */
  readonly contact?: Contact | undefined;
  /** Of accounts; undefined where nothing is limited. */
  readonly turns: FairTurns | undefined;
}

/** A call on its way. */
export interface Passing {
  readonly asked: ApiRequest;
  readonly head: AnswerHead;
  readonly nowMs: number;
  /** The parameters in its path. */
  readonly path: Call['path'];
  /** Called when it is known who calls, and that they may. */
  readonly onAdmitted: (() => void) | undefined;
}

/** At once if it can be: an async function would make four promises of each call. */
export type Answering = Answer | Promise<Answer>;

type SignedRoute = Extract<Route, { access: 'signed' }>;

/** What these endpoints answer is what this process knows; the operator's ask for themselves. */
const SHOWING: ReadonlySet<Access> = new Set(['none', 'read']);

/** The road of the calls of one endpoint. */
export class Road {
  readonly #dialect: Dialect;
  readonly #endpoint: Endpoint;
  readonly #admit: Admit;
  readonly #count: CallCounter | undefined;
  readonly #countNetwork: CallCounter | undefined;
  readonly #countEntries: EntriesCounter | undefined;
  readonly #contact: Contact | undefined;
  readonly #turns: FairTurns | undefined;

  constructor(route: Route, dialect: Dialect, options: RoadOptions) {
    const { endpoint, access } = route;
    const counts = options.counts?.[access === 'signed' ? 'ofAccounts' : 'ofAddresses'];
    this.#dialect = dialect;
    this.#endpoint = endpoint;
    this.#admit = admissionTo(route, options, dialect);
    this.#count = counts && counterOf(dialect, endpoint, counts);
    this.#countNetwork =
      options.counts && networkCounterOf(dialect, endpoint, options.counts.ofAddresses);
    this.#countEntries = counts && entriesCounterOf(dialect, endpoint, counts);
    this.#contact = SHOWING.has(endpoint.permission) ? options.contact : undefined;
    this.#turns = access === 'signed' ? options.turns : undefined;
  }

  answer(passing: Passing): Answering {
    const { asked, head } = passing;
    if (asked.target.length > LIMITS.targetLengthMax) {
      return refuseSaying(
        'parameter_invalid',
        `path and query over ${LIMITS.targetLengthMax} characters`,
      );
    }
    return this.#countNetwork === undefined
      ? this.#enter(passing)
      : this.#counted(this.#countNetwork, networkOf(asked.address), head, () =>
          this.#enter(passing),
        );
  }

  #enter(passing: Passing): Answering {
    const { asked, head, nowMs } = passing;
    return goOn(this.#admit(asked, head, nowMs), (admitted) =>
      isRefused(admitted) ? admitted : this.#takeTurn(passing, admitted),
    );
  }

  /** Counts a call before it goes on, and gives back what its outcome does not cost. */
  #counted(
    { take, settle }: CallCounter,
    caller: string,
    head: AnswerHead,
    next: () => Answering,
  ): Answering {
    return goOn(take(caller, head), (waitMs) => {
      if (waitMs > 0) return refuseFor(head, waitMs);
      if (settle === undefined) return next();
      const takenMs = performance.now();
      return settled(next, (isDone) => settle(caller, !isDone, performance.now() - takenMs));
    });
  }

  #takeTurn(passing: Passing, admission: Admission): Answering {
    const { caller } = admission;
    if (this.#turns === undefined || caller === undefined)
      return this.#countCall(passing, admission);
    return goOn(this.#turns.turnOf(caller), (hasTurn) =>
      hasTurn ? this.#countCall(passing, admission) : refuse('rate_exceeded'),
    );
  }

  #countCall(passing: Passing, admission: Admission): Answering {
    const { caller } = admission;
    if (this.#count === undefined || caller === undefined) return this.#read(passing, admission);
    return this.#counted(this.#count, caller, passing.head, () => this.#read(passing, admission));
  }

  #read(passing: Passing, admission: Admission): Answering {
    const { asked, head } = passing;
    const { caller } = admission;
    const input = asked.frame?.input ?? this.#dialect.input(asked, this.#endpoint);
    if (isRefused(input)) return input;
    if (this.#countEntries === undefined || caller === undefined) {
      return this.#handle(passing, admission, input);
    }
    return goOn(this.#countEntries(caller, input, head), (waitMs) =>
      waitMs > 0 ? refuseFor(head, waitMs) : this.#handle(passing, admission, input),
    );
  }

  #handle({ path, nowMs, onAdmitted }: Passing, admission: Admission, input: JsonObject) {
    onAdmitted?.();
    const call = { input, path, nowMs };
    const contact = this.#contact;
    if (contact?.isFresh !== false) return admission.answer(call);
    return contact.ensure().then(() => admission.answer(call));
  }
}

function admissionTo(route: Route, options: RoadOptions, dialect: Dialect): Admit {
  if (route.access === 'signed') return admitSigner(route, options, dialect);
  if (route.access === 'admitted') return route.admit;
  const { answer } = route;
  return ({ address }) => ({ caller: networkOf(address), answer });
}

function admitSigner(route: SignedRoute, options: RoadOptions, dialect: Dialect): Admit {
  const admit = (key: Authenticated): Admission | Refused =>
    isRefused(key)
      ? key
      : { caller: `account ${key.accountId}`, answer: (call) => answerOwner(route, call, key) };
  return (request, _head, nowMs) => {
    const key = signerOf(route, options, dialect, request, nowMs);
    return key instanceof Promise ? key.then(admit) : admit(key);
  };
}

/** By the frame or the login of its socket, by a session, or by what the dialect reads. */
function signerOf(
  { endpoint }: SignedRoute,
  { auth, sessions }: RoadOptions,
  { signer }: Dialect,
  request: ApiRequest,
  nowMs: number,
): Authenticated | Promise<Authenticated> {
  const { frame, address } = request;
  const { permission } = endpoint;
  if (frame !== undefined) return frame.signer({ permission, address, nowMs }, auth);
  const shown = sessions?.isShown(request.headers) === true ? sessions : undefined;
  return shown !== undefined && signer.keyOf(request) === ''
    ? shown.trader(request, permission, nowMs)
    : signer.admit(request, endpoint, nowMs, auth);
}

/** Counting the call has waited, too. */
function answerOwner(
  { answer }: SignedRoute,
  { input, path, nowMs }: Call,
  key: Principal,
): Answering {
  if (!key.isLive) return refuse('credentials_wrong');
  return answer({ input, path, nowMs, accountId: key.accountId, caller: key });
}

function goOn<T>(value: T | Promise<T>, next: (value: T) => Answering): Answering {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Says whether it was done once that is known; what fails was not. */
function settled(answer: () => Answering, say: (isDone: boolean) => void): Answering {
  const known = (given: Answer): Answer => {
    say(!isRefused(given));
    return given;
  };
  const failed = (error: unknown): never => {
    say(false);
    throw error;
  };
  try {
    const given = answer();
    return given instanceof Promise ? given.then(known, failed) : known(given);
  } catch (error) {
    return failed(error);
  }
}

function refuseFor(head: AnswerHead, waitMs: number): Refused {
  retryAfter(head, waitMs);
  return refuse('rate_exceeded');
}
