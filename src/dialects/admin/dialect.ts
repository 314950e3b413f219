/**
 * The operator's dialect under /admin/v1. Every call needs the admin token; every change is a
 * journaled command. Fields that are not in a table are refused: a typing error must not move
 * money.
 */

import type { Dialect } from '#api';
import type { Admitters } from '../access/admitters.ts';
import { admittedRoutesOf } from '../kit/endpoint.ts';
import { HOUSE_FORM } from '../kit/house-form.ts';
import { ACTIVITY_ENDPOINTS } from './account-activity.ts';
import { ACCOUNT_ENDPOINTS } from './accounts.ts';
import { ACTION_ENDPOINTS } from './actions.ts';
import { APPROVAL_ENDPOINTS } from './approvals.ts';
import { AUDIT_ENDPOINTS } from './audit.ts';
import { CLOCK_ENDPOINTS } from './clock.ts';
import { CLUSTER_ENDPOINTS } from './cluster.ts';
import { COIN_ENDPOINTS } from './coins.ts';
import type { AdminOptions } from './context.ts';
import { CONTRACT_ENDPOINTS } from './contracts.ts';
import { INSURANCE_ENDPOINTS } from './insurance.ts';
import { KEY_ENDPOINTS } from './keys.ts';
import { LIMIT_ENDPOINTS } from './limits.ts';
import { LISTING_ENDPOINTS } from './listings.ts';
import { MONEY_ENDPOINTS } from './money.ts';
import { PAIR_ENDPOINTS } from './pairs.ts';

export const ADMIN_ENDPOINTS = {
  ...ACCOUNT_ENDPOINTS,
  ...ACTIVITY_ENDPOINTS,
  ...KEY_ENDPOINTS,
  ...MONEY_ENDPOINTS,
  ...LISTING_ENDPOINTS,
  ...COIN_ENDPOINTS,
  ...PAIR_ENDPOINTS,
  ...CONTRACT_ENDPOINTS,
  ...INSURANCE_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
  ...CLOCK_ENDPOINTS,
  ...CLUSTER_ENDPOINTS,
  ...ACTION_ENDPOINTS,
  ...APPROVAL_ENDPOINTS,
  ...LIMIT_ENDPOINTS,
};

export type AdminEndpointName = keyof typeof ADMIN_ENDPOINTS;

export function adminDialect(options: AdminOptions, admitters: Admitters): Dialect {
  return {
    ...HOUSE_FORM,
    name: 'admin',
    prefixes: ['/admin/'],
    routes: (services) => admittedRoutesOf(ADMIN_ENDPOINTS, { ...services, ...options }, admitters),
  };
}
