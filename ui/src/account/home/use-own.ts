/** Reads from what belongs to the person: once, again on demand, or again and again. */
import { person } from '../../session/person.ts';
import { type Loaded, useReading } from '../../store/use-reading.ts';

export function useOwn<Data>(path: string | undefined, everyMs = 0): Loaded<Data> {
  return useReading((asked) => person.call<Data>('GET', asked), path, everyMs);
}
