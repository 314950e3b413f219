/** Calls of people and operators, as the handlers of their endpoints get them. */
import type { Call, Endpoint } from '#api';
import type { ActingOperator, Duty, LiveSession } from '#people';

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

/** An endpoint of operators. */
export interface OperatorRow extends Endpoint<'operator'> {
  /** What it is for, and so who may make it; see dutyOf. */
  readonly duty?: Duty;
  /** True for what an operator's machine calls all the time: it is logged once in a minute. */
  readonly isFrequent?: true;
}

/** Whoever is an operator may read; what else there is says what it is for. */
export function dutyOf({ method, duty }: Pick<OperatorRow, 'method' | 'duty'>): Duty {
  return duty ?? (method === 'GET' ? 'read' : 'run');
}
