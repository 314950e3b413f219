/** How somebody who has signed in joins a competition. */
import { joinByCode, joinOpen, ownCompetitions } from '#competition';
import { accountId, isRefused, refuse } from '#domain';
import { refuseRight } from '#people';
import { type PersonEndpoint, personEndpoint } from '../kit/endpoint.ts';
import { optionalText, requiredText } from '../kit/request.ts';
import { jsonList, listOf, row, text } from '../kit/row.ts';
import { BASE } from '../people/context.ts';
import { optionalSecret } from '../people/fields.ts';
import type { CompetitionDialectContext } from './context.ts';
import { displayName } from './fields.ts';
import { COMPETITION, JOIN_CODE, OWN_COMPETITION } from './rows.ts';

const JOINED = row<Parameters<typeof COMPETITION.write>[0]>()({
  competitionId: text(
    'Competition id',
    COMPETITION.example.competitionId,
    ({ competitionId }) => competitionId,
  ),
  name: text('Name', COMPETITION.example.name, ({ terms }) => terms.name),
});

/** A person has fewer accounts; more would make the question to the database too long. */
const OWN_ACCOUNTS_MAX = 500;

export const JOIN_ENDPOINTS = {
  ownCompetitions: personEndpoint({
    method: 'GET',
    path: `${BASE}/competitions`,
    rate: { limit: 60, windowMs: 60_000 },
    summary: 'Competitions in which accounts of the person take part, and those open to everybody',
    request: {},
    response: listOf(OWN_COMPETITION),
    answer: async ({ competitions }: CompetitionDialectContext, _asked, { session }) => {
      const own = session.managed.slice(0, OWN_ACCOUNTS_MAX);
      return jsonList(await ownCompetitions(competitions, own), OWN_COMPETITION.write);
    },
  }),
  joinCompetition: personEndpoint({
    method: 'POST',
    path: `${BASE}/competitions`,
    rate: { limit: 20, windowMs: 60_000 },
    summary:
      'Join a competition with an account, from its next round on; each round replaces the ' +
      'balances of the account by its starting money',
    request: {
      code: optionalSecret('A code of the competition'),
      competition: optionalText('Competition id, in place of a code, of one that anybody may join'),
      account: requiredText('Account id; the person manages it'),
      name: displayName('What spectators see; made up when left out'),
    },
    response: JOINED,
    example: { request: { code: JOIN_CODE.example.code, account: '1', name: 'Ada' } },
    answer: async (context: CompetitionDialectContext, asked, { session }) => {
      const { code, competition, account, name } = asked;
      if (!/^[1-9][0-9]{0,14}$/.test(account)) return refuse('account_unknown');
      const id = accountId(Number(account));
      const refused = refuseRight(session, id, 'manage');
      if (refused !== undefined) return refused;
      const joiner = { accountId: id, ownIds: session.managed, name };
      const { competitions } = context;
      const joined =
        code === '' && competition !== ''
          ? await joinOpen(competitions, competition, joiner)
          : await joinByCode(competitions, code, joiner);
      return isRefused(joined) ? joined : JOINED.write(joined);
    },
  }),
} as const satisfies Record<string, PersonEndpoint<CompetitionDialectContext>>;
