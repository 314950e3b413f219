/** What the endpoints of people work with, and how what they ask for is answered. */
import type { KeyVault, Services } from '#api';
import { type AccountId, accountId, isRefused, type Refused, refuse } from '#domain';
import {
  type ApprovalContext,
  type FeeLevelSettings,
  type From,
  type HeldOff,
  isHeldOff,
  type NoticeBoard,
  type Payments,
  type PeopleContext,
} from '#people';
import type { PersonCall, Visit, VisitorCall } from '../access/calls.ts';

export interface PeopleOptions {
  readonly people: PeopleContext;
  readonly vault: KeyVault;
  /** Money that one operator may not move alone; any may without it. */
  readonly operators?: ApprovalContext;
  readonly feeLevels?: FeeLevelSettings | undefined;
  readonly payments: Payments;
}

export type PeopleDialectContext = Services & PeopleOptions & { readonly notices: NoticeBoard };

/** Whoever asks, with or without a session. */
export const BASE = '/people/v1';

export function fromOf({ visit }: VisitorCall | PersonCall): From {
  const { address, network, agent } = visit;
  return { address, network, agent };
}

/** An outcome as it is answered; whoever is held off is told for how long. */
export async function settled<T>(
  visit: Visit,
  outcome: T | Refused | HeldOff,
  write: (value: T) => string | Promise<string | Refused>,
): Promise<string | Refused> {
  if (isHeldOff(outcome)) {
    visit.retryAfter(outcome.waitMs);
    return outcome.refused;
  }
  return isRefused(outcome) ? outcome : write(outcome);
}

/** The account that a path names. */
export function accountIn({ path }: VisitorCall): AccountId | Refused {
  const { account = '' } = path;
  return /^[1-9][0-9]{0,14}$/.test(account)
    ? accountId(Number(account))
    : refuse('account_unknown');
}
