/**
 * Who is let in beside signers of keys: visitors and persons by the cookie of a session, operators
 * by that or by the admin token. What operators change is written down first.
 */
import {
  type Admission,
  type Admit,
  type Answer,
  type AnswerHead,
  type ApiRequest,
  type Call,
  type Monitors,
  networkOf,
  retryAfter,
} from '#api';
import { isRefused, refuse } from '#domain';
import { present } from '#kernel';
import { type ActingOperator, TOKEN_OPERATOR } from '#people';
import { type ActionRecords, reasonOf } from './action-records.ts';
import type { OperatorCall, OperatorRow, PersonCall, Visit, VisitorCall } from './calls.ts';
import type { OperatorToken } from './operator-token.ts';
import type { SessionAuth } from './session-auth.ts';

type Answered = Answer | Promise<Answer>;

export interface AdmitterParts {
  /** Undefined where nobody signs in. */
  readonly sessions: SessionAuth | undefined;
  readonly token: OperatorToken;
  readonly actions: ActionRecords;
}

export class Admitters {
  readonly #parts: AdmitterParts;

  constructor(parts: AdmitterParts) {
    this.#parts = parts;
  }

  /** Anybody, with the session that they may have. */
  visitor(answer: (call: VisitorCall) => Answered): Admit {
    const sessions = this.#sessions();
    return async (request, head, nowMs) => {
      const session = await sessions.visitor(request, nowMs);
      if (isRefused(session)) return session;
      const visit = visitOf(request, head, sessions);
      const { network } = visit;
      return { caller: network, answer: (call) => answer({ ...call, visit, session }) };
    };
  }

  /** Whoever has signed in. */
  person(answer: (call: PersonCall) => Answered): Admit {
    const sessions = this.#sessions();
    return async (request, head, nowMs) => {
      const session = await sessions.person(request, nowMs);
      if (isRefused(session)) return session;
      const visit = visitOf(request, head, sessions);
      return {
        caller: `person ${session.personId}`,
        answer: (call) =>
          session.isLive ? answer({ ...call, visit, session }) : refuse('sign_in_needed'),
      };
    };
  }

  /** By the session of a person with a role, or by the admin token. */
  operator(endpoint: OperatorRow, answer: (call: OperatorCall) => Answered): Admit {
    const { token, actions } = this.#parts;
    const admitted = (request: ApiRequest, operator: ActingOperator): Admission => ({
      caller: undefined,
      answer: (called: Call) => {
        const call = { ...called, operator, reason: reasonOf(request, called.input) };
        return actions.carryOut(endpoint, call, request, () => answer(call));
      },
    });
    return (request, head, nowMs) => {
      const found = this.#sessionOf(request)?.operator(request, nowMs);
      if (found === undefined) {
        return token.refuse(request, head) ?? admitted(request, TOKEN_OPERATOR);
      }
      return found.then((one) => (isRefused(one) ? one : admitted(request, one)));
    };
  }

  /** Operators, who may also read what the process counts; others learn nothing of it. */
  readonly monitors: Monitors = (request, head, nowMs) => {
    const { authorization } = request.headers;
    if (authorization !== undefined) return this.#parts.token.refuse(request, head);
    const found = this.#sessionOf(request)?.operator(request, nowMs);
    if (found === undefined) return refuse('path_unknown');
    return found.then((one) => (isRefused(one) ? one : undefined));
  };

  /** Where the call comes with the cookie of a session and no token. */
  #sessionOf({ headers }: ApiRequest): SessionAuth | undefined {
    const { sessions } = this.#parts;
    const isByCookie = headers.authorization === undefined && sessions?.isShown(headers) === true;
    return isByCookie ? sessions : undefined;
  }

  #sessions(): SessionAuth {
    return present(this.#parts.sessions, 'sessions of people');
  }
}

function visitOf({ address, headers }: ApiRequest, head: AnswerHead, sessions: SessionAuth): Visit {
  return {
    address,
    network: networkOf(address),
    agent: headers['user-agent'] ?? '',
    languages: headers['accept-language'] ?? '',
    setToken: (token) => head.header('set-cookie', sessions.cookieOf(token)),
    retryAfter: (waitMs) => retryAfter(head, waitMs),
  };
}
