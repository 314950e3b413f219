/** Persons who run the venue, appointed by owners, under /admin/v1. */
import { isRefused } from '#domain';
import { appoint, dismiss, listOperators, OPERATOR_ROLES, type OperatorRecord } from '#people';
import { BASE } from '../admin/context.ts';
import { required, word } from '../admin/fields.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { requiredText } from '../kit/request.ts';
import { jsonList, listOf, oneOf, row, text, timeMs, truth } from '../kit/row.ts';
import type { PeopleDialectContext } from './context.ts';
import { PERSON_ID } from './rows.ts';

const OPERATOR = row<OperatorRecord>()({
  personId: text('Person id', PERSON_ID, ({ personId }) => personId),
  email: text('E-mail address', 'ada@example.com', ({ email }) => email),
  name: text('Name; may be empty', 'Ada', ({ name }) => name),
  role: oneOf(OPERATOR_ROLES, 'Role', 'operator', ({ role }) => role),
  secondFactor: truth(
    'Has a second factor, without which no call is carried out',
    true,
    ({ hasSecondFactor }) => hasSecondFactor,
  ),
  suspended: truth('May not sign in', false, ({ isSuspended }) => isSuspended),
  cTime: timeMs('When it was first appointed', TIME_MS, ({ sinceMs }) => sinceMs),
});

export const APPOINTMENT_ENDPOINTS = {
  operators: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/operators`,
    summary: 'Persons who run the venue, with their roles',
    request: {},
    response: listOf(OPERATOR),
    answer: async ({ people }: PeopleDialectContext) =>
      jsonList(await listOperators(people), OPERATOR.write),
  }),
  appoint: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/operators`,
    duty: 'own',
    summary: 'Give a person a role, or another one',
    request: {
      personId: requiredText('Person id'),
      role: required(word(OPERATOR_ROLES, 'auditor'), 'owner, operator, support or auditor'),
    },
    response: OPERATOR,
    example: { request: { personId: PERSON_ID, role: 'operator' } },
    answer: async ({ people }: PeopleDialectContext, asked, { operator }) => {
      const record = await appoint(people, operator, asked);
      return isRefused(record) ? record : OPERATOR.write(record);
    },
  }),
  dismiss: operatorEndpoint({
    method: 'DELETE',
    path: `${BASE}/operators/:person`,
    duty: 'own',
    summary: 'Take the role from a person, who stays; it ends at once',
    request: {},
    response: OPERATOR,
    answer: async ({ people }: PeopleDialectContext, _asked, { path, operator }) => {
      const record = await dismiss(people, operator, path.person ?? '');
      return isRefused(record) ? record : OPERATOR.write(record);
    },
  }),
} as const satisfies Record<string, OperatorEndpoint<PeopleDialectContext>>;
