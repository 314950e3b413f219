/**
 * The session of a person who has signed in by e-mail. What the page knows of it is the CSRF token,
 * who it is and which accounts may be used; a mark in the browser's storage says that there may be
 * one, so that pages of strangers need not ask.
 */
import { type CallOptions, callerOf, type Endpoint, people } from '#client';
import { createStore, type Store, useStore } from '../store/store.ts';
import type { Method } from '../wire/http.ts';
import {
  isCode,
  mayBeOver,
  mayBeRenewed,
  type PersonSession,
  SIGN_IN_NEEDED,
} from '../wire/person.ts';

export type PersonState =
  | { readonly kind: 'unknown' }
  /** hasEnded: it was not the reader of this page who signed out. */
  | { readonly kind: 'out'; readonly hasEnded: boolean }
  | { readonly kind: 'in'; readonly session: PersonSession };

const MARK = 'outcry.person';

const state: Store<PersonState> = createStore<PersonState>({ kind: 'unknown' });

export const person = {
  state,

  /** Finds out whether there is a session. Rejects when the venue cannot be asked. */
  async resume(): Promise<void> {
    if (mayHaveSession()) await read();
    else state.set({ kind: 'out', hasEnded: false });
  },

  /** A session has begun, or goes on under another token. */
  adopt(session: PersonSession): void {
    mark(session.sessionId);
    state.set({ kind: 'in', session });
  },

  /** Looks again, as after a stream was closed or an account was given. */
  async check(): Promise<void> {
    await read();
  },

  /** A call with the session, or before there is one. Rejects with VenueError. */
  call<Input, Answer>(
    endpoint: Endpoint<Input, Answer>,
    input: NoInfer<Input>,
    options?: CallOptions,
  ): Promise<Answer> {
    return withToken(endpoint.method, () => call(endpoint, input, options));
  },

  /** The person was deleted, and the session with it. */
  left(): void {
    leave(false);
  },

  async signOut(): Promise<void> {
    try {
      await person.call(people.signOut, {});
    } catch (error) {
      if (!isCode(error, SIGN_IN_NEEDED)) throw error;
    }
    leave(false);
  },
};

export function usePerson(): PersonState {
  return useStore(state);
}

/** Looks again whenever another page of this browser has signed in or out. */
export function followOtherPages(): void {
  addEventListener('storage', ({ key }) => {
    if (key === MARK) void read().catch(() => undefined);
  });
}

/** The browser sends the cookie, no script sees it; the token is the page's. */
const call = callerOf({
  url: '',
  sign: {
    hasCookie: true,
    headers: ({ method }): Record<string, string> => {
      const csrfToken = method === 'GET' ? undefined : tokenNow();
      return csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken };
    },
  },
});

async function withToken<Answer>(method: Method, send: () => Promise<Answer>): Promise<Answer> {
  const csrfToken = tokenNow();
  try {
    return await send();
  } catch (error) {
    if (mayBeOver(error) && state.get().kind === 'in') await read();
    if (!mayBeRenewed(error) || method === 'GET') throw error;
    await read();
    // The same token: it was not that. Another one: nothing was executed, so it is sent again.
    if (tokenNow() === csrfToken) throw error;
    return send();
  }
}

function tokenNow(): string | undefined {
  const now = state.get();
  return now.kind === 'in' ? now.session.csrfToken : undefined;
}

let reading: Promise<void> | undefined;

/** Calls at the same time share one question. */
function read(): Promise<void> {
  reading ??= ask().finally(() => {
    reading = undefined;
  });
  return reading;
}

async function ask(): Promise<void> {
  try {
    person.adopt(await call(people.session, {}));
  } catch (error) {
    if (!isCode(error, SIGN_IN_NEEDED)) throw error;
    leave(true);
  }
}

function leave(hasEnded: boolean): void {
  mark(undefined);
  state.set({ kind: 'out', hasEnded });
}

// Where storage is blocked, the venue is asked.
function mayHaveSession(): boolean {
  try {
    return localStorage.getItem(MARK) !== null;
  } catch {
    return true;
  }
}

function mark(sessionId: string | undefined): void {
  try {
    if (sessionId === undefined) localStorage.removeItem(MARK);
    else if (localStorage.getItem(MARK) !== sessionId) localStorage.setItem(MARK, sessionId);
  } catch {
    return;
  }
}
