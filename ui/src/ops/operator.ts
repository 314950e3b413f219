/**
 * The operator's token and calls with it. The token is in the memory of the page, and in the tab's
 * session storage only by choice; the page is left when the venue takes it no longer.
 */
import { createStore } from '../store/store.ts';
import { describeFailure, VenueError } from '../wire/failure.ts';
import type { Method } from '../wire/http.ts';
import { admin } from '../wire/rest.ts';

export type OperatorState =
  | { readonly kind: 'out' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'refused'; readonly code: string; readonly text: string }
  | { readonly kind: 'in' };

const NAME = 'outcry.operator';
const UNAUTHORIZED = 401;

let token = '';

export const operator = {
  state: createStore<OperatorState>({ kind: 'out' }),

  /** Enters if the venue takes the token; otherwise the state says why not. */
  async enter(given: string, isKept: boolean): Promise<void> {
    operator.state.set({ kind: 'checking' });
    try {
      await admin(given, 'GET', '/admin/v1/accounts?limit=1');
      token = given;
      if (isKept) keep(given);
      operator.state.set({ kind: 'in' });
    } catch (error) {
      if (isUnknownToken(error)) forget();
      operator.state.set({ kind: 'refused', ...describeFailure(error) });
    }
  },

  /** Enters with the token the tab has kept, if there is one. */
  async resume(): Promise<void> {
    const kept = keptToken();
    if (kept !== undefined && operator.state.get().kind === 'out') {
      await operator.enter(kept, false);
    }
  },

  leave(): void {
    token = '';
    forget();
    operator.state.set({ kind: 'out' });
  },

  /**
   * As in operator.call<Audit>('GET', '/admin/v1/audit'). Rejects with VenueError. Calls that take
   * their time, such as the passing of a day, name how long to wait.
   */
  async call<Data>(
    method: Method,
    path: string,
    input?: object,
    answerMaxMs?: number,
  ): Promise<Data> {
    const called = token;
    try {
      return await admin<Data>(called, method, path, input, answerMaxMs);
    } catch (error) {
      if (isUnknownToken(error) && called === token) {
        operator.leave();
        operator.state.set({ kind: 'refused', ...describeFailure(error) });
      }
      throw error;
    }
  },
};

function isUnknownToken(error: unknown): boolean {
  return error instanceof VenueError && error.status === UNAUTHORIZED;
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
