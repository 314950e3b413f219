/** What persons do about their own way in: session, password, second factor, other sessions. */
import Type from 'typebox';
import { isRefused, LIMITS } from '#domain';
import {
  beginFactor,
  changePassword,
  confirmSession,
  disableFactor,
  enableFactor,
  endOtherSessions,
  endOwnSession,
  eventsOf,
  ownSessions,
  renewRecoveryCodes,
  signOut,
} from '#people';
import { given } from '../admin/fields.ts';
import { type PersonEndpoint, personEndpoint } from '../kit/endpoint.ts';
import { pageLimit, wholeNumber } from '../kit/request.ts';
import { jsonList, listOf, objectOf, row, text, texts } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { BASE, fromOf, type PeopleDialectContext, settled } from './context.ts';
import { LANGUAGE_FIELD, optionalName, optionalSecret, secret } from './fields.ts';
import { CHANGES, READS } from './rates.ts';
import { DONE, ENDED, EVENT, LISTED_SESSION, OWN_PERSON, SESSION } from './rows.ts';
import { describe, sessionText } from './session-text.ts';

const CODES = ['k7m2p-q9x4r-3vbtw', 'a8c3e-h5j6n-w2y7z'];
const PASSWORD = 'four green ideas sleep';

const FACTOR = row<{ readonly secret: string; readonly uri: string }>()({
  secret: text('For typing it in', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', (made) => made.secret),
  uri: text(
    'For a picture that the authenticator reads',
    'otpauth://totp/Outcry:ada%40example.com?issuer=Outcry&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    ({ uri }) => uri,
  ),
});

const RECOVERY = row<readonly string[]>()({
  recoveryCodes: texts('Each works once in place of a code; shown once', CODES, (codes) => codes),
});

const ENABLED = objectOf({
  session: { schema: SESSION.schema, example: SESSION.example },
  recoveryCodes: { schema: Type.Array(schema.text('Shown once')), example: CODES },
});

export const OWN_ENDPOINTS = {
  session: personEndpoint({
    method: 'GET',
    path: `${BASE}/session`,
    rate: READS,
    summary: 'The session of the cookie: its person, accounts and CSRF token',
    request: {},
    response: SESSION,
    answer: ({ people }: PeopleDialectContext, _asked, { session }) => describe(people, session),
  }),
  signOut: personEndpoint({
    method: 'DELETE',
    path: `${BASE}/session`,
    rate: CHANGES,
    summary: 'Sign out',
    request: {},
    response: DONE,
    answer: async ({ people }: PeopleDialectContext, _asked, call) => {
      await signOut(people, call.session, fromOf(call));
      call.visit.setToken(undefined);
      return DONE.write();
    },
  }),
  confirmSession: personEndpoint({
    method: 'POST',
    path: `${BASE}/session/confirm`,
    rate: CHANGES,
    summary: 'Prove again who it is, for what needs that; the token changes',
    request: {
      password: secret('Password'),
      code: optionalSecret('Of the second factor, where there is one'),
    },
    response: SESSION,
    example: { request: { password: PASSWORD } },
    answer: async ({ people }: PeopleDialectContext, asked, call) => {
      const outcome = await confirmSession(people, call.session, asked, fromOf(call));
      return settled(call.visit, outcome, (begun) => sessionText(people, begun, call.visit));
    },
  }),
  changePerson: personEndpoint({
    method: 'PATCH',
    path: `${BASE}/person`,
    rate: CHANGES,
    summary: 'Change the name, and what mails are written in',
    request: { name: optionalName('What to call the person'), language: LANGUAGE_FIELD },
    response: OWN_PERSON,
    example: { request: { name: 'Ada' } },
    answer: async ({ people }: PeopleDialectContext, asked, { session }) => {
      const store = await people.people.get();
      const changes = given(asked);
      if (Object.keys(changes).length > 0) await store.changePerson(session.personId, changes);
      const person = await store.person(session.personId);
      const recoveryCodesLeft = await store.recoveryCodesLeft(session.personId);
      return person === undefined ? DONE.write() : OWN_PERSON.write({ person, recoveryCodesLeft });
    },
  }),
  changePassword: personEndpoint({
    method: 'POST',
    path: `${BASE}/password`,
    rate: CHANGES,
    summary: 'Change the password; the other sessions end and the token changes',
    request: { password: secret('Today’s password'), newPassword: secret('The new one') },
    response: SESSION,
    example: { request: { password: PASSWORD, newPassword: 'five blue trees dream' } },
    answer: async ({ people }: PeopleDialectContext, asked, call) => {
      const outcome = await changePassword(people, call.session, asked, fromOf(call));
      return settled(call.visit, outcome, (begun) => sessionText(people, begun, call.visit));
    },
  }),
  sessions: personEndpoint({
    method: 'GET',
    path: `${BASE}/sessions`,
    rate: READS,
    summary: 'All sessions of the person, the one used last first',
    request: {},
    response: listOf(LISTED_SESSION),
    answer: async ({ people }: PeopleDialectContext, _asked, { session: current }) => {
      const records = await ownSessions(people, current);
      return jsonList(records, (record) => LISTED_SESSION.write({ record, current }));
    },
  }),
  endSession: personEndpoint({
    method: 'DELETE',
    path: `${BASE}/sessions/:session`,
    rate: CHANGES,
    summary: 'End a session of the person; its streams close',
    request: {},
    response: ENDED,
    example: { data: { ended: 1 } },
    answer: async ({ people }: PeopleDialectContext, _asked, call) => {
      const sessionId = call.path.session ?? '';
      const refused = await endOwnSession(people, call.session, sessionId, fromOf(call));
      return refused ?? ENDED.write(1);
    },
  }),
  endOtherSessions: personEndpoint({
    method: 'DELETE',
    path: `${BASE}/sessions`,
    rate: CHANGES,
    summary: 'End all sessions of the person but this one',
    request: {},
    response: ENDED,
    answer: async ({ people }: PeopleDialectContext, _asked, call) =>
      ENDED.write(await endOtherSessions(people, call.session, fromOf(call))),
  }),
  events: personEndpoint({
    method: 'GET',
    path: `${BASE}/events`,
    rate: READS,
    summary: 'What happened to the way in of the person, newest first',
    request: {
      before: wholeNumber('Event id: events before it'),
      limit: pageLimit('Rows wanted', LIMITS.pageRowsDefault, LIMITS.pageRowsMax),
    },
    response: listOf(EVENT),
    answer: async ({ people }: PeopleDialectContext, { before, limit }, { session }) =>
      jsonList(await eventsOf(people, { personId: session.personId, before, limit }), EVENT.write),
  }),
  beginFactor: personEndpoint({
    method: 'POST',
    path: `${BASE}/second-factor`,
    rate: CHANGES,
    summary: 'Set up a second factor; it is in force once a code of it was shown',
    request: {},
    response: FACTOR,
    answer: async ({ people }: PeopleDialectContext, _asked, { session }) => {
      const made = await beginFactor(people, session);
      return isRefused(made) ? made : FACTOR.write(made);
    },
  }),
  enableFactor: personEndpoint({
    method: 'POST',
    path: `${BASE}/second-factor/enable`,
    rate: CHANGES,
    summary: 'Show a code of the authenticator; the answer has the recovery codes',
    request: { code: secret('Six digits') },
    response: ENABLED,
    example: { request: { code: '492039' } },
    answer: async ({ people }: PeopleDialectContext, { code }, call) => {
      const outcome = await enableFactor(people, call.session, code, fromOf(call));
      return settled(call.visit, outcome, async ({ begun, recoveryCodes }) => {
        const session = await sessionText(people, begun, call.visit);
        if (isRefused(session)) return session;
        return `{"session":${session},"recoveryCodes":${JSON.stringify(recoveryCodes)}}`;
      });
    },
  }),
  disableFactor: personEndpoint({
    method: 'POST',
    path: `${BASE}/second-factor/disable`,
    rate: CHANGES,
    summary: 'Sign in without a second factor again',
    request: { code: secret('Six digits, or a recovery code') },
    response: SESSION,
    example: { request: { code: '492039' } },
    answer: async ({ people }: PeopleDialectContext, { code }, call) => {
      const outcome = await disableFactor(people, call.session, code, fromOf(call));
      return settled(call.visit, outcome, (begun) => sessionText(people, begun, call.visit));
    },
  }),
  renewRecoveryCodes: personEndpoint({
    method: 'POST',
    path: `${BASE}/second-factor/recovery-codes`,
    rate: CHANGES,
    summary: 'Make new recovery codes; those before stop working',
    request: { code: secret('Six digits, or a recovery code') },
    response: RECOVERY,
    example: { request: { code: '492039' } },
    answer: async ({ people }: PeopleDialectContext, { code }, call) => {
      const outcome = await renewRecoveryCodes(people, call.session, code, fromOf(call));
      return settled(call.visit, outcome, (codes) => RECOVERY.write(codes));
    },
  }),
} as const satisfies Record<string, PersonEndpoint<PeopleDialectContext>>;
