/**
 * Where the reader is on the page, kept in the address after #. The token of a link stands there,
 * too; it is taken out of the address before anything else happens.
 */
import { createStore, type Store } from '../store/store.ts';

export const TABS = ['security', 'accounts', 'keys', 'money'] as const;
export type TabName = (typeof TABS)[number];
const DOORS = ['sign-in', 'ended', 'sign-up', 'forgotten'] as const;
export type DoorName = (typeof DOORS)[number];
const LINKS = ['confirm', 'reset', 'welcome', 'email', 'email_undo'] as const;

export interface Place {
  readonly tab: TabName;
  /** As an account's id; empty for none. */
  readonly detail: string;
  readonly door: DoorName;
}

/** Of an invitation that led here; for the form of the sign-up. */
export let invitationCode = '';
/** Of a competition that somebody was sent here to join: its code, or its id. */
export let competitionCode = '';

export function forgetCompetition(): void {
  competitionCode = '';
}

/** What a mail, or the operator, sent somebody here with. */
export interface Link {
  readonly kind: (typeof LINKS)[number];
  readonly token: string;
}

export const link: Store<Link | undefined> = createStore<Link | undefined>(takeLink());
export const place: Store<Place> = createStore<Place>(read());

addEventListener('hashchange', () => {
  const found = takeLink();
  if (found !== undefined) link.set(found);
  place.set(read());
});

export function go(to: TabName | DoorName, detail = ''): void {
  location.hash = detail === '' ? to : `${to}/${detail}`;
  place.set(read());
}

function takeLink(): Link | undefined {
  const [name = '', token = ''] = location.hash.slice(1).split('=');
  if (name === 'invitation') {
    invitationCode = token;
    history.replaceState(null, '', '#sign-up');
  }
  if (name === 'competition') {
    competitionCode = token;
    history.replaceState(null, '', '#accounts');
  }
  const kind = LINKS.find((one) => one === name);
  if (kind === undefined) return undefined;
  history.replaceState(null, '', location.pathname);
  return { kind, token };
}

function read(): Place {
  const [name = '', detail = ''] = location.hash.slice(1).split('/');
  return {
    tab: TABS.find((tab) => tab === name) ?? 'security',
    detail: /^[0-9]{1,15}$/.test(detail) ? detail : '',
    door: DOORS.find((door) => door === name) ?? 'sign-in',
  };
}
