/**
 * Who operates, and calls as that operator: by the session of a person with a role, or by the admin
 * token. The token is in the memory of the page, and in the tab's session storage only by choice;
 * the page is left when the venue takes token or session no longer.
 */
import { admin, bearer, type Caller, type CallOptions, callerOf, type Endpoint } from '#client';
import { person } from '../session/person.ts';
import { createStore, useStore } from '../store/store.ts';
import { describeFailure, VenueError } from '../wire/failure.ts';
import { enterConsole } from '../wire/venue.ts';

export type OperatorState =
  | { readonly kind: 'out' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'refused'; readonly code: string; readonly text: string }
  | { readonly kind: 'in'; readonly acting: admin.OperatorAnswer };

/** What a call is for, and so which roles may make it. */
export type Duty = 'own' | 'run' | 'help' | 'read';

const NAME = 'outcry.operator';
const UNAUTHORIZED = 401;
/** The person is no operator any more. */
const OPERATOR_NEEDED = '60821';

/** Calls with the admin token; undefined for an operator by session. */
let byToken: Caller | undefined;
let reason = '';

export const operator = {
  state: createStore<OperatorState>({ kind: 'out' }),

  /** Enters if the venue takes the token; otherwise the state says why not. */
  async enter(given: string, isKept: boolean): Promise<void> {
    operator.state.set({ kind: 'checking' });
    try {
      const caller = callerOf({ url: '', sign: bearer(given) });
      const acting = await caller(admin.operator, {});
      byToken = caller;
      if (isKept) keep(given);
      operator.state.set({ kind: 'in', acting });
    } catch (error) {
      if (isUnknown(error)) forget();
      operator.state.set({ kind: 'refused', ...describeFailure(error) });
    }
  },

  /** Enters by the link that led here, the token that the tab has kept, or a person's session. */
  async resume(): Promise<void> {
    const code = takeCode();
    if (code !== undefined) return enterByLink(code);
    if (operator.state.get().kind !== 'out') return;
    const kept = keptToken();
    if (kept !== undefined) await operator.enter(kept, false);
    else await enterBySession();
  },

  leave(): void {
    byToken = undefined;
    forget();
    operator.state.set({ kind: 'out' });
  },

  /**
   * As in operator.call(admin.audit, {}). Rejects with VenueError. Calls that take their time, such
   * as the passing of a day, name how long to wait.
   */
  async call<Input, Answer>(
    endpoint: Endpoint<Input, Answer>,
    input: NoInfer<Input>,
    options: CallOptions = {},
  ): Promise<Answer> {
    const called = byToken;
    const headers = endpoint.method === 'GET' || reason === '' ? {} : reasonHeader(reason);
    try {
      return await (called ?? person.call)(endpoint, input, { ...options, headers });
    } catch (error) {
      if (isUnknown(error) && called === byToken) {
        operator.leave();
        operator.state.set({ kind: 'refused', ...describeFailure(error) });
      }
      throw error;
    }
  },

  /** Does something, and has the log say why. */
  async because<T>(why: string, act: () => Promise<T>): Promise<T> {
    reason = why.trim();
    try {
      return await act();
    } finally {
      reason = '';
    }
  },
};

/** Whether the role of the operator allows what this is for. */
export function useMay(duty: Duty): boolean {
  return useStore(operator.state, (now) => now.kind === 'in' && now.acting.duties.includes(duty));
}

/** Who operates; undefined before somebody does. */
export function useActing(): admin.OperatorAnswer | undefined {
  return useStore(operator.state, (now) => (now.kind === 'in' ? now.acting : undefined));
}

/** A page of somebody who has not signed in, or came here for the token, says nothing of it. */
async function enterBySession(): Promise<void> {
  try {
    await person.resume();
    if (person.state.get().kind !== 'in') return;
    operator.state.set({ kind: 'checking' });
    const acting = await person.call(admin.operator, {});
    operator.state.set({ kind: 'in', acting });
  } catch (error) {
    operator.state.set({ kind: 'refused', ...describeFailure(error) });
  }
}

/** Out of the address before anything else happens: a link works once. */
function takeCode(): string | undefined {
  const [name, code] = location.hash.slice(1).split('=');
  if (name !== 'enter' || code === undefined) return undefined;
  history.replaceState(null, '', location.pathname);
  return code;
}

/** The link is used up, so the tab keeps what it gave. */
async function enterByLink(code: string): Promise<void> {
  operator.state.set({ kind: 'checking' });
  try {
    await operator.enter(await enterConsole(code), true);
  } catch (error) {
    operator.state.set({ kind: 'refused', ...describeFailure(error) });
  }
}

/** Headers are ASCII: what is beyond is escaped as in an address. */
function reasonHeader(text: string): NonNullable<CallOptions['headers']> {
  return { 'x-outcry-reason': encodeURIComponent(text) };
}

function isUnknown(error: unknown): boolean {
  if (!(error instanceof VenueError)) return false;
  return error.status === UNAUTHORIZED || error.code === OPERATOR_NEEDED;
}

// Where storage is blocked the token lasts as long as the page.
function keep(given: string): void {
  try {
    sessionStorage.setItem(NAME, given);
  } catch {
    return;
  }
}

function forget(): void {
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    return;
  }
}

function keptToken(): string | undefined {
  try {
    return sessionStorage.getItem(NAME) ?? undefined;
  } catch {
    return undefined;
  }
}
