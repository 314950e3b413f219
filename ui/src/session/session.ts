/**
 * Who is signed in. The key lives in this module's memory, by choice also in the tab's session
 * storage; secrets go nowhere else. It decides nothing: the venue checks every signature.
 */
import { createStore, type Store, useStore } from '../store/store.ts';
import { describeFailure } from '../wire/failure.ts';
import { signed } from '../wire/rest.ts';
import type { Credential } from '../wire/signing.ts';
import { spotStream, swapStream } from '../wire/streams.ts';
import { forgetCredential, keepCredential, keptCredential } from './kept-credential.ts';

export type SessionState =
  | { readonly kind: 'signed_out' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'refused'; readonly code: string; readonly text: string }
  | { readonly kind: 'signed_in'; readonly key: string };

const SIGNED_OUT: SessionState = { kind: 'signed_out' };

let credential: Credential | undefined;
const state: Store<SessionState> = createStore<SessionState>(SIGNED_OUT);

export const session = {
  state,

  /**
   * Signs in if the venue takes the key; otherwise the state says why not. With `isKept` a reload
   * of the tab signs in again.
   */
  async signIn(given: Credential, isKept: boolean): Promise<boolean> {
    state.set({ kind: 'checking' });
    try {
      await signed(given, 'GET', '/api/spot/v1/account/assets');
    } catch (error) {
      state.set({ kind: 'refused', ...describeFailure(error) });
      return false;
    }
    if (isKept) keepCredential(given);
    else forgetCredential();
    use(given);
    state.set({ kind: 'signed_in', key: given.key });
    return true;
  },

  signOut(): void {
    forgetCredential();
    use(undefined);
    state.set(SIGNED_OUT);
  },

  /** Signs in with what the tab's session storage has, if it has anything. */
  async resume(): Promise<void> {
    const kept = keptCredential();
    if (kept !== undefined) await session.signIn(kept, true);
  },

  /** A signed call, as in session.call<Order[]>('POST', path, body). Rejects with VenueError. */
  call<Data>(method: 'GET' | 'POST', path: string, input?: object): Promise<Data> {
    if (credential === undefined) return Promise.reject(new Error('nobody is signed in'));
    return signed<Data>(credential, method, path, input);
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

function use(next: Credential | undefined): void {
  credential = next;
  spotStream.login(next);
  swapStream.login(next);
}
