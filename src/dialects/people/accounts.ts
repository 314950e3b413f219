/** Accounts of a person, and who else may use them. */
import { isRefused } from '#domain';
import {
  type AccountMember,
  accessCodesOf,
  changeRights,
  dropAccessCode,
  enterAccessCode,
  type LiveSession,
  type MadeCode,
  makeAccessCode,
  nameAccount,
  openAnother,
  ownAccounts,
  peopleOf,
  type ShownCode,
  takeAccess,
} from '#people';
import { type PersonEndpoint, personEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { jsonList, listOf, row, text, timeMs, truth } from '../kit/row.ts';
import { accountIn, BASE, fromOf, type PeopleDialectContext } from './context.ts';
import { RIGHTS_FIELD, secret, shownName } from './fields.ts';
import { CHANGES, READS } from './rates.ts';
import { ACCESS, DONE, PERSON_ID, rightsColumn } from './rows.ts';

const ACCOUNT = `${BASE}/accounts/:account`;
const PERSON = `${ACCOUNT}/people/:person`;

interface Member {
  readonly member: AccountMember;
  readonly session: LiveSession;
}

const MEMBER = row<Member>()({
  personId: text('Person id', PERSON_ID, ({ member }) => member.personId),
  name: text('Name; may be empty', 'Bob', ({ member }) => member.name),
  permissions: rightsColumn(({ member }: Member) => member.rights),
  owner: truth(
    'Owns it: changed by nobody else but an operator',
    false,
    ({ member }) => member.isOwner,
  ),
  you: truth('Who asks', false, ({ member, session }) => member.personId === session.personId),
});

const MADE_CODE = row<MadeCode>()({
  code: text('Hand it over; it works once', 'k7m2p-q9x4r-3vbtw-a8c3e-h5j6n', ({ code }) => code),
  expiresTime: timeMs('Until when', TIME_MS, ({ expiresMs }) => expiresMs),
});

const CODE = row<ShownCode>()({
  codeId: text('Code id; not the code', PERSON_ID, ({ codeId }) => codeId),
  madeBy: text('Id of the person who made it', PERSON_ID, ({ madeBy }) => madeBy),
  permissions: rightsColumn(({ rights }: ShownCode) => rights),
  expiresTime: timeMs('Until when', TIME_MS, ({ expiresMs }) => expiresMs),
});

/** Of one person. */
const PER_MINUTE = { limit: 60, windowMs: 60_000 };

export const ACCOUNT_ENDPOINTS = {
  accounts: personEndpoint({
    method: 'GET',
    path: `${BASE}/accounts`,
    rate: READS,
    summary: 'Accounts that the person may use, and what it may do there',
    request: {},
    response: listOf(ACCESS),
    answer: async ({ people }: PeopleDialectContext, _asked, { session }) =>
      jsonList(await ownAccounts(people, session), ACCESS.write),
  }),
  openAccount: personEndpoint({
    method: 'POST',
    path: `${BASE}/accounts`,
    rate: CHANGES,
    summary: 'Open another account, as many as the venue allows a person',
    request: { label: shownName('What to call it') },
    response: ACCESS,
    example: { request: { label: 'main' } },
    answer: async ({ people }: PeopleDialectContext, { label }, call) => {
      const access = await openAnother(people, call.session, label, fromOf(call));
      return isRefused(access) ? access : ACCESS.write(access);
    },
  }),
  nameAccount: personEndpoint({
    method: 'PATCH',
    path: ACCOUNT,
    rate: CHANGES,
    summary: 'Call an account something else; others of it do not see that',
    request: { label: shownName('What to call it') },
    response: ACCESS,
    example: { request: { label: 'main' } },
    answer: async ({ people }: PeopleDialectContext, { label }, call) => {
      const accountId = accountIn(call);
      if (isRefused(accountId)) return accountId;
      const access = await nameAccount(people, call.session, accountId, label);
      return isRefused(access) ? access : ACCESS.write(access);
    },
  }),
  people: personEndpoint({
    method: 'GET',
    path: `${ACCOUNT}/people`,
    rate: READS,
    summary: 'Who may use an account',
    request: {},
    response: listOf(MEMBER),
    answer: async ({ people }: PeopleDialectContext, _asked, call) => {
      const { session } = call;
      const accountId = accountIn(call);
      if (isRefused(accountId)) return accountId;
      const members = await peopleOf(people, session, accountId);
      if (isRefused(members)) return members;
      return jsonList(members, (member) => MEMBER.write({ member, session }));
    },
  }),
  makeAccessCode: personEndpoint({
    method: 'POST',
    path: `${ACCOUNT}/access-codes`,
    rate: CHANGES,
    summary: 'Make a code that lets another person into an account, once, within seven days',
    request: { permissions: RIGHTS_FIELD },
    response: MADE_CODE,
    example: { request: { permissions: ['read', 'trade'] } },
    answer: async ({ people }: PeopleDialectContext, { permissions }, call) => {
      const accountId = accountIn(call);
      if (isRefused(accountId)) return accountId;
      const from = fromOf(call);
      const made = await makeAccessCode(people, call.session, accountId, permissions, from);
      return isRefused(made) ? made : MADE_CODE.write(made);
    },
  }),
  accessCodes: personEndpoint({
    method: 'GET',
    path: `${ACCOUNT}/access-codes`,
    rate: PER_MINUTE,
    summary: 'Codes of an account that nobody has entered yet, with their maker',
    request: {},
    response: listOf(CODE),
    answer: async ({ people }: PeopleDialectContext, _asked, call) => {
      const accountId = accountIn(call);
      if (isRefused(accountId)) return accountId;
      const codes = await accessCodesOf(people, call.session, accountId);
      return isRefused(codes) ? codes : jsonList(codes, CODE.write);
    },
  }),
  dropAccessCode: personEndpoint({
    method: 'DELETE',
    path: `${ACCOUNT}/access-codes/:code`,
    rate: PER_MINUTE,
    summary: 'Withdraw a code that nobody has entered yet',
    request: {},
    response: DONE,
    answer: async ({ people }: PeopleDialectContext, _asked, call) => {
      const accountId = accountIn(call);
      if (isRefused(accountId)) return accountId;
      const { code = '' } = call.path;
      return (await dropAccessCode(people, call.session, accountId, code)) ?? DONE.write();
    },
  }),
  enterAccessCode: personEndpoint({
    method: 'POST',
    path: `${BASE}/access-codes`,
    rate: { limit: 20, windowMs: 60_000 },
    summary: 'Enter a code that somebody has made for an account',
    request: { code: secret('The code') },
    response: ACCESS,
    example: { request: { code: MADE_CODE.example.code } },
    answer: async ({ people }: PeopleDialectContext, { code }, call) => {
      const access = await enterAccessCode(people, call.session, code, fromOf(call));
      return isRefused(access) ? access : ACCESS.write(access);
    },
  }),
  changeAccess: personEndpoint({
    method: 'PATCH',
    path: PERSON,
    rate: CHANGES,
    summary: 'Change what another person may do in an account',
    request: { permissions: RIGHTS_FIELD },
    response: ACCESS,
    example: { request: { permissions: ['read', 'trade'] } },
    answer: async ({ people }: PeopleDialectContext, { permissions }, call) => {
      const accountId = accountIn(call);
      if (isRefused(accountId)) return accountId;
      const whom = { personId: call.path.person ?? '', accountId };
      const access = await changeRights(people, call.session, whom, permissions, fromOf(call));
      return isRefused(access) ? access : ACCESS.write(access);
    },
  }),
  takeAccess: personEndpoint({
    method: 'DELETE',
    path: PERSON,
    rate: CHANGES,
    summary: 'Take an account from a person, or leave it oneself; somebody has to manage it',
    request: {},
    response: DONE,
    answer: async ({ people }: PeopleDialectContext, _asked, call) => {
      const accountId = accountIn(call);
      if (isRefused(accountId)) return accountId;
      const whom = { personId: call.path.person ?? '', accountId };
      return (await takeAccess(people, call.session, whom, fromOf(call))) ?? DONE.write();
    },
  }),
} as const satisfies Record<string, PersonEndpoint<PeopleDialectContext>>;
