/**
 * Who trades: an account of a person who has signed in, or a key. The key lives in this module's
 * memory, by choice also in the tab's session storage; secrets go nowhere else. It decides nothing:
 * the venue checks every call.
 */
import {
  type Caller,
  callerOf,
  type Endpoint,
  hmac,
  native,
  type Signer,
  type StreamLogin,
} from '#client';
import { createStore, type Store, useStore } from '../store/store.ts';
import { venueTimeMs } from '../wire/clock.ts';
import { describeFailure } from '../wire/failure.ts';
import { withNames } from '../wire/market-names.ts';
import type { Access } from '../wire/person.ts';
import { signed } from '../wire/rest.ts';
import type { Credential } from '../wire/signing.ts';
import { loginFault, stream } from '../wire/stream.ts';
import { type Login, spotStream, swapStream } from '../wire/streams.ts';
import { chosenAccount } from './chosen-account.ts';
import { forgetCredential, keepCredential, keptCredential } from './kept-credential.ts';
import { followOtherPages, person } from './person.ts';
import { goSignInAgain } from './way-back.ts';

export type SessionState =
  | { readonly kind: 'signed_out' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'refused'; readonly code: string; readonly text: string }
  | { readonly kind: 'signed_in'; readonly key: string }
  | { readonly kind: 'signed_in'; readonly account: Access };

const SIGNED_OUT: SessionState = { kind: 'signed_out' };

type Trader =
  | { readonly by: 'key'; readonly credential: Credential; readonly call: Caller }
  | { readonly by: 'session'; readonly accountId: string };

let caller: Trader | undefined;
const state: Store<SessionState> = createStore<SessionState>(SIGNED_OUT);

export const session = {
  state,

  /**
   * Signs in if the venue takes the key; otherwise the state says why not. With `isKept` a reload
   * of the tab signs in again.
   */
  async signIn(given: Credential, isKept: boolean): Promise<boolean> {
    state.set({ kind: 'checking' });
    const call = callerOf({ url: '', sign: signerOf(given) });
    try {
      await call(native.account, {});
    } catch (error) {
      state.set({ kind: 'refused', ...describeFailure(error) });
      return false;
    }
    if (isKept) keepCredential(given);
    else forgetCredential();
    use({ by: 'key', credential: given, call });
    state.set({ kind: 'signed_in', key: given.key });
    return true;
  },

  /** A person signs out of the venue, on every page of the browser; a key of this page only. */
  async signOut(): Promise<void> {
    if (caller?.by === 'session') await person.signOut();
    forgetCredential();
    use(undefined);
    state.set(SIGNED_OUT);
  },

  /** Signs in with the key of the tab's session storage, or by the session of the browser. */
  async resume(): Promise<void> {
    const kept = keptCredential();
    if (kept !== undefined) await session.signIn(kept, true);
    followOtherPages();
    session.followPerson();
    if (kept === undefined) await person.resume().catch(() => undefined);
  },

  /** From now on the chosen account of the person is signed in. Returns how to stop. */
  followPerson(): () => void {
    followPerson();
    const stops = [person.state.subscribe(followPerson), chosenAccount.subscribe(followPerson)];
    return () => {
      for (const stop of stops) stop();
      use(undefined);
      state.set(SIGNED_OUT);
    };
  },

  /** A private call, as in session.call<Order[]>('POST', path, body). Rejects with VenueError. */
  call<Data>(method: 'GET' | 'POST', path: string, input?: object): Promise<Data> {
    if (caller === undefined) return Promise.reject(new Error('nobody is signed in'));
    const named = input && withNames(input);
    if (caller.by === 'key') return signed<Data>(caller.credential, method, path, named);
    return person.trade<Data>(method, path, named, caller.accountId);
  },

  /** A call of the house's own API, as in session.ask(native.account, {}). As `call`. */
  ask<Input, Answer>(endpoint: Endpoint<Input, Answer>, input: NoInfer<Input>): Promise<Answer> {
    if (caller === undefined) return Promise.reject(new Error('nobody is signed in'));
    if (caller.by === 'key') return caller.call(endpoint, input);
    return person.call(endpoint, input, { headers: { 'x-outcry-account': caller.accountId } });
  },
};

/** Follows who is signed in. */
export function useSession(): SessionState {
  return useStore(state);
}

/** Whether an account is signed in: private parts are shown only then. */
export function useIsSignedIn(): boolean {
  return useStore(state, ({ kind }) => kind === 'signed_in');
}

/** The account of the person who has signed in; undefined for a key and for nothing. */
export function useAccount(): Access | undefined {
  return useStore(state, (now) => ('account' in now ? now.account : undefined));
}

/** What is signed in, by a name that another key or account has not; undefined for nothing. */
export function useWho(): string | undefined {
  return useStore(state, (now) => {
    if (now.kind !== 'signed_in') return undefined;
    return 'key' in now ? `key ${now.key}` : `account ${now.account.accountId}`;
  });
}

/** The session of the person has begun, changed or ended, or another account was chosen. */
function followPerson(): void {
  const now = person.state.get();
  if (caller?.by === 'key') return;
  const account = now.kind === 'in' ? accountOf(now.session.accounts) : undefined;
  if (account !== undefined) {
    if (account.accountId !== caller?.accountId) {
      use({ by: 'session', accountId: account.accountId });
    }
    state.set({ kind: 'signed_in', account });
    return;
  }
  if (caller === undefined) return;
  use(undefined);
  state.set(SIGNED_OUT);
  if (now.kind === 'out' && now.hasEnded) goSignInAgain();
}

/** The one that was chosen, else the first. */
function accountOf(accounts: readonly Access[]): Access | undefined {
  const chosen = chosenAccount.get();
  return accounts.find(({ accountId }) => accountId === chosen) ?? accounts[0];
}

function use(next: Trader | undefined): void {
  caller = next;
  const login = loginOf(next);
  spotStream.login(login);
  swapStream.login(login);
  loginFault.set(undefined);
  stream.login(streamLoginOf(next));
}

function streamLoginOf(next: Trader | undefined): StreamLogin | undefined {
  if (next === undefined) return undefined;
  if (next.by === 'key') return { sign: hmac(next.credential) };
  return {
    account: next.accountId,
    onEnded: () => void person.check().catch(() => undefined),
  };
}

function loginOf(next: Trader | undefined): Login | undefined {
  if (next?.by !== 'session') return next;
  return { ...next, onClosed: () => void person.check().catch(() => undefined) };
}

/** By the clock of the venue, which the page measures. */
function signerOf(credential: Credential): Signer {
  const { headers } = hmac(credential);
  return { headers: async (call) => headers({ ...call, timeMs: await venueTimeMs() }) };
}
