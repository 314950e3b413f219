/** How somebody who has signed in joins a competition. */
import { join } from '#competition';
import { accountId, isRefused, refuse } from '#domain';
import { refuseRight } from '#people';
import { type PersonEndpoint, personEndpoint } from '../endpoint.ts';
import { BASE } from '../people/context.ts';
import { secret } from '../people/fields.ts';
import { requiredText } from '../request.ts';
import { row, text } from '../row.ts';
import type { CompetitionDialectContext } from './context.ts';
import { displayName } from './fields.ts';
import { COMPETITION, JOIN_CODE } from './rows.ts';

const JOINED = row<Parameters<typeof COMPETITION.write>[0]>()({
  competitionId: text(
    'Competition id',
    COMPETITION.example.competitionId,
    ({ competitionId }) => competitionId,
  ),
  name: text('Name', COMPETITION.example.name, ({ terms }) => terms.name),
});

export const JOIN_ENDPOINTS = {
  joinCompetition: personEndpoint({
    method: 'POST',
    path: `${BASE}/competitions`,
    rate: { limit: 20, windowMs: 60_000 },
    summary:
      'Join a competition with an account, from its next round on; each round replaces the ' +
      'balances of the account by its starting money',
    request: {
      code: secret('The code of the competition'),
      account: requiredText('Account id; the person manages it'),
      name: displayName('What spectators see; made up when left out'),
    },
    response: JOINED,
    example: { request: { code: JOIN_CODE.example.code, account: '1', name: 'Ada' } },
    answer: async (context: CompetitionDialectContext, { code, account, name }, { session }) => {
      if (!/^[1-9][0-9]{0,14}$/.test(account)) return refuse('account_unknown');
      const id = accountId(Number(account));
      const refused = refuseRight(session, id, 'manage');
      if (refused !== undefined) return refused;
      const joined = await join(context.competitions, code, { accountId: id, name });
      return isRefused(joined) ? joined : JOINED.write(joined);
    },
  }),
} as const satisfies Record<string, PersonEndpoint<CompetitionDialectContext>>;
