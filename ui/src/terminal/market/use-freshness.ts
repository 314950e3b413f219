/** Whether the data of a stream are current. */
import { useStore } from '../../store/store.ts';
import { type StreamState, spotStream, swapStream } from '../../wire/streams.ts';
import type { Instrument } from '../context.ts';

/** True while the stream of the instrument is silent or being connected again. */
export function useIsStale({ kind }: Instrument): boolean {
  return useStore((kind === 'spot' ? spotStream : swapStream).state, isBroken);
}

function isBroken(state: StreamState): boolean {
  return state === 'stale' || state === 'connecting';
}
