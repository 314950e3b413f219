/** How people come in here, as the venue says. */

import { useReading } from '../store/use-reading.ts';
import { byPerson } from '../wire/person.ts';
import type { SignUpMode } from '../wire/venue.ts';

export interface PeopleRules {
  readonly signUp: SignUpMode;
  /** Whether links come by mail. */
  readonly mail: boolean;
  readonly passwordLengthMin: number;
  readonly passwordLengthMax: number;
}

/** Where a link is found that was asked for. */
export type LinkWay = 'mail' | 'terminal' | 'operator';

const PATH = '/people/v1/venue';

export function useRules(): PeopleRules | undefined {
  return useReading((path) => byPerson<PeopleRules>({ method: 'GET', path }), PATH).data;
}
