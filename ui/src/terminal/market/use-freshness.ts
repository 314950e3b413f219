/** Whether the data of the stream are current. */
import { useStore } from '../../store/store.ts';
import { type StreamState, streamState } from '../../wire/stream.ts';

/** True while the stream is silent or being connected again. */
export function useIsStale(): boolean {
  return useStore(streamState, isBroken);
}

function isBroken(state: StreamState): boolean {
  return state === 'stale' || state === 'connecting';
}
