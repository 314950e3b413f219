/** What the operator's API says of people. */
import type { Access } from '../../wire/person.ts';

export interface PersonRow {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly state: 'pending' | 'active' | 'suspended';
  readonly secondFactor: boolean;
  readonly cTime: string;
}

export interface PersonSeen extends PersonRow {
  /** How many are open. */
  readonly sessions: number;
  readonly accounts: readonly Access[];
}

export interface SessionSeen {
  readonly sessionId: string;
  readonly address: string;
  readonly agent: string;
  readonly cTime: string;
  readonly lastSeenTime: string;
}

export type LinkKind = 'confirm' | 'reset' | 'welcome';

/** Behind the address of the venue; it works once. */
export interface MadeLink {
  readonly kind: LinkKind;
  readonly path: string;
  readonly expiresTime: string;
}

export interface WaitingLink extends MadeLink {
  readonly email: string;
}

export interface InvitationRow {
  readonly invitationId: string;
  readonly label: string;
  readonly uses: number;
  readonly used: number;
  readonly cTime: string;
  readonly expiresTime: string;
}

export interface NewInvitation extends InvitationRow {
  readonly code: string;
  readonly path: string;
}

export const PEOPLE = '/admin/v1/people';

/** A link as the person opens it: at the address that the operator uses. */
export function wholeLink({ path }: Pick<MadeLink, 'path'>): string {
  return new URL(path, location.origin).href;
}
