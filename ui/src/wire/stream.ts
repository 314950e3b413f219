/** The page's connection to the stream of the venue, and how it is. */
import { type StreamState, VenueStream } from '#client';
import { createStore, type Store } from '../store/store.ts';
import { describeFailure } from './failure.ts';

export type { StreamState } from '#client';

export const streamState: Store<StreamState> = createStore<StreamState>('closed');

/** Why the venue refused the login of the key; undefined while it has not. */
export const loginFault: Store<string | undefined> = createStore<string | undefined>(undefined);

export const stream = new VenueStream({
  get url() {
    return location.origin;
  },
  onState: (state) => streamState.set(state),
  onRefused: (refused, what) => {
    if (what === 'login') loginFault.set(describeFailure(refused).text);
  },
});

/** The browser says when the network goes or comes, and when a page is looked at again. */
function look(): void {
  if (document.visibilityState === 'visible') stream.look(navigator.onLine);
}

addEventListener('online', look);
addEventListener('offline', look);
document.addEventListener('visibilitychange', look);
