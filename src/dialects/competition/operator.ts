/** What the operator does with competitions, under /admin/v1. */

import type { CompetitionTerms } from '#competition';
import {
  actOnRound,
  addEntries,
  COMPETITION_LIMITS,
  type CompetitionSeen,
  cancelCompetition,
  changeCompetition,
  changeEntry,
  changeRound,
  dropJoinCode,
  listCompetitions,
  makeCompetition,
  makeJoinCode,
  makeRound,
  type NewEntry,
  type NewRound,
  type RoundAction,
  removeCompetition,
  removeEntry,
  seeCompetition,
} from '#competition';
import { type AccountId, isRefused, type Refused } from '#domain';
import { BASE } from '../admin/context.ts';
import { given, textList } from '../admin/fields.ts';
import { onOpenAccount } from '../admin/payment-accounts.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { optionalText, wholeNumber } from '../kit/request.ts';
import { jsonList, listOf } from '../kit/row.ts';
import { count, shownName } from '../people/fields.ts';
import { DONE } from '../people/rows.ts';
import { accountsOf, type CompetitionDialectContext, competitionIn, numberIn } from './context.ts';
import { changedName, displayName, TERMS } from './fields.ts';
import { COMPETITION, COMPETITION_SEEN, JOIN_CODE, ROUND } from './rows.ts';

const COMPETITIONS = `${BASE}/competitions`;
const PATH = `${COMPETITIONS}/:competition`;
const ENTRY_PATH = `${PATH}/entries/:entry`;
const ROUND_PATH = `${PATH}/rounds/:round`;
const SAMPLE_MS = 10_000;
const DURATION_MS = 3_600_000;

const MONEY_EXAMPLE = [{ coin: 'USDT', amount: '10000', wallet: 'spot' }];

type Context = CompetitionDialectContext;

async function shown(seen: Promise<CompetitionSeen | Refused>): Promise<string | Refused> {
  const found = await seen;
  return isRefused(found) ? found : COMPETITION_SEEN.write(found);
}

function action(name: RoundAction, summary: string) {
  return operatorEndpoint({
    method: 'POST',
    path: `${ROUND_PATH}/${name}`,
    duty: 'run',
    summary,
    request: {},
    response: ROUND,
    answer: async ({ competitions }: Context, _asked, { path }) => {
      const number = numberIn(path.round);
      if (isRefused(number)) return number;
      const round = await actOnRound(competitions, competitionIn(path), number, name);
      return isRefused(round) ? round : ROUND.write(round);
    },
  });
}

export const COMPETITION_OPERATOR_ENDPOINTS = {
  competitions: operatorEndpoint({
    method: 'GET',
    path: COMPETITIONS,
    summary: 'Competitions, newest first',
    request: {},
    response: listOf(COMPETITION),
    answer: async ({ competitions }: Context) =>
      jsonList(await listCompetitions(competitions), COMPETITION.write),
  }),
  makeCompetition: operatorEndpoint({
    method: 'POST',
    path: COMPETITIONS,
    duty: 'run',
    summary: 'Make a competition',
    request: { name: displayName('Name', true), ...TERMS },
    response: COMPETITION,
    example: { request: { name: 'Autumn cup', money: MONEY_EXAMPLE } },
    answer: async ({ competitions }: Context, asked) => {
      const { name, money = [], coin, sampleMs = SAMPLE_MS, rankBy = 'return' } = asked;
      const { description = '', joinBy = 'code' } = asked;
      const made = await makeCompetition(competitions, {
        ...{ name, description, joinBy, money, sampleMs, rankBy },
        coin: coin === '' ? (money[0]?.coin ?? '') : coin.toUpperCase(),
        holdsAccounts: asked.holdsAccounts ?? true,
        isPublic: asked.isPublic ?? true,
      });
      return isRefused(made) ? made : COMPETITION.write(made);
    },
  }),
  competition: operatorEndpoint({
    method: 'GET',
    path: PATH,
    summary: 'One competition with its accounts and rounds',
    request: {},
    response: COMPETITION_SEEN,
    answer: ({ competitions }: Context, _asked, { path }) =>
      shown(seeCompetition(competitions, competitionIn(path))),
  }),
  changeCompetition: operatorEndpoint({
    method: 'PATCH',
    path: PATH,
    duty: 'run',
    summary:
      'Change what is given: name, description, isPublic and joinBy at any time, coin and rankBy ' +
      'until a round has started, the rest while none prepares or runs',
    request: { name: displayName('Name'), ...TERMS },
    response: COMPETITION_SEEN,
    example: { request: { isPublic: false } },
    answer: ({ competitions }: Context, asked, { path }) => {
      const { name, coin, money, ...others } = asked;
      const changes = given<CompetitionTerms>({
        ...others,
        money,
        name: name === '' ? undefined : name,
        coin: coin === '' ? undefined : coin.toUpperCase(),
      });
      return shown(changeCompetition(competitions, competitionIn(path), changes));
    },
  }),
  removeCompetition: operatorEndpoint({
    method: 'DELETE',
    path: PATH,
    duty: 'run',
    summary: 'Remove a competition with its rounds and results',
    request: {},
    response: DONE,
    answer: async ({ competitions }: Context, _asked, { path }) =>
      (await removeCompetition(competitions, competitionIn(path))) ?? DONE.write(),
  }),
  cancelCompetition: operatorEndpoint({
    method: 'POST',
    path: `${PATH}/cancel`,
    duty: 'run',
    summary: 'Call a competition off for good: rounds under way have no result, results stay',
    request: {},
    response: COMPETITION_SEEN,
    answer: ({ competitions }: Context, _asked, { path }) =>
      shown(cancelCompetition(competitions, competitionIn(path))),
  }),
  addEntries: operatorEndpoint({
    method: 'POST',
    path: `${PATH}/entries`,
    duty: 'run',
    summary: 'Let accounts take part, from the next round on; those who do already are left alone',
    request: {
      accounts: textList('Accounts by id or name', COMPETITION_LIMITS.entriesMax, () => undefined),
      people: textList(
        'People by id or e-mail address, each with the first account',
        COMPETITION_LIMITS.entriesMax,
        () => undefined,
      ),
      team: displayName('Team of all of these'),
      name: displayName('What spectators see, of a single account; otherwise Trader 1 and so on'),
    },
    response: COMPETITION_SEEN,
    example: { request: { accounts: ['1', 'demo'], team: 'Reds' } },
    answer: async (context: Context, { accounts, people, team, name }, { path }) => {
      const ofNames = await namedAccounts(context, accounts);
      if (isRefused(ofNames)) return ofNames;
      const ofPeople = await accountsOf(context, people);
      if (isRefused(ofPeople)) return ofPeople;
      const all = [...new Set([...ofNames, ...ofPeople])];
      const entries = all.map((accountId): NewEntry => {
        return { accountId, team, name: all.length === 1 ? name : '' };
      });
      return shown(addEntries(context.competitions, competitionIn(path), entries));
    },
  }),
  changeEntry: operatorEndpoint({
    method: 'PATCH',
    path: ENTRY_PATH,
    duty: 'run',
    summary: 'Change name or team, from the next round on',
    request: {
      name: displayName('What spectators see'),
      team: changedName('Team; empty for none'),
    },
    response: COMPETITION_SEEN,
    example: { request: { name: 'Ada', team: 'Reds' } },
    answer: ({ competitions }: Context, { name, team }, { path }) => {
      const changes = given<{ name: string; team: string }>({
        name: name === '' ? undefined : name,
        team,
      });
      return shown(changeEntry(competitions, competitionIn(path), path.entry ?? '', changes));
    },
  }),
  removeEntry: operatorEndpoint({
    method: 'DELETE',
    path: ENTRY_PATH,
    duty: 'run',
    summary: 'Take an account out; not while a round prepares or runs',
    request: {},
    response: COMPETITION_SEEN,
    answer: ({ competitions }: Context, _asked, { path }) =>
      shown(removeEntry(competitions, competitionIn(path), path.entry ?? '')),
  }),
  makeCompetitionCode: operatorEndpoint({
    method: 'POST',
    path: `${PATH}/codes`,
    duty: 'run',
    summary: 'Make a code to join by; the answer is the only place it is ever shown',
    request: {
      uses: count('For so many accounts (1)', { digits: 3, fallback: 1 }),
      days: count('Days that it is good for (7)', { digits: 3, fallback: 7 }),
      label: shownName('What it is for'),
    },
    response: JOIN_CODE,
    example: { request: { uses: 30, days: 7, label: 'group A' } },
    answer: async ({ competitions }: Context, asked, { path, operator: { id, name } }) => {
      const madeBy = { id, name };
      const made = await makeJoinCode(competitions, competitionIn(path), madeBy, asked);
      return isRefused(made) ? made : JOIN_CODE.write(made);
    },
  }),
  dropCompetitionCode: operatorEndpoint({
    method: 'DELETE',
    path: `${PATH}/codes/:code`,
    duty: 'run',
    summary: 'Revoke a code; who has joined by it stays',
    request: {},
    response: COMPETITION_SEEN,
    answer: ({ competitions }: Context, _asked, { path }) =>
      shown(dropJoinCode(competitions, competitionIn(path), path.code ?? '')),
  }),
  makeRound: operatorEndpoint({
    method: 'POST',
    path: `${PATH}/rounds`,
    duty: 'run',
    summary: 'Plan the next round; accounts are made equal 15 seconds before it starts',
    request: {
      name: displayName('Name'),
      startTime: wholeNumber('When it starts, in milliseconds (now)'),
      startsInMs: wholeNumber('How long from now it starts, in place of startTime'),
      durationMs: wholeNumber('How long it lasts (3600000)'),
      scenario: optionalText('Scenario that drives the market, of a sandbox'),
    },
    response: ROUND,
    example: { request: { name: 'Qualifying', durationMs: 3_600_000 } },
    answer: async ({ competitions }: Context, asked, { path, nowMs, operator }) => {
      const { name, startTime, startsInMs, durationMs = DURATION_MS, scenario } = asked;
      const startMs = startTime ?? (startsInMs === undefined ? undefined : nowMs + startsInMs);
      const wanted: NewRound = {
        ...{ name, durationMs, startMs, madeBy: operator },
        scenario: scenario === '' ? undefined : scenario,
      };
      const round = await makeRound(competitions, competitionIn(path), wanted);
      return isRefused(round) ? round : ROUND.write(round);
    },
  }),
  changeRound: operatorEndpoint({
    method: 'PATCH',
    path: ROUND_PATH,
    duty: 'run',
    summary:
      'Change a name at any time, start and duration until a round starts, its end meanwhile',
    request: {
      name: changedName('Name; may be empty'),
      startTime: wholeNumber('When it starts, in milliseconds'),
      durationMs: wholeNumber('How long it lasts'),
      endTime: wholeNumber('When a round that runs ends, in milliseconds; later than now'),
    },
    response: ROUND,
    example: { request: { name: 'Qualifying', durationMs: 7_200_000 } },
    answer: async ({ competitions }: Context, asked, { path }) => {
      const number = numberIn(path.round);
      if (isRefused(number)) return number;
      const { name, startTime: startMs, durationMs, endTime: endMs } = asked;
      const changes = { name, startMs, durationMs, endMs };
      const round = await changeRound(competitions, competitionIn(path), number, changes);
      return isRefused(round) ? round : ROUND.write(round);
    },
  }),
  prepareRound: action('prepare', 'Make the accounts flat and equal now; the start stays as it is'),
  startRound: action('start', 'Start a round as soon as all accounts are equal'),
  forceRound: action('force', 'Start a round without the accounts that are not equal'),
  endRound: action('end', 'End a round now'),
  cancelRound: action('cancel', 'Call a round off; it has no result'),
  closeRound: action('close', 'Let the accounts of a round that has ended trade again'),
} as const satisfies Record<string, OperatorEndpoint<Context>>;

function namedAccounts(
  { venue }: Context,
  names: readonly string[],
): Promise<readonly AccountId[] | Refused> {
  return venue.read((state) => {
    const found: AccountId[] = [];
    for (const name of names) {
      const account = onOpenAccount(state, name, ({ accountId }) => accountId);
      if (isRefused(account)) return account;
      found.push(account);
    }
    return found;
  });
}
