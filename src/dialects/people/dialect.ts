/**
 * The dialect of people under /people/v1: they sign up and in, see to their own security, and
 * manage their accounts and keys. What it answers has the frame of the house. With the
 * cookie of a session they call every other dialect, too.
 *
 * A call that changes something and comes with a session shows its CSRF token in X-CSRF-Token;
 * calls of the trading interfaces name their account in X-Outcry-Account, streams in `?account=`.
 */

import type { Dialect } from '#api';
import { NoticeBoard } from '#people';
import type { Admitters } from '../access/admitters.ts';
import { admittedRoutesOf } from '../kit/endpoint.ts';
import { HOUSE_FORM } from '../kit/house-form.ts';
import { ACCOUNT_ENDPOINTS } from './accounts.ts';
import type { PeopleOptions } from './context.ts';
import { DOOR_ENDPOINTS } from './door.ts';
import { FEE_LEVEL_ENDPOINTS, FEE_LEVEL_OPERATOR_ENDPOINTS } from './fee-levels.ts';
import { IMPORT_ENDPOINTS } from './imports.ts';
import { KEY_ENDPOINTS } from './keys.ts';
import { NOTICE_ENDPOINTS, NOTICE_OPERATOR_ENDPOINTS } from './notices.ts';
import { OPERATOR_ENDPOINTS } from './operator.ts';
import { APPOINTMENT_ENDPOINTS } from './operators.ts';
import { OWN_ENDPOINTS } from './own.ts';
import { PAYMENT_ENDPOINTS } from './payments.ts';
import { PAYMENT_OPERATOR_ENDPOINTS } from './payments-operator.ts';
import { LINK_ENDPOINTS, PERSONAL_ENDPOINTS } from './personal.ts';

export const PEOPLE_ENDPOINTS = {
  ...DOOR_ENDPOINTS,
  ...OWN_ENDPOINTS,
  ...LINK_ENDPOINTS,
  ...PERSONAL_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...KEY_ENDPOINTS,
  ...PAYMENT_ENDPOINTS,
  ...FEE_LEVEL_ENDPOINTS,
  ...NOTICE_ENDPOINTS,
};

/** With the admin token, beside the calls of the operator's own dialect. */
export const PEOPLE_OPERATOR_ENDPOINTS = {
  ...OPERATOR_ENDPOINTS,
  ...APPOINTMENT_ENDPOINTS,
  ...PAYMENT_OPERATOR_ENDPOINTS,
  ...FEE_LEVEL_OPERATOR_ENDPOINTS,
  ...IMPORT_ENDPOINTS,
  ...NOTICE_OPERATOR_ENDPOINTS,
};

export function peopleDialect(options: PeopleOptions, admitters: Admitters): Dialect {
  return {
    ...HOUSE_FORM,
    name: 'people',
    prefixes: ['/people/'],
    routes: (services) => {
      const context = { ...services, ...options, notices: new NoticeBoard(options.people) };
      const operators = admittedRoutesOf(PEOPLE_OPERATOR_ENDPOINTS, context, admitters);
      return [...admittedRoutesOf(PEOPLE_ENDPOINTS, context, admitters), ...operators];
    },
  };
}
