/** Reads from the operator's API into a component: once, again on demand, or again and again. */
import { type Loaded, useReading } from '../store/use-reading.ts';
import { operator } from './operator.ts';

export type { Failure, Loaded } from '../store/use-reading.ts';

/** Reads the path, every so many milliseconds while the page can be seen if that is given. */
export function useLoaded<Data>(path: string | undefined, everyMs = 0): Loaded<Data> {
  return useReading((asked) => operator.call<Data>('GET', asked), path, everyMs);
}
