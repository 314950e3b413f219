/** What the operator's endpoints work with, and the account that a path names. */
import { type KeyVault, refuseSaying, type Services } from '#api';
import { type AccountView, accountId, type Refused, type StateReader } from '#domain';
import type { Clock } from '#kernel';
import type { ActionLog, ApprovalContext, Payments, PeopleContext } from '#people';
import { shown } from '../kit/fields.ts';

/** A clock that does not take every step for the time. */
export interface ConfirmableClock extends Clock {
  confirm(): void;
}

/** What the operator is shown of a process; what is not known of it is undefined. */
export interface ClusterProcess {
  readonly name: string;
  readonly kind: 'member' | 'gateway';
  readonly release: string | undefined;
  /** Entries of the log that it can read. */
  readonly knows:
    | { readonly formatMax: number; readonly rulesMin: number; readonly rulesMax: number }
    | undefined;
  /** While it is there. */
  readonly record: { readonly isCandidate: boolean; readonly url: string } | undefined;
  readonly status:
    | {
        readonly role: 'leader' | 'follower' | 'gateway';
        readonly seq: number;
        readonly lagMs: number;
        readonly isSuspended: boolean;
      }
    | undefined;
  readonly heardAgeMs: number | undefined;
  readonly behindCommands: number | undefined;
  readonly seal: { readonly seq: number; readonly stateHash: string } | undefined;
  readonly sealsAgree: boolean | undefined;
}

export interface ClusterView {
  readonly name: string;
  readonly leader: string;
  readonly claim: number;
  /** How entries of the log are written. */
  readonly agreed: { readonly format: number; readonly rules: number };
  readonly rows: readonly ClusterProcess[];
}

export interface AdminOptions {
  readonly vault: KeyVault;
  /** The clock that the venue follows. */
  readonly watched: ConfirmableClock;
  /** What operators do and may do. */
  readonly desk: ApprovalContext & { readonly log: ActionLog };
  /** Undefined for a venue without people. */
  readonly payments: Payments | undefined;
  readonly people?: PeopleContext | undefined;
  /** All processes of the cluster; without it the venue is one of its own. */
  readonly cluster?: () => Promise<ClusterView>;
}

export type AdminContext = Services & AdminOptions;

export const BASE = '/admin/v1';
export const ACCOUNT_PATH = `${BASE}/accounts/:account`;

/** The account of this id or else of this name, handed on, or why there is none. */
export function onAccount<T>(
  state: StateReader,
  named = '',
  use: (account: AccountView) => T | Refused,
): T | Refused {
  const id = /^[1-9][0-9]{0,14}$/.test(named) ? accountId(Number(named)) : undefined;
  const byId = id === undefined ? undefined : state.account(id);
  const account = byId ?? state.accountByName(named);
  return account === undefined ? refuseSaying('account_unknown', shown(named)) : use(account);
}
