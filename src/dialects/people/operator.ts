/** What operators do for people, under /admin/v1. */
import { isRefused, LIMITS, type Refused, refuse } from '#domain';
import {
  dropInvitation,
  endSessionOf,
  endSessionsOf,
  eventsOf,
  giveAccess,
  type HandedLink,
  handOutLink,
  type Invitation,
  LINK_KINDS,
  liftSignInWait,
  listInvitations,
  listPeople,
  type MadeInvitation,
  makeInvitation,
  makePerson,
  movesMoney,
  type Person,
  type PersonSeen,
  refuseForOperators,
  removeFactor,
  resetByOperator,
  seePerson,
  sessionsOf,
  setSuspended,
  takeAccessAway,
  type WaitingLink,
  waitingLinks,
} from '#people';
import { BASE, onAccount } from '../admin/context.ts';
import { flag } from '../admin/fields.ts';
import { mayGrant } from '../admin/granting.ts';
import { onOpenAccount } from '../admin/payment-accounts.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { optionalText, pageLimit, wholeNumber } from '../kit/request.ts';
import {
  columnsOf,
  encoded,
  jsonList,
  listOf,
  oneOf,
  row,
  rows,
  text,
  timeMs,
  timeMsOrZero,
  truth,
  whole,
} from '../kit/row.ts';
import type { PeopleDialectContext } from './context.ts';
import { count, EMAIL_FIELD, LANGUAGE_FIELD, RIGHTS_FIELD, shownName } from './fields.ts';
import { ACCESS, DONE, ENDED, EVENT, KEPT_SESSION, PERSON_ID } from './rows.ts';

const PEOPLE = `${BASE}/people`;
const PERSON_PATH = `${PEOPLE}/:person`;
const LINKS = `${BASE}/people-links`;
const STATES = ['pending', 'active', 'suspended'] as const;
const LINK_PATH = '/account#welcome=q7Yc0sQn5vX2bM8kZ4tR6wP1dF3gH9jL0aS7uE5iO2c';

const PERSON = row<Person>()({
  personId: text('Person id', PERSON_ID, ({ personId }) => personId),
  email: text('E-mail address', 'ada@example.com', ({ email }) => email),
  name: text('Name; may be empty', 'Ada', ({ name }) => name),
  state: oneOf(STATES, 'pending until the address is confirmed', 'active', ({ state }) => state),
  secondFactor: truth('Has a second factor', false, (one) => one.sealedFactor !== undefined),
  cTime: timeMs('When it came in', TIME_MS, ({ createdMs }) => createdMs),
});

const PERSON_SEEN = row<PersonSeen>()({
  ...columnsOf(PERSON, ({ person }: PersonSeen) => person),
  sessions: whole('Sessions that are open', 1, ({ sessionsCount }) => sessionsCount),
  signInWaitsUntil: timeMsOrZero(
    'Until when guesses hold signing in at the address off somewhere; 0 if they do not',
    0,
    ({ signInWaitsUntilMs }: PersonSeen) => signInWaitsUntilMs,
  ),
  accounts: rows(ACCESS, ({ access }: PersonSeen) => access),
});

const LINK = row<WaitingLink>()({
  linkId: text('Link id; not what opens it', PERSON_ID, ({ linkId }) => linkId),
  kind: oneOf(LINK_KINDS, 'What it is for', 'welcome', ({ kind }) => kind),
  personId: text('Whose it is', PERSON_ID, ({ personId }) => personId),
  email: text('Where it goes', 'ada@example.com', ({ email }) => email),
  mailed: truth('A mail carries it', false, ({ isMailed }) => isMailed),
  madeBy: text(
    'Which operator has handed it out; empty while it waits',
    'ada@example.com',
    ({ madeBy }) => madeBy.name,
  ),
  cTime: timeMs('When it was made', TIME_MS, ({ createdMs }) => createdMs),
  expiresTime: timeMs('Until when', TIME_MS, ({ expiresMs }) => expiresMs),
});

const MADE = row<{ readonly person: Person; readonly link: WaitingLink }>()({
  person: encoded(PERSON, ({ person }: { readonly person: Person }) => PERSON.write(person)),
  link: encoded(LINK, ({ link }: { readonly link: WaitingLink }) => LINK.write(link)),
});

const HANDED = row<HandedLink>()({
  ...columnsOf(LINK, ({ link }: HandedLink) => link),
  path: text('Behind the address of the venue; works once', LINK_PATH, ({ path }) => path),
});

const INVITATION = row<Invitation>()({
  invitationId: text('Invitation id', PERSON_ID, ({ invitationId }) => invitationId),
  label: text('What it is for; may be empty', 'course 2026', ({ label }) => label),
  uses: whole('For so many people', 50, ({ uses }) => uses),
  used: whole('So many have come', 0, ({ used }) => used),
  madeBy: text('Which operator made it', 'admin token', ({ madeBy }) => madeBy.name),
  cTime: timeMs('When it was made', TIME_MS, ({ createdMs }) => createdMs),
  expiresTime: timeMs('Until when', TIME_MS, ({ expiresMs }) => expiresMs),
});

const NEW_INVITATION = row<MadeInvitation>()({
  ...columnsOf(INVITATION, ({ invitation }: MadeInvitation) => invitation),
  code: text('The code; shown once', 'k7m2p-q9x4r-3vbtw-a8c3e', ({ code }) => code),
  path: text(
    'Behind the address of the venue: the sign-up with the code in it',
    '/account#invitation=k7m2p-q9x4r-3vbtw-a8c3e',
    ({ code }) => `/account#invitation=${code}`,
  ),
});

const REASON = shownName('Why; the person sees it');
const PAGE = {
  before: wholeNumber('Event id: events before it'),
  limit: pageLimit('Rows wanted', LIMITS.pageRowsDefault, LIMITS.pageRowsMax),
};

type Path = Readonly<Record<string, string | undefined>>;
type Seen = Promise<PersonSeen | Refused>;

async function shown(seen: Seen): Promise<string | Refused> {
  const found = await seen;
  return isRefused(found) ? found : PERSON_SEEN.write(found);
}

const personIn = ({ person = '' }: Path): string => person;

export const OPERATOR_ENDPOINTS = {
  people: operatorEndpoint({
    method: 'GET',
    path: PEOPLE,
    summary: 'People by id, page by page (100 by default, up to 500)',
    request: {
      after: optionalText('Person id: people behind it'),
      email: optionalText('The one with this address'),
      limit: PAGE.limit,
    },
    response: listOf(PERSON),
    answer: async ({ people }: PeopleDialectContext, { after, email, limit }) => {
      const query = {
        after: after === '' ? undefined : after,
        email: email === '' ? undefined : email.trim().toLowerCase(),
        limit,
      };
      return jsonList(await listPeople(people, query), PERSON.write);
    },
  }),
  makePerson: operatorEndpoint({
    method: 'POST',
    path: PEOPLE,
    duty: 'run',
    summary: 'Let a person in; a link to choose a password is mailed, or waits to be handed out',
    request: {
      email: EMAIL_FIELD,
      name: shownName('What to call the person'),
      language: LANGUAGE_FIELD,
    },
    response: MADE,
    example: { request: { email: 'ada@example.com', name: 'Ada' } },
    answer: async ({ people }: PeopleDialectContext, asked) => {
      const made = await makePerson(people, asked);
      return isRefused(made) ? made : MADE.write(made);
    },
  }),
  person: operatorEndpoint({
    method: 'GET',
    path: PERSON_PATH,
    summary: 'One person, with accounts and the number of open sessions',
    request: {},
    response: PERSON_SEEN,
    answer: ({ people }: PeopleDialectContext, _asked, { path }) =>
      shown(seePerson(people, personIn(path))),
  }),
  changePerson: operatorEndpoint({
    method: 'PATCH',
    path: PERSON_PATH,
    duty: 'help',
    summary: 'Suspend a person, which ends every session, or let a suspended one in again',
    request: { suspended: flag('true or false'), reason: REASON },
    response: PERSON_SEEN,
    example: { request: { suspended: true, reason: 'asked for it' } },
    answer: async ({ people }: PeopleDialectContext, { suspended, reason }, call) => {
      const personId = personIn(call.path);
      if (suspended === undefined) return shown(seePerson(people, personId));
      const refused = await refuseForOperators(people, call.operator, personId);
      return refused ?? shown(setSuspended(people, personId, { suspended, reason }));
    },
  }),
  resetPassword: operatorEndpoint({
    method: 'POST',
    path: `${PERSON_PATH}/password-reset`,
    duty: 'help',
    summary: 'Make a link to choose a new password; it is mailed, or waits to be handed out',
    request: {},
    response: LINK,
    answer: async ({ people }: PeopleDialectContext, _asked, { path, operator }) => {
      const refused = await refuseForOperators(people, operator, personIn(path));
      if (refused !== undefined) return refused;
      const link = await resetByOperator(people, personIn(path));
      return isRefused(link) ? link : LINK.write(link);
    },
  }),
  removeFactor: operatorEndpoint({
    method: 'DELETE',
    path: `${PERSON_PATH}/second-factor`,
    duty: 'help',
    summary: 'Take a lost second factor away; every session ends',
    request: { reason: REASON },
    response: PERSON_SEEN,
    example: { request: { reason: 'lost the phone; seen in person' } },
    answer: async ({ people }: PeopleDialectContext, { reason }, { path, operator }) => {
      const refused = await refuseForOperators(people, operator, personIn(path));
      return refused ?? shown(removeFactor(people, personIn(path), reason));
    },
  }),
  liftSignInWait: operatorEndpoint({
    method: 'DELETE',
    path: `${PERSON_PATH}/sign-in-wait`,
    duty: 'help',
    summary: 'Let a person sign in at once whom wrong guesses at the address hold off',
    request: { reason: REASON },
    response: PERSON_SEEN,
    example: { request: { reason: 'called back under the known number' } },
    answer: async ({ people }: PeopleDialectContext, _asked, { path, operator, reason }) => {
      if (reason === '') return refuse('reason_needed');
      const refused = await refuseForOperators(people, operator, personIn(path));
      return refused ?? shown(liftSignInWait(people, personIn(path), reason));
    },
  }),
  personSessions: operatorEndpoint({
    method: 'GET',
    path: `${PERSON_PATH}/sessions`,
    summary: 'Sessions of a person that are open',
    request: {},
    response: listOf(KEPT_SESSION),
    answer: async ({ people }: PeopleDialectContext, _asked, { path }) => {
      const found = await sessionsOf(people, personIn(path));
      return isRefused(found) ? found : jsonList(found, KEPT_SESSION.write);
    },
  }),
  endSession: operatorEndpoint({
    method: 'DELETE',
    path: `${PERSON_PATH}/sessions/:session`,
    duty: 'help',
    summary: 'End one session of a person; its streams close',
    request: {},
    response: ENDED,
    example: { data: { ended: 1 } },
    answer: async ({ people }: PeopleDialectContext, _asked, { path, operator }) => {
      const refused =
        (await refuseForOperators(people, operator, personIn(path))) ??
        (await endSessionOf(people, personIn(path), path.session ?? ''));
      return refused ?? ENDED.write(1);
    },
  }),
  endSessions: operatorEndpoint({
    method: 'DELETE',
    path: `${PERSON_PATH}/sessions`,
    duty: 'help',
    summary: 'End every session of a person',
    request: {},
    response: ENDED,
    answer: async ({ people }: PeopleDialectContext, _asked, { path, operator }) => {
      const refused = await refuseForOperators(people, operator, personIn(path));
      if (refused !== undefined) return refused;
      const ended = await endSessionsOf(people, personIn(path));
      return isRefused(ended) ? ended : ENDED.write(ended);
    },
  }),
  personEvents: operatorEndpoint({
    method: 'GET',
    path: `${PERSON_PATH}/events`,
    summary: 'What happened to the way in of a person, newest first',
    request: PAGE,
    response: listOf(EVENT),
    answer: async ({ people }: PeopleDialectContext, { before, limit }, { path }) => {
      const query = { personId: personIn(path), before, limit };
      return jsonList(await eventsOf(people, query), EVENT.write);
    },
  }),
  giveAccess: operatorEndpoint({
    method: 'PUT',
    path: `${PERSON_PATH}/accounts/:account`,
    duty: 'run',
    summary: 'Give a person an account, or other permissions in it',
    request: { permissions: RIGHTS_FIELD },
    response: PERSON_SEEN,
    example: { request: { permissions: ['read', 'trade'] } },
    answer: async (context: PeopleDialectContext, { permissions }, call) => {
      const { people, venue, operators } = context;
      const account = await venue.read((state) =>
        onOpenAccount(state, call.path.account, (one) => one),
      );
      if (isRefused(account)) return account;
      const { accountId } = account;
      const personId = personIn(call.path);
      const grant = { subject: `${personId} ${permissions.join(' ')}`, personId, accountId };
      const may = movesMoney(permissions)
        ? await mayGrant(operators, venue, call, grant)
        : undefined;
      if (may !== undefined && isRefused(may)) return may;
      const given = await giveAccess(people, personId, accountId, permissions);
      if (isRefused(given)) await may?.forget();
      return shown(Promise.resolve(given));
    },
  }),
  takeAccess: operatorEndpoint({
    method: 'DELETE',
    path: `${PERSON_PATH}/accounts/:account`,
    duty: 'run',
    summary: 'Take an account from a person',
    request: {},
    response: PERSON_SEEN,
    answer: async ({ people, venue }: PeopleDialectContext, _asked, { path }) => {
      const account = await venue.read((state) => onAccount(state, path.account, (one) => one));
      if (isRefused(account)) return account;
      return shown(takeAccessAway(people, personIn(path), account.accountId));
    },
  }),
  events: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/people-events`,
    summary: 'What happened to the way in of all people, newest first',
    request: PAGE,
    response: listOf(EVENT),
    answer: async ({ people }: PeopleDialectContext, { before, limit }) =>
      jsonList(await eventsOf(people, { personId: undefined, before, limit }), EVENT.write),
  }),
  links: operatorEndpoint({
    method: 'GET',
    path: LINKS,
    duty: 'help',
    summary: 'Links that no mail carries, or all links of a person; without what opens them',
    request: { person: optionalText('Person id: those of this person, mailed or not') },
    response: listOf(LINK),
    answer: async ({ people }: PeopleDialectContext, { person }) =>
      jsonList(await waitingLinks(people, person === '' ? undefined : person), LINK.write),
  }),
  handOutLink: operatorEndpoint({
    method: 'POST',
    path: `${PERSON_PATH}/links/:link/hand-out`,
    duty: 'run',
    summary: 'Take a link to hand it to its person, who is told; earlier copies stop working',
    request: { reason: REASON },
    response: HANDED,
    example: { request: { reason: 'handed over in class, seen in person' } },
    answer: async ({ people }: PeopleDialectContext, _asked, { path, operator, reason }) => {
      const named = { personId: personIn(path), linkId: path.link ?? '' };
      const handed = await handOutLink(people, operator, named, reason);
      return isRefused(handed) ? handed : HANDED.write(handed);
    },
  }),
  invitations: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/invitations`,
    summary: 'Invitations, newest first',
    request: {},
    response: listOf(INVITATION),
    answer: async ({ people }: PeopleDialectContext) =>
      jsonList(await listInvitations(people), INVITATION.write),
  }),
  makeInvitation: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/invitations`,
    duty: 'run',
    summary: 'Make an invitation; the answer is the only place its code is ever shown',
    request: {
      uses: count('For so many people (1)', { digits: 5, fallback: 1 }),
      days: count('Days that it is good for (7)', { digits: 3, fallback: 7 }),
      label: shownName('What it is for'),
    },
    response: NEW_INVITATION,
    example: { request: { uses: 50, days: 7, label: 'course 2026' } },
    answer: async ({ people }: PeopleDialectContext, asked, { operator }) => {
      const made = await makeInvitation(people, operator, asked);
      return isRefused(made) ? made : NEW_INVITATION.write(made);
    },
  }),
  dropInvitation: operatorEndpoint({
    method: 'DELETE',
    path: `${BASE}/invitations/:invitation`,
    duty: 'run',
    summary: 'Withdraw an invitation',
    request: {},
    response: DONE,
    answer: async ({ people }: PeopleDialectContext, _asked, { path }) =>
      (await dropInvitation(people, path.invitation ?? '')) ?? DONE.write(),
  }),
} as const satisfies Record<string, OperatorEndpoint<PeopleDialectContext>>;
