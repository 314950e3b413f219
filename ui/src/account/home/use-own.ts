/** Reads from what belongs to the person: once, again on demand, or again and again. */
import { type Endpoint, targetOf } from '#client';
import { person } from '../../session/person.ts';
import { type Loaded, useReading } from '../../store/use-reading.ts';

export function useOwn<Input, Answer>(
  endpoint: Endpoint<Input, Answer>,
  input: NoInfer<Input>,
  everyMs = 0,
): Loaded<Answer> {
  return useReading(() => person.call(endpoint, input), targetOf(endpoint, input), everyMs);
}
