/**
 * What anybody may ask: how people come in, and to let them in. No answer shows whether an address
 * is known, neither in words nor in time.
 */
import { isRefused } from '#domain';
import {
  askReset,
  completeReset,
  LINK_WAYS,
  type LinkWay,
  languageOf,
  type Next,
  nextOfSignUp,
  PASSWORD_LENGTH,
  type PeopleContext,
  SIGN_UP_MODES,
  signIn,
  signUp,
} from '#people';
import { type VisitorEndpoint, visitorEndpoint } from '../kit/endpoint.ts';
import { oneOf, row, truth, whole } from '../kit/row.ts';
import { BASE, fromOf, type PeopleDialectContext, settled } from './context.ts';
import { EMAIL_FIELD, LANGUAGE_FIELD, optionalSecret, secret, shownName } from './fields.ts';
import { DONE, SESSION } from './rows.ts';
import { sessionText } from './session-text.ts';

const MINUTE_MS = 60_000;
/** Of one address, where many may sit behind one. */
const PER_MINUTE = { limit: 60, windowMs: MINUTE_MS };
const MAILS_PER_MINUTE = { limit: 20, windowMs: MINUTE_MS };

const NEXT = LINK_WAYS.map((way): Next => `confirm_${way}`);

const RULES = row<PeopleContext>()({
  signUp: oneOf(SIGN_UP_MODES, 'How people come in', 'closed', ({ settings }) => settings.signUp),
  next: oneOf(NEXT, 'What follows a sign-up', 'confirm_mail', (context) => nextOfSignUp(context)),
  mail: truth('Links come by mail; else as next says', false, (one) => one.mailer !== undefined),
  passwordLengthMin: whole('Characters at least', 12, () => PASSWORD_LENGTH.min),
  passwordLengthMax: whole('Characters at most', 128, () => PASSWORD_LENGTH.max),
});

const SIGNED_UP = row<Next>()({
  next: oneOf(NEXT, 'What to do next', 'confirm_mail', (next) => next),
});

const RESET_ASKED = row<LinkWay>()({
  next: oneOf(LINK_WAYS, 'Where the link comes from', 'mail', (next) => next),
});

export const DOOR_ENDPOINTS = {
  rules: visitorEndpoint({
    method: 'GET',
    path: `${BASE}/venue`,
    rate: PER_MINUTE,
    summary: 'How people come in here',
    request: {},
    response: RULES,
    answer: ({ people }: PeopleDialectContext) => RULES.write(people),
  }),
  signUp: visitorEndpoint({
    method: 'POST',
    path: `${BASE}/sign-up`,
    rate: PER_MINUTE,
    summary:
      'Sign up: a link proves the address and chooses a password; says nothing of who is known',
    request: {
      email: EMAIL_FIELD,
      name: shownName('What to call the person'),
      invitation: optionalSecret('Invitation code, where one is needed'),
      language: LANGUAGE_FIELD,
    },
    response: SIGNED_UP,
    example: { request: { email: 'ada@example.com' } },
    answer: async ({ people }: PeopleDialectContext, asked, call) => {
      const language = asked.language ?? languageOf(call.visit.languages);
      const next = await signUp(people, { ...asked, language }, fromOf(call));
      return isRefused(next) ? next : SIGNED_UP.write(next);
    },
  }),
  signIn: visitorEndpoint({
    method: 'POST',
    path: `${BASE}/sessions`,
    rate: PER_MINUTE,
    summary: 'Sign in: the answer sets the cookie of a new session',
    request: {
      email: EMAIL_FIELD,
      password: secret('Password'),
      code: optionalSecret('Of the second factor, or a recovery code, where there is one'),
    },
    response: SESSION,
    example: { request: { email: 'ada@example.com', password: 'four green ideas sleep' } },
    answer: async ({ people }: PeopleDialectContext, asked, call) => {
      const outcome = await signIn(people, asked, fromOf(call), call.session);
      return settled(call.visit, outcome, (begun) => sessionText(people, begun, call.visit));
    },
  }),
  askReset: visitorEndpoint({
    method: 'POST',
    path: `${BASE}/password-resets`,
    rate: MAILS_PER_MINUTE,
    summary: 'Ask for a link to choose a new password; the answer is always the same',
    request: { email: EMAIL_FIELD },
    response: RESET_ASKED,
    example: { request: { email: 'ada@example.com' } },
    answer: async ({ people }: PeopleDialectContext, { email }, call) =>
      RESET_ASKED.write(await askReset(people, email, fromOf(call))),
  }),
  completeReset: visitorEndpoint({
    method: 'POST',
    path: `${BASE}/password-resets/complete`,
    rate: PER_MINUTE,
    summary: 'Prove an address and choose a password with the token of a link; every session ends',
    request: {
      token: secret('From the link'),
      password: secret('12 to 128 characters, not a common password'),
    },
    response: DONE,
    example: {
      request: {
        token: 'q7Yc0sQn5vX2bM8kZ4tR6wP1dF3gH9jL0aS7uE5iO2c',
        password: 'five blue trees dream',
      },
    },
    answer: async ({ people }: PeopleDialectContext, asked, call) =>
      (await completeReset(people, asked, fromOf(call))) ?? DONE.write(),
  }),
} as const satisfies Record<string, VisitorEndpoint<PeopleDialectContext>>;
