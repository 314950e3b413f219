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
  /** Until when guesses hold signing in off; `0` if they do not. */
  readonly signInWaitsUntil: string;
  readonly accounts: readonly Access[];
}

export interface SessionSeen {
  readonly sessionId: string;
  readonly address: string;
  readonly agent: string;
  readonly cTime: string;
  readonly lastSeenTime: string;
}

export type LinkKind = 'confirm' | 'reset' | 'welcome' | 'email' | 'email_undo';

/** Without what opens it: that is made when the link is handed out. */
export interface WaitingLink {
  readonly linkId: string;
  readonly kind: LinkKind;
  readonly personId: string;
  readonly email: string;
  readonly mailed: boolean;
  /** Who has handed it out; empty while it waits. */
  readonly madeBy: string;
  readonly expiresTime: string;
}

/** Behind the address of the venue; it works once. */
export interface HandedLink extends WaitingLink {
  readonly path: string;
}

export interface InvitationRow {
  readonly invitationId: string;
  readonly label: string;
  readonly uses: number;
  readonly used: number;
  /** It is good as long as this operator runs the venue. */
  readonly madeBy: string;
  readonly cTime: string;
  readonly expiresTime: string;
}

export interface NewInvitation extends InvitationRow {
  readonly code: string;
  readonly path: string;
}

export const PEOPLE = '/admin/v1/people';

/** A link as the person opens it: at the address that the operator uses. */
export function wholeLink({ path }: Pick<HandedLink, 'path'>): string {
  return new URL(path, location.origin).href;
}
