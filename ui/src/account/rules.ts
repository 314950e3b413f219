/** How people come in here, as the venue says. */
import { useReading } from '../store/use-reading.ts';
import { byPerson } from '../wire/person.ts';

export interface PeopleRules {
  readonly signUp: 'open' | 'invitation' | 'closed';
  /** Whether links come by mail, else from the operator. */
  readonly mail: boolean;
  readonly passwordLengthMin: number;
  readonly passwordLengthMax: number;
}

const PATH = '/people/v1/venue';

export function useRules(): PeopleRules | undefined {
  return useReading((path) => byPerson<PeopleRules>({ method: 'GET', path }), PATH).data;
}
