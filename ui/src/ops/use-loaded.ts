/** Reads from the operator's API into a component: once, again on demand, or again and again. */
import { type Endpoint, targetOf } from '#client';
import { type Loaded, useReading } from '../store/use-reading.ts';
import { operator } from './operator.ts';

export type { Failure, Loaded } from '../store/use-reading.ts';

/** Makes the call, every so many milliseconds while the page can be seen if that is given. */
export function useLoaded<Input, Answer>(
  endpoint: Endpoint<Input, Answer>,
  input: NoInfer<Input>,
  everyMs = 0,
): Loaded<Answer> {
  return useReading(() => operator.call(endpoint, input), targetOf(endpoint, input), everyMs);
}
