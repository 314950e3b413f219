/**
 * The dialect of competitions: what spectators see under /competition/v1, what the operator does
 * under /admin/v1, how people join under /people/v1, and leaderboards as CSV.
 */

import type { Dialect } from '#api';
import type { Admitters } from '../access/admitters.ts';
import { admittedRoutesOf } from '../kit/endpoint.ts';
import { HOUSE_FORM } from '../kit/house-form.ts';
import type { CompetitionOptions } from './context.ts';
import { COMPETITION_OPERATOR_ENDPOINTS } from './operator.ts';
import { JOIN_ENDPOINTS } from './person.ts';
import { SPECTATOR_ENDPOINTS } from './public.ts';

/** With the admin token, beside the calls of the operator's own dialect. */
export { COMPETITION_OPERATOR_ENDPOINTS };

export const COMPETITION_ENDPOINTS = { ...SPECTATOR_ENDPOINTS, ...JOIN_ENDPOINTS };

export function competitionDialect(options: CompetitionOptions, admitters: Admitters): Dialect {
  return {
    ...HOUSE_FORM,
    name: 'competition',
    prefixes: ['/competition/'],
    routes: (services) => {
      const context = { ...services, ...options };
      return [
        ...admittedRoutesOf(COMPETITION_ENDPOINTS, context, admitters),
        ...admittedRoutesOf(COMPETITION_OPERATOR_ENDPOINTS, context, admitters),
      ];
    },
  };
}
